/** As long as one lasts: a busy process draws thousands of times in it, one that is seldom asked once. */
export const STRETCH_MS = 1_000;

/**
 * Where, for a moment, draws among thousands of equals fall near one another (ScanTerms.stretch):
 * an ad that was just looked at costs a tenth of one that lies cold in memory. The next moment's is
 * drawn anew, so that each request is as likely to show each of them.
 */
export function createStretch(chance: () => number): (now: Date) => number {
  let ends = -Infinity;
  let stretch = 0;
  return (now) => {
    const at = now.getTime();
    // A clock that was put back ends it as well.
    if (at >= ends || at < ends - STRETCH_MS) {
      ends = at + STRETCH_MS;
      stretch = chance();
    }
    return stretch;
  };
}
