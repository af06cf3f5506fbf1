import { setImmediate } from 'node:timers/promises';

/** Work between two looks at the event loop. */
const SLICE_MS = 4;

/** Long work between the answers to requests: it yields wherever it may be put aside for a while. */
export async function inSlices<Result>(work: Generator<unknown, Result>): Promise<Result> {
  let until = performance.now() + SLICE_MS;
  for (;;) {
    const { done, value } = work.next();
    if (done === true) return value;
    if (performance.now() < until) continue;
    await setImmediate();
    until = performance.now() + SLICE_MS;
  }
}
