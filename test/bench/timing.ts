import { readFileSync } from 'node:fs';

/** Times of one thing done many times, one after another. */
export interface Times {
  p50Ms: number;
  p95Ms: number;
}

export async function timed(times: number, run: () => Promise<unknown>): Promise<Times> {
  // The first one reads pages that the others find in memory.
  await run();
  const took: number[] = [];
  for (let at = 0; at < times; at += 1) {
    const began = performance.now();
    await run();
    took.push(performance.now() - began);
  }
  took.sort((a, b) => a - b);
  const at = (share: number): number => took[Math.ceil(took.length * share) - 1] ?? 0;
  return { p50Ms: at(0.5), p95Ms: at(0.95) };
}

/** Resident memory of a process, in MiB. */
export function residentMiB(pid: number): number {
  const match = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'));
  return Number(match?.[1]) / 1_024;
}

/** Memory of a process before something is done, and its peak meanwhile, looked at every 50 ms. */
export async function memoryDuring<Result>(
  pid: number,
  run: () => Promise<Result>,
): Promise<{ beforeMiB: number; peakMiB: number; seconds: number; result: Result }> {
  const beforeMiB = residentMiB(pid);
  let peakMiB = beforeMiB;
  const looking = setInterval(() => {
    peakMiB = Math.max(peakMiB, residentMiB(pid));
  }, 50);
  const began = performance.now();
  try {
    const result = await run();
    return { beforeMiB, peakMiB, seconds: (performance.now() - began) / 1_000, result };
  } finally {
    clearInterval(looking);
  }
}
