import { useDisclosure } from '@mantine/hooks';
import { lazy, Suspense, useEffect, useRef, useState } from 'react';
import { common } from '../texts/common.ts';
import { useTexts } from './texts.ts';

const Sheet = lazy(async () => ({ default: (await import('./keys-sheet.tsx')).KeysSheet }));

/** One key of a page, and what it does in words. */
export interface KeyBinding {
  /** As the keyboard says it: `j`, `Enter`, `?`. */
  key: string;
  label: string;
  run?: () => void;
  /** Done by the browser itself; only told of. */
  native?: boolean;
}

const isWriting = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable ||
    (target.matches('input, textarea, select') && !target.matches('[type="checkbox"]')));

/** Keys of this page, and `?` for the sheet that tells them. They rest while somebody types. */
export function Keys({ bindings }: { bindings: readonly KeyBinding[] }) {
  const t = useTexts(common);
  const [opened, { open, close }] = useDisclosure();
  const latest = useRef(bindings);
  latest.current = bindings;
  // The keyboard belongs to the document, whatever has the focus.
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
      if (document.querySelector('[role="dialog"]') !== null || isWriting(event.target)) return;
      if (event.key === '?') {
        open();
        return;
      }
      const found = latest.current.find(({ key, native }) => key === event.key && native !== true);
      if (found === undefined) return;
      event.preventDefault();
      found.run?.();
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, [open]);
  if (!opened) return null;
  return (
    <Suspense>
      <Sheet bindings={[...bindings, { key: '?', label: t.shortcuts }]} close={close} />
    </Suspense>
  );
}

/** Seconds that are left until then, once a second; 0 afterwards. */
export function useSecondsLeft(until: number | null): number {
  const [now, setNow] = useState(Date.now);
  // A clock ticks outside of React.
  useEffect(() => {
    if (until === null) return undefined;
    setNow(Date.now());
    const timer = setInterval(() => setNow(Date.now()), 250);
    return () => clearInterval(timer);
  }, [until]);
  return until === null ? 0 : Math.max(0, Math.ceil((until - now) / 1_000));
}
