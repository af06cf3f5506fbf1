import type { MailRow } from '../../db/tables/mail.ts';
import { type Notice, noticeLetter } from './notice-letter.ts';
import { reportLetter } from './report-letter.ts';
import { securityLetter } from './security-letter-texts.ts';

/** What the platform writes to people. Plain text: nothing in it loads, tracks or can be styled. */

export type MailKind = MailRow['kind'];

export interface LetterFacts {
  /** The token of a password reset, the site that is meant; empty where there is nothing to add. */
  detail: string;
  /** When what it asks for must have happened. */
  expiresAt: Date;
  /** Who reads it. */
  username: string;
  /** What the account is called. */
  account: string;
  realm: 'advertiser' | 'publisher' | 'admin';
  language: 'en' | 'zh';
  /** Of the consoles; without a slash at the end. */
  baseUrl: string;
}

export interface LetterText {
  subject: string;
  text: string;
}

type PlainKind =
  | 'password_reset'
  | 'invitation'
  | 'email_confirm'
  | 'email_change'
  | 'task_given'
  | 'operator_invitation'
  | SiteKind;
type SiteKind = 'site_lapsing' | 'site_lapsed' | 'domain_contested' | 'domain_moved';
type Plain = (facts: LetterFacts) => { subject: string; lines: string[] };

export function letterOf(kind: MailKind, facts: LetterFacts): LetterText {
  if (kind === 'security') return securityLetter(facts, consoleOf(facts));
  const { language, username } = facts;
  const { subject, lines } = plainLetter(kind, facts);
  const hello = language === 'zh' ? `${username}，您好：` : `Hello ${username},`;
  return { subject, text: [hello, '', ...lines, ''].join('\n') };
}

/** Of builds before, which may still wait to be sent. */
const NOTICES_BEFORE: Partial<Record<MailKind, Notice>> = {
  kyc_approved: { kind: 'kyc_decided', params: { decision: 'approved' } },
  kyc_rejected: { kind: 'kyc_decided', params: { decision: 'rejected' } },
  kyc_expired: { kind: 'kyc_decided', params: { status: 'expired' } },
};

function plainLetter(kind: Exclude<MailKind, 'security'>, facts: LetterFacts): ReturnType<Plain> {
  if (kind === 'report_ready') {
    return reportLetter(facts.detail, { ...facts, consoleUrl: consoleOf(facts) });
  }
  const letters: Partial<Record<MailKind, Plain>> = LETTERS[facts.language];
  const letter = letters[kind]?.(facts);
  if (letter !== undefined) return letter;
  return noticeOf(facts, NOTICES_BEFORE[kind] ?? (JSON.parse(facts.detail) as Notice));
}

const noticeOf = (facts: LetterFacts, notice: Notice): ReturnType<Plain> =>
  noticeLetter(notice, { ...facts, consoleUrl: consoleOf(facts) });

/** `2026-11-24 16:05 UTC`. */
const minuteOf = (moment: Date): string =>
  `${moment.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
const consoleOf = ({ baseUrl }: LetterFacts): string => `${baseUrl}/console/`;
/** A token stands after the #, so that no server's log and no Referer ever has it. */
const doorOf = (facts: LetterFacts, name: string): string =>
  `${consoleOf(facts)}#${name}=${facts.realm}.${facts.detail}`;
/** The domain, and until when its holder may object. */
function claimOf({ detail }: LetterFacts): { domain: string; until: string } {
  const [domain = '', dueAt = ''] = detail.split(' ');
  return { domain, until: minuteOf(new Date(dueAt)) };
}

