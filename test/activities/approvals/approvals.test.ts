import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import type { OperatorRow } from '../../../db/tables/operator.ts';
import { createActivities } from '../../../activities/index.ts';
import { postEntries } from '../../../activities/core/ledger.ts';
import { inTransaction, runner, sqlState, violatedConstraint } from '../../../db/postgres.ts';
import { listAudit } from '../../../db/queries/audit-log.ts';
import { runBooks } from '../../../db/queries/books.ts';
import { listHistory } from '../../../db/queries/history.ts';
import { APPROVAL_KINDS, governsMoney } from '../../../domain/approvals.ts';
import { withdrawalPosted } from '../../../domain/ledger/payout-postings.ts';
import { SETTING_KEYS, SETTINGS } from '../../../domain/settings.ts';
import { setByOwner } from '../../support/by-owner.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { makeAdvertiser, makeOperator, makePublisher } from '../../support/make/account.ts';
import { fundPublisher, nanos, UNIT } from '../../support/make/money.ts';
import { passKyc } from '../../support/payouts.ts';
import { testProviders } from '../../support/providers.ts';
import { activityDeps } from '../../support/settlement.ts';

/** Interface 5.19: nobody lets money out above the limit alone, whatever they call, in whatever order. */
const LIMIT = 15;
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
afterAll(async () => {
  const checks = await runBooks(runner(database.db));
  expect(checks.filter(({ ok }) => !ok)).toEqual([]);
  await database.close();
});

interface Operator {
  id: number;
  role: OperatorRow['role'];
}
const operator = async (role: OperatorRow['role'] = 'FINANCE'): Promise<Operator> => {
  const { id } = await makeOperator(database.db, role);
  return { id, role };
};

async function richPublisher(): Promise<number> {
  const { id } = await makePublisher(database.db);
  await passKyc(database, id);
  await fundPublisher(database.db, id, 1_000n * UNIT);
  return id;
}

async function request(publisherId: number, amount: number): Promise<number> {
  const { withdrawalId } = await activities.requestWithdrawal({
    publisherId,
    amountNanos: nanos(amount),
    channel: 'PAYPAL',
    accountInfo: `p${publisherId}@example.com`,
    bank: null,
    kycUrl: '',
    requestId: 'test',
  });
  await activities.reviewWithdrawal({ withdrawalId, round: 1 });
  return withdrawalId;
}

interface OpenTask {
  id: string;
  kind: string;
}
const openTasks = async (subject: string, id: number): Promise<OpenTask[]> =>
  (
    await database.pool.query<OpenTask>(
      `SELECT id, kind FROM tasks WHERE subject_type = $1 AND subject_id = $2 AND status = 'open'`,
      [subject, id],
    )
  ).rows;

type Decision = { taskId: number; decisionId: number };
const sayYes = async (by: Operator, withdrawalId: number): Promise<string> =>
  await agree(by, ['withdrawal', withdrawalId], async (decision) => {
    const status = await activities.applyWithdrawalDecision({ withdrawalId, decision });
    return typeof status === 'string' ? status : 'the provider is asked first';
  });
const sayYesToDeposit = async (by: Operator, depositId: number): Promise<string> =>
  await agree(
    by,
    ['deposit', depositId],
    async (decision) => await activities.applyDepositDecision({ depositId, decision }),
  );

/** Says yes to whatever is asked about it; the refusal's words, or the status that came of it. */
async function agree(
  by: Operator,
  [subject, id]: [string, number],
  apply: (decision: Decision) => Promise<string>,
): Promise<string> {
  const [task] = await openTasks(subject, id);
  if (task === undefined) return 'nothing is asked';
  const input = { taskId: Number(task.id), operator: by, decision: 'approve', reasons: [] };
  try {
    const { decisionId } = await activities.decideTask({
      ...input,
      note: null,
      evidenceMediaId: null,
      requestId: 'test',
    });
    const decision = { taskId: Number(task.id), decisionId };
    try {
      return await apply(decision);
    } catch (error) {
      // As its flow would, so that another may decide.
      await activities.refuseDecision(decision, String(error));
      return String(error);
    }
  } catch (error) {
    return String(error);
  }
}

