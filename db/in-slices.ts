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

/** Long work between the answers to requests: it yields wherever it may be put aside for a while. */
export async function inSlices<Result>(work: Generator<unknown, Result>): Promise<Result> {
  let until = performance.now() + SLICE_MS;
  for (;;) {
    const { done, value } = work.next();
    if (done === true) return value;
    if (performance.now() < until) continue;
    await nextTurn();
    until = performance.now() + SLICE_MS;
  }
}
