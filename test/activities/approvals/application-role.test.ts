import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createActivities } from '../../../activities/index.ts';
import { postEntries } from '../../../activities/core/ledger.ts';
import { openPool, inTransaction, sqlState, violatedConstraint } from '../../../db/postgres.ts';
import { chart } from '../../../domain/ledger/chart.ts';
import { withdrawalPosted, withdrawalVoided } from '../../../domain/ledger/payout-postings.ts';
import {
  depositCredited,
  depositReceived,
  type Posting,
  TRANSFER_TYPES,
} from '../../../domain/ledger/postings.ts';
import { setByOwner } from '../../support/by-owner.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { makeAdvertiser, makeOperator, makePublisher } from '../../support/make/account.ts';
import { fundPublisher, nanos, UNIT } from '../../support/make/money.ts';
import { insertRow } from '../../support/make/row.ts';
import { passKyc } from '../../support/payouts.ts';
import { testProviders } from '../../support/providers.ts';
import { activityDeps } from '../../support/settlement.ts';

/** Interface 5.19: what somebody can do who is the application to the database, and nothing else. */
const LIMIT = 100;
/** One code of each kind. */
const CHART = [
  chart.world('test'),
  chart.suspense('test'),
  chart.advertiserAvailable(1),
  chart.advertiserRefundHold(1),
  chart.publisherEarned(1, 0),
  chart.publisherWithdrawable(1),
  chart.publisherHold(1),
  chart.publisherDebt(1),
  chart.billingClearing(0),
  chart.correctionClearing(),
  chart.platformRevenue(0),
  chart.payoutFee(),
  chart.appealCost(),
  chart.taxPayable(),
];
let database: TestDatabase;
let activities: ReturnType<typeof createActivities>;

beforeAll(async () => {
  database = await createTestDatabase();
  activities = createActivities({
    ...activityDeps(database),
    providers: testProviders({ PAYOUT_SANDBOX_DIR: mkdtempSync(path.join(tmpdir(), 'payouts-')) }),
  });
  await setByOwner(database, 'payout.second_approval_above', LIMIT);
  await setByOwner(database, 'deposit.second_approval_above', LIMIT);
});
afterAll(async () => await database.close());

const sql = async (text: string, ...values: unknown[]): Promise<unknown> =>
  await database.appPool.query(text, values).catch((error: unknown) => error);
const done = async (text: string, ...values: unknown[]): Promise<void> => {
  await database.appPool.query(text, values);
};

/** A publisher with money, and a withdrawal of it that nobody has looked at. */
async function asking(amount = 50) {
  const { id: publisherId } = await makePublisher(database.db);
  await passKyc(database, publisherId);
  await fundPublisher(database.db, publisherId, 1_000n * UNIT);
  const { withdrawalId } = await activities.requestWithdrawal({
    publisherId,
    amountNanos: nanos(amount),
    channel: 'PAYPAL',
    accountInfo: `p${publisherId}@example.com`,
    bank: null,
    kycUrl: '',
    requestId: 'test',
  });
  return await database.db.models.withdrawals.findByPk(withdrawalId, { rejectOnEmpty: true });
}

/** The same, approved by one person within the limit. */
async function approved(amount = 50) {
  const withdrawal = await asking(amount);
  const { id: makerId } = await makeOperator(database.db, 'FINANCE');
  await done(
    `INSERT INTO approvals (kind, subject, maker_id) VALUES ('withdrawal', $1, $2)`,
    String(withdrawal.id),
    makerId,
  );
  await done(`UPDATE withdrawals SET status = 'APPROVED' WHERE id = $1`, withdrawal.id);
  return withdrawal;
}

/** The constraint that a posting breaks, or null where it went through. */
async function post(postings: Posting[], ref: Record<string, unknown> = {}): Promise<unknown> {
  const idempotencyKey = `by-hand:${Math.random()}`;
  return await inTransaction(database.db, async (tx) => {
    await postEntries(database.db, tx, { idempotencyKey, kind: 'by_hand', ref, postings });
    return null;
  }).catch((error: unknown) => violatedConstraint(error));
}

/** More of the same publisher's is held, which nobody has to approve. */
const held = ({
  publisherId,
  amountNanos,
}: {
  publisherId: number;
  amountNanos: bigint;
}): Posting => ({
  debit: chart.publisherWithdrawable(publisherId),
  credit: chart.publisherHold(publisherId),
  amountNanos,
  type: 'WITHDRAWAL_HOLD',
  subject: null,
});

