import { approvedByOwner, setByOwner } from '../support/by-owner.ts';
import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { WorkflowUpdateFailedError } from '@temporalio/client';
import { XMLValidator } from 'fast-xml-parser';
import { runner } from '../../db/postgres.ts';
import { runBooks } from '../../db/queries/books.ts';
import type { PayoutProvider } from '../../activities/providers/payout-port.ts';
import type { PayoutChannel, WithdrawalStatus } from '../../domain/lifecycle/withdrawal.ts';
import { DECIDE_UPDATE } from '../../workflows/contracts/decision.ts';
import {
  WITHDRAWAL_CANCEL_SIGNAL,
  withdrawalWorkflowId,
} from '../../workflows/contracts/withdrawal.ts';
import type { TestDatabase } from '../support/database.ts';
import type { TestFlows } from '../support/flows.ts';
import { notification, statementOfDebit, statusReport } from '../support/bank-files.ts';
import { image } from '../support/images.ts';
import { captureHistory } from '../support/histories.ts';
import { CARD, ibanOf, passKyc, ripenCards } from '../support/payouts.ts';
import { eventually } from '../support/until.ts';
import { makeOperator, makePublisher } from '../support/make/account.ts';
import { balanceOf, fundPublisher, UNIT } from '../support/make/money.ts';
import { createStand, type FlowStand } from '../support/stand.ts';

const sandboxDir = mkdtempSync(path.join(tmpdir(), 'payouts-'));

let stand: FlowStand;
let database: TestDatabase;
let flows: TestFlows;
let publisherId: number;
let first: number;
let second: number;
let accounts = 0;

beforeAll(async () => {
  stand = await createStand({ flows: { PAYOUT_SANDBOX_DIR: sandboxDir } });
  ({ database, flows } = stand);
  first = (await makeOperator(database.db, 'FINANCE')).id;
  second = (await makeOperator(database.db, 'FINANCE')).id;
  await put('payout.cooling_off_seconds', 0);
}, 90_000);

beforeEach(async () => {
  publisherId = (await makePublisher(database.db)).id;
  await passKyc(database, publisherId);
  await fundPublisher(database.db, publisherId, 50_000n * UNIT);
  accounts += 1;
  const card = await as('publisher', publisherId).post('/withdrawals/bank-cards', {
    ...CARD,
    iban: ibanOf(accounts),
  });
  expect(card.status).toBe(201);
  await ripenCards(database, publisherId);
});

afterEach(async () => {
  const checks = await runBooks(runner(database.db));
  expect(checks.filter((check) => !check.ok)).toEqual([]);
});

afterAll(async () => {
  await stand?.close();
}, 60_000);

const as: FlowStand['as'] = (realm, id) => stand.as(realm, id);

const put = async (key: string, value: unknown): Promise<void> => {
  await setByOwner(database, key, value);
};

async function askBank(amount = 200): Promise<number> {
  const answer = await as('publisher', publisherId).post('/withdrawals', {
    amount,
    payment_method: 'BANK',
  });
  expect(answer.status).toBe(201);
  return (answer.body.data as { id: number }).id;
}

/** By the sandbox, whose mark says what goes wrong; its account was named two days ago. */
async function askWallet(
  accountInfo: string,
  { channel = 'PAYPAL' as PayoutChannel, amountNanos = 100n * UNIT } = {},
): Promise<number> {
  const { withdrawalId } = await flows.activities.requestWithdrawal({
    publisherId,
    amountNanos,
    channel,
    accountInfo,
    bank: null,
    kycUrl: '',
    requestId: 'test',
  });
  await database.pool.query(
    `UPDATE withdrawals SET account_usable_from = now() - interval '1 day' WHERE id = $1`,
    [withdrawalId],
  );
  return withdrawalId;
}

const decide = async (taskId: number, decision: string, operator = first, note?: string) =>
  await as('admin', operator).post(`/tasks/${taskId}/decision`, {
    decision,
    reasons: decision === 'reject' ? [{ code: 'NAME_DIFFERS', note: 'Not the KYC name.' }] : [],
    ...(note === undefined ? {} : { note }),
  });

async function taskOf(withdrawalId: number, kind: string): Promise<number> {
  return await eventually(async () => {
    const { rows } = await database.pool.query<{ id: string }>(
      `SELECT id FROM tasks WHERE workflow_id = $1 AND kind = $2 AND status = 'open'`,
      [withdrawalWorkflowId(withdrawalId), kind],
    );
    if (rows[0] === undefined) throw new Error(`no open ${kind} of ${withdrawalId}`);
    return Number(rows[0].id);
  });
}

async function approve(withdrawalId: number): Promise<void> {
  const answer = await decide(await taskOf(withdrawalId, 'withdrawal_review'), 'approve');
  expect(answer.status).toBe(200);
}

