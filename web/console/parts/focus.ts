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

/** Whoever closes a dialog goes on where they opened it, at what has come in its place, or at the content. */
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

/** What is busy cannot be pressed and so loses the focus: it has it again after. Answers what is called as it begins. */
export function useFocusAfter(isBusy: boolean): () => void {
  const begun = useRef<HTMLElement | null>(null);
  // A button takes the focus again when it is drawn as one that can be pressed.
  useEffect(() => {
    if (isBusy) return;
    const node = begun.current;
    begun.current = null;
    if (isNowhere() && node?.isConnected === true) node.focus({ preventScroll: true });
  }, [isBusy]);
  return () => {
    begun.current = openerOf(document.activeElement);
  };
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

const PRESSED = 'a[href], button:not(:disabled), summary';
const WRITTEN = 'input:not(:disabled), select:not(:disabled), textarea:not(:disabled)';

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
    const observer = new MutationObserver(() => {
      if (!isNowhere() || trail[0]?.node.isConnected !== false) return;
      if (!goOnAtPlace()) content.focus({ preventScroll: true });
    });
    observer.observe(content, { childList: true, subtree: true });
    const note = ({ target }: FocusEvent): void => {
      trail = target === content ? [] : trailOf(target as Element, content);
    };
    // Whoever presses beside everything has left it on purpose.
    const forget = (): void => {
      trail = [];
    };
    content.addEventListener('focusin', note);
    document.addEventListener('pointerdown', forget);
    return () => {
      observer.disconnect();
      content.removeEventListener('focusin', note);
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

/** What is pressed or written in, like what has gone, where that stood or nearest before it; false where nothing is. */
function goOnAtPlace(): boolean {
  const content = contentOf();
  const like = trail[0]?.node.matches(WRITTEN) === true ? WRITTEN : PRESSED;
  const near = trail.filter(({ parent }) => parent.isConnected && parent !== content);
  trail = [];
  for (const { parent, index } of near) {
    const all = [...parent.children];
    for (const place of [...all.slice(index), ...all.slice(0, index).toReversed()]) {
      const stop = [place, ...place.querySelectorAll(like)].find(
        (node) => node instanceof HTMLElement && node.matches(like) && node.checkVisibility(),
      ) as HTMLElement | undefined;
      stop?.focus({ preventScroll: true });
      if (!isNowhere()) return true;
    }
  }
  return false;
}
