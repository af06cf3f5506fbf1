/** What the platform writes to people. Plain text: nothing in it loads, tracks or can be styled. */

export type MailKind = 'password_reset' | 'kyc_approved' | 'kyc_rejected' | 'kyc_expired';

export interface LetterFacts {
  /** The token of a password reset; empty in other letters. */
  secret: string;
  username: string;
  realm: 'advertiser' | 'publisher';
  /** Of the consoles; without a slash at the end. */
  baseUrl: string;
}

export interface LetterText {
  subject: string;
  text: string;
}

export function letterOf(kind: MailKind, facts: LetterFacts): LetterText {
  const { subject, lines } = LETTERS[kind](facts);
  return { subject, text: [`Hello ${facts.username},`, '', ...lines, ''].join('\n') };
}

const consoleOf = ({ baseUrl }: LetterFacts): string => `${baseUrl}/console/`;

const LETTERS: Record<MailKind, (facts: LetterFacts) => { subject: string; lines: string[] }> = {
  password_reset: (facts) => ({
    subject: 'Set a new password',
    lines: [
      'somebody, probably you, asked for a new password. This address sets it:',
      '',
      // After the #, so that no server's log and no Referer ever has the token.
      `${consoleOf(facts)}#reset-password=${facts.realm}.${facts.secret}`,
      '',
      'or send this token with the new password:',
      '',
      facts.secret,
      '',
      'It works once, for one hour. If you did not ask, nothing has changed: ignore this letter.',
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
};
