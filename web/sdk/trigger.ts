import type { ZoneTerms } from './request.ts';

const TICK_MS = 250;

/** Calls `then` once the page has been in sight for so many seconds. Answers a function that stops. */
export function afterInSight(seconds: number, then: () => void): () => void {
  let leftMs = seconds * 1_000;
  const tick = (): void => {
    if (document.visibilityState !== 'visible') return;
    if (leftMs <= 0) {
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

/** For a couplet: whether there is room beside the content. */
export const roomFor = (couplet: { min_screen_width: number }): MediaQueryList =>
  matchMedia(`(min-width:${couplet.min_screen_width}px)`);

/** Resolves when the zone's ad is to be seen, and never before somebody looks at the page. */
export async function triggered({ type, trigger, couplet }: ZoneTerms): Promise<void> {
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
  await new Promise<void>((resolve) => {
    afterInSight(seconds, resolve);
  });
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
