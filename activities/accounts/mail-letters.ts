import type { MailRow } from '../../db/tables/mail.ts';
import { securityLetter } from './security-letter-texts.ts';
import {
  type NotificationKind,
  type NotificationParams,
  notificationText,
} from '../../domain/notifications.ts';

/** The detail of a `notice`. */
interface Notice {
  kind: NotificationKind;
  params: NotificationParams;
}

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

export function letterOf(kind: MailKind, facts: LetterFacts): LetterText {
  if (kind === 'security') return securityLetter(facts, consoleOf(facts));
  const { subject, lines } = LETTERS[kind](facts);
  return { subject, text: [`Hello ${facts.username},`, '', ...lines, ''].join('\n') };
}

/** `2026-11-24 16:05 UTC`. */
const minuteOf = (moment: Date): string =>
  `${moment.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
const consoleOf = ({ baseUrl }: LetterFacts): string => `${baseUrl}/console/`;

const LETTERS: Record<
  Exclude<MailKind, 'security'>,
  (facts: LetterFacts) => { subject: string; lines: string[] }
> = {
  password_reset: (facts) => ({
    subject: 'Set a new password',
    lines: [
      'somebody, probably you, asked for a new password. This address sets it:',
      '',
      // After the #, so that no server's log and no Referer ever has the token.
      `${consoleOf(facts)}#reset-password=${facts.realm}.${facts.detail}`,
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
      `${consoleOf(facts)}#invitation=${facts.realm}.${facts.detail}`,
      '',
      `It works once, until ${minuteOf(facts.expiresAt)}. If you do not know who that is, nothing has`,
      'happened: ignore this letter.',
    ],
  }),
  kyc_approved: (facts) => ({
    subject: 'Your identity is verified',
    lines: ['your documents were checked and accepted.', '', consoleOf(facts)],
  }),
  kyc_rejected: (facts) => ({
    subject: 'Your documents could not be accepted',
    lines: [
      'your documents were checked and not accepted. The console says why, and takes new ones.',
      '',
      consoleOf(facts),
    ],
  }),
  kyc_expired: (facts) => ({
    subject: 'Please verify your identity again',
    lines: [
      'what you sent to verify your identity is no longer valid. The console takes new documents.',
      '',
      consoleOf(facts),
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
    const [domain = '', dueAt = ''] = facts.detail.split(' ');
    return {
      subject: `Another account proved that it owns ${domain}`,
      lines: [
        `another account asks for ${domain} and proved that it is theirs. If it is yours, keep your own`,
        `proof in place, or object in the console, before ${minuteOf(new Date(dueAt))}; a person then`,
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
  notice: (facts) => {
    const { kind, params } = JSON.parse(facts.detail) as Notice;
    const text = notificationText(kind, params);
    const reasons = (params.reasons ?? []).map(({ code, note }) => `- ${note ?? code}`);
    return {
      subject: text,
      lines: [
        `${text}.`,
        ...(reasons.length === 0 ? [] : ['', ...reasons]),
        '',
        'The console shows more, and by which ways you are told:',
        consoleOf(facts),
      ],
    };
  },
};
