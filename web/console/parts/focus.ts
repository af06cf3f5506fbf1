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
        if (document.activeElement !== document.body) return;
        if (opener?.isConnected === true) opener.focus({ preventScroll: true });
        if (document.activeElement === document.body) contentOf()?.focus({ preventScroll: true });
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
