/** A tab in the background draws nothing. */
const LONGEST_MS = 100;

/** Ends when what has changed so far is on the screen. */
export async function painted(): Promise<void> {
  await new Promise<void>((resolve) => {
    // A frame's callbacks run before it is drawn, what they put off after it.
    requestAnimationFrame(() => setTimeout(resolve));
    setTimeout(resolve, LONGEST_MS);
  });
}
