import { common } from '../texts/common.ts';
import { saying } from './failed.tsx';
import { textsIn } from './texts.ts';

let isAsked = false;
let begin: () => void = () => undefined;

/** Whether anything was said so far: before that, what shows it is not loaded. */
export const saidSomething = {
  watch: (tell: () => void): (() => void) => {
    begin = tell;
    return () => undefined;
  },
  now: (): boolean => isAsked,
};

async function place() {
  isAsked = true;
  begin();
  return (await import('@mantine/notifications')).notifications;
}

/** Said outside of any part, so the page itself tells its language. */
const documentLanguage = () => (document.documentElement.lang === 'zh' ? 'zh' : 'en');
const words = () => textsIn(common, documentLanguage());

/** Not called as the dialog's own button: both may be there at once. */
const closing = (): { 'aria-label': string } => ({ 'aria-label': words().closeMessage });

/** As many as leave the page below free: what was done, and what came of it. */
const TOLD_MAX = 2;
let shown: string[] = [];

/** Says that something was done; refusals stay where they happened. */
export const told = (message: string): void => {
  const closeButtonProps = closing();
  void place().then((notifications) => {
    const id = notifications.show({ message, color: 'teal', autoClose: 5_000, closeButtonProps });
    const all = [...shown, id];
    for (const old of all.slice(0, -TOLD_MAX)) notifications.hide(old);
    shown = all.slice(-TOLD_MAX);
  });
};

export const refused = (error: Error): void => sayRefused(error, 10_000);

/** With reasons to be read in peace, of something that has gone from where it was asked. */
export const refusedAndKept = (error: Error): void => sayRefused(error, false);

function sayRefused(error: Error, autoClose: number | false): void {
  const said = { message: saying(error, words()), closeButtonProps: closing() };
  void place().then((notifications) => {
    notifications.show({ ...said, color: 'red', autoClose });
  });
}

/** With words of the page's language that stay until they are closed. */
export const toldAndKept = (wordsIn: (language: 'en' | 'zh') => string): void => {
  const said = { message: wordsIn(documentLanguage()), closeButtonProps: closing() };
  void place().then((notifications) => {
    notifications.show({ ...said, color: 'yellow', autoClose: false });
  });
};

/** What was said to somebody is not said to who comes next. */
export const hush = (): void => {
  if (isAsked) void place().then((notifications) => notifications.clean());
};
