import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createMail } from '../../../activities/providers/mail.ts';
import { type SmtpSandbox, startSmtpSandbox } from '../../support/smtp-sandbox.ts';

let sandbox: SmtpSandbox;
let folder: string;

beforeEach(async () => {
  sandbox = await startSmtpSandbox();
  folder = await mkdtemp(path.join(tmpdir(), 'mail-'));
});
afterEach(async () => {
  await sandbox.close();
  await rm(folder, { recursive: true, force: true });
});

const BASE = {
  from: 'Ads <no-reply@ads.example>',
  baseUrl: 'https://ads.example:8443',
  answerMs: 400,
};
const LETTER = {
  id: 7,
  to: 'ada@example.com',
  subject: 'Set a new password — bitte',
  text: 'Hello\nworld',
};
const overSmtp = () => createMail({ ...BASE, dir: folder, smtpUrl: sandbox.url }).send(LETTER);

describe('mail over SMTP', () => {
  test('a letter · taken · is sent with its own Message-ID and no automatic answers', async () => {
    await expect(overSmtp()).resolves.toEqual({ state: 'sent' });
    const [letter = ''] = sandbox.letters;
    expect(letter).toMatch(/^Message-ID: <letter-7@ads\.example>\r?$/m);
    expect(letter).toMatch(/^To: ada@example\.com\r?$/m);
    expect(letter).toMatch(/^Auto-Submitted: auto-generated\r?$/m);
    expect(letter).toContain('Hello\r\nworld');
    expect(await readdir(folder)).toEqual([]);
  });

  test('a server · that says twice that it took it · is one letter sent', async () => {
    sandbox.mood = 'repeat';
    await expect(overSmtp()).resolves.toEqual({ state: 'sent' });
    expect(sandbox.letters).toHaveLength(1);
  });

  test.each([
    ['unknown-address', 'SMTP_550'],
    ['bad-content', 'SMTP_554'],
  ] as const)(
    'a server · that refuses for good (%s) · is an answer, not trouble',
    async (mood, code) => {
      sandbox.mood = mood;
      await expect(overSmtp()).resolves.toEqual({ state: 'refused', code });
    },
  );

  test.each(['busy', 'lose'] as const)(
    'a server · in trouble (%s) · raises a code without the address',
    async (mood) => {
      sandbox.mood = mood;
      const failure = await overSmtp().then(
        () => null,
        (error: unknown) => error as Error,
      );
      expect(failure?.name).toBe('MailTrouble');
      expect(failure?.message).toMatch(/^mail server: E[A-Z]+( \d+)?$/);
      expect(JSON.stringify(failure)).not.toContain('ada@');
      expect(failure?.cause).toBeUndefined();
    },
  );

  test('a server · that is not there · raises trouble', async () => {
    await sandbox.close();
    await expect(overSmtp()).rejects.toMatchObject({ name: 'MailTrouble' });
    sandbox = await startSmtpSandbox();
  });

  test('a subject or address · with a line break · cannot add headers', async () => {
    const mail = createMail({ ...BASE, dir: folder, smtpUrl: sandbox.url });
    await mail.send({ ...LETTER, subject: 'a\r\nBcc: eve@example.com', to: 'ada@example.com' });
    expect(sandbox.letters[0]).not.toMatch(/^Bcc:/m);
  });
});

describe('mail to files', () => {
  test('a letter · sent twice · is one file that only its owner reads', async () => {
    const mail = createMail({ ...BASE, dir: path.join(folder, 'out'), smtpUrl: undefined });
    await mail.send(LETTER);
    await mail.send(LETTER);
    expect(await readdir(path.join(folder, 'out'))).toEqual(['7.eml']);
    const file = path.join(folder, 'out', '7.eml');
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    const text = await readFile(file, 'utf8');
    expect(text).toContain('Message-ID: <letter-7@ads.example>');
    expect(text).toContain('From: Ads <no-reply@ads.example>');
  });

  test('a letter · whose folder cannot be made · raises', async () => {
    const file = path.join(folder, 'a-file');
    await writeFile(file, '');
    const mail = createMail({ ...BASE, dir: path.join(file, 'out'), smtpUrl: undefined });
    await expect(mail.send(LETTER)).rejects.toThrow('ENOTDIR');
  });
});
