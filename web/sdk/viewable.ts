/** MRC: half of the pixels (30 % of a large ad) for one continuous second in a focused tab. */
const LARGE_AD_PIXELS = 242_500;
const VIEWABLE_AFTER_MS = 1_000;

/** Calls `onViewable` at most once. Answers a function that stops watching. */
export function watchViewability(element: HTMLElement, onViewable: () => void): () => void {
  const share = element.offsetWidth * element.offsetHeight >= LARGE_AD_PIXELS ? 0.3 : 0.5;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const stop = (): void => {
    clearTimeout(timer);
    observer.disconnect();
  };
  const observer = new IntersectionObserver(
    (entries) => {
      const visible = (entries.at(-1)?.intersectionRatio ?? 0) >= share;
      clearTimeout(timer);
      timer = undefined;
      if (!visible || document.visibilityState !== 'visible') return;
      timer = setTimeout(() => {
        stop();
        onViewable();
      }, VIEWABLE_AFTER_MS);
    },
    { threshold: [0, 0.3, 0.5, 1] },
  );
  observer.observe(element);
  return stop;
}
