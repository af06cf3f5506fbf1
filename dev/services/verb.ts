import { spawn } from 'node:child_process';
import { rmSync } from 'node:fs';
import path from 'node:path';
import { openContext, type StandContext, stopParts } from './context.ts';
import { StandError } from './progress.ts';

/** Ctrl-C reaches this process from the terminal and again through npm: within this time it is one. */
const SAME_INTERRUPT_MS = 1_500;
export const EXIT_INTERRUPTED = 130;

export interface VerbOptions {
  /** Folder below .data/ ('' is .data/ itself). */
  folder: string;
  /** What to do when another process already runs this stand. */
  whenOwned: 'use another folder' | ((context: StandContext, ownerPid: number) => Promise<number>);
}

/**
 * Runs one of the commands: owns the stand while `body` runs, turns Ctrl-C into context.signal, and
 * at the end stops every part that it started. Exits the process with body's number.
 */
export async function runVerb(
  options: VerbOptions,
  body: (context: StandContext) => Promise<number>,
): Promise<never> {
  const abort = new AbortController();
  const base = path.join('.data', options.folder);
  const open = (dataDir: string) =>
    openContext({ root: process.cwd(), dataDir, env: process.env, signal: abort.signal });
  let context = open(base);
  const owner = context.records.claim();
  if (owner !== undefined && options.whenOwned === 'use another folder') {
    context = open(`${base}-${process.pid}`);
    context.records.claim();
  }
  listen(abort, context);
  if (owner !== undefined && options.whenOwned !== 'use another folder') {
    process.exit(await attempt(context, options.whenOwned(context, owner.pid)));
  }
  const code = await attempt(context, body(context));
  await stopParts(context);
  context.records.release();
  if (owner !== undefined) rmSync(context.dataDir, { recursive: true, force: true });
  process.exit(code);
}

async function attempt(context: StandContext, running: Promise<number>): Promise<number> {
  try {
    return await running;
  } catch (error) {
    if (context.signal.aborted) return EXIT_INTERRUPTED;
    const text = error instanceof StandError ? error.message : describe(error);
    process.stderr.write(`\n${text}\n`);
    return 1;
  }
}

function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const cause = error.cause === undefined ? '' : `\ncaused by ${describe(error.cause)}`;
  return `${error.stack ?? error.message}${cause}`;
}

function listen(abort: AbortController, context: StandContext): void {
  let first = 0;
  const end = () => {
    if (!abort.signal.aborted) {
      first = Date.now();
      context.progress.say('Ending what was started (Ctrl-C again: at once) …');
      abort.abort();
    } else if (Date.now() - first > SAME_INTERRUPT_MS) {
      for (const part of context.parts) part.kill();
      context.records.release();
      process.exit(EXIT_INTERRUPTED);
    }
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, end);
  // The channel to bootstrap.mjs closes when that process is gone: then nobody could end us.
  if (process.channel) {
    process.channel.unref();
    process.on('disconnect', end);
  }
}

/** Runs a command in the terminal; answers its exit code. It is ended when the stand is. */
export function runForeground(
  context: StandContext,
  command: readonly [string, ...string[]],
  env: NodeJS.ProcessEnv,
): Promise<number> {
  const [file, ...args] = command;
  return new Promise((resolve, reject) => {
    const child = spawn(file, args, {
      cwd: context.root,
      env,
      stdio: ['ignore', 'inherit', 'inherit'],
    });
    const end = () => child.kill('SIGTERM');
    context.signal.addEventListener('abort', end, { once: true });
    child.once('error', reject);
    child.once('close', (code) => {
      context.signal.removeEventListener('abort', end);
      resolve(context.signal.aborted ? EXIT_INTERRUPTED : (code ?? 1));
    });
  });
}
