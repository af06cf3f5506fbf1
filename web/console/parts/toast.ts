import { notifications } from '@mantine/notifications';
import { common } from '../texts/common.ts';
import { saying } from './failed.tsx';
import { textsIn } from './texts.ts';

/** Said outside of any part, so the page itself tells its language. */
const words = () => textsIn(common, document.documentElement.lang === 'zh' ? 'zh' : 'en');

const closing = (): { 'aria-label': string } => ({ 'aria-label': words().close });

let last = '';

/** Says that something was done; refusals stay where they happened. The newest is enough. */
export const told = (message: string): void => {
  notifications.hide(last);
  last = notifications.show({
    message,
    color: 'teal',
    autoClose: 5_000,
    closeButtonProps: closing(),
  });
};

export const refused = (error: Error): void => {
  notifications.show({
    message: saying(error, words()),
    color: 'red',
    autoClose: 10_000,
    closeButtonProps: closing(),
  });
};

/** What was said to somebody is not said to who comes next. */
export const hush = (): void => notifications.clean();
