import type { CDPSession, Page } from 'playwright-core';
import { until } from '../support/until.ts';

/** In each page before its own code: remembers its largest paint and how long interactions took. */
export const BENCH_SCRIPT = `
  globalThis.benchPaint = 0;
  globalThis.benchInteractions = new Map();
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) benchPaint = Math.max(benchPaint, entry.startTime);
  }).observe({ type: 'largest-contentful-paint', buffered: true });
  new PerformanceObserver((list) => {
    for (const { interactionId: id, duration, name, target } of list.getEntries()) {
      if (id === 0 || (benchInteractions.get(id)?.duration ?? 0) >= duration) continue;
      const what = name + ' ' + (target?.getAttribute?.('aria-label') ?? target?.textContent ?? '').slice(0, 40);
      benchInteractions.set(id, { duration, what: what + ' at ' + location.pathname });
    }
  }).observe({ type: 'event', durationThreshold: 16, buffered: true });
`;

/** Of a page that has all it shows. */
export async function largestPaintOf(page: Page): Promise<number> {
  await until('a page is drawn', async () => await page.evaluate<boolean>(IS_DRAWN));
  return await page.evaluate<number>('benchPaint');
}

const IS_DRAWN = `benchPaint > 0 && document.querySelector('h1') !== null &&
  document.querySelector('.mantine-Skeleton-root') === null`;

/** The longest of each interaction's events; those of less than 16 ms are not told by browsers. */
export const interactionsOf = async (page: Page): Promise<{ duration: number; what: string }[]> =>
  await page.evaluate<{ duration: number; what: string }[]>('[...benchInteractions.values()]');

/**
 * Begins to wait for the next event of this type, and answers what tells the milliseconds from it until
 * what is looked at has changed and is drawn. Two steps: an evaluation that is still on its way when the
 * key is pressed hears nothing of it, and waits for ever.
 */
export async function timeUntil(
  page: Page,
  event: string,
  looked: string,
): Promise<() => Promise<number>> {
  await page.evaluate(`void (globalThis.benchTimed = new Promise((resolve) => {
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
  }))`);
  return async () => await page.evaluate<number>('benchTimed');
}

/**
 * In each page before React: counts the components that every change of the page runs. React tells whoever
 * stands where its developer tools would; a component that ran says so by a flag, in production as well.
 */
export const COUNTING_SCRIPT = `
  globalThis.benchRun = 0;
  const RAN = 1;
  const [FUNCTION, FORWARD_REF, MEMO, SIMPLE_MEMO] = [0, 11, 14, 15];
  const isComponent = ({ tag }) => [FUNCTION, FORWARD_REF, MEMO, SIMPLE_MEMO].includes(tag);
  const count = (fiber, before) => {
    if (isComponent(fiber) && (fiber.flags & RAN) !== 0) benchRun += 1;
    // The same children as before: nothing below has run.
    if (before !== null && fiber.child === before.child) return;
    for (let child = fiber.child; child !== null; child = child.sibling) {
      count(child, before === null ? null : child.alternate);
    }
  };
  globalThis.__REACT_DEVTOOLS_GLOBAL_HOOK__ = {
    supportsFiber: true,
    inject: () => 1,
    onCommitFiberUnmount: () => {},
    onPostCommitFiberRoot: () => {},
    onCommitFiberRoot: (_id, { current }) => count(current, current.alternate),
  };
`;

/** What a page has cost since it was opened, told in what no neighbour on the machine changes. */
export interface Work {
  /** Components that React has run. */
  components: number;
  /** Milliseconds of the page's own thread: code, and style with layout. */
  script: number;
  layout: number;
  /** Of the document, now. */
  nodes: number;
}

/** The session counts from here on, in the thread's own time. */
export const countWork = async (session: CDPSession): Promise<void> => {
  await session.send('Performance.enable', { timeDomain: 'threadTicks' });
};

export async function workOf(page: Page, session: CDPSession): Promise<Work> {
  const { metrics } = await session.send('Performance.getMetrics');
  const ms = (name: string): number =>
    1_000 * (metrics.find((metric) => metric.name === name)?.value ?? 0);
  return {
    components: await page.evaluate<number>('benchRun'),
    script: ms('ScriptDuration'),
    layout: ms('LayoutDuration') + ms('RecalcStyleDuration'),
    nodes: await page.evaluate<number>(`document.querySelectorAll('*').length`),
  };
}
