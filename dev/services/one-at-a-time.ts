import { rmSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { claim } from './records.ts';

const LOOK_MS = 250;

/**
 * Runs what only one process of this machine may do at a time, such as filling a folder that clones share. `lockFile`
 * names who is at it; one that was killed keeps nobody waiting. `waits` is told once, when there is somebody to wait for.
 */
export async function oneAtATime<Result>(
  { lockFile, signal, waits }: { lockFile: string; signal?: AbortSignal; waits: () => void },
  run: () => Promise<Result>,
): Promise<Result> {
  if (claim(lockFile) !== undefined) {
    waits();
    do await delay(LOOK_MS, undefined, { signal });
    while (claim(lockFile) !== undefined);
  }
  try {
    return await run();
  } finally {
    rmSync(lockFile, { force: true });
  }
}