const LETTERS: Record<LetterFacts['language'], Record<PlainKind, Plain>> = {
  en: {
    password_reset: (facts) => ({
      subject: 'Set a new password',
      lines: [
        'somebody, probably you, asked for a new password. This address sets it:',
        '',
        doorOf(facts, 'reset-password'),
        '',
        'or send this token with the new password:',
        '',
        facts.detail,
        '',
        'It works once, for one hour. If you did not ask, nothing has changed: ignore this letter.',
      ],
    }),
    invitation: (facts) => ({
      subject: 'You are invited to an account',
      lines: [
        `${facts.account} invites you to work in its ${facts.realm} account. This address accepts:`,
        '',
        doorOf(facts, 'invitation'),
        '',
        `It works once, until ${minuteOf(facts.expiresAt)}. If you do not know who that is, nothing has`,
        'happened: ignore this letter.',
      ],
    }),
    operator_invitation: (facts) => ({
      subject: 'You are invited to work here as an operator',
      lines: [
        `${facts.account} invites you to work on this platform. Your user name is ${facts.username}; you choose the password:`,
        '',
        doorOf(facts, 'invitation'),
        '',
        `It works once, until ${minuteOf(facts.expiresAt)}, and nobody else knows the password. If you do not know`,
        'who that is, nothing has happened: ignore this letter.',
      ],
    }),
    email_confirm: (facts) => ({
      subject: 'Confirm your e-mail address',
      lines: [
        'a login here, probably yours, has this address. This link confirms that it is yours:',
        '',
        doorOf(facts, 'confirm-email'),
        '',
        `It works until ${minuteOf(facts.expiresAt)}. If you have no login here, do not open it: somebody`,
        'has mistyped, and nothing happens without you.',
      ],
    }),
    email_change: (facts) => ({
      subject: 'Confirm your new e-mail address',
      lines: [
        'you asked that your login has this address. This link, and your password, make it so:',
        '',
        doorOf(facts, 'change-email'),
        '',
        `It works until ${minuteOf(facts.expiresAt)}; until you open it nothing changes. Then every session`,
        'ends, and you log in with this address. If you do not know what this is, ignore this letter.',
      ],
    }),
    task_given: (facts) => ({
      subject: `Task ${facts.detail} was given to you`,
      lines: [
        `a colleague gave you task ${facts.detail}. Here it is:`,
        '',
        `${consoleOf(facts)}operator/tasks/${facts.detail}`,
        '',
        'Letters of this kind are switched off in your profile.',
      ],
    }),
    site_lapsing: (facts) => ({
      subject: `We no longer find the proof on ${facts.detail}`,
      lines: [
        `three weeks running, ${facts.detail} did not show the proof that it is yours. Please put it`,
        `back before ${minuteOf(facts.expiresAt)}; otherwise the site is no longer verified from then`,
        'on. The console shows what to put where.',
        '',
        consoleOf(facts),
      ],
    }),
    site_lapsed: (facts) => ({
      subject: `${facts.detail} is no longer verified`,
      lines: [
        `the proof that ${facts.detail} is yours has stayed away. The console verifies it again.`,
        '',
        consoleOf(facts),
      ],
    }),
    domain_contested: (facts) => {
      const { domain, until } = claimOf(facts);
      return {
        subject: `Another account proved that it owns ${domain}`,
        lines: [
          `another account asks for ${domain} and proved that it is theirs. If it is yours, keep your own`,
          `proof in place, or object in the console, before ${until}; a person then`,
          'decides. Otherwise the domain goes over. What you have earned stays yours in any case.',
          '',
          consoleOf(facts),
        ],
      };
    },
    domain_moved: (facts) => ({
      subject: `${facts.detail} went to another account`,
      lines: [
        `another account proved that ${facts.detail} is theirs, and yours no longer does. Your site shows no`,
        'ads until it is verified again; what it has earned stays yours. If this is wrong, write to us.',
        '',
        consoleOf(facts),
      ],
    }),
  },
  zh: {
    password_reset: (facts) => ({
      subject: '设置新密码',
      lines: [
        '有人（可能是您本人）申请了新密码。请打开以下地址进行设置：',
        '',
        doorOf(facts, 'reset-password'),
        '',
        '或将以下令牌与新密码一起提交：',
        '',
        facts.detail,
        '',
        '仅可使用一次，一小时内有效。如果不是您本人申请，密码不会改变，请忽略此邮件。',
      ],
    }),
    invitation: (facts) => ({
      subject: '您被邀请加入一个账户',
      lines: [
        `${facts.account} 邀请您加入其${facts.realm === 'publisher' ? '媒体' : '广告主'}账户。请打开以下地址接受邀请：`,
        '',
        doorOf(facts, 'invitation'),
        '',
        `仅可使用一次，有效期至 ${minuteOf(facts.expiresAt)}。如果您不认识对方，请忽略此邮件。`,
      ],
    }),
    operator_invitation: (facts) => ({
      subject: '您被邀请成为运营人员',
      lines: [
        `${facts.account} 邀请您在此平台工作。您的用户名是 ${facts.username}，密码由您自己设置：`,
        '',
        doorOf(facts, 'invitation'),
        '',
        `仅可使用一次，有效期至 ${minuteOf(facts.expiresAt)}，密码只有您知道。如果您不认识对方，请忽略此邮件。`,
      ],
    }),
    email_confirm: (facts) => ({
      subject: '请确认您的邮箱地址',
      lines: [
        '这里有一个登录（可能是您的）使用此邮箱。请打开以下链接，确认此邮箱属于您：',
        '',
        doorOf(facts, 'confirm-email'),
        '',
        `有效期至 ${minuteOf(facts.expiresAt)}。如果您在此没有登录，请勿打开：可能是他人填写有误，您不操作就不会发生任何事。`,
      ],
    }),
    email_change: (facts) => ({
      subject: '请确认您的新邮箱地址',
      lines: [
        '您申请将登录邮箱更换为此邮箱。打开以下链接并输入密码后生效：',
        '',
        doorOf(facts, 'change-email'),
        '',
        `有效期至 ${minuteOf(facts.expiresAt)}；打开之前不会有任何更改。生效后所有会话都会结束，请使用此邮箱登录。如果您不清楚这是什么，请忽略此邮件。`,
      ],
    }),
    task_given: (facts) => ({
      subject: `任务 ${facts.detail} 已分配给您`,
      lines: [
        `同事将任务 ${facts.detail} 分配给了您，请查看：`,
        '',
        `${consoleOf(facts)}operator/tasks/${facts.detail}`,
        '',
        '可在个人资料中关闭此类邮件。',
      ],
    }),
    site_lapsing: (facts) => ({
      subject: `在 ${facts.detail} 上找不到验证信息`,
      lines: [
        `连续三周未在 ${facts.detail} 上找到归属证明。请在 ${minuteOf(facts.expiresAt)} 之前恢复，否则该网站将失去验证。控制台会说明应放置的内容和位置。`,
        '',
        consoleOf(facts),
      ],
    }),
    site_lapsed: (facts) => ({
      subject: `${facts.detail} 已失去验证`,
      lines: [
        `${facts.detail} 的归属证明一直未恢复。您可以在控制台重新验证。`,
        '',
        consoleOf(facts),
      ],
    }),
    domain_contested: (facts) => {
      const { domain, until } = claimOf(facts);
      return {
        subject: `另一账户已证明其拥有 ${domain}`,
        lines: [
          `另一账户申请 ${domain} 并证明其归属。如果该域名属于您，请保留您的证明，或在 ${until} 之前在控制台提出异议，届时由人工裁定；否则域名将转移。您已获得的收益不受影响。`,
          '',
          consoleOf(facts),
        ],
      };
    },
    domain_moved: (facts) => ({
      subject: `${facts.detail} 已转移给另一账户`,
      lines: [
        `另一账户已证明其拥有 ${facts.detail}，而您的证明已失效。在重新验证之前，您的网站不展示广告；已获得的收益仍归您所有。如有错误，请联系我们。`,
        '',
        consoleOf(facts),
      ],
    }),
  },
};
