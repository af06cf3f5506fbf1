import { Modal, type ModalProps } from '@mantine/core';
import { type ReactNode, useLayoutEffect, useRef } from 'react';
import { common } from '../texts/common.ts';
import { useFocusBack } from './focus.ts';
import { useTexts } from './texts.ts';

/** A dialog that is there for as long as it is drawn; the focus goes back to what opened it. */
export function Dialog({ children, ...props }: Omit<ModalProps, 'opened'>) {
  const t = useTexts(common);
  useFocusBack();
  return (
    <Modal opened closeButtonProps={{ 'aria-label': t.close }} {...props}>
      <Beginning>{children}</Beginning>
    </Modal>
  );
}

const FIELD = 'input:enabled, textarea:enabled, select:enabled';

/** What is asked is where keys begin, and not the button that gives it up. */
function Beginning({ children }: { children: ReactNode }) {
  const box = useRef<HTMLDivElement>(null);
  // Mantine looks for this mark once the dialog is drawn.
  useLayoutEffect(() => {
    const { current: node } = box;
    if (node?.querySelector('[data-autofocus]') !== null) return;
    node.querySelector(FIELD)?.setAttribute('data-autofocus', 'true');
  }, []);
  return <div ref={box}>{children}</div>;
}
