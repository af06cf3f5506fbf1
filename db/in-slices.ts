import { collectYoung } from './young-generation.ts';

/** Work between two looks at the event loop. */
const SLICE_MS = 4;

/** Who waits for a turn; one of them goes on in each turn of the event loop, however many there are. */
const waiting: (() => void)[] = [];

function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    waiting.push(resolve);
    if (waiting.length === 1) setImmediate(giveTurn);
  });
}

function giveTurn(): void {
  waiting.shift()?.();
  if (waiting.length > 0) setImmediate(giveTurn);
}

/**
 * Long work between the answers to requests: it yields wherever it may be put aside for a while. It waits for a
 * turn before it begins, too, as what calls it has mostly had one just now. The collector has turns of its own.
 */
export async function inSlices<Result>(work: Generator<unknown, Result>): Promise<Result> {
  for (;;) {
    await nextTurn();
    if (collectYoung()) await nextTurn();
    const until = performance.now() + SLICE_MS;
    do {
      const { done, value } = work.next();
      if (done === true) return value;
    } while (performance.now() < until);
  }
}
