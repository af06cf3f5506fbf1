import type { ZoneTerms } from './request.ts';

const TICK_MS = 250;

/**
 * Calls `then` once the element could be seen for so many seconds: its tab is in sight, as that of a page
 * made ahead is not, and it is drawn, as one in `display:none` is not; or once it has left the page.
 * Answers a function that stops.
 */
export function afterInSight(element: Element, seconds: number, then: () => void): () => void {
  let leftMs = seconds * 1_000;
  const tick = (): void => {
    const isGone = !element.isConnected;
    if (!isGone && (document.visibilityState !== 'visible' || !isDrawn(element))) return;
    if (isGone || leftMs <= 0) {
      clearInterval(timer);
      then();
    }
    leftMs -= TICK_MS;
  };
  const timer = setInterval(tick, TICK_MS);
  tick();
  return () => {
    clearInterval(timer);
  };
}

export async function inSight(element: Element, seconds = 0): Promise<void> {
  await new Promise<void>((resolve) => {
    afterInSight(element, seconds, resolve);
  });
}

/** What stands for its children has no box of its own. */
const isDrawn = (element: Element): boolean =>
  element.getClientRects().length > 0 || getComputedStyle(element).display === 'contents';

/** For a couplet: whether there is room beside the content. */
export const roomFor = (couplet: { min_screen_width: number }): MediaQueryList =>
  matchMedia(`(min-width:${couplet.min_screen_width}px)`);

/** Resolves when the zone's ad is to be seen, and never before somebody looks at the page. */
export async function triggered(
  element: Element,
  { type, trigger, couplet }: ZoneTerms,
): Promise<void> {
  if (couplet !== undefined) {
    const room = roomFor(couplet);
    await happened(room, 'change', () => room.matches);
  } else if (type === 'EXIT_INTENT') {
    // Leaving the window has no next element; above its upper edge are the tabs and the address.
    await happened<MouseEvent>(
      document,
      'mouseout',
      (event) => event !== undefined && event.relatedTarget === null && event.clientY <= 0,
    );
  } else if (trigger?.type === 'CLICK') {
    await happened(document, 'click', (event) => event !== undefined);
  } else if (trigger?.type === 'SCROLL') {
    await happened(document, 'scroll', () => scrolledPercent() >= trigger.scroll_percent);
  }
  const seconds = trigger?.type === 'DELAY' ? trigger.delay_seconds : 0;
  await inSight(element, seconds);
}

/** Checks now (without an event) and at each event, in the capture phase: pages stop events. */
async function happened<Kind extends Event>(
  target: EventTarget,
  name: string,
  isIt: (event?: Kind) => boolean,
): Promise<void> {
  await new Promise<void>((resolve) => {
    const check = (event?: Event): void => {
      if (!isIt(event as Kind | undefined)) return;
      target.removeEventListener(name, check, true);
      resolve();
    };
    target.addEventListener(name, check, true);
    check();
  });
}

/** A page that cannot be scrolled has been seen to its end. */
function scrolledPercent(): number {
  const { scrollHeight, clientHeight, scrollTop } = document.documentElement;
  const rest = scrollHeight - clientHeight;
  return rest > 0 ? (scrollTop / rest) * 100 : 100;
}
