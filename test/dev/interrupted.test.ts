import { spawn } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { isRunning, processBegun } from '../../dev/services/processes.ts';
import { until } from '../support/until.ts';

/** A run of tests with the services of this one; starting it takes a while on a busy machine. */
const BEGUN_WITHIN_MS = 40_000;
/** Twice the half second in which a child sees that its parent is gone, and something to end in. */
const ENDED_WITHIN_MS = 5_000;

test('npm test · Ctrl-C while tests run · none of their processes and none of their files is left', async () => {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'interrupted-'));
  const [roots, temporary] = [path.join(folder, 'roots'), path.join(folder, 'tmp')];
  for (const made of [roots, temporary]) mkdirSync(made);
  const pidFile = (name: string) => path.join(folder, `${name}.pid`);
  const names = ['first', 'second'];
  for (const name of names)
    writeFileSync(path.join(roots, `${name}.test.ts`), neverEnds(pidFile(name)));
  const run = spawn(
    process.execPath,
    ['dev/bootstrap.mjs', 'test', '--roots', roots, '--maxWorkers', '2'],
    { stdio: 'ignore', env: { ...process.env, TMPDIR: temporary } },
  );
  const ended = new Promise((resolve) => {
    run.once('exit', resolve);
  });
  try {
    const identities = await until({ what: 'both tests run', withinMs: BEGUN_WITHIN_MS }, () =>
      names.every((name) => existsSync(pidFile(name)))
        ? names.map((name) => identityOf(Number(readFileSync(pidFile(name), 'utf8'))))
        : undefined,
    );
    expect(madeIn(temporary)).not.toEqual([]);
    run.kill('SIGINT');
    await until({ what: 'both are gone', withinMs: ENDED_WITHIN_MS }, () =>
      identities.some(isRunning) ? undefined : true,
    );
    await ended;
    expect(madeIn(temporary)).toEqual([]);
  } finally {
    run.kill('SIGINT');
  }
});

/** Besides what the loader of TypeScript keeps for the next process. */
const madeIn = (folder: string): string[] =>
  readdirSync(folder).filter((name) => name.startsWith('tsx-') === false);

const identityOf = (pid: number) => ({ pid, begun: processBegun(pid) ?? '' });

/** What a test does that waits for something which takes long: its process has work and no end. */
const neverEnds = (pidFile: string): string => `
  const { renameSync, writeFileSync } = require('node:fs');
  test('never ends', async () => {
    writeFileSync('${pidFile}.draft', String(process.pid));
    renameSync('${pidFile}.draft', '${pidFile}');
    setInterval(() => {}, 1_000);
    await new Promise(() => {});
  }, 120_000);
`;

/** A worker that has not heard yet that the run has ended, and writes as fast as it can. */
const WRITES_ON = `
  const { writeFileSync } = require('node:fs');
  const until = Date.now() + 600;
  for (let at = 0; Date.now() < until; at += 1) {
    writeFileSync(process.argv[1] + '/' + at, 'late');
    if (at === 500) process.stdout.write('.');
  }
`;

test('the folder of a run · a worker still writes into it · is removed all the same', async () => {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'run-folder-'));
  const code = `
    import { spawn } from 'node:child_process';
    import { runFolderEnv } from ${JSON.stringify(path.resolve('dev/services/run-folder.ts'))};
    const { TMPDIR } = runFolderEnv({ root: ${JSON.stringify(folder)} });
    const late = spawn(process.execPath, ['-e', ${JSON.stringify(WRITES_ON)}, TMPDIR]);
    late.stdout.once('data', () => process.exit(0));`;
  const run = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '--eval', code], {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { ...process.env, TMPDIR: folder },
  });
  const said: string[] = [];
  run.stderr.on('data', (text: Buffer) => said.push(text.toString()));
  const exit = await new Promise((resolve) => {
    run.once('close', resolve);
  });
  expect([exit, ...said]).toEqual([0]);
  expect(madeIn(folder)).toEqual([]);
});
