import { createActivities } from '../../../activities/index.ts';
import { postEntries } from '../../../activities/core/ledger.ts';
import { inTransaction, runner, violatedConstraint } from '../../../db/postgres.ts';
import { runBook } from '../../../db/queries/books.ts';
import type { DomainError } from '../../../domain/errors.ts';
import { chart } from '../../../domain/ledger/chart.ts';
import { billingBatch, type Posting } from '../../../domain/ledger/postings.ts';
import {
  balanceRefundHeld,
  balanceRefundReleased,
  balanceRefundSent,
} from '../../../domain/ledger/refund-postings.ts';
import { setByOwner } from '../../support/by-owner.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { makeAdvertiser, makeOperator, makePublisher } from '../../support/make/account.ts';
import { balanceOf, nanos, UNIT } from '../../support/make/money.ts';
import { payIn as paidIn } from '../../support/make/paid-in.ts';
import { activityDeps } from '../../support/settlement.ts';

/** What can go back, and what nobody can make go: by the steps, and by hand as the application. */
const LIMIT = 1_000;
const REFUND_BOOKS = [
  'refund_holds_equal_open_refunds',
  'balance_refunds_equal_their_transfers',
  'refunds_within_receipts',
];
let database: TestDatabase;
let activities: ReturnType<typeof createActivities>;
let serial = 0;

beforeAll(async () => {
  database = await createTestDatabase();
  activities = createActivities(activityDeps(database));
  await setByOwner(database, 'deposit.second_approval_above', LIMIT);
});
afterAll(async () => await database.close());
afterEach(async () => {
  for (const name of REFUND_BOOKS) {
    expect(await runBook(runner(database.db), name)).toMatchObject({ name, figure: '0' });
  }
});

/** An advertiser who has paid in so much by each of these. */
async function payer(...paid: [method: string, amount: number][]): Promise<number> {
  const { id: advertiserId } = await makeAdvertiser(database.db);
  for (const [provider, amount] of paid) await payIn(advertiserId, provider, amount);
  return advertiserId;
}

const payIn = async (advertiserId: number, provider: string, amount: number): Promise<number> =>
  await paidIn(database, advertiserId, provider, amount);

const newMaker = async (): Promise<number> => (await makeOperator(database.db, 'FINANCE')).id;

async function ask(advertiserId: number, amount: number | null, operatorId?: number) {
  return await activities.requestBalanceRefund({
    advertiserId,
    amountNanos: amount === null ? null : nanos(amount),
    reason: 'They stop',
    operatorId: operatorId ?? (await newMaker()),
    requestId: 'test',
  });
}

const refusal = async (asking: Promise<unknown>): Promise<string> =>
  await asking.then(
    () => 'none',
    (error: unknown) => (error as DomainError).token,
  );

const available = async (id: number) => await balanceOf(database, `adv:${id}:available`);
const held = async (id: number) => await balanceOf(database, `adv:${id}:refund_hold`);

const spend = async (advertiserId: number, amount: number): Promise<unknown> =>
  await inTransaction(database.db, async (tx) => {
    const { id: publisherId } = await makePublisher(database.db);
    const totals = {
      spend: [{ advertiserId, campaignId: 1, priceNanos: nanos(amount), events: 1 }],
      earnings: [{ publisherId, publisherNanos: 0n, events: 1 }],
    };
    await postEntries(database.db, tx, billingBatch(`refund-spend:${(serial += 1)}`, 0, totals));
    return null;
  }).catch((error: unknown) => violatedConstraint(error));

async function partsOf(advertiserId: number) {
  const { rows } = await database.pool.query<{ id: string; receipt: string; nanos: string }>(
    `SELECT w.id, w.receipt_id AS receipt, w.amount_nanos AS nanos FROM deposit_refunds w
     JOIN balance_refunds b ON b.id = w.balance_refund_id WHERE b.advertiser_id = $1 ORDER BY w.id`,
    [advertiserId],
  );
  return rows.map((row) => ({
    id: Number(row.id),
    receiptId: Number(row.receipt),
    units: Number(row.nanos) / 1e9,
  }));
}

