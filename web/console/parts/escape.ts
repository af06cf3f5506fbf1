import { useWindowEvent } from '@mantine/hooks';

/**
 * Closes what stands open by Escape, wherever the focus is: a popover hears it inside itself alone, and
 * on a busy computer the focus may still be on its button. A dialog in front of it is closed first.
 */
export function useEscape(opened: boolean, close: () => void): void {
  useWindowEvent('keydown', (event) => {
    if (!opened || event.key !== 'Escape') return;
    if (document.querySelector('[aria-modal="true"]') === null) close();
  });
}
