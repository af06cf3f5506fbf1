import path from 'node:path';
import { findChromium } from './services/chromium.ts';
import type { StandContext } from './services/context.ts';
import { StandError } from './services/progress.ts';
import { isRecord, parse } from './services/records.ts';
import { findOpenpyxl } from './services/openpyxl.ts';
import { findPromtool } from './services/promtool.ts';
import { bringServices, serviceEnv } from './services/services.ts';
import { EXIT_INTERRUPTED, runForeground, runVerb } from './services/verb.ts';

/**
 * `npm test`: services of its own, then `npm run check`, then every test. `npm test -- path …` gives
 * the arguments to Jest and leaves the checks out.
 */
const jestArguments = process.argv.slice(2);
const durations: [string, number][] = [];

await runVerb({ folder: 'test', whenOwned: 'use another folder' }, async (context) => {
  const env = await timed('services', () => prepare(context));
  const checked =
    jestArguments.length > 0
      ? 0
      : await timed('checks', () =>
          runForeground(context, ['npm', 'run', '-s', 'check'], process.env),
        );
  if (context.signal.aborted) return EXIT_INTERRUPTED;
  const tested = await timed('tests', () => runJest(context, env));
  if (context.signal.aborted) return EXIT_INTERRUPTED;
  summarise(context, checked);
  return tested === 0 ? checked : tested;
});

async function prepare(context: StandContext): Promise<NodeJS.ProcessEnv> {
  const [services, chromium, openpyxl, promtool] = await Promise.all([
    bringServices(context, { lasts: 'RUN' }),
    needed(context, findChromium),
    needed(context, findOpenpyxl),
    needed(context, findPromtool),
  ]);
  const programs = { CHROMIUM_PATH: chromium, OPENPYXL_PATH: openpyxl, PROMTOOL_PATH: promtool };
  return { ...process.env, ...serviceEnv(services), ...programs };
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

function runJest(context: StandContext, env: NodeJS.ProcessEnv): Promise<number> {
  const jest = path.join(context.root, 'node_modules/jest/bin/jest.js');
  const report = ['--json', `--outputFile=${reportFile(context)}`];
  return runForeground(context, [process.execPath, jest, ...report, ...jestArguments], env);
}

function reportFile(context: StandContext): string {
  return path.join(context.dataDir, 'jest.json');
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
function summarise(context: StandContext, checked: number): void {
  const report = parse(reportFile(context), isReport);
  for (const [what, seconds] of durations) {
    process.stdout.write(`${what.padEnd(10)} ${seconds.toFixed(1).padStart(7)} s\n`);
  }
  if (checked !== 0) process.stdout.write('The checks failed; see above the tests.\n');
  if (!report) return;
  const failed = report.numFailedTests + report.numRuntimeErrorTestSuites;
  process.stdout.write(`${report.numPassedTests} passed, ${failed} failed\n`);
}

interface JestReport {
  numPassedTests: number;
  numFailedTests: number;
  /** Files that could not even be loaded. */
  numRuntimeErrorTestSuites: number;
}

function isReport(value: unknown): value is JestReport {
  return (
    isRecord(value) &&
    typeof value['numPassedTests'] === 'number' &&
    typeof value['numFailedTests'] === 'number' &&
    typeof value['numRuntimeErrorTestSuites'] === 'number'
  );
}
