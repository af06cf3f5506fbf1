import { texts } from '../parts/texts.ts';

/** Why somebody has to log in once more. */
export const sessionEnded = texts({
  en: {
    time: 'Your session has run out. Log in again.',
    elsewhere:
      'You were logged out here: the session was ended elsewhere, or the password was changed. Log in again.',
  },
  zh: {
    time: '会话已到期，请重新登录。',
    elsewhere: '您已在此处退出登录：会话已在别处结束，或密码已修改。请重新登录。',
  },
});
