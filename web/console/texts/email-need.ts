import { texts } from '../parts/texts.ts';

/** What an address asks of its person, on their home: apart from its pages, so that no home brings theirs along. */
export const emailNeed = texts({
  en: {
    need: (address: string) =>
      `Confirm your e-mail address: open the link in the letter to ${address}.`,
    needChange: (address: string) =>
      `Your new e-mail address waits: open the link in the letter to ${address}.`,
    sendAgain: 'Send again',
    sent: 'The letter is on its way.',
    change: 'Change address',
  },
  zh: {
    need: (address) => `请确认您的邮箱：打开发往 ${address} 的邮件中的链接。`,
    needChange: (address) => `您的新邮箱待确认：打开发往 ${address} 的邮件中的链接。`,
    sendAgain: '重新发送',
    sent: '邮件已在发送途中。',
    change: '更换邮箱',
  },
});
