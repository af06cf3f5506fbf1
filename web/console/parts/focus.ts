import { useEffect, useRef, useState } from 'react';

const contentOf = (): HTMLElement | null => document.getElementById('content');

/** A new page begins at its content: keys go on from there and not from what has gone. */
export function useFocusOnPage(pathname: string | undefined): void {
  const shown = useRef(pathname);
  // The focus belongs to the document.
  useEffect(() => {
    const before = shown.current;
    shown.current = pathname;
    if (before === undefined || before === pathname) return;
    // A page that has put it somewhere itself keeps it there.
    if (contentOf()?.contains(document.activeElement) === true) return;
    contentOf()?.focus({ preventScroll: true });
  }, [pathname]);
}

/** Whoever closes a dialog goes on where they opened it, or at the content when that has gone. */
export function useFocusBack(): void {
  const [opener] = useState(() => openerOf(document.activeElement));
  // Only when the dialog has gone is it known where that left the focus.
  useEffect(
    () => () => {
      setTimeout(() => {
        if (!isNowhere()) return;
        if (opener?.isConnected === true) opener.focus({ preventScroll: true });
        if (isNowhere() && !goOnAtPlace()) contentOf()?.focus({ preventScroll: true });
      });
    },
    [opener],
  );
}

/** An entry of a menu has closed with it: its button is what opened the dialog. */
function openerOf(node: Element | null): HTMLElement | null {
  const menu = node?.closest('[role=menu]');
  const button = document.getElementById(menu?.getAttribute('aria-labelledby') ?? '');
  const opener = button ?? node;
  return opener instanceof HTMLElement ? opener : null;
}

/** A node with where it stands, then the one that it stands in, up to the content. */
interface Step {
  node: Element;
  parent: Element;
  index: number;
}

/** Where the focus was last in the content of this page. */
let trail: readonly Step[] = [];
/** A button that waits for its answer cannot have the focus, and gives it up. */
let waiting: HTMLElement | undefined;

const STOPS =
  'a[href], button:not(:disabled), input:not(:disabled), textarea:not(:disabled), select:not(:disabled), summary';

const SENDS = 'button[type=submit]';

const isNowhere = (): boolean => document.activeElement === document.body;

/**
 * What has the focus may go with its row, or make room for a form. Keys go on at what stands in its
 * place then: a browser would begin at nothing, and nobody would be told where they are.
 */
export function useFocusKept(): void {
  // No event says that something goes which has the focus: it is seen in the document.
  useEffect(() => {
    const content = contentOf();
    if (content === null) return undefined;
    let last: EventTarget | null = null;
    const observer = new MutationObserver((seen) => {
      if (seen.some(({ type, target }) => type === 'attributes' && target === last)) {
        waiting = last as HTMLElement;
      }
      if (!isNowhere()) return;
      if (waiting?.matches(':enabled') === true) waiting.focus({ preventScroll: true });
      if (isNowhere() && trail[0]?.node.isConnected === false && !goOnAtPlace()) {
        content.focus({ preventScroll: true });
      }
    });
    // Dialogs stand beside the content.
    const watched = { childList: true, subtree: true, attributeFilter: ['disabled'] };
    observer.observe(document.body, watched);
    const note = ({ target }: FocusEvent): void => {
      last = target;
      waiting = undefined;
      if (content.contains(target as Element)) trail = trailOf(target as Element, content);
    };
    // Whoever presses beside everything has left it on purpose.
    const forget = (): void => {
      last = null;
      waiting = undefined;
      trail = [];
    };
    document.addEventListener('focusin', note);
    document.addEventListener('pointerdown', forget);
    return () => {
      observer.disconnect();
      document.removeEventListener('focusin', note);
      document.removeEventListener('pointerdown', forget);
    };
  }, []);
}

function trailOf(from: Element, content: Element): Step[] {
  const steps: Step[] = [];
  for (let node = from; node !== content && node.parentElement !== null;) {
    const parent = node.parentElement;
    steps.push({ node, parent, index: [...parent.children].indexOf(node) });
    node = parent;
  }
  return steps;
}

/** The first stop of what stands there now, or near it; false where nothing does. A form drawn anew is sent as before. */
function goOnAtPlace(): boolean {
  const content = contentOf();
  const stops = trail[0]?.node.matches(SENDS) === true ? `${SENDS}:not(:disabled)` : STOPS;
  const near = trail.filter(({ parent }) => parent.isConnected && parent !== content);
  trail = [];
  for (const { parent, index } of near) {
    const place = parent.children[Math.min(index, parent.children.length - 1)];
    const stop = [place, ...(place?.querySelectorAll(stops) ?? [])].find(
      (node) => node instanceof HTMLElement && node.matches(stops) && node.checkVisibility(),
    ) as HTMLElement | undefined;
    stop?.focus({ preventScroll: true });
    if (!isNowhere()) return true;
  }
  return false;
}
