import cluster, { type Worker } from 'node:cluster';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Logger, pino } from 'pino';
import { serveMetricsOfAll } from '../metrics/server.ts';

/**
 * Serving on more than one core: processes of their own that share a port (node:cluster hands each
 * new connection to the next). They share nothing else but PostgreSQL, Redis and the spool's folder,
 * as processes on several machines do:
 *
 * - inventory and budgets are each process's own copy, kept by the same notices, so a change is
 *   everywhere within the same time, and what can be spent past a budget until its notice comes
 *   depends on the load, not on the number of processes;
 * - frequency counters are in Redis: two answers of one viewer at the same moment may both count as
 *   the last one that a cap allows, as in one process;
 * - what a process that was killed left in the spool is replayed by any of the others;
 * - figures for Prometheus are each process's own, and this one adds them up when it is asked.
 */
const PAUSE_MIN_MS = 500;
const PAUSE_MAX_MS = 30_000;
/** After living this long, a process's next death counts as its first. */
const STEADY_MS = 60_000;
/** Beyond the time that a process takes to let its requests finish (server.ts). */
const END_WITHIN_MS = 20_000;

/** Names the process in its log: `api-1`, `api-2` and so on. */
const NUMBER = 'SERVING_PROCESS';

export const isToSupervise = (processes: number): boolean => processes > 1 && cluster.isPrimary;

/** @param env the process's own environment: entry points alone read it */
export const processName = (env: NodeJS.ProcessEnv): string => {
  const number = env[NUMBER];
  return number === undefined ? 'api' : `api-${number}`;
};

/** Resolves never: the process ends when it is told to, and all others with it. */
export async function superviseProcesses(
  count: number,
  { host, metricsPort }: { host: string; metricsPort: number },
): Promise<void> {
  const log = pino({ base: { process: 'api' } });
  if (metricsPort !== 0) serveMetricsOfAll({ host, port: metricsPort, log });
  const ending = new AbortController();
  const numbers = Array.from({ length: count }, (_none, at) => at + 1);
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.on(signal, () => {
      ending.abort();
    });
  }
  const codes = await Promise.all(
    numbers.map(async (number) => await keepRunning(number, { ending, log })),
  );
  process.exit(codes.find((code) => code !== 0) ?? 0);
}

/**
 * Starts a process anew each time it dies, at a rate that goes down while it keeps dying. One that
 * has never listened has a fault that a new start does not mend: then all of them end.
 */
async function keepRunning(
  number: number,
  { ending, log }: { ending: AbortController; log: Logger },
): Promise<number> {
  let pauseMs = PAUSE_MIN_MS;
  let hasListened = false;
  for (;;) {
    const begun = Date.now();
    const child = cluster.fork({ [NUMBER]: String(number) });
    child.once('listening', () => {
      hasListened = true;
    });
    const code = await endOf(child, ending.signal);
    if (ending.signal.aborted) return 0;
    if (!hasListened) {
      log.error({ number, code }, 'a serving process ended before it listened');
      ending.abort();
      return code === 0 ? 1 : code;
    }
    if (Date.now() - begun > STEADY_MS) pauseMs = PAUSE_MIN_MS;
    log.warn({ number, code, pause_ms: pauseMs }, 'a serving process ended and is started anew');
    await pause(pauseMs, ending.signal);
    pauseMs = Math.min(pauseMs * 2, PAUSE_MAX_MS);
    if (ending.signal.aborted) return 0;
  }
}

/** Its exit code; when all are to end it is asked to, and made to when it does not. */
async function endOf(child: Worker, ending: AbortSignal): Promise<number> {
  let force: NodeJS.Timeout | undefined;
  const end = (): void => {
    child.process.kill('SIGTERM');
    force = setTimeout(() => child.process.kill('SIGKILL'), END_WITHIN_MS);
  };
  if (ending.aborted) end();
  else ending.addEventListener('abort', end, { once: true });
  const code = await new Promise<number>((resolve) => {
    child.once('exit', (exitCode: number | null) => resolve(exitCode ?? 1));
  });
  clearTimeout(force);
  ending.removeEventListener('abort', end);
  return code;
}

async function pause(milliseconds: number, ending: AbortSignal): Promise<void> {
  try {
    await sleep(milliseconds, undefined, { signal: ending });
  } catch (error) {
    if (!ending.aborted) throw error;
  }
}
