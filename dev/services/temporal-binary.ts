import { createHash } from 'node:crypto';
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
} from 'node:fs';
import { writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import type { StandContext } from './context.ts';
import { findGo } from './go.ts';
import { findBinary } from './install.ts';
import { oneAtATime } from './one-at-a-time.ts';
import { runCommand, startDaemon } from './processes.ts';
import { StandError } from './progress.ts';

export interface TemporalBinary {
  file: string;
  version: string;
}

const VERSION = '1.8.2';
/** Older ones lack flags that we start the server with. */
const MINOR_MIN = 8;
const DOWNLOAD_CONNECT_MS = 8_000;
const DOWNLOAD_MS = 180_000;

/**
 * `temporal` on the PATH, else what an earlier run put into the cache, else the vendor's download,
 * else built from the Go module that dev/temporal pins (three to four minutes, once).
 */
export async function findTemporal(context: StandContext): Promise<TemporalBinary> {
  const onPath = findBinary(['temporal'], context.env);
  const local = onPath === undefined ? undefined : await probe(onPath);
  if (local) return local;
  const cached = path.join(cacheFolder(context), 'temporal');
  const found = await probe(cached);
  if (found) return found;
  mkdirSync(cacheFolder(context), { recursive: true });
  const lock = {
    lockFile: `${cached}.lock`,
    signal: context.signal,
    waits: () =>
      context.progress.say("another start here is bringing Temporal's CLI: waiting for it"),
  };
  return await oneAtATime(
    lock,
    async () => (await probe(cached)) ?? (await bring(context, cached)),
  );
}

async function bring(context: StandContext, cached: string): Promise<TemporalBinary> {
  const whyNotDownload = await download(context, cached);
  const downloaded = whyNotDownload === '' ? await probe(cached) : undefined;
  if (downloaded) return downloaded;
  context.progress.say(`Temporal's CLI cannot be downloaded here (${whyNotDownload}): building it`);
  const whyNotBuilt = await build(context, cached);
  const built = whyNotBuilt === '' ? await probe(cached) : undefined;
  if (built) return built;
  throw new StandError(
    `Temporal's CLI is missing. Download: ${whyNotDownload}. Build: ${whyNotBuilt}. ` +
      `Put "temporal" ${VERSION} on the PATH (see docs.temporal.io/cli), or set TEMPORAL_ADDRESS.`,
  );
}

/** Keyed by what it is built from. */
function cacheFolder(context: StandContext): string {
  const sums = readFileSync(path.join(context.root, 'dev/temporal/go.sum'));
  const hash = createHash('sha256').update(sums).digest('hex').slice(0, 16);
  return path.join(context.cacheDir, `temporal-${hash}`);
}

/** Undefined when the file is missing, does not run here, or is too old. */
async function probe(file: string): Promise<TemporalBinary | undefined> {
  if (!existsSync(file)) return undefined;
  const { code, stdout } = await runCommand(file, ['--version'], { timeoutMs: 15_000 });
  const match = /version (\d+)\.(\d+)\.(\d+)/.exec(stdout);
  if (code !== 0 || match === null) return undefined;
  const recent = Number(match[1]) > 1 || Number(match[2]) >= MINOR_MIN;
  return recent ? { file, version: match.slice(1).join('.') } : undefined;
}

async function download(context: StandContext, target: string): Promise<string> {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  const arch = process.arch === 'x64' ? 'amd64' : process.arch;
  const url = `https://temporal.download/cli/archive/v${VERSION}?platform=${platform}&arch=${arch}`;
  const archive = `${target}.tar.gz`;
  try {
    const connecting = new AbortController();
    const timer = setTimeout(() => connecting.abort(new Error('no answer')), DOWNLOAD_CONNECT_MS);
    const response = await fetch(url, {
      signal: AbortSignal.any([
        connecting.signal,
        context.signal,
        AbortSignal.timeout(DOWNLOAD_MS),
      ]),
    }).finally(() => clearTimeout(timer));
    if (!response.ok) return `HTTP ${response.status}`;
    context.progress.say(`downloading Temporal's CLI ${VERSION}`);
    await writeFile(archive, Buffer.from(await response.arrayBuffer()));
    const unpacked = await runCommand('tar', [
      '-xzf',
      archive,
      '-C',
      path.dirname(target),
      'temporal',
    ]);
    return unpacked.code === 0 ? '' : unpacked.stderr.trim();
  } catch (error) {
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
    return cause instanceof Error ? cause.message : String(cause);
  } finally {
    rmSync(archive, { force: true });
  }
}

/**
 * Builds in a copy, so that go.mod and go.sum of the clone stay as they are. Go's own caches (3.5 GB)
 * live beside it and go when it is done; an interrupted build goes on from them.
 */
async function build(context: StandContext, target: string): Promise<string> {
  const go = await findGo(context);
  if (go.file === undefined) return go.why;
  const work = `${target}-build`;
  const caches = path.join(work, 'caches');
  mkdirSync(caches, { recursive: true });
  for (const name of ['go.mod', 'go.sum']) {
    copyFileSync(path.join(context.root, 'dev/temporal', name), path.join(work, name));
  }
  const draft = path.join(work, 'temporal');
  const flags = `-s -w -X github.com/temporalio/cli/internal/temporalcli.Version=${VERSION}`;
  const command = ['build', '-trimpath', '-ldflags', flags, '-o', draft];
  const { code, stderr } = await context.progress.slowly(
    `building Temporal's CLI ${VERSION} from its Go module, once for this machine`,
    '3 to 4 minutes on two cores',
    () =>
      runCommand(go.file, [...command, 'github.com/temporalio/cli/cmd/temporal'], {
        cwd: work,
        signal: context.signal,
        env: {
          ...context.env,
          CGO_ENABLED: '0',
          GOFLAGS: '-mod=readonly -modcacherw -buildvcs=false',
          GOWORK: 'off',
          GOCACHE: path.join(caches, 'build'),
          GOMODCACHE: path.join(caches, 'modules'),
        },
      }),
  );
  if (code !== 0) return lastLines(stderr);
  chmodSync(draft, 0o755);
  renameSync(draft, target);
  // Half a minute of removing; nobody has to wait for it, and who builds another one meanwhile does so elsewhere.
  const gone = `${work}-${process.pid}`;
  renameSync(work, gone);
  await startDaemon({
    command: 'rm',
    args: ['-rf', gone],
    cwd: context.cacheDir,
    logFile: os.devNull,
  });
  return '';
}

const lastLines = (text: string): string => text.trim().split('\n').slice(-5).join('; ');
