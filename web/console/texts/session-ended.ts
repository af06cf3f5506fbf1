import { texts } from '../parts/texts.ts';

/** Why somebody has to log in once more, and what is asked in front of the page that they were on. */
export const sessionEnded = texts({
  en: {
    again: 'Your session has ended',
    againLead: 'Log in again and go on: what you have written is still here.',
    leave: 'Leave this page and log in as somebody else',
    others: 'Somebody else has logged in',
    othersLead:
      'Another account was opened in another tab of this browser, and nothing of this page is done for it. To go on here, log in again as you were: what you have written is still here.',
    leaveToThem: 'Leave this page and open the other account',
    time: 'Your session has run out. Log in again.',
    elsewhere:
      'You were logged out here: the session was ended elsewhere, or the password was changed. Log in again.',
  },
  zh: {
    again: '会话已结束',
    againLead: '重新登录后即可继续：您填写的内容仍在此处。',
    leave: '离开此页并以其他身份登录',
    others: '已有其他账户登录',
    othersLead:
      '此浏览器的另一个标签页已打开其他账户，此页的任何内容都不会以该账户执行。如需继续，请以原账户重新登录：您填写的内容仍在此处。',
    leaveToThem: '离开此页并打开另一个账户',
    time: '会话已到期，请重新登录。',
    elsewhere: '您已在此处退出登录：会话已在别处结束，或密码已修改。请重新登录。',
  },
});