/** Money that a person says has come, as the bank's statement or nothing but they say. */
async function bring(by: Operator, advertiserId: number, amount: number): Promise<number> {
  const order = { advertiserId, amountNanos: nanos(amount), paymentMethod: 'BANK' } as const;
  const { id: depositId } = await activities.openDeposit(order);
  const { receiptId } = await activities.recordReceipt({
    depositId,
    amountNanos: order.amountNanos,
    reference: `BROUGHT-${depositId}`,
    receivedAt: null,
    evidence: null,
    operatorId: by.id,
    requestId: 'test',
  });
  await activities.confirmReceipt({ depositId, receiptId });
  return depositId;
}

const creditedUnits = async (depositIds: number[]): Promise<number> =>
  Number(
    (
      await database.pool.query<{ sum: string }>(
        `SELECT COALESCE(sum(amount_nanos), 0) / 1e9 AS sum FROM deposit_receipts
         WHERE deposit_id = ANY ($1) AND state <> 'SUSPENSE'`,
        [depositIds],
      )
    ).rows[0]?.sum,
  );

const approvedUnits = async (publisherId: number): Promise<number> =>
  Number(
    (
      await database.pool.query<{ sum: string }>(
        `SELECT COALESCE(sum(amount_nanos), 0) / 1e9 AS sum FROM withdrawals
         WHERE publisher_id = $1 AND status IN ('APPROVED', 'PROCESSING', 'UNKNOWN', 'PAID')`,
        [publisherId],
      )
    ).rows[0]?.sum,
  );

describe('limits', () => {
  test('three withdrawals of 14.99 under a limit of 15 · by one person · the second waits for another', async () => {
    const publisherId = await richPublisher();
    const one = await operator();
    const ids = [await request(publisherId, 14.99), await request(publisherId, 14.99)];
    expect(await sayYes(one, ids[0] ?? 0)).toBe('APPROVED');
    expect(await sayYes(one, ids[1] ?? 0)).not.toBe('APPROVED');
    expect(await sayYes(one, ids[1] ?? 0)).toMatch(/second person/i);
    expect(await approvedUnits(publisherId)).toBe(14.99);
    expect(await sayYes(await operator(), ids[1] ?? 0)).toBe('APPROVED');
  });

  test('two people, one account · each under the limit · together they are not', async () => {
    const publisherId = await richPublisher();
    expect(await sayYes(await operator(), await request(publisherId, 10))).toBe('APPROVED');
    const another = await request(publisherId, 10);
    expect(await sayYes(await operator(), another)).not.toBe('APPROVED');
    expect(await approvedUnits(publisherId)).toBe(10);
  });

  test('one person, many accounts · counts them together', async () => {
    const one = await operator();
    const [first, second] = [await richPublisher(), await richPublisher()];
    expect(await sayYes(one, await request(first, 10))).toBe('APPROVED');
    expect(await sayYes(one, await request(second, 10))).not.toBe('APPROVED');
  });

  test('ADMIN · raises the limit and approves alone · the limit stays', async () => {
    const admin = await operator('ADMIN');
    const key = 'payout.second_approval_above';
    const asked = { key, value: 1_000, operatorId: admin.id };
    const { approvalId } = await activities.putSetting(asked);
    const own = { approvalId: approvalId ?? 0, operatorId: admin.id, requestId: 'test' };
    await expect(activities.approveApproval(own)).rejects.toThrow(/second person/i);
    const { id: puppet } = await makeOperator(database.db, 'FINANCE', admin.id);
    const theirs = { ...own, operatorId: puppet };
    await expect(activities.approveApproval(theirs)).rejects.toThrow(/second person/i);
    const { rows } = await database.pool.query(`SELECT value FROM settings WHERE key = $1`, [key]);
    expect(rows).toEqual([{ value: LIMIT }]);
    await activities.approveApproval({ ...own, operatorId: (await operator()).id });
    const now = await database.pool.query(`SELECT value FROM settings WHERE key = $1`, [key]);
    expect(now.rows).toEqual([{ value: 1_000 }]);
    await setByOwner(database, key, LIMIT);
  });

  test('the defaults and the keys that the database knows · are those of domain/settings.ts', async () => {
    const { rows } = await database.pool.query<{ key: string; governs: boolean }>(
      `SELECT k AS key, setting_governs_money(k) AS governs FROM unnest($1::text[]) k`,
      [SETTING_KEYS],
    );
    expect(rows.filter(({ key, governs }) => governs !== governsMoney(key))).toEqual([]);
    const client = await database.pool.connect();
    await client.query('BEGIN');
    await client.query('DELETE FROM settings');
    const limits = await client.query<{ key: keyof typeof SETTINGS; nanos: string }>(
      `SELECT DISTINCT limit_key AS key, approval_limit(kind)::bigint::text AS nanos FROM approval_kinds
       WHERE limit_key IS NOT NULL`,
    );
    await client.query('ROLLBACK');
    client.release();
    expect(limits.rows).toHaveLength(2);
    for (const { key, nanos: limit } of limits.rows) {
      expect(limit).toBe(String(BigInt(SETTINGS[key].default) * UNIT));
    }
    const kinds = await database.pool.query('SELECT kind FROM approval_kinds ORDER BY 1');
    expect(kinds.rows.map(({ kind }) => kind)).toEqual(APPROVAL_KINDS.toSorted());
  });
});

