import { useWindowEvent } from '@mantine/hooks';
import { lazy, Suspense, useRef, useState } from 'react';
import { common } from '../texts/common.ts';
import { IconButton } from './icon-button.tsx';
import type { PaletteEntry, PaletteSearch } from './palette-dialog.tsx';
import { useTexts } from './texts.ts';

/** Not before somebody asks. */
const PaletteDialog = lazy(async () => {
  const { PaletteDialog: dialog } = await import('./palette-dialog.tsx');
  return { default: dialog };
});

interface Props {
  entries: readonly PaletteEntry[];
  search?: PaletteSearch;
}

/** One that has closed is still there until it is drawn without it. */
const IN_FRONT = '[aria-modal="true"]:not(dialog:not([open]))';

/** Ctrl+K: every page, and what the platform finds by name or number. */
export function Palette(props: Props) {
  const t = useTexts(common);
  /** Which opening is shown, 0 none: the one before, when it hears late that it has closed, leaves the next. */
  const [shown, setShown] = useState(0);
  const last = useRef(0);
  const open = (): void => {
    last.current += 1;
    setShown(last.current);
  };
  useWindowEvent('keydown', (event) => {
    if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    // What stands in front of the page is answered first.
    if (document.querySelector(IN_FRONT) === null) open();
  });
  return (
    <>
      <IconButton aria-label={`${t.palette} (Ctrl+K)`} aria-haspopup="dialog" onClick={open}>
        <svg width="18" height="18" viewBox="0 0 24 24" aria-hidden fill="none">
          <path
            d="M10.5 4a6.5 6.5 0 1 1 0 13a6.5 6.5 0 0 1 0-13zM15.5 15.5l5 5"
            stroke="currentColor"
            strokeWidth="2"
            strokeLinecap="round"
          />
        </svg>
      </IconButton>
      {shown > 0 && (
        <Suspense>
          <PaletteDialog
            key={shown}
            {...props}
            close={() => setShown((now) => (now === shown ? 0 : now))}
          />
        </Suspense>
      )}
    </>
  );
}
