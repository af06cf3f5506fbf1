import { type ChildProcess, spawn } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { openContext, type StandContext } from '../../dev/services/context.ts';
import { createProgress } from '../../dev/services/progress.ts';
import { findTemporal } from '../../dev/services/temporal-binary.ts';
import { oneAtATime } from '../../dev/services/one-at-a-time.ts';
import { until } from '../support/until.ts';

let folder: string;
let lockFile: string;
const others: ChildProcess[] = [];

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'one-at-a-time-'));
  lockFile = path.join(folder, 'lock');
});
afterEach(() => {
  for (const other of others.splice(0)) other.kill('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
});

/** Another process that is at it, until it is told to end. */
async function other(): Promise<ChildProcess> {
  const module = path.resolve('dev/services/one-at-a-time.ts');
  const code = `import { oneAtATime } from ${JSON.stringify(module)};
    await oneAtATime({ lockFile: ${JSON.stringify(lockFile)}, waits: () => undefined },
      () => new Promise((resolve) => process.once('SIGTERM', resolve)));
    process.exit(0);`;
  const child = spawn(
    process.execPath,
    ['--import', 'tsx', '--input-type=module', '--eval', `setInterval(() => {}, 1000); ${code}`],
    { stdio: ['ignore', 'ignore', 'inherit'] },
  );
  others.push(child);
  await until('the other one is at it', () => Promise.resolve(existsSync(lockFile)));
  return child;
}

test('a clone that starts while another fills the cache · waits for it, and says so once', async () => {
  const child = await other();
  const course: string[] = [];
  const mine = oneAtATime({ lockFile, waits: () => course.push('waits') }, async () => {
    course.push('runs');
    await Promise.resolve();
  });
  await until('it waits', () => Promise.resolve(course.length > 0));
  const holder = JSON.parse(readFileSync(lockFile, 'utf8')) as { pid: number };
  expect(holder.pid).toBe(child.pid);
  expect(course).toEqual(['waits']);
  child.kill('SIGTERM');
  await mine;
  expect(course).toEqual(['waits', 'runs']);
  expect(existsSync(lockFile)).toBe(false);
});

test('one that was killed at it · keeps nobody waiting', async () => {
  const child = await other();
  const ended = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGKILL');
  await ended;
  const waits = (): void => {
    throw new Error('there is nobody to wait for');
  };
  expect(await oneAtATime({ lockFile, waits }, async () => await Promise.resolve('mine'))).toBe(
    'mine',
  );
});

test('what fails · is let go of', async () => {
  const run = async (): Promise<never> => await Promise.reject(new Error('no room'));
  const waits = (): void => undefined;
  await expect(oneAtATime({ lockFile, waits }, run)).rejects.toThrow('no room');
  expect(existsSync(lockFile)).toBe(false);
});

test('Ctrl-C while it waits · ends it, and the other one goes on', async () => {
  await other();
  const stop = new AbortController();
  const mine = oneAtATime(
    { lockFile, signal: stop.signal, waits: () => stop.abort() },
    async () => await Promise.reject(new Error('it was not to run')),
  );
  await expect(mine).rejects.toThrow(/abort/i);
  expect(existsSync(lockFile)).toBe(true);
});

/** A stand of a clone, on a machine with a Go that builds in no time and writes down that it did. */
function clone(name: string, said: string[]): StandContext {
  return openContext({
    root: process.cwd(),
    dataDir: path.join(folder, name),
    env: { PATH: `${path.join(folder, 'bin')}:/usr/bin:/bin`, ADPLATFORM_CACHE: folder },
    signal: new AbortController().signal,
    progress: createProgress((line) => said.push(line)),
  });
}

test("two clones that start on a machine without Temporal's CLI · one builds it, both have it", async () => {
  const built = path.join(folder, 'built');
  const version = 'echo "temporal version 1.8.2"';
  mkdirSync(path.join(folder, 'bin'));
  writeFileSync(
    path.join(folder, 'bin', 'go'),
    `#!/bin/sh
[ "$1" = version ] && echo "go version go9.0.0 linux/amd64" && exit
echo built >> ${built}
sleep 0.3
for last; do [ "$before" = -o ] && printf '#!/bin/sh\n${version}\n' > "$last"; before=$last; done
`,
    { mode: 0o755 },
  );
  const fetching = jest.spyOn(globalThis, 'fetch').mockRejectedValue(new Error('no network'));
  const said: string[] = [];
  try {
    const found = await Promise.all(
      ['one', 'two'].map(async (name) => await findTemporal(clone(name, said))),
    );
    expect(found[0]?.file).toBe(found[1]?.file);
    expect(found.map((each) => each.version)).toEqual(['1.8.2', '1.8.2']);
  } finally {
    fetching.mockRestore();
  }
  expect(readFileSync(built, 'utf8')).toBe('built\n');
  expect(said.filter((line) => line.includes('waiting for it'))).toHaveLength(1);
  const [cache = ''] = readdirSync(folder).filter((name) => name.startsWith('temporal-'));
  await until("only Temporal's CLI is kept", () =>
    Promise.resolve(readdirSync(path.join(folder, cache)).join() === 'temporal'),
  );
});
