import { Modal, type ModalProps } from '@mantine/core';
import { common } from '../texts/common.ts';
import { useFocusBack } from './focus.ts';
import { useTexts } from './texts.ts';

/** A dialog that is there for as long as it is drawn; the focus goes back to what opened it. */
export function Dialog(props: Omit<ModalProps, 'opened'>) {
  const t = useTexts(common);
  useFocusBack();
  return <Modal opened closeButtonProps={{ 'aria-label': t.close }} {...props} />;
}
