import { createMail } from '../../activities/providers/mail.ts';
import { mailWorkflowId } from '../../workflows/contracts/mail.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { createTestFlows, type TestFlows } from '../support/flows.ts';
import { captureHistory } from '../support/histories.ts';
import { type SmtpSandbox, startSmtpSandbox } from '../support/smtp-sandbox.ts';
import { eventually } from '../support/until.ts';
import { makeAdvertiser } from '../support/make/account.ts';

let database: TestDatabase;
let flows: TestFlows;
let sandbox: SmtpSandbox;

beforeAll(async () => {
  database = await createTestDatabase();
  flows = await createTestFlows(database);
}, 90_000);
afterAll(async () => {
  await flows?.close();
  await database?.close();
}, 60_000);
beforeEach(async () => {
  sandbox = await startSmtpSandbox();
  flows.deps.providers.mail = createMail({
    smtpUrl: sandbox.url,
    from: 'Ads <no-reply@ads.example>',
    dir: '',
    baseUrl: 'https://ads.example',
    answerMs: 500,
  });
});
afterEach(async () => {
  await sandbox.close();
});

interface MailRow {
  id: string;
  status: string;
  attempts: number;
  last_error: string | null;
  sealed: string | null;
}

async function asked() {
  const accountId = (await makeAdvertiser(database.db)).id;
  const account = await database.pool.query<{ email: string }>(
    'SELECT email FROM accounts WHERE id = $1',
    [accountId],
  );
  const email = account.rows[0]?.email ?? '';
  await flows.activities.requestPasswordReset({ kind: 'ADVERTISER', email });
  const { rows } = await database.pool.query<MailRow>('SELECT * FROM mails WHERE account_id = $1', [
    accountId,
  ]);
  const mailId = Number(rows[0]?.id);
  return { mailId, email, workflowId: mailWorkflowId({ mailId }) };
}

const rowOf = async (mailId: number): Promise<MailRow> => {
  const { rows } = await database.pool.query<MailRow>('SELECT * FROM mails WHERE id = $1', [
    mailId,
  ]);
  const [row] = rows;
  if (row === undefined) throw new Error(`letter ${mailId} is gone`);
  return row;
};

const messageIds = () =>
  sandbox.letters.map((letter) => /^Message-ID: (\S+)/m.exec(letter)?.[1] ?? '');

async function historyOf(workflowId: string): Promise<string> {
  const history = await flows.client.workflow.getHandle(workflowId).fetchHistory();
  return JSON.stringify(history, (_name, value: unknown) =>
    value instanceof Uint8Array ? Buffer.from(value).toString('utf8') : value,
  );
}

describe('a letter', () => {
  it('taken at once, even said twice · is sent once and keeps no secret', async () => {
    sandbox.mood = 'repeat';
    const { mailId, email, workflowId } = await asked();
    await expect(flows.resultOf(workflowId)).resolves.toBe('SENT');
    expect(await rowOf(mailId)).toMatchObject({ status: 'SENT', attempts: 1, sealed: null });
    expect(sandbox.letters).toHaveLength(1);
    const [letter = ''] = sandbox.letters;
    expect(letter).toContain(`To: ${email}`);
    await expect(flows.activities.deliverMail({ mailId })).resolves.toEqual({ outcome: 'SENT' });
    expect(sandbox.letters).toHaveLength(1);
    await captureHistory(flows.client, { workflowId }, 'mailWorkflow.sent');
  });

  it('the server in trouble · then back · is sent, and neither address nor token is in the history', async () => {
    sandbox.mood = 'busy';
    const { mailId, email, workflowId } = await asked();
    await eventually(async () => {
      const { attempts, last_error: trouble } = await rowOf(mailId);
      expect([attempts, trouble]).toEqual([1, expect.stringMatching(/^mail server: E\w+ 421$/)]);
    });
    sandbox.mood = 'take';
    await expect(flows.resultOf(workflowId)).resolves.toBe('SENT');
    expect(await rowOf(mailId)).toMatchObject({ status: 'SENT', attempts: 2, sealed: null });
    // Lines are folded as quoted-printable has it (RFC 2045, 6.7).
    const letter = (sandbox.letters[0] ?? '').replaceAll('=\r\n', '');
    const token = /^[\w-]{43}\r?$/m.exec(letter)?.[0]?.trim() ?? '';
    expect(token).toHaveLength(43);
    const history = await historyOf(workflowId);
    expect(history).toContain(String(mailId));
    expect([history.includes(email), history.includes(token)]).toEqual([false, false]);
    await captureHistory(flows.client, { workflowId }, 'mailWorkflow.retried');
  });

  it('taken without an answer · timed out after sending · is sent again under the same Message-ID', async () => {
    sandbox.mood = 'lose';
    const { mailId, workflowId } = await asked();
    await eventually(async () => {
      expect((await rowOf(mailId)).last_error).toMatch(/^mail server: E/);
    });
    sandbox.mood = 'take';
    await expect(flows.resultOf(workflowId)).resolves.toBe('SENT');
    expect(messageIds()).toEqual([
      `<letter-${mailId}@ads.example>`,
      `<letter-${mailId}@ads.example>`,
    ]);
  });

  it('the address refused for good · is not tried again, and the secret is gone', async () => {
    sandbox.mood = 'unknown-address';
    const { mailId, workflowId } = await asked();
    await expect(flows.resultOf(workflowId)).resolves.toBe('REFUSED');
    expect(await rowOf(mailId)).toMatchObject({
      status: 'REFUSED',
      attempts: 1,
      last_error: 'SMTP_550',
      sealed: null,
    });
  });

  it('without a dispatcher · waits in the outbox and goes when one is back', async () => {
    flows.delivery.on = false;
    const { mailId, workflowId } = await asked();
    flows.delivery.on = true;
    expect((await rowOf(mailId)).status).toBe('QUEUED');
    await database.pool.query('UPDATE outbox SET next_at = now() WHERE done_at IS NULL');
    await flows.dispatcher.dispatchDue(10);
    await expect(flows.resultOf(workflowId)).resolves.toBe('SENT');
  });
});