describe('a request', () => {
  test('of part of several receipts · takes the newest, and holds it at once', async () => {
    const advertiserId = await payer(['ALIPAY', 100]);
    const newest = await payIn(advertiserId, 'BANK', 30);
    await ask(advertiserId, 50);
    expect(await partsOf(advertiserId)).toMatchObject([
      { receiptId: newest, units: 30 },
      { units: 20 },
    ]);
    expect([await available(advertiserId), await held(advertiserId)]).toEqual([
      80n * UNIT,
      50n * UNIT,
    ]);
  });

  test('of everything, after some was spent · is what is left', async () => {
    const advertiserId = await payer(['ALIPAY', 100]);
    expect(await spend(advertiserId, 33.5)).toBeNull();
    await ask(advertiserId, null);
    expect(await held(advertiserId)).toBe(nanos(66.5));
    expect(await spend(advertiserId, 0.01)).toBe('no_overdraft');
  });

  test('of what a bank cannot send · is of whole cents, and the rest stays to be spent', async () => {
    const advertiserId = await payer(['BANK', 100]);
    expect(await spend(advertiserId, 33.503)).toBeNull();
    expect(await refusal(ask(advertiserId, 10.005))).toBe('validation_failed');
    await ask(advertiserId, null);
    expect(await held(advertiserId)).toBe(nanos(66.49));
    expect(await available(advertiserId)).toBe(nanos(0.007));
    expect(await refusal(ask(advertiserId, null))).toBe('validation_failed');
  });

  test.each<[string, number, number]>([
    ['a cent more than there is', 100.01, 0],
    ['what has been spent', 100, 1],
  ])('%s · is refused, and holds nothing', async (_what, amount, spent) => {
    const advertiserId = await payer(['ALIPAY', 100]);
    if (spent > 0) await spend(advertiserId, spent);
    expect(await refusal(ask(advertiserId, amount))).toBe('validation_failed');
    expect(await held(advertiserId)).toBe(0n);
    expect(await partsOf(advertiserId)).toEqual([]);
  });

  test('of what nobody has paid in · a credit of ours · is refused: it is no payer’s', async () => {
    // Money with no receipt.
    const { id: advertiserId } = await makeAdvertiser(database.db, { balance: 50 });
    expect(await refusal(ask(advertiserId, 1))).toBe('validation_failed');
    expect(await refusal(ask(advertiserId, null))).toBe('validation_failed');
    // Beside money that has one, only that goes.
    await payIn(advertiserId, 'BANK', 20);
    expect(await refusal(ask(advertiserId, 21))).toBe('validation_failed');
    await ask(advertiserId, null);
    expect(await held(advertiserId)).toBe(20n * UNIT);
  });

  test('of a publisher, or of nobody · is not found', async () => {
    const { id } = await makePublisher(database.db);
    expect(await refusal(ask(id, 1))).toBe('not_found');
    expect(await refusal(ask(2_000_000_000, 1))).toBe('not_found');
  });

  test('eight at once of all of it · one is held', async () => {
    const advertiserId = await payer(['ALIPAY', 60], ['BANK', 40]);
    const answers = await Promise.all(
      Array.from({ length: 8 }, async () => await refusal(ask(advertiserId, 100))),
    );
    expect(answers.toSorted()).toEqual(['none', ...Array(7).fill('validation_failed')]);
    expect(await held(advertiserId)).toBe(100n * UNIT);
    expect(await available(advertiserId)).toBe(0n);
  });

  test('racing with what is spent, 15 times · either, never both', async () => {
    for (let round = 0; round < 15; round += 1) {
      const advertiserId = await payer(['ALIPAY', 10]);
      const [asked, spent] = await Promise.all([
        refusal(ask(advertiserId, 10)),
        spend(advertiserId, 10),
      ]);
      expect([asked === 'none', spent === null].filter(Boolean)).toHaveLength(1);
      expect((await available(advertiserId)) + (await held(advertiserId))).toBe(
        asked === 'none' ? 10n * UNIT : 0n,
      );
    }
  });

  test('within the limit · flows begin with it; above it · none does', async () => {
    const flows = async (id: number) => {
      const { rows } = await database.pool.query(
        `SELECT 1 FROM outbox o JOIN deposit_refunds w ON o.payload->>'workflowId' = 'refund:' || w.id
         JOIN balance_refunds b ON b.id = w.balance_refund_id WHERE b.advertiser_id = $1`,
        [id],
      );
      return rows.length;
    };
    const small = await payer(['ALIPAY', 60], ['BANK', 40]);
    expect((await ask(small, null)).approvalId).toBeNull();
    expect(await flows(small)).toBe(2);
    const large = await payer(['ALIPAY', LIMIT + 1]);
    expect((await ask(large, null)).approvalId).not.toBeNull();
    expect(await flows(large)).toBe(0);
  });
});