describe('an approved withdrawal', () => {
  test('the control · is paid as it is', async () => {
    expect(await post(withdrawalPosted(await approved()).postings)).toBeNull();
  });

  test('paid out of another’s hold · is refused', async () => {
    const victim = await asking();
    const postings = withdrawalPosted(await approved()).postings.map((each) => ({
      ...each,
      debit: chart.publisherHold(victim.publisherId),
    }));
    expect(await post(postings)).toBe('money_needs_approval');
  });

  test.each([1n, -1n])('paid with %s nano more · is refused', async (more) => {
    const withdrawal = await approved();
    expect(await post([held(withdrawal)])).toBeNull();
    const { postings } = withdrawalPosted(withdrawal);
    const changed = postings.map((each) =>
      each.type === 'WITHDRAWAL' ? { ...each, amountNanos: each.amountNanos + more } : each,
    );
    expect(await post(changed)).toBe('money_needs_approval');
  });

  test('paid twice · in one batch, and in a second one · is refused', async () => {
    const withdrawal = await approved();
    const { postings } = withdrawalPosted(withdrawal);
    const hold = held(withdrawal);
    expect(await post([hold, ...postings, ...postings])).toBe('money_needs_approval');
    expect(await post(postings)).toBeNull();
    expect(await post([hold, ...postings])).toBe('money_needs_approval');
    const again = await sql(
      `INSERT INTO approvals (kind, subject, maker_id) SELECT kind, subject, maker_id FROM approvals
       WHERE kind = 'withdrawal' AND subject = $1`,
      String(withdrawal.id),
    );
    expect(violatedConstraint(again)).toBe('approved_once');
  });

  test('on its way · is not released, not voided, and not begun again', async () => {
    const withdrawal = await approved();
    const { id } = withdrawal;
    expect(await post(withdrawalVoided(withdrawal).postings)).toBe('money_needs_approval');
    await done(`UPDATE withdrawals SET status = 'PROCESSING' WHERE id = $1`, id);
    const voided = await sql(`UPDATE approvals SET state = 'VOID' WHERE subject = $1`, String(id));
    expect(sqlState(voided)).toBe('23000');
    for (const status of ['PENDING', 'RISK_HOLD', 'APPROVED', 'CANCELLED', 'REJECTED']) {
      const back = await sql('UPDATE withdrawals SET status = $2 WHERE id = $1', id, status);
      expect(violatedConstraint(back)).toBe('money_needs_approval');
    }
  });
});

describe('an order that a bank or provider has', () => {
  const order = async (state: string): Promise<number> => {
    const { id } = await approved();
    await done(`UPDATE withdrawals SET status = 'PROCESSING' WHERE id = $1`, id);
    await done(
      `INSERT INTO payouts (withdrawal_id, channel, external_ref, state) VALUES ($1::bigint, 'BANK', 'WD-' || $1::bigint, $2)`,
      id,
      state,
    );
    return id;
  };

  test.each([
    ['FILE', `state = 'REJECTED'`],
    ['FILE', `state = 'REJECTED', rejected_by = 'PROVIDER'`],
    ['UNKNOWN', `state = 'REJECTED'`],
    ['UNKNOWN', `state = 'REJECTED', rejected_by = 'OPERATOR'`],
    ['UNKNOWN', `state = 'REJECTED', rejected_by = 'UNSENT'`],
    ['UNKNOWN', `state = 'READY'`],
    ['ACCEPTED', `state = 'SENDING'`],
  ])('%s · %s without an approval · is refused', async (state, change) => {
    const refused = await sql(
      `UPDATE payouts SET ${change} WHERE withdrawal_id = $1`,
      await order(state),
    );
    expect(violatedConstraint(refused)).toBe('money_needs_approval');
  });

  test('is not deleted, and its withdrawal has not failed before it has', async () => {
    const id = await order('UNKNOWN');
    expect(sqlState(await sql('DELETE FROM payouts WHERE withdrawal_id = $1', id))).toBe('42501');
    const failed = await sql(`UPDATE withdrawals SET status = 'FAILED' WHERE id = $1`, id);
    expect(violatedConstraint(failed)).toBe('money_needs_approval');
  });
});

