/** So many that wait leave in the middle of a turn, where a write may leave at all. */
const FULL = 16;

/**
 * Group commit without a timer: what comes in one turn of the event loop leaves together at its end, while at
 * most `atOnce` writes are on their way, so that PostgreSQL works while we do. A group of 16 does not wait
 * for the end of the turn: else all that is asked of us would come to wait for one commit, and we with it.
 *
 * `leave` takes what waits (`waiting` counts it) and writes it; it never rejects, and answers undefined when
 * nothing that waits may leave before a write that runs has ended. What is answered is told of each that came.
 */
export function groupCommit(options: {
  atOnce: number;
  waiting: () => number;
  leave: () => Promise<void> | undefined;
}): { came: () => void } {
  const { atOnce, waiting, leave } = options;
  let running = 0;
  let isDue = false;

  const goesNow = (): boolean => {
    const written = leave();
    if (written === undefined) return false;
    running += 1;
    void written.then(() => {
      running -= 1;
      soon();
    });
    return true;
  };
  const soon = (): void => {
    if (isDue || running === atOnce || waiting() === 0) return;
    isDue = true;
    setImmediate(() => {
      isDue = false;
      while (running < atOnce && waiting() > 0 && goesNow());
    });
  };
  return {
    came: () => {
      if (waiting() % FULL === 0 && running < atOnce && goesNow()) return;
      soon();
    },
  };
}
