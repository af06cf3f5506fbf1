import path from 'node:path';
import { findChromium } from './services/chromium.ts';
import type { StandContext } from './services/context.ts';
import { COMPILED_LATE, endingWithParent } from './services/platform-processes.ts';
import { StandError } from './services/progress.ts';
import { isRecord, parse } from './services/records.ts';
import { findOpenpyxl } from './services/openpyxl.ts';
import { findPromtool } from './services/promtool.ts';
import { runFolderEnv } from './services/run-folder.ts';
import { bringServices, serviceEnv } from './services/services.ts';
import { EXIT_INTERRUPTED, runForeground, runVerb } from './services/verb.ts';

/**
 * `npm test`: services of its own, then `npm run check`, then every test. `npm test -- path …` gives
 * the arguments to Jest and leaves the checks out.
 */
const jestArguments = process.argv.slice(2);
const durations: [string, number][] = [];

/** Reports of the two runs; the order of the next one is made from the first. */
const FIRST = 'jest.json';
const AGAIN = 'jest-again.json';
/** With more of them it is not the machine. */
const AGAIN_MOST = 3;

await runVerb({ folder: 'test', whenOwned: 'use another folder' }, async (context) => {
  const env = await timed('services', () => prepare(context));
  const checked =
    jestArguments.length > 0
      ? 0
      : await timed('checks', () =>
          runForeground(context, ['npm', 'run', '-s', 'check'], process.env),
        );
  if (context.signal.aborted) return EXIT_INTERRUPTED;
  const begun = Date.now();
  const first = await timed('tests', () => runJest(context, env, FIRST));
  if (context.signal.aborted) return EXIT_INTERRUPTED;
  const unsteady = first === 0 ? [] : worthAnotherRun(context, begun);
  const tested =
    unsteady.length === 0
      ? first
      : await timed('again', () =>
          runJest(context, env, AGAIN, ['--runInBand', '--runTestsByPath', ...unsteady]),
        );
  if (context.signal.aborted) return EXIT_INTERRUPTED;
  summarise(context, checked, unsteady);
  return tested === 0 ? checked : tested;
});

/**
 * Of a whole run: the few files that failed, to be run once more with nothing beside them. A fault fails again; what
 * passes alone is a race, of tests or of the product, that a busy machine has shown. The run is not lost for it,
 * and it is named at the end.
 */
function worthAnotherRun(context: StandContext, begun: number): string[] {
  const report = parse(reportFile(context, FIRST), isReport);
  // A run that did not get as far as its report left the one before it.
  if (jestArguments.length > 0 || report === undefined || report.startTime < begun) return [];
  const failed = report.testResults
    .filter(({ status }) => status === 'failed')
    .map(({ name }) => name);
  return failed.length <= AGAIN_MOST ? failed : [];
}

async function prepare(context: StandContext): Promise<NodeJS.ProcessEnv> {
  const [services, chromium, openpyxl, promtool] = await Promise.all([
    bringServices(context, { lasts: 'RUN' }),
    needed(context, findChromium),
    needed(context, findOpenpyxl),
    needed(context, findPromtool),
  ]);
  const programs = { CHROMIUM_PATH: chromium, OPENPYXL_PATH: openpyxl, PROMTOOL_PATH: promtool };
  return { ...process.env, ...serviceEnv(services), ...programs, ...runFolderEnv(context) };
}

/** Chosen tests may do without it; those that need it say so themselves. */
async function needed(
  context: StandContext,
  find: (context: StandContext) => Promise<string>,
): Promise<string> {
  try {
    return await find(context);
  } catch (error) {
    if (jestArguments.length === 0 || !(error instanceof StandError)) throw error;
    context.progress.say(error.message);
    return '';
  }
}

/** Jest's workers are started with the same flags: they too end when nobody waits for them any more. */
function runJest(
  context: StandContext,
  env: NodeJS.ProcessEnv,
  report: string,
  given: readonly string[] = jestArguments,
): Promise<number> {
  const jest = path.join(context.root, 'node_modules/jest/bin/jest.js');
  const written = ['--json', `--outputFile=${reportFile(context, report)}`];
  const flags = [COMPILED_LATE, ...endingWithParent(context.root)];
  return runForeground(context, [process.execPath, ...flags, jest, ...written, ...given], env);
}

function reportFile(context: StandContext, name: string): string {
  return path.join(context.dataDir, name);
}

async function timed<Result>(what: string, run: () => Promise<Result>): Promise<Result> {
  const begun = performance.now();
  try {
    return await run();
  } finally {
    durations.push([what, (performance.now() - begun) / 1000]);
  }
}

/** The last line has the plain form that tools which know nothing of Jest can read. */
function summarise(context: StandContext, checked: number, unsteady: readonly string[]): void {
  const first = parse(reportFile(context, FIRST), isReport);
  const again = unsteady.length === 0 ? undefined : parse(reportFile(context, AGAIN), isReport);
  for (const [what, seconds] of durations) {
    process.stdout.write(`${what.padEnd(10)} ${seconds.toFixed(1).padStart(7)} s\n`);
  }
  if (checked !== 0) process.stdout.write('The checks failed; see above the tests.\n');
  if (!first) return;
  for (const { name, status } of again?.testResults ?? []) {
    if (status !== 'passed') continue;
    process.stdout.write(`UNSTEADY ${path.relative(context.root, name)}: failed, passed alone\n`);
  }
  const left = again ?? first;
  const mended = first.numFailedTests - left.numFailedTests;
  const failed = left.numFailedTests + left.numRuntimeErrorTestSuites;
  process.stdout.write(`${first.numPassedTests + mended} passed, ${failed} failed\n`);
}

interface JestReport {
  /** Unix ms. */
  startTime: number;
  numPassedTests: number;
  numFailedTests: number;
  /** Files that could not even be loaded. */
  numRuntimeErrorTestSuites: number;
  testResults: { name: string; status: string }[];
}

function isReport(value: unknown): value is JestReport {
  return (
    isRecord(value) &&
    typeof value['startTime'] === 'number' &&
    typeof value['numPassedTests'] === 'number' &&
    typeof value['numFailedTests'] === 'number' &&
    typeof value['numRuntimeErrorTestSuites'] === 'number' &&
    Array.isArray(value['testResults'])
  );
}
