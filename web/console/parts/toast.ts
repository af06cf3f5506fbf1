import { notifications } from '@mantine/notifications';
import { common } from '../texts/common.ts';
import { textsIn } from './texts.ts';

/** Said outside of any part, so the page itself tells its language. */
const closing = (): { 'aria-label': string } => ({
  'aria-label': textsIn(common, document.documentElement.lang === 'zh' ? 'zh' : 'en').close,
});

/** Says that something was done; refusals stay where they happened. */
export const told = (message: string): void => {
  notifications.show({ message, color: 'teal', autoClose: 5_000, closeButtonProps: closing() });
};

export const refused = (error: Error): void => {
  notifications.show({
    message: error.message,
    color: 'red',
    autoClose: 10_000,
    closeButtonProps: closing(),
  });
};