async function statusOf(withdrawalId: number): Promise<WithdrawalStatus | undefined> {
  const { rows } = await database.pool.query<{ status: WithdrawalStatus }>(
    'SELECT status FROM withdrawals WHERE id = $1',
    [withdrawalId],
  );
  return rows[0]?.status;
}

async function becomes(withdrawalId: number, status: WithdrawalStatus): Promise<void> {
  await eventually(async () => {
    expect(await statusOf(withdrawalId)).toBe(status);
  });
}

/** News of a withdrawal in their order; each is one letter as well. */
async function toldOf(id: number): Promise<string[]> {
  const { rows } = await database.pool.query<{ kind: string; status: string; letters: string }>(
    `SELECT kind, params ->> 'status' AS status,
       (SELECT count(*) FROM mails m WHERE m.account_id = n.account_id AND m.kind = 'notice') AS letters
     FROM notifications n WHERE subject_type = 'withdrawal' AND subject_id = $1 ORDER BY id`,
    [id],
  );
  expect(rows.map(({ letters }) => Number(letters))).toEqual(rows.map(() => rows.length));
  return rows.map(({ kind, status }) => `${kind.slice('withdrawal_'.length)} ${status}`);
}
const TO_PAID = ['requested PENDING', 'approved APPROVED', 'begun PROCESSING', 'sent PAID'];

const result = async (withdrawalId: number): Promise<unknown> =>
  await flows.resultOf(withdrawalWorkflowId(withdrawalId));

const capture = async (id: number, scenario: string): Promise<void> => {
  const workflowId = withdrawalWorkflowId(id);
  await captureHistory(flows.client, { workflowId }, `withdrawalWorkflow.${scenario}`);
};

const held = async (): Promise<bigint> => await balanceOf(database, `pub:${publisherId}:hold`);
const paidBySandbox = (): number =>
  readdirSync(sandboxDir).filter((file) => file.endsWith('.json')).length;