describe('one person and all the operators that they make', () => {
  // Not by createOperator, whose hashing would be most of the time of the test.
  const puppet = async (makerId: number): Promise<Operator> => {
    const { id } = await makeOperator(database.db, 'FINANCE', makerId);
    return { id, role: 'FINANCE' };
  };
  const AMOUNTS = [10, 14.99, 15, 40];
  const command = fc.oneof(
    fc.record({ do: fc.constant('ask' as const), amount: fc.constantFrom(...AMOUNTS) }),
    fc.record({ do: fc.constant('yes' as const), by: fc.nat(3), of: fc.nat(4) }),
    fc.record({
      do: fc.constant('bring' as const),
      by: fc.nat(3),
      amount: fc.constantFrom(...AMOUNTS),
    }),
    fc.record({ do: fc.constant('credit' as const), by: fc.nat(3), of: fc.nat(4) }),
    fc.record({ do: fc.constant('raise' as const), by: fc.nat(3), of: fc.nat(1) }),
    fc.record({ do: fc.constant('approve' as const), by: fc.nat(3) }),
    fc.record({ do: fc.constant('make' as const), by: fc.nat(3) }),
  );

  const courses = (numRuns: number, endOnFailure = false) =>
    fc.check(
      fc.asyncProperty(fc.array(command, { minLength: 4, maxLength: 14 }), async (commands) => {
        const admin = await operator('ADMIN');
        const hands = [admin, await puppet(admin.id)];
        const hand = (at: number): Operator => hands[at % hands.length] as Operator;
        const publisherId = await richPublisher();
        const asked: number[] = [];
        const brought: number[] = [];
        for (const each of commands) {
          if (each.do === 'ask') asked.push(await request(publisherId, each.amount));
          else if (each.do === 'yes') {
            const id = asked[each.of % Math.max(1, asked.length)];
            if (id !== undefined) await sayYes(hand(each.by), id);
          } else if (each.do === 'bring') {
            const { id: advertiserId } = await makeAdvertiser(database.db);
            brought.push(await bring(hand(each.by), advertiserId, each.amount));
          } else if (each.do === 'credit') {
            const id = brought[each.of % Math.max(1, brought.length)];
            if (id !== undefined) await sayYesToDeposit(hand(each.by), id);
          } else if (each.do === 'raise') {
            const money = each.of === 0 ? 'payout' : 'deposit';
            const key = `${money}.second_approval_above`;
            await activities.putSetting({ key, value: 900, operatorId: hand(each.by).id });
          } else if (each.do === 'approve') await approveAll(hand(each.by));
          else {
            hands.push(await puppet(hand(each.by).id));
          }
        }
        await database.pool.query(
          `UPDATE approvals SET state = 'VOID' WHERE state = 'PROPOSED' AND kind IN ('setting', 'operator')`,
        );
        const moved = [await approvedUnits(publisherId), await creditedUnits(brought)];
        return moved.every((units) => units <= LIMIT);
      }),
      { numRuns, endOnFailure },
    );

  async function approveAll({ id: operatorId }: Operator): Promise<void> {
    const { rows } = await database.pool.query<{ id: string }>(
      `SELECT id FROM approvals WHERE state = 'PROPOSED' AND kind IN ('setting', 'operator')`,
    );
    for (const { id } of rows) {
      const one = { approvalId: Number(id), operatorId, requestId: 'test' };
      await activities.approveApproval(one).catch((error: unknown) => {
        if (!/second person|has changed/i.test(String(error))) throw error;
      });
    }
  }

  test('any course of calls · at most the limit leaves', async () => {
    const { failed, counterexample, errorInstance } = await courses(60);
    expect({ failed, counterexample, errorInstance }).toEqual({
      failed: false,
      counterexample: null,
      errorInstance: null,
    });
  }, 240_000);

  test('the control · operators are persons of their own · a course is found that takes more', async () => {
    const { rows } = await database.pool.query<{ was: string }>(
      `SELECT pg_get_functiondef('operator_person'::regproc) AS was`,
    );
    await database.pool
      .query(`CREATE OR REPLACE FUNCTION operator_person(operator bigint) RETURNS bigint
      LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS 'SELECT operator'`);
    const { failed } = await courses(400, true);
    await database.pool.query(rows[0]?.was ?? '');
    await setByOwner(database, 'payout.second_approval_above', LIMIT);
    await setByOwner(database, 'deposit.second_approval_above', LIMIT);
    expect(failed).toBe(true);
  }, 240_000);
});

