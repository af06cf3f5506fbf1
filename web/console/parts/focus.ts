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
  const [back] = useState(() => placeOf(document.activeElement));
  // Only when the dialog has gone is it known where that left the focus.
  useEffect(
    () => () => {
      setTimeout(() => {
        back();
        if (isLost()) contentOf()?.focus({ preventScroll: true });
      });
    },
    [back],
  );
}

/**
 * What is busy cannot be pressed and so loses the focus, and what was done may have taken it away with
 * its row. Whoever began it goes on from there; what it answers is called when something is begun.
 */
export function useFocusKept(isBusy: boolean): () => void {
  const back = useRef<() => void>(undefined);
  // A button takes the focus again when it is drawn as one that can be pressed.
  useEffect(() => {
    if (isBusy) return;
    back.current?.();
    back.current = undefined;
  }, [isBusy]);
  // It has gone with its row: what stands there instead is known when that is drawn.
  useEffect(() => () => void setTimeout(() => back.current?.()), []);
  return () => {
    back.current = placeOf(document.activeElement);
  };
}

const PRESSED = 'a[href], button:not(:disabled)';
const WRITTEN = 'input:not(:disabled), select:not(:disabled), textarea:not(:disabled)';

/** The way back for when the focus is lost: to what had it or, of a page's content, to what is next to where it was. */
function placeOf(node: Element | null): () => void {
  const opener = openerOf(node);
  const { pathname } = location;
  const like = opener?.matches(WRITTEN) === true ? WRITTEN : PRESSED;
  const way = wayTo(opener);
  return () => {
    if (!isLost() || location.pathname !== pathname) return;
    if (opener?.isConnected === true) opener.focus({ preventScroll: true });
    focusAlong(way, like);
  };
}

interface Place {
  parent: Element;
  index: number;
}

/** From it up to the page's content; none for what is no part of that. */
function wayTo(node: Element | null): readonly Place[] {
  const content = contentOf();
  const way: Place[] = [];
  for (let at = node; at !== content;) {
    const parent: Element | null | undefined = at?.parentElement;
    if (at === null || !parent) return [];
    way.push({ parent, index: [...parent.children].indexOf(at) });
    at = parent;
  }
  return way;
}

const isLost = (): boolean => document.activeElement === document.body;

/** Nearest first: what has moved up to where it was, then what stands before it. */
function focusAlong(way: readonly Place[], like: string): void {
  for (const { parent, index } of way.filter((each) => each.parent.isConnected)) {
    const all = [...parent.children];
    for (const each of [...all.slice(index), ...all.slice(0, index).toReversed()]) {
      const next = each.matches(like) ? each : each.querySelector(like);
      if (isLost() && next instanceof HTMLElement) next.focus({ preventScroll: true });
    }
  }
}

/** An entry of a menu has closed with it: its button is what opened the dialog. */
function openerOf(node: Element | null): HTMLElement | null {
  const menu = node?.closest('[role=menu]');
  const button = document.getElementById(menu?.getAttribute('aria-labelledby') ?? '');
  const opener = button ?? node;
  return opener instanceof HTMLElement ? opener : null;
}