/** As the application that runs any statement it likes; the constraint that stands in its way. */
const tried = async (text: string, ...values: unknown[]): Promise<string | null | undefined> =>
  await database.appPool.query(text, values).then(
    () => null,
    (error: unknown) => violatedConstraint(error) ?? String(error),
  );

async function post(posting: Posting, ref: Record<string, unknown>, idempotencyKey?: string) {
  return await inTransaction(database.db, async (tx) => {
    await postEntries(database.db, tx, {
      idempotencyKey: idempotencyKey ?? `by-hand:${(serial += 1)}`,
      kind: 'by_hand',
      ref,
      postings: [posting],
    });
    return null;
  }).catch((error: unknown) => violatedConstraint(error));
}

describe('by hand, as the application', () => {
  /** Held, and approved by nobody. */
  async function waiting() {
    const advertiserId = await payer(['ALIPAY', LIMIT + 100]);
    const { balanceRefundId, approvalId } = await ask(advertiserId, null);
    const [part] = await partsOf(advertiserId);
    if (part === undefined) throw new Error('a request has a part');
    return {
      advertiserId,
      balanceRefundId,
      approvalId,
      refundId: part.id,
      receiptId: part.receiptId,
      amountNanos: nanos(part.units),
      provider: 'ALIPAY',
    };
  }
  const MOVE =
    'UPDATE deposit_refunds SET state = $2, sent_at = CASE WHEN $2 = $3 THEN now() END WHERE id = $1';

  test('sent without an approval · is refused', async () => {
    const part = await waiting();
    expect(await tried(MOVE, part.refundId, 'SENT', 'SENT')).toBe('money_needs_approval');
    const approved = `UPDATE balance_refunds SET status = 'RETURNING' WHERE id = $1`;
    expect(await tried(approved, part.balanceRefundId)).toBe('money_needs_approval');
    const { idempotencyKey, postings, ref } = balanceRefundSent(part);
    const [posting] = postings;
    if (posting === undefined) throw new Error('one transfer');
    expect(await post(posting, ref, idempotencyKey)).toBe('money_needs_approval');
  });

  test('approved in another’s name by its maker · is refused', async () => {
    const part = await waiting();
    const { rows } = await database.pool.query<{ maker_id: string }>(
      'SELECT maker_id FROM balance_refunds WHERE id = $1',
      [part.balanceRefundId],
    );
    const approve = `UPDATE approvals SET state = 'APPROVED', checker_id = $2 WHERE id = $1`;
    expect(await tried(approve, part.approvalId, Number(rows[0]?.maker_id))).toBe('four_eyes');
  });

  test('a part more, once it is asked for · voids what is approved', async () => {
    const part = await waiting();
    const other = await payIn(part.advertiserId, 'BANK', 5);
    const more = `INSERT INTO deposit_refunds (id, receipt_id, balance_refund_id, amount_nanos, closes_order, state)
      VALUES (nextval('deposit_receipts_id_seq'), $1, $2, 5000000000, false, 'ASKED')`;
    const client = await database.appPool.connect();
    try {
      await client.query('BEGIN');
      await client.query(more, [other, part.balanceRefundId]);
      const approve = `UPDATE approvals SET state = 'APPROVED', checker_id = $2 WHERE id = $1`;
      const refused = await client
        .query(approve, [part.approvalId, await newMaker()])
        .catch((error: unknown) => violatedConstraint(error));
      expect(refused).toBe('approval_is_current');
    } finally {
      await client.query('ROLLBACK');
      client.release();
    }
  });

  test('a receipt of another account, or more than came by it · is no part', async () => {
    const part = await waiting();
    const stranger = await payIn(await payer(), 'BANK', 50);
    const own = await payIn(part.advertiserId, 'BANK', 50);
    const insert = `INSERT INTO deposit_refunds (id, receipt_id, balance_refund_id, amount_nanos, closes_order, state)
      VALUES (nextval('deposit_receipts_id_seq'), $1, $2, $3, false, $4)`;
    const request = part.balanceRefundId;
    expect(await tried(insert, stranger, request, 1, 'ASKED')).toBe('refunds_within_receipts');
    expect(await tried(insert, own, request, nanos(50) + 1n, 'ASKED')).toBe(
      'refunds_within_receipts',
    );
    expect(await tried(insert, own, request, 1, 'TO_SEND')).toBe('refunds_within_receipts');
    expect(await tried(insert, part.receiptId, request, 1, 'ASKED')).toBe(
      'refunds_within_receipts',
    );
  });

  test('the hold given up while its provider may still pay · is refused', async () => {
    const advertiserId = await payer(['ALIPAY', 10]);
    await ask(advertiserId, null);
    const [part] = await partsOf(advertiserId);
    expect(await tried(MOVE, part?.id, 'RELEASED', 'SENT')).toContain('does not go from TO_SEND');
    const given = balanceRefundReleased({
      balanceRefundId: 1,
      advertiserId,
      refundId: part?.id ?? 0,
      amountNanos: nanos(10),
    });
    const [posting] = given.postings;
    if (posting === undefined) throw new Error('one transfer');
    expect(await post(posting, given.ref, given.idempotencyKey)).toBe('money_needs_approval');
    expect(await held(advertiserId)).toBe(10n * UNIT);
  });

  test('held twice, or without a request, or to another’s hold · is refused', async () => {
    const part = await waiting();
    await payIn(part.advertiserId, 'BANK', LIMIT + 100);
    const { postings, ref } = balanceRefundHeld(part);
    const [posting] = postings;
    if (posting === undefined) throw new Error('one transfer');
    expect(await post(posting, ref)).toBe('money_needs_approval');
    expect(await post(posting, {})).toBe('money_needs_approval');
    const elsewhere = { ...posting, credit: chart.advertiserRefundHold(part.advertiserId + 1) };
    expect(await post(elsewhere, ref)).toBe('ledger_moves');
  });

  test('what is asked for, changed · stays', async () => {
    const part = await waiting();
    for (const [table, change, id] of [
      ['balance_refunds', 'amount_nanos = 1', part.balanceRefundId],
      ['balance_refunds', 'advertiser_id = advertiser_id + 1', part.balanceRefundId],
      ['deposit_refunds', 'amount_nanos = 1', part.refundId],
      ['deposit_refunds', 'receipt_id = receipt_id + 1', part.refundId],
    ] as const) {
      expect(await tried(`UPDATE ${table} SET ${change} WHERE id = $1`, id)).toMatch(/stays/);
    }
  });
});