describe('receipts', () => {
  async function receipt(fields: { provider: string; operatorId: number | null; amount: number }) {
    const { id: advertiserId } = await makeAdvertiser(database.db);
    return await another(advertiserId, fields);
  }
  async function another(
    advertiserId: number,
    {
      provider,
      operatorId,
      amount,
    }: { provider: string; operatorId: number | null; amount: number },
  ) {
    const amountNanos = nanos(amount);
    const depositId = await insertRow(database, 'deposits', {
      advertiser_id: advertiserId,
      amount_nanos: amountNanos,
      payment_method: provider,
      reference: `D-${Math.random()}`,
      status: 'CONFIRMING',
      expires_at: new Date(),
    });
    if (operatorId === null) {
      await done(
        `INSERT INTO deposit_payments (deposit_id, pay_nanos, pay_currency, opened_at) VALUES ($1, $2, 'CNY', now())`,
        depositId,
        amountNanos,
      );
    }
    const receiptId = await insertRow(database, 'deposit_receipts', {
      deposit_id: depositId,
      amount_nanos: amountNanos,
      currency: 'USD',
      provider,
      provider_reference: `R-${Math.random()}`,
      received_at: new Date(),
      operator_id: operatorId,
    });
    const money = { receiptId, depositId, provider, amountNanos };
    expect(await post(depositReceived(money).postings, depositReceived(money).ref)).toBeNull();
    return { ...money, advertiserId };
  }
  const credit = async (money: Awaited<ReturnType<typeof receipt>>): Promise<unknown> =>
    await post(depositCredited(money).postings, depositCredited(money).ref);
  const ask = async ({ receiptId }: { receiptId: number }, makerId: number | null) =>
    await sql(
      `INSERT INTO approvals (kind, subject, maker_id) VALUES ('deposit_credit', $1, $2)`,
      String(receiptId),
      makerId,
    );

  test('signed by a provider, within the limit of a day · is credited; what goes beyond it · waits', async () => {
    const first = await receipt({ provider: 'ALIPAY', operatorId: null, amount: LIMIT });
    expect(await credit(first)).toBe('money_needs_approval');
    await ask(first, null);
    expect(await credit(first)).toBeNull();
    const second = await another(first.advertiserId, {
      provider: 'ALIPAY',
      operatorId: null,
      amount: 1,
    });
    await ask(second, null);
    expect(await credit(second)).toBe('money_needs_approval');
  });

  test.each(['BANK', 'ALIPAY'])(
    '%s by a person · passed off as signed · is refused',
    async (provider) => {
      const { id: operatorId } = await makeOperator(database.db, 'FINANCE');
      const money = await receipt({ provider, operatorId, amount: 1 });
      expect(sqlState(await ask(money, null))).toBe('23514');
      expect(await credit(money)).toBe('money_needs_approval');
    },
  );

  test('credited to another account · is refused', async () => {
    const money = await receipt({ provider: 'ALIPAY', operatorId: null, amount: 1 });
    await ask(money, null);
    const { id: advertiserId } = await makeAdvertiser(database.db);
    expect(await credit({ ...money, advertiserId })).toBe('money_needs_approval');
  });

  test('above the limit · asked for in another’s name · is not approved by who recorded it, nor by ADMIN', async () => {
    const [recorder, other] = [
      await makeOperator(database.db, 'FINANCE'),
      await makeOperator(database.db, 'FINANCE'),
    ];
    const money = await receipt({ provider: 'BANK', operatorId: recorder.id, amount: LIMIT + 1 });
    await ask(money, other.id);
    const approve = async (checkerId: number): Promise<unknown> =>
      violatedConstraint(
        await sql(
          `UPDATE approvals SET state = 'APPROVED', checker_id = $2 WHERE kind = 'deposit_credit' AND subject = $1`,
          String(money.receiptId),
          checkerId,
        ),
      );
    expect(await approve(recorder.id)).toBe('four_eyes');
    expect(await approve(other.id)).toBe('four_eyes');
    expect(await approve((await makeOperator(database.db, 'ADMIN')).id)).toBe('approval_roles');
    expect(await credit(money)).toBe('money_needs_approval');
  });
});

test('held money · from one publisher to another · goes nowhere', async () => {
  const [victim, thief] = [await asking(), await asking()];
  const posting = {
    debit: chart.publisherWithdrawable(victim.publisherId),
    credit: chart.publisherHold(thief.publisherId),
    amountNanos: UNIT,
    type: 'WITHDRAWAL_HOLD' as const,
    subject: { type: 'withdrawal', id: thief.id },
  };
  expect(await post([posting])).toBe('ledger_moves');
});

test.each([
  `INSERT INTO approval_kinds (kind, family, content) VALUES ('mine', 'payout', 'setting_content')`,
  `UPDATE approval_kinds SET limit_key = 'mine'`,
  'DELETE FROM approval_kinds',
  `UPDATE ledger_moves SET approval_kind = NULL`,
  `INSERT INTO ledger_moves (type, debit_kinds, credit_kind) VALUES ('MINE', '{suspense}', 'world')`,
  `DELETE FROM approvals`,
  `ALTER TABLE approvals DISABLE TRIGGER ALL`,
  `CREATE OR REPLACE FUNCTION operator_person(operator bigint) RETURNS bigint LANGUAGE sql AS 'SELECT operator'`,
])('the rules themselves · %s · are not the application’s', async (statement) => {
  expect(sqlState(await sql(statement))).toBe('42501');
});

