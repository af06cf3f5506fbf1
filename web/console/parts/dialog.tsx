import { Modal, type ModalProps } from '@mantine/core';
import { type ReactNode, useLayoutEffect, useRef } from 'react';
import { common } from '../texts/common.ts';
import { useFocusBack } from './focus.ts';
import { useTexts } from './texts.ts';
import { Unsaved } from './unsaved.ts';

/** Of several lines, or of one long word such as an address: the cross keeps its place beside it. */
const TITLE = { title: { lineHeight: 1.4, minWidth: 0, overflowWrap: 'anywhere' } } as const;

/**
 * A dialog that is there for as long as it is drawn; the focus goes back to what opened it. The cross, Escape and a
 * press beside it ask before they lose what is written in a form; its own button to cancel means it.
 */
export function Dialog({ children, onClose, ...props }: Omit<ModalProps, 'opened'>) {
  const t = useTexts(common);
  const unsaved = useRef(false);
  useFocusBack();
  return (
    <Modal
      opened
      closeButtonProps={{ 'aria-label': t.close }}
      styles={TITLE}
      onClose={() => {
        if (!unsaved.current || globalThis.confirm(t.unsaved)) onClose();
      }}
      {...props}
    >
      <Unsaved value={unsaved}>
        <Beginning>{children}</Beginning>
      </Unsaved>
    </Modal>
  );
}

const FIELD = 'input:enabled, textarea:enabled, select:enabled';
const BUTTON = 'button:enabled, a[href]';

/** What is asked is where keys begin, and not the cross in the corner: a field, else the first button, which cancels. */
function Beginning({ children }: { children: ReactNode }) {
  const box = useRef<HTMLDivElement>(null);
  // Mantine looks for this mark once the dialog is drawn.
  useLayoutEffect(() => {
    const { current: node } = box;
    if (node === null || node.querySelector('[data-autofocus]') !== null) return undefined;
    const field = node.querySelector(FIELD);
    (field ?? node.querySelector(BUTTON))?.setAttribute('data-autofocus', 'true');
    if (field !== null) return undefined;
    // What has to be read first brings its field later; whoever has gone on from the cross stays there.
    const observer = new MutationObserver(() => {
      const late = node.querySelector<HTMLElement>(FIELD);
      if (late === null) return;
      observer.disconnect();
      if (!node.contains(document.activeElement)) late.focus({ preventScroll: true });
    });
    observer.observe(node, { childList: true, subtree: true });
    return () => observer.disconnect();
  }, []);
  return <div ref={box}>{children}</div>;
}