describe('by bank', () => {
  it('approved, carried to the bank, confirmed · PAID · each step shown and posted once', async () => {
    const worldBefore = await balanceOf(database, 'w:bank');
    const feesBefore = await balanceOf(database, 'platform:payout_fee');
    const id = await askBank(200);
    const review = await taskOf(id, 'withdrawal_review');
    const shown = await as('admin', first).get(`/tasks/${review}`);
    expect(shown.body.data).toMatchObject({
      kind: 'withdrawal_review',
      required_role: 'FINANCE',
      decisions: ['approve', 'reject'],
      findings: [{ code: 'FIRST_PAYOUT', severity: 'info' }],
      detail: {
        withdrawal: { id, amount: 200, status: 'PENDING' },
        balance: { held: 200, withdrawable: 49_800 },
        earlier_withdrawals: [],
        destination: { holder: expect.any(String), country: 'DE', network: null },
      },
    });
    expect(JSON.stringify(shown.body)).not.toContain(ibanOf(accounts));
    const { id: supportId } = await makeOperator(database.db, 'SUPPORT');
    const forSupport = await as('admin', supportId).get(`/tasks/${review}`);
    expect([forSupport.status, forSupport.body.data.detail]).toEqual([403, undefined]);
    await approve(id);
    await becomes(id, 'PROCESSING');

    const file = await as('admin', first).get(`/withdrawals/${id}/payout-file`);
    const again = await as('admin', second).get(`/withdrawals/${id}/payout-file`);
    const xml = file.text;
    expect(file.headers['content-type']).toMatch(/^application\/xml/);
    expect(XMLValidator.validate(xml)).toBe(true);
    expect(xml).toContain(`<EndToEndId>WD-${id}</EndToEndId>`);
    expect(xml).toContain('<InstdAmt Ccy="USD">195.00</InstdAmt>');
    expect(xml).toContain(`<IBAN>${ibanOf(accounts)}</IBAN>`);
    expect(again.text).toBe(file.text);
    const stored = await database.pool.query<{ file_sha256: string; sealed_file: Buffer }>(
      'SELECT file_sha256, sealed_file FROM payouts WHERE withdrawal_id = $1',
      [id],
    );
    expect(stored.rows[0]?.file_sha256).toBe(createHash('sha256').update(xml).digest('hex'));
    expect(stored.rows[0]?.sealed_file.toString('utf8')).not.toContain('IBAN');
    const audit = await database.pool.query(
      `SELECT actor_id FROM audit_log WHERE action = 'payout_file.download' AND subject_id = $1 ORDER BY id`,
      [id],
    );
    expect(audit.rows.map((row: { actor_id: string }) => Number(row.actor_id))).toEqual([
      first,
      second,
    ]);

    const confirm = await taskOf(id, 'payout_unknown');
    expect(await held()).toBe(200n * UNIT);
    expect((await decide(confirm, 'confirm_paid', second, 'STMT-77')).status).toBe(200);
    await expect(result(id)).resolves.toBe('PAID');
    expect(await held()).toBe(0n);
    expect((await balanceOf(database, 'w:bank')) - worldBefore).toBe(195n * UNIT);
    expect((await balanceOf(database, 'platform:payout_fee')) - feesBefore).toBe(5n * UNIT);
    const record = await as('publisher', publisherId).get(`/withdrawals/${id}`);
    expect(record.body.data).toMatchObject({
      status: 'PAID',
      reference: 'STMT-77',
      paid_at: expect.any(String),
      cancellable: false,
    });
    const moves = await as('publisher', publisherId).get('/withdrawals/transactions');
    expect(moves.body.data.items.slice(0, 2)).toEqual([
      expect.objectContaining({ type: 'WITHDRAWAL_FEE', amount: -5 }),
      expect.objectContaining({ type: 'WITHDRAWAL', amount: -195 }),
    ]);
    expect(await toldOf(id)).toEqual(TO_PAID);
    const { rows } = await database.pool.query<{ params: object }>(
      `SELECT params FROM notifications WHERE subject_id = $1 AND kind = 'withdrawal_sent'`,
      [id],
    );
    const destination = expect.stringMatching(/^DE\d\d\*{4}\d{4}$/);
    expect(rows).toMatchObject([{ params: { amount: 200, arrival: 195, destination } }]);
    await captureHistory(
      flows.client,
      { workflowId: withdrawalWorkflowId(id) },
      'withdrawalWorkflow.bank-paid',
    );
  });

  it('its only card a day too young · asked by PayPal · taken: that is no bank', async () => {
    await database.pool.query(
      `UPDATE bank_cards SET usable_from = now() + interval '1 hour' WHERE publisher_id = $1`,
      [publisherId],
    );
    const answer = await as('publisher', publisherId).post('/withdrawals', {
      amount: 100,
      payment_method: 'PAYPAL',
      account_info: 'ada@example.com',
    });
    expect(answer.status).toBe(201);
    expect(await held()).toBe(100n * UNIT);
  });

  it('the bank refused · confirm_failed · FAILED, everything withdrawable again', async () => {
    const id = await askBank();
    await approve(id);
    const task = await taskOf(id, 'payout_unknown');
    expect((await decide(task, 'keep_waiting')).status).toBe(200);
    const next = await taskOf(id, 'payout_unknown');
    expect(next).not.toBe(task);
    expect(await statusOf(id)).toBe('PROCESSING');
    expect((await decide(next, 'confirm_failed')).status).toBe(200);
    await expect(result(id)).resolves.toBe('FAILED');
    expect(await held()).toBe(0n);
    // Carried to the bank again it would be paid beside what is withdrawable now.
    expect((await as('admin', first).get(`/withdrawals/${id}/payout-file`)).status).toBe(409);
    expect(await toldOf(id)).toEqual([...TO_PAID.slice(0, 3), 'failed FAILED']);
  });

  it('rejected · REJECTED with its reasons, released', async () => {
    const id = await askBank();
    const task = await taskOf(id, 'withdrawal_review');
    const bare = await as('admin', first).post(`/tasks/${task}/decision`, {
      decision: 'reject',
    });
    expect(bare.status).toBe(422);
    expect((await decide(task, 'reject')).status).toBe(200);
    await expect(result(id)).resolves.toBe('REJECTED');
    expect(await held()).toBe(0n);
    const record = await as('publisher', publisherId).get(`/withdrawals/${id}`);
    expect(record.body.data.reasons).toEqual([
      { code: 'NAME_DIFFERS', field: null, note: 'Not the KYC name.' },
    ]);
    expect(await toldOf(id)).toEqual(['requested PENDING', 'failed REJECTED']);
    await captureHistory(
      flows.client,
      { workflowId: withdrawalWorkflowId(id) },
      'withdrawalWorkflow.rejected',
    );
  });

  it('above the limit · approved by one · waits for another; the first may not', async () => {
    const id = await askBank(20_000);
    await approve(id);
    const task = await taskOf(id, 'withdrawal_second_approval');
    expect(await statusOf(id)).toBe('PENDING');
    expect((await decide(task, 'approve', first)).status).toBe(403);
    expect((await decide(task, 'approve', second)).status).toBe(200);
    await becomes(id, 'PROCESSING');
    // Whoever approved it first does not say alone what became of it either.
    const outcome = await taskOf(id, 'payout_unknown');
    expect((await decide(outcome, 'confirm_paid', first)).status).toBe(403);
    expect((await decide(outcome, 'confirm_paid', second)).status).toBe(200);
    await expect(result(id)).resolves.toBe('PAID');
    await capture(id, 'second-approval');
  });

  it('two operators decide at once · one 200, money moves once', async () => {
    const id = await askBank();
    const task = await taskOf(id, 'withdrawal_review');
    const answers = await Promise.all([
      decide(task, 'approve', first),
      decide(task, 'reject', second),
    ]);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(1);
  });
});