describe('the application’s role, by hand', () => {
  test('money without an approval · is not posted, and a withdrawal not sent off', async () => {
    const id = await request(await richPublisher(), 10);
    const refused = await database.appPool
      .query(`UPDATE withdrawals SET status = 'APPROVED' WHERE id = $1`, [id])
      .catch((error: unknown) => error);
    expect(violatedConstraint(refused)).toBe('money_needs_approval');
    const withdrawal = await database.db.models.withdrawals.findByPk(id, { rejectOnEmpty: true });
    const posting = inTransaction(
      database.db,
      async (tx) => await postEntries(database.db, tx, withdrawalPosted(withdrawal)),
    );
    const error: unknown = await posting.catch((each: unknown) => each);
    expect(violatedConstraint(error)).toBe('money_needs_approval');
  });

  test('a transfer of another name · is no way around', async () => {
    const id = await request(await richPublisher(), 10);
    const withdrawal = await database.db.models.withdrawals.findByPk(id, { rejectOnEmpty: true });
    const batch = withdrawalPosted(withdrawal);
    const postings = batch.postings.map((each) => ({ ...each, type: 'SPEND' as const }));
    const error: unknown = await inTransaction(
      database.db,
      async (tx) => await postEntries(database.db, tx, { ...batch, postings }),
    ).catch((each: unknown) => each);
    expect(violatedConstraint(error)).toBe('ledger_moves');
  });

  test.each([
    [`UPDATE approvals SET state = 'APPROVED', checker_id = maker_id WHERE id = $1`, '23514'],
    [`UPDATE approvals SET state = 'APPLIED' WHERE id = $1`, '23000'],
    [`UPDATE approvals SET alone = true, state = 'APPROVED' WHERE id = $1`, '23000'],
    [`UPDATE approvals SET amount_nanos = 1 WHERE id = $1`, '23000'],
    [`UPDATE approvals SET content = '{}' WHERE id = $1`, '23000'],
    [`UPDATE approvals SET maker_id = NULL WHERE id = $1`, '23000'],
    [`DELETE FROM approvals WHERE id = $1`, '42501'],
  ])('an approval of one’s own · %s · is refused', async (statement, code) => {
    const one = await operator();
    const id = await request(await richPublisher(), 40);
    await sayYes(one, id);
    const { rows } = await database.pool.query<{ id: string; state: string }>(
      `SELECT id, state FROM approvals WHERE kind = 'withdrawal' AND subject = $1 AND state = 'PROPOSED'`,
      [String(id)],
    );
    expect(rows).toHaveLength(1);
    const refused = await database.appPool
      .query(statement, [rows[0]?.id])
      .catch((error: unknown) => error);
    expect(sqlState(refused)).toBe(code);
  });

  test('what was approved · changes · is approved no more', async () => {
    const id = await request(await richPublisher(), 40);
    const [one, two] = [await operator(), await operator()];
    await sayYes(one, id);
    // Only the owner can, with the trigger that keeps the terms away.
    const client = await database.pool.connect();
    await client.query('SET session_replication_role = replica');
    await client.query(`UPDATE withdrawals SET destination_fingerprint = 'x' WHERE id = $1`, [id]);
    client.release(true);
    expect(await sayYes(two, id)).toMatch(/has changed/);
  });
});

