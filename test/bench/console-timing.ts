import type { Page } from 'playwright-core';

/** In each page before its own code: remembers its largest paint and how long interactions took. */
export const BENCH_SCRIPT = `
  globalThis.benchPaint = 0;
  globalThis.benchInteractions = new Map();
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) benchPaint = Math.max(benchPaint, entry.startTime);
  }).observe({ type: 'largest-contentful-paint', buffered: true });
  new PerformanceObserver((list) => {
    for (const { interactionId: id, duration } of list.getEntries()) {
      if (id > 0) benchInteractions.set(id, Math.max(benchInteractions.get(id) ?? 0, duration));
    }
  }).observe({ type: 'event', durationThreshold: 16, buffered: true });
`;

export const largestPaintOf = async (page: Page): Promise<number> =>
  await page.evaluate<number>('benchPaint');

/** The longest of each interaction's events; those of less than 16 ms are not told by browsers. */
export const interactionsOf = async (page: Page): Promise<number[]> =>
  await page.evaluate<number[]>('[...benchInteractions.values()]');

/**
 * Milliseconds from the next event of this type until what is looked at has changed and is drawn. Ask
 * first, then do it.
 */
export const timeUntil = async (page: Page, event: string, looked: string): Promise<number> =>
  await page.evaluate<number>(`new Promise((resolve) => {
    const look = () => ${looked};
    const before = look();
    addEventListener('${event}', () => {
      const began = performance.now();
      const again = () => {
        const now = look();
        if (now === undefined || now === before) requestAnimationFrame(again);
        else requestAnimationFrame(() => resolve(performance.now() - began));
      };
      again();
    }, { capture: true, once: true });
  })`);