describe('what the bank says of an order', () => {
  const FILES = '/payout-status-files';
  const send = async (operator: number, text: string, path = FILES) =>
    await as('admin', operator).upload(path, Buffer.from(text), 'bank.xml');
  const atBank = async (amount = 200): Promise<{ id: number; task: number; reference: string }> => {
    const id = await askBank(amount);
    await approve(id);
    if (amount > 10_000) {
      const again = await taskOf(id, 'withdrawal_second_approval');
      expect((await decide(again, 'approve', second)).status).toBe(200);
    }
    return { id, task: await taskOf(id, 'payout_unknown'), reference: `WD-${id}` };
  };
  const outcomesOf = (answer: Awaited<ReturnType<typeof send>>): unknown =>
    (answer.body.data as { remarks: { outcome: string }[] }).remarks.map(({ outcome }) => outcome);

  it('taken, then refused · a remark, then the question · no file again, nobody can say paid, the rest as ever', async () => {
    const { id, task, reference } = await atBank();
    const taken = statusReport([{ reference, code: 'ACSC' }]);
    expect((await send(first, taken)).status).toBe(201);
    const again = await send(second, taken);
    expect([again.status, outcomesOf(again)]).toEqual([200, ['NOTED']]);
    expect(await statusOf(id)).toBe('PROCESSING');
    expect((await as('admin', first).get(`/withdrawals/${id}/payout-file`)).status).toBe(409);
    const more = '<StsRsnInf><Rsn><Cd>AC04</Cd></Rsn></StsRsnInf>';
    expect(
      outcomesOf(await send(first, statusReport([{ reference, code: 'RJCT', more }]))),
    ).toEqual(['ASKED']);
    // An older file that comes late takes nothing back.
    await send(first, statusReport([{ reference, code: 'ACCP' }]));
    const shown = await as('admin', first).get(`/tasks/${task}`);
    expect(shown.body.data).toMatchObject({
      summary: expect.stringContaining('the bank refused, AC04'),
      decisions: ['confirm_failed', 'keep_waiting'],
      detail: {
        withdrawal: { payout: { state: 'FILE', bank_status: 'REFUSED', bank_words: 'AC04' } },
      },
    });
    expect((await decide(task, 'confirm_paid', second)).status).toBe(422);
    expect((await decide(task, 'confirm_failed', second)).status).toBe(200);
    await expect(result(id)).resolves.toBe('FAILED');
    expect(await held()).toBe(0n);
  });

  /** What the lines of an uploaded statement say of the withdrawals that they name. */
  const payoutOf = async (uploaded: Awaited<ReturnType<typeof send>>) => {
    const { id } = uploaded.body.data as { id: number };
    const lines = await as('admin', first).get(`/bank-statements/${id}/lines`);
    return (lines.body.data as { items: { payout: unknown }[] }).items.map(({ payout }) => payout);
  };

  it.each([
    ['a camt.054', notification, FILES],
    ['a camt.053', statementOfDebit, '/bank-statements/camt053'],
  ])(
    'a debit that it has booked, in %s · PAID once, and nobody is asked any more',
    async (_what, of, path) => {
      const { id, task, reference } = await atBank();
      const before = await balanceOf(database, 'w:bank');
      const file = of({ reference, amount: '195.00' });
      const answers = await Promise.all([send(first, file, path), send(second, file, path)]);
      expect(answers.map(({ status }) => status).sort((a, b) => a - b)).toEqual([200, 201]);
      await expect(result(id)).resolves.toBe('PAID');
      expect((await balanceOf(database, 'w:bank')) - before).toBe(195n * UNIT);
      expect(await held()).toBe(0n);
      expect((await decide(task, 'confirm_failed', second)).status).toBe(409);
      const record = await as('publisher', publisherId).get(`/withdrawals/${id}`);
      expect(record.body.data).toMatchObject({ status: 'PAID', reference: `BK-${reference}` });
      if (of === notification) return;
      expect(await payoutOf(answers[0])).toEqual([
        { status: 'PAID', amount: 195, currency: 'USD', fits: true },
      ]);
    },
  );

  it('another amount, account or order · refused by name, and nothing of the file counts', async () => {
    const one = await atBank();
    const { reference } = one;
    const wallet = await askWallet('ada@example.com');
    for (const [text, code] of [
      [notification({ reference, amount: '195.01' }), 'amount'],
      [notification({ reference, amount: '195.00', account: ibanOf(77) }), 'account'],
      [statusReport([{ reference: `WD-${wallet}`, code: 'ACCP' }]), 'unknown_reference'],
      [
        statusReport([
          { reference: 'WD-999999', code: 'ACCP' },
          { reference, code: 'RJCT' },
        ]),
        'unknown_reference',
      ],
    ] as const) {
      const answer = await send(first, text);
      expect([answer.status, answer.body.data]).toMatchObject([422, { errors: [{ code }] }]);
    }
    // A statement of another account is kept, and pays nothing.
    const elsewhere = statementOfDebit({ reference, amount: '195.00', account: ibanOf(78) });
    expect((await send(first, elsewhere, '/bank-statements/camt053')).status).toBe(201);
    // So is one of another amount, and its line says that it is.
    const more = statementOfDebit({ reference, amount: '195.01' });
    expect(await payoutOf(await send(first, more, '/bank-statements/camt053'))).toEqual([
      { status: 'PROCESSING', amount: 195, currency: 'USD', fits: false },
    ]);
    expect(await statusOf(one.id)).toBe('PROCESSING');
    expect(await held()).toBe(300n * UNIT);
    expect((await as('admin', first).get(`/withdrawals/${one.id}/payout-file`)).status).toBe(200);
  });

  it('above the limit · a file of who approved it last · waits for another person’s', async () => {
    const { id, reference } = await atBank(20_000);
    const { rows } = await database.pool.query<{ by: string; arrival: string }>(
      `SELECT approved_by AS by, (arrival_nanos / 1000000000)::text || '.00' AS arrival FROM withdrawals WHERE id = $1`,
      [id],
    );
    const approver = Number(rows[0]?.by);
    const file = notification({ reference, amount: rows[0]?.arrival ?? '' });
    expect(outcomesOf(await send(approver, file))).toEqual(['SECOND_PERSON']);
    expect(await statusOf(id)).toBe('PROCESSING');
    expect(outcomesOf(await send(approver === first ? second : first, file))).toEqual(['PAID']);
    await expect(result(id)).resolves.toBe('PAID');
  });
});