test.each(['payout.second_approval_above', 'deposit.second_approval_above', 'review.withdrawal'])(
  'the setting %s · written, made and unmade by hand · stays',
  async (key) => {
    const value = key.startsWith('review') ? '"auto_when_clean"' : '900000';
    const before = await database.pool.query('SELECT * FROM settings ORDER BY key');
    for (const statement of [
      `INSERT INTO settings (key, value, version) VALUES ($1, $2, 9)
       ON CONFLICT (key) DO UPDATE SET value = EXCLUDED.value`,
      'DELETE FROM settings WHERE key = $1 AND $2 IS NOT NULL',
    ]) {
      await sql(statement, key, value);
    }
    const after = await database.pool.query('SELECT * FROM settings ORDER BY key');
    expect(after.rows).toEqual(before.rows);
  },
);

test('the moves that the database knows · are the types of transfers, and their accounts are the chart’s', async () => {
  const { rows } = await database.pool.query<{ type: string; kinds: string[] }>(
    `SELECT type, debit_kinds || credit_kind AS kinds FROM ledger_moves ORDER BY type`,
  );
  expect(rows.map(({ type }) => type)).toEqual(TRANSFER_TYPES.toSorted());
  const { rows: known } = await database.pool.query<{ kind: string }>(
    `SELECT DISTINCT ledger_kind(code) AS kind FROM unnest($1::text[]) code`,
    [CHART],
  );
  const kinds = new Set(known.map(({ kind }) => kind));
  expect(rows.flatMap((row) => row.kinds).filter((kind) => !kinds.has(kind))).toEqual([]);
});

describe('repairs', () => {
  /** The address of a role as it is given to people: without the tests' own setting. */
  const plain = (address: string): string => {
    const url = new URL(address);
    url.searchParams.delete('options');
    return url.toString();
  };
  const LIFT = `INSERT INTO settings (key, value) VALUES ('payout.second_approval_above', '999')
    ON CONFLICT (key) DO UPDATE SET value = EXCLUDED.value`;
  /** What no one may do alone; the constraint that each of them breaks, or null where it went through. */
  async function attacks(address: string, saysThatHeRepairs: boolean): Promise<unknown[]> {
    const withdrawal = await asking();
    const thief = await asking();
    const pool = openPool({ url: plain(address), poolMax: 1, applicationName: 'by-hand' });
    const tried: unknown[] = [];
    const attempt = async (text: string, ...values: unknown[]): Promise<void> => {
      await pool.query('BEGIN');
      const went = await pool.query(text, values).then(
        () => null,
        (error: unknown) => violatedConstraint(error) ?? sqlState(error),
      );
      tried.push(went);
      await pool.query('ROLLBACK');
    };
    try {
      if (saysThatHeRepairs) await pool.query(`SET adplatform.repairs = 'on'`);
      await attempt(LIFT);
      await attempt(
        `INSERT INTO approvals (kind, subject) VALUES ('withdrawal', $1)`,
        withdrawal.id,
      );
      await attempt(
        `WITH b AS (INSERT INTO ledger_batches (idempotency_key, kind, ref) VALUES ($1, 'by_hand', '{}') RETURNING id)
         INSERT INTO ledger_transfers (batch_id, currency, debit_id, credit_id, amount_nanos, type)
         SELECT b.id, 'USD', d.id, c.id, 1, 'ADJUSTMENT' FROM b, ledger_accounts d, ledger_accounts c
         WHERE d.code = $2 AND c.code = $3`,
        `hand:${Math.random()}`,
        chart.publisherHold(withdrawal.publisherId),
        chart.publisherWithdrawable(thief.publisherId),
      );
    } finally {
      await pool.end();
    }
    return tried;
  }
  const HELD = ['money_needs_approval', '23514', 'ledger_moves'];

  test('the owner of the tables · without saying so · is held like everybody', async () => {
    expect(await attacks(database.ownerUrl, false)).toEqual(HELD);
  });
  test('the control · the owner who says so · is not', async () => {
    expect(await attacks(database.ownerUrl, true)).toEqual([null, null, null]);
  });
  test('the application · that says so · is held as before', async () => {
    expect(await attacks(database.url, true)).toEqual(HELD);
  });
});
