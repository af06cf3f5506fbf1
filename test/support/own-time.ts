const TICK_MS = 5;

/**
 * Milliseconds that this process had, until it is asked: on a machine that is busy with others, a second
 * without a turn counts as one tick. So a promise of "within two seconds" can be held to anywhere.
 */
export function ownTime(): () => number {
  let ticks = 0;
  const timer = setInterval(() => {
    ticks += 1;
  }, TICK_MS);
  return () => {
    clearInterval(timer);
    return ticks * TICK_MS;
  };
}