describe('money sent back', () => {
  it('PAID, then returned by the bank · RETURNED · arrival is withdrawable again, once', async () => {
    const id = await askBank(200);
    const url = `/withdrawals/${id}/return`;
    const body = { reference: 'BACK-9' };
    expect((await as('admin', first).post(url, body)).status).toBe(409);
    await approve(id);
    await decide(await taskOf(id, 'payout_unknown'), 'confirm_paid', second);
    await expect(result(id)).resolves.toBe('PAID');
    const before = await balanceOf(database, `pub:${publisherId}:withdrawable`);
    const answers = await Promise.all([1, 2, 3].map(() => as('admin', first).post(url, body)));
    expect(answers.map(({ status }) => status).sort((a, b) => a - b)).toEqual([200, 409, 409]);
    const after = await balanceOf(database, `pub:${publisherId}:withdrawable`);
    expect(after - before).toBe(195n * UNIT);
    const record = await as('publisher', publisherId).get(`/withdrawals/${id}`);
    expect(record.body.data).toMatchObject({
      status: 'RETURNED',
      reasons: [{ code: 'RETURNED_BY_BANK', field: null, note: 'BACK-9' }],
    });
    expect(await toldOf(id)).toEqual([...TO_PAID, 'failed RETURNED']);
    const reviewer = (await makeOperator(database.db, 'REVIEWER')).id;
    expect((await as('admin', reviewer).post(url, body)).status).toBe(403);
  });

  it("evidence · one's own, for what one says · stands with the withdrawal, and is what a second person approves", async () => {
    const kept = async (operator: number, width: number): Promise<{ id: number }> => {
      const slip = await image('png', { width, height: 30 });
      const sent = await as('admin', operator).upload('/receipt-evidence', slip, `${width}.png`);
      return sent.body.data as { id: number };
    };
    const [paid, back, others] = [
      await kept(second, 41),
      await kept(second, 42),
      await kept(first, 43),
    ];
    const id = await askBank(20_000);
    await approve(id);
    const again = await taskOf(id, 'withdrawal_second_approval');
    expect((await decide(again, 'approve', second)).status).toBe(200);
    const task = await taskOf(id, 'payout_unknown');
    const say = async (evidence_id: number) =>
      await as('admin', second).post(`/tasks/${task}/decision`, {
        decision: 'confirm_paid',
        evidence_id,
      });
    const refused = await say(others.id);
    expect([refused.status, refused.body.data]).toMatchObject([
      422,
      { errors: [{ field: 'evidence_id', code: 'unknown' }] },
    ]);
    const said = await say(paid.id);
    expect(said.body.data).toMatchObject({ decision: { evidence: paid } });
    await expect(result(id)).resolves.toBe('PAID');
    const url = `/withdrawals/${id}/return`;
    const sendBack = async (evidence_id: number) =>
      await as('admin', second).post(url, { reference: 'BACK-41', evidence_id });
    expect((await sendBack(others.id)).status).toBe(422);
    const asked = await sendBack(back.id);
    expect([asked.status, asked.body.data]).toMatchObject([
      202,
      {
        status: 'PAID',
        evidence: [
          { said: 'returned', file: back },
          { said: 'confirm_paid', file: paid },
        ],
      },
    ]);
    const { rows } = await database.pool.query<{ shown: string }>(
      `SELECT content -> 'ask' ->> 'evidence_id' AS shown FROM approvals
       WHERE kind = 'withdrawal_return' AND subject = $1`,
      [String(id)],
    );
    expect(rows).toEqual([{ shown: String(back.id) }]);
  });
});

