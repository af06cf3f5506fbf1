import { deviceWords } from '../../domain/device-words.ts';
import type { SecurityEvent } from '../../domain/security-event.ts';
/** What the letter says; only whoever reads it may see its token. */
export interface SecurityNotice {
  event: SecurityEvent;
  at: string;
  device: string | null;
  network: string | null;
  country: string | null;
  token: string;
  /** Lets in once, beside the password; of a recovery that was granted. */
  code?: string;
}

interface Reader {
  /** A SecurityNotice as JSON. */
  detail: string;
  username: string;
  realm: string;
  language: Language;
}

type Language = 'en' | 'zh';

const WHAT: Record<Language, Record<SecurityEvent, string>> = {
  en: {
    new_device: 'A new device has logged in to your account',
    password_changed: 'Your password was changed',
    factor_added: 'A second factor was added to your login',
    factor_removed: 'A second factor was removed from your login',
    recovery_codes_made: 'New recovery codes were made for your login',
    recovery_code_used: 'A recovery code was used to log in',
    payee_added: 'A bank account was added for payouts',
    payee_removed: 'A bank account for payouts was removed',
    payee_default:
      'Another of your bank accounts became the one that payouts go to when none is named',
    recovery_asked:
      'Somebody who knows your password says that your second factor and its recovery codes are lost. We will ask who they are, wait, and then let them in without it',
    recovery_vouched:
      'An operator was shown who you are and asks another one to let you in without your second factor',
    recovery_granted: 'You are let in once without your lost second factor',
    recovery_refused: 'You are not let in without your second factor',
    email_change_asked: 'Somebody who is logged in as you asked for another e-mail address',
    email_changed: 'Your login has another e-mail address now',
  },
  zh: {
    new_device: '有新设备登录了您的账户',
    password_changed: '您的密码已被修改',
    factor_added: '您的登录新增了一个第二验证因素',
    factor_removed: '您的登录移除了一个第二验证因素',
    recovery_codes_made: '您的登录生成了新的恢复码',
    recovery_code_used: '有人使用恢复码登录',
    payee_added: '新增了一个收款银行账户',
    payee_removed: '移除了一个收款银行账户',
    payee_default: '默认收款银行账户已更换为您的另一个账户',
    recovery_asked:
      '有人使用您的密码，声称第二验证因素和恢复码均已遗失。我们会核实身份，等待一段时间后允许其不使用第二验证因素登录',
    recovery_vouched: '一名运营人员已核实您的身份，并请另一名运营人员允许您不使用第二验证因素登录',
    recovery_granted: '您可以不使用已遗失的第二验证因素登录一次',
    recovery_refused: '不允许您不使用第二验证因素登录',
    email_change_asked: '有人以您的身份登录，申请更换邮箱地址',
    email_changed: '您的登录邮箱已更换',
  },
};

const WORDS: Record<
  Language,
  {
    hello: (name: string) => string;
    from: string;
    mine: string;
    not: string;
    once: string;
    code: string;
  }
> = {
  en: {
    hello: (name) => `Hello ${name},`,
    from: 'From',
    mine: 'If this was you, there is nothing to do.',
    not: 'If this was not you, open this address: it ends every session and lets you set a new password.',
    code: 'Log in with your password and, as a recovery code, with this. It works once, for seven days. Then add a new second factor and remove the lost one:',
    once: 'It works once, for seven days. Nobody of ours asks you for a password or a code.',
  },
  zh: {
    hello: (name) => `${name}，您好：`,
    from: '来自',
    mine: '如果是您本人操作，无需处理。',
    not: '如果不是您本人操作，请打开以下地址：它会结束所有会话，并让您设置新密码。',
    code: '请使用密码登录，并将以下内容作为恢复码输入。仅可使用一次，七天内有效。随后请添加新的第二验证因素，并移除遗失的那个：',
    once: '该地址仅可使用一次，七天内有效。我们不会向您索要密码或验证码。',
  },
};

/** What else is to be known of it. */
const MORE: Record<Language, Partial<Record<SecurityEvent, string>>> = {
  en: {
    email_change_asked:
      'Nothing has changed yet: it does when the link that went to the new address is opened. Until then you log in with this one.',
    email_changed:
      'You log in with the new address from now on, and letters go there. For seven days the link below takes the change back.',
  },
  zh: {
    email_change_asked:
      '目前尚未更改：只有打开发往新邮箱的链接后才会生效。在此之前，您仍使用此邮箱登录。',
    email_changed:
      '从现在起请使用新邮箱登录，邮件也将发往新邮箱。七天内，下面的链接可撤销此次更换。',
  },
};

/** The token stands behind the #, so that no server's log and no Referer ever has it. */
export function securityLetter(facts: Reader, consoleUrl: string) {
  const notice = JSON.parse(facts.detail) as SecurityNotice;
  const { language, realm, username } = facts;
  const t = WORDS[language];
  const what = WHAT[language][notice.event];
  const device = notice.device === null ? null : deviceWords(notice.device, language);
  const place = [device, notice.network, notice.country].filter((each) => each !== null);
  const at = `${notice.at.slice(0, 16).replace('T', ' ')} UTC`;
  return {
    subject: what,
    text: [
      t.hello(username),
      '',
      `${what}: ${at}.`,
      ...(place.length === 0 ? [] : [`${t.from}: ${place.join(', ')}`]),
      '',
      ...(MORE[language][notice.event] === undefined ? [] : [MORE[language][notice.event], '']),
      ...(notice.code === undefined ? [] : [t.code, '', notice.code, '']),
      t.mine,
      t.not,
      '',
      `${consoleUrl}#not-me=${realm}.${notice.token}`,
      '',
      t.once,
      '',
    ].join('\n'),
  };
}