test('a returned payout · above the limit · is given back by two, the tax with it', async () => {
  const publisherId = await richPublisher();
  await setByOwner(database, 'payout.tax_ppm', 100_000);
  await setByOwner(database, 'payout.cooling_off_seconds', 0);
  const withdrawalId = await request(publisherId, 40);
  await setByOwner(database, 'payout.tax_ppm', 0);
  const [one, two] = [await operator(), await operator()];
  await sayYes(one, withdrawalId);
  await sayYes(two, withdrawalId);
  await database.pool.query('UPDATE withdrawals SET not_before = NULL WHERE id = $1', [
    withdrawalId,
  ]);
  await activities.beginPayout({ withdrawalId });
  await activities.sendPayout({ withdrawalId });
  const of = async () =>
    (
      await database.pool.query<{ status: string; tax: string; balance: string }>(
        `SELECT w.status, w.tax_nanos AS tax, a.balance_nanos AS balance FROM withdrawals w
         JOIN ledger_accounts a ON a.code = 'pub:' || w.publisher_id || ':withdrawable' WHERE w.id = $1`,
        [withdrawalId],
      )
    ).rows[0];
  expect(await of()).toMatchObject({ status: 'PAID', tax: String(4n * UNIT) });
  const command = { withdrawalId, reference: 'R-1', operatorId: one.id, requestId: 'test' };
  const { approvalId } = await activities.returnWithdrawal(command);
  expect(approvalId).not.toBeNull();
  expect(await of()).toMatchObject({ status: 'PAID' });
  const decision = { approvalId: approvalId ?? 0, requestId: 'test' };
  await expect(activities.approveApproval({ ...decision, operatorId: one.id })).rejects.toThrow(
    /second person/i,
  );
  await activities.approveApproval({ ...decision, operatorId: two.id });
  const fee = nanos(0.8);
  expect(await of()).toMatchObject({
    status: 'RETURNED',
    balance: String(1_000n * UNIT - fee),
  });
  // Operators find it by the account; its owner is not told who agrees with whom.
  const page = { limit: 50, offset: 0 };
  const sql = runner(database.db);
  const seen = await listAudit(sql, { ...page, ofAccount: { id: publisherId, noun: 'publisher' } });
  expect(seen.items).toContainEqual(
    expect.objectContaining({
      action: 'approval.approve',
      actorId: two.id,
      accountId: publisherId,
    }),
  );
  const { items: told } = await listHistory(sql, { ...page, accountId: publisherId });
  expect(told.map(({ action }) => action)).not.toContain('approval.approve');
});