describe('a cancel', () => {
  it('while its review is open · CANCELLED · the task is void, a late decision 409', async () => {
    const id = await askBank();
    const task = await taskOf(id, 'withdrawal_review');
    expect((await as('publisher', publisherId).post(`/withdrawals/${id}/cancel`)).status).toBe(200);
    await expect(result(id)).resolves.toBe('CANCELLED');
    expect((await decide(task, 'approve')).status).toBe(409);
    expect(await held()).toBe(0n);
  });

  it('in the cooling-off window · CANCELLED, nothing is ever sent', async () => {
    await put('payout.cooling_off_seconds', 600);
    const id = await askBank();
    await approve(id);
    await put('payout.cooling_off_seconds', 0);
    expect(await statusOf(id)).toBe('APPROVED');
    expect((await as('publisher', publisherId).post(`/withdrawals/${id}/cancel`)).status).toBe(200);
    await expect(result(id)).resolves.toBe('CANCELLED');
    const { rowCount } = await database.pool.query(
      'SELECT 1 FROM payouts WHERE withdrawal_id = $1',
      [id],
    );
    expect(rowCount).toBe(0);
    expect(await toldOf(id)).toEqual([...TO_PAID.slice(0, 2), 'cancelled CANCELLED']);
    await captureHistory(
      flows.client,
      { workflowId: withdrawalWorkflowId(id) },
      'withdrawalWorkflow.cancelled-while-cooling',
    );
  });

  it('against the payout that begins, 15 times · one of the two wins, money moves once', async () => {
    flows.delivery.on = false;
    const outcomes: string[] = [];
    for (let round = 0; round < 15; round += 1) {
      const id = await askBank(100);
      await approvedByOwner(database, id);
      const [cancelled, begun] = await Promise.allSettled([
        flows.activities.cancelWithdrawal({ publisherId, withdrawalId: id, requestId: 'race' }),
        flows.activities.beginPayout({ withdrawalId: id }),
      ]);
      const status = await statusOf(id);
      expect(status).toBe(cancelled.status === 'fulfilled' ? 'CANCELLED' : 'PROCESSING');
      expect(begun.status === 'fulfilled' && begun.value).toBe(status);
      outcomes.push(status ?? '');
    }
    flows.delivery.on = true;
    expect(await held()).toBe(
      BigInt(outcomes.filter((status) => status === 'PROCESSING').length) * 100n * UNIT,
    );
  });

  it('signals sent by hand · while a review is open · change nothing', async () => {
    const id = await askBank();
    const task = await taskOf(id, 'withdrawal_review');
    const handle = flows.client.workflow.getHandle(withdrawalWorkflowId(id));
    await handle.signal(WITHDRAWAL_CANCEL_SIGNAL);
    await handle.signal(WITHDRAWAL_CANCEL_SIGNAL);
    await expect(
      handle.executeUpdate(DECIDE_UPDATE, { args: [{ taskId: task, decisionId: 987_654 }] }),
    ).rejects.toThrow(WorkflowUpdateFailedError);
    expect(await statusOf(id)).toBe('PENDING');
    expect((await decide(task, 'reject')).status).toBe(200);
  });
});

