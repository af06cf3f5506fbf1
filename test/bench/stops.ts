import { readFileSync } from 'node:fs';
import { type PerformanceEntry, PerformanceObserver } from 'node:perf_hooks';

/** A turn of the event loop in which nobody else had one. */
export interface Stop {
  ms: number;
  /** Of it, while the collector ran. */
  collectorMs: number;
  /** Processor time of the answering thread meanwhile: what a busy machine or V8's helpers took is not in it. */
  cpuMs: number;
}

interface Turn extends Stop {
  startedAt: number;
}

/** A turn that took little is no stop, and there are many. */
const LEAST_MS = 1;

/** Watches each turn of the event loop, until it is asked for the longest, by the clock and by processor time. */
export function watchStops(): () => Promise<{ longest: Stop; costliest: Stop }> {
  const turns: Turn[] = [];
  const collections: PerformanceEntry[] = [];
  const observer = new PerformanceObserver((list) => collections.push(...list.getEntries()));
  observer.observe({ entryTypes: ['gc'] });
  let isOver = false;
  let startedAt = performance.now();
  let cpu = threadMs();
  const look = (): void => {
    const now = performance.now();
    const [ms, cpuMs] = [now - startedAt, threadMs() - cpu];
    if (Math.max(ms, cpuMs) >= LEAST_MS) turns.push({ startedAt, ms, cpuMs, collectorMs: 0 });
    startedAt = now;
    cpu = threadMs();
    if (!isOver) setImmediate(look);
  };
  setImmediate(look);
  return async () => {
    await new Promise((resolve) => setImmediate(resolve));
    isOver = true;
    // Collections are told of in a later turn.
    await new Promise((resolve) => setTimeout(resolve, 5));
    collections.push(...observer.takeRecords());
    observer.disconnect();
    for (const turn of turns) turn.collectorMs = collectedIn(turn, collections);
    const most = (figure: 'ms' | 'cpuMs'): Stop =>
      turns.reduce<Stop>((top, turn) => (turn[figure] > top[figure] ? turn : top), NO_STOP);
    return { longest: most('ms'), costliest: most('cpuMs') };
  };
}

const OWN_THREAD = `/proc/self/task/${process.pid}/schedstat`;

/** Of the whole process where the system does not tell threads apart. */
function threadMs(): number {
  if (process.platform === 'linux') {
    return Number(readFileSync(OWN_THREAD, 'latin1').split(' ')[0]) / 1_000_000;
  }
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}

const NO_STOP: Stop = { ms: 0, collectorMs: 0, cpuMs: 0 };

function collectedIn(turn: Turn, collections: readonly PerformanceEntry[]): number {
  const end = turn.startedAt + turn.ms;
  return collections.reduce((sum, { startTime, duration }) => {
    const both = Math.min(end, startTime + duration) - Math.max(turn.startedAt, startTime);
    return sum + Math.max(0, both);
  }, 0);
}
