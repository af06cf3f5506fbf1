import { mkdir, open, rename } from 'node:fs/promises';
import path from 'node:path';
import nodemailer, { type SendMailOptions, type Transporter } from 'nodemailer';

/** A letter as the mail server takes it. */
export interface Letter {
  /** Of the row: the same letter has the same Message-ID, however often it is sent. */
  id: number;
  to: string;
  subject: string;
  text: string;
}

/** `refused`: this address or letter will never be taken; `code` has nothing personal in it. */
export type MailAnswer = { state: 'sent' } | { state: 'refused'; code: string };

export interface MailProvider {
  /** Of the consoles, for the addresses in letters. */
  baseUrl: string;
  /** Raises MailTrouble when it should be tried again; whether it was sent is then unknown. */
  send(letter: Letter): Promise<MailAnswer>;
}

/** Carries a code only: what servers say repeats the address, and this text is kept and shown. */
class MailTrouble extends Error {
  override readonly name = 'MailTrouble';
}

export interface MailSettings {
  /** `smtp://user:password@host:587`; undefined writes files instead. */
  smtpUrl: string | undefined;
  from: string;
  /** Where files go, one .eml each. */
  dir: string;
  baseUrl: string;
  /** How long the server may keep silent. */
  answerMs: number;
}

const CONNECT_MS = 5_000;

export function createMail(settings: MailSettings): MailProvider {
  return settings.smtpUrl === undefined
    ? createFileMail(settings)
    : createSmtpMail(settings, settings.smtpUrl);
}

function createSmtpMail(settings: MailSettings, url: string): MailProvider {
  const transport = nodemailer.createTransport({
    url,
    connectionTimeout: CONNECT_MS,
    greetingTimeout: CONNECT_MS,
    socketTimeout: settings.answerMs,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  return {
    baseUrl: settings.baseUrl,
    send: async (letter) => {
      try {
        await transport.sendMail(messageOf(settings, letter));
        return { state: 'sent' };
      } catch (error) {
        return refusalOf(error);
      }
    },
  };
}

/** For machines without a mail server. The same letter is the same file, so a repeat leaves one. */
function createFileMail(settings: MailSettings): MailProvider {
  const compose: Transporter<{ message: unknown }> = nodemailer.createTransport({
    streamTransport: true,
    buffer: true,
    newline: 'unix',
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  return {
    baseUrl: settings.baseUrl,
    send: async (letter) => {
      const { message } = await compose.sendMail(messageOf(settings, letter));
      if (!Buffer.isBuffer(message)) throw new MailTrouble('the letter could not be composed');
      await mkdir(settings.dir, { recursive: true, mode: 0o700 });
      const file = path.join(settings.dir, `${letter.id}.eml`);
      const handle = await open(`${file}.part`, 'w', 0o600);
      try {
        await handle.writeFile(message);
      } finally {
        await handle.close();
      }
      await rename(`${file}.part`, file);
      return { state: 'sent' };
    },
  };
}

function messageOf({ from, baseUrl }: MailSettings, letter: Letter): SendMailOptions {
  return {
    from,
    to: { name: '', address: letter.to },
    subject: letter.subject,
    text: letter.text,
    messageId: `<letter-${letter.id}@${new URL(baseUrl).hostname}>`,
    // Nobody's vacation notice should answer it (RFC 3834).
    headers: { 'Auto-Submitted': 'auto-generated' },
  };
}

/** The envelope or the content was refused with a 5xx: it always will be. All else is trouble. */
function refusalOf(error: unknown): MailAnswer {
  const { code, responseCode } = error as { code?: unknown; responseCode?: unknown };
  const answered = typeof responseCode === 'number' ? responseCode : 0;
  const isFinal = answered >= 500 && (code === 'EENVELOPE' || code === 'EMESSAGE');
  if (isFinal) return { state: 'refused', code: `SMTP_${answered}` };
  const what = typeof code === 'string' ? code : 'unknown';
  throw new MailTrouble(`mail server: ${what}${answered === 0 ? '' : ` ${answered}`}`);
}