describe('by a provider', () => {
  it.each<[string, string, WithdrawalStatus, number]>([
    ['it pays', 'ada@example.com', 'PAID', 1],
    ['it accepts, and pays later', 'ada+pending@example.com', 'PAID', 1],
    ['it accepts, and cannot pay', 'ada+bounce@example.com', 'FAILED', 1],
    ['it refuses', 'ada+reject@example.com', 'FAILED', 0],
    ['its answer is lost, it paid', 'ada+timeout@example.com', 'PAID', 1],
  ])('%s · sent · with %s ends %s, %i orders there', async (_name, email, status, kept) => {
    const before = paidBySandbox();
    const id = await askWallet(email);
    await approve(id);
    await expect(result(id)).resolves.toBe(status);
    expect(paidBySandbox() - before).toBe(kept);
    expect(await held()).toBe(0n);
    const { rows } = await database.pool.query<{ status: string }>(
      'SELECT status FROM operations WHERE workflow_id = $1',
      [withdrawalWorkflowId(id)],
    );
    expect(rows[0]?.status).toBe(status === 'PAID' ? 'succeeded' : 'failed');
    if (email.includes('+timeout')) await capture(id, 'answer-lost');
  });

  it('takes no order, time after time · a person is told why · mended, it is sent and PAID', async () => {
    const before = paidBySandbox();
    const id = await askWallet('ada+unsent@example.com');
    await approve(id);
    const task = await taskOf(id, 'payout_unknown');
    const shown = await as('admin', first).get(`/tasks/${task}`);
    expect(shown.body.data).toMatchObject({
      summary: expect.stringContaining('cannot be sent, connection refused'),
      decisions: ['confirm_failed', 'keep_waiting'],
      detail: { withdrawal: { payout: { state: 'READY', last_outcome: 'connection refused' } } },
    });
    expect(await held()).toBe(100n * UNIT);
    // Nothing has changed: the same question, after as many tries.
    expect((await decide(task, 'keep_waiting')).status).toBe(200);
    const next = await taskOf(id, 'payout_unknown');
    expect(next).not.toBe(task);
    expect(paidBySandbox()).toBe(before);
    const { payouts } = flows.deps.providers;
    const mended: PayoutProvider = {
      send: async ({ key }) =>
        await Promise.resolve({ state: 'SETTLED', reference: `MENDED-${key}` }),
      find: async () => await Promise.resolve({ state: 'NOT_FOUND' }),
    };
    flows.deps.providers.payouts = { ...payouts, provider: () => mended };
    try {
      expect((await decide(next, 'keep_waiting')).status).toBe(200);
      await expect(result(id)).resolves.toBe('PAID');
    } finally {
      flows.deps.providers.payouts = payouts;
    }
    expect(await held()).toBe(0n);
    await capture(id, 'unsent-then-mended');
  });

  it('USDT in six decimals · sent · the amount to the last of them', async () => {
    const id = await askWallet('TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t', {
      channel: 'USDT',
      amountNanos: 20_123_456_000n,
    });
    await approve(id);
    await expect(result(id)).resolves.toBe('PAID');
    expect(await balanceOf(database, 'w:usdt')).toBe(19_123_456_000n);
  });

  it.each(['lost', 'hidden'])(
    'no answer, and it knows nothing (%s) · UNKNOWN · the hold stays until a person knows',
    async (mark) => {
      const id = await askWallet(`ada+${mark}@example.com`);
      await approve(id);
      const task = await taskOf(id, 'payout_unknown');
      expect(await statusOf(id)).toBe('UNKNOWN');
      expect((await as('publisher', publisherId).post(`/withdrawals/${id}/cancel`)).status).toBe(
        409,
      );
      expect(await held()).toBe(100n * UNIT);
      expect((await decide(task, 'keep_waiting')).status).toBe(200);
      const next = await taskOf(id, 'payout_unknown');
      expect(next).not.toBe(task);
      expect(await held()).toBe(100n * UNIT);
      const decision = mark === 'hidden' ? 'confirm_paid' : 'confirm_failed';
      expect((await decide(next, decision, second, 'seen in their back office')).status).toBe(200);
      await expect(result(id)).resolves.toBe(mark === 'hidden' ? 'PAID' : 'FAILED');
      expect(await held()).toBe(0n);
      await capture(id, `kept-waiting-${mark}`);
    },
  );

  it('the sender died in the call · found by the flow · UNKNOWN, never sent again', async () => {
    flows.delivery.on = false;
    const before = paidBySandbox();
    const id = await askWallet('ada@example.com');
    await approvedByOwner(database, id);
    await flows.activities.beginPayout({ withdrawalId: id });
    await database.pool.query(
      `UPDATE payouts SET state = 'SENDING', tries = 1 WHERE withdrawal_id = $1`,
      [id],
    );
    flows.delivery.on = true;
    const { rows } = await database.pool.query<{ id: string }>(
      'SELECT id FROM outbox WHERE dedupe_key = $1',
      [`start:${withdrawalWorkflowId(id)}`],
    );
    await flows.dispatcher.dispatch(Number(rows[0]?.id));
    const task = await taskOf(id, 'payout_unknown');
    expect(await statusOf(id)).toBe('UNKNOWN');
    expect(paidBySandbox()).toBe(before);
    expect((await decide(task, 'confirm_failed')).status).toBe(200);
    await expect(result(id)).resolves.toBe('FAILED');
    await capture(id, 'sender-died');
  });
});

describe('risks', () => {
  it('an account that another publisher has · RISK_HOLD before anybody looks', async () => {
    const email = `shared${publisherId}@example.com`;
    await askWallet(email);
    publisherId = (await makePublisher(database.db)).id;
    await passKyc(database, publisherId);
    await fundPublisher(database.db, publisherId, 500n * UNIT);
    const id = await askWallet(email);
    await becomes(id, 'RISK_HOLD');
    const shown = await as('admin', first).get(`/tasks/${await taskOf(id, 'withdrawal_review')}`);
    expect(shown.body.data.findings).toContainEqual({
      code: 'ACCOUNT_OF_ANOTHER_PUBLISHER',
      severity: 'notice',
    });
    await approve(id);
    await expect(result(id)).resolves.toBe('PAID');
    expect(await toldOf(id)).toEqual([TO_PAID[0], 'held RISK_HOLD', ...TO_PAID.slice(1)]);
  });

  it.each([
    ['in the verified name, as a bank writes it', 'LOVELACE, Ada', []],
    ['of somebody else', 'Bo Lantern', ['ACCOUNT_NAME_DIFFERS notice']],
  ])('a bank account · %s · is said where a person decides', async (_whose, verified, said) => {
    await database.pool.query(
      `INSERT INTO kyc_applications (account_id, round, status, entity_type, legal_name, country,
         document_number_sealed, document_number_tail, document_ids, workflow_id)
       VALUES ($1::bigint, 1, 'APPROVED', 'PERSONAL', $2, 'DE', '', '', '{}', 'kyc:' || $1::bigint)`,
      [publisherId, verified],
    );
    const id = await askBank();
    const task = await taskOf(id, 'withdrawal_review');
    const { body } = await as('admin', first).get(`/tasks/${task}`);
    const found = body.data.findings as { code: string; severity: string }[];
    expect(
      found
        .filter(({ code }) => /NAME/.test(code))
        .map(({ code, severity }) => `${code} ${severity}`),
    ).toEqual(said);
    expect(body.data.detail.destination).toMatchObject({ holder_is_identity: said.length === 0 });
    expect(await statusOf(id)).toBe(said.length === 0 ? 'PENDING' : 'RISK_HOLD');
    // Neither name is written where what was found lies open.
    const { rows } = await database.pool.query<{ text: string }>(
      `SELECT concat(w.findings::text, t.findings::text, t.summary) AS text FROM withdrawals w
       JOIN tasks t ON t.id = $2 WHERE w.id = $1`,
      [id, task],
    );
    expect(rows[0]?.text).not.toMatch(/lovelace|lantern/i);
    // It is no refusal: a person lets it pass.
    await approve(id);
  });

  it('suspended after its approval · not paid · on hold, and not approvable until restored', async () => {
    await put('payout.cooling_off_seconds', 2);
    const id = await askWallet('ada@example.com');
    await approve(id);
    await put('payout.cooling_off_seconds', 0);
    await database.pool.query(`UPDATE accounts SET status = 'SUSPENDED' WHERE id = $1`, [
      publisherId,
    ]);
    await becomes(id, 'RISK_HOLD');
    const task = await taskOf(id, 'withdrawal_review');
    expect((await decide(task, 'approve')).status).toBe(409);
    await database.pool.query(`UPDATE accounts SET status = 'ACTIVE' WHERE id = $1`, [publisherId]);
    expect((await decide(task, 'approve')).status).toBe(200);
    await expect(result(id)).resolves.toBe('PAID');
  });

  it('clean, where the setting lets it · the second one · paid without anybody', async () => {
    const email = `clean${publisherId}@example.com`;
    const one = await askWallet(email);
    await approve(one);
    await expect(result(one)).resolves.toBe('PAID');
    await put('review.withdrawal', 'auto_when_clean');
    try {
      await database.pool.query(
        `UPDATE withdrawals SET created_at = created_at - interval '2 days' WHERE id = $1`,
        [one],
      );
      const two = await askWallet(email);
      await expect(result(two)).resolves.toBe('PAID');
      const { rowCount } = await database.pool.query('SELECT 1 FROM tasks WHERE workflow_id = $1', [
        withdrawalWorkflowId(two),
      ]);
      expect(rowCount).toBe(0);
    } finally {
      await put('review.withdrawal', 'human');
    }
  });
});

describe('every step twice', () => {
  it('begin, send, look and ask · run twice and at once · one order, one payment', async () => {
    flows.delivery.on = false;
    const before = paidBySandbox();
    const id = await askWallet('ada@example.com');
    await approvedByOwner(database, id);
    const key = { withdrawalId: id };
    const { activities } = flows;
    await Promise.all([activities.beginPayout(key), activities.beginPayout(key)]);
    const sent = await Promise.all([activities.sendPayout(key), activities.sendPayout(key)]);
    expect(sent.sort((a, b) => a.localeCompare(b))).toEqual(['SETTLED', 'TAKEN_BEFORE']);
    await activities.sendPayout(key);
    await activities.markPayoutLost(key);
    await activities.lookUpPayout({ ...key, looks: 0 });
    await activities.askAboutPayout(key);
    flows.delivery.on = true;
    expect(await statusOf(id)).toBe('PAID');
    expect(paidBySandbox() - before).toBe(1);
    expect(await held()).toBe(0n);
    expect((await toldOf(id)).at(-1)).toBe('sent PAID');
  });

  it('a review · run twice for one round · one task', async () => {
    flows.delivery.on = false;
    const id = await askBank();
    const input = { withdrawalId: id, round: 1 };
    await Promise.all([
      flows.activities.reviewWithdrawal(input),
      flows.activities.reviewWithdrawal(input),
    ]);
    flows.delivery.on = true;
    const { rowCount } = await database.pool.query('SELECT 1 FROM tasks WHERE workflow_id = $1', [
      withdrawalWorkflowId(id),
    ]);
    expect(rowCount).toBe(1);
  });
});
