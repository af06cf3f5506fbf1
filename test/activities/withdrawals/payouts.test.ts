import { approvedByOwner } from '../../support/by-owner.ts';
import type { ActivityDeps } from '../../../activities/deps.ts';
import type { Payouts } from '../../../activities/providers/payout.ts';
import type { PayoutOutcome, PayoutProvider } from '../../../activities/providers/payout-port.ts';
import { createTaskActivities } from '../../../activities/review/task-moves.ts';
import { createPayoutActivities } from '../../../activities/withdrawals/payouts.ts';
import { createWithdrawalFlowActivities } from '../../../activities/withdrawals/withdrawal-flow.ts';
import {
  createWithdrawalActivities,
  WITHDRAWAL_WAITS,
} from '../../../activities/withdrawals/withdrawals.ts';
import { runner } from '../../../db/postgres.ts';
import { runBooks } from '../../../db/queries/books.ts';
import { moveRow } from '../../../db/schema/move.ts';
import { payouts as payoutTable } from '../../../db/tables/payout.ts';
import { payoutLifecycle } from '../../../domain/lifecycle/payout.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { makeOperator, makePublisher } from '../../support/make/account.ts';
import { balanceOf, fundPublisher } from '../../support/make/money.ts';
import { illegalMoves } from '../../support/lifecycles.ts';
import { passKyc } from '../../support/payouts.ts';
import { testProviders } from '../../support/providers.ts';
import { activityDeps } from '../../support/settlement.ts';
import { until } from '../../support/until.ts';

const AMOUNT = 100_000_000_000n;

let database: TestDatabase;
let publisherId: number;

beforeAll(async () => {
  database = await createTestDatabase();
});
beforeEach(async () => {
  publisherId = (await makePublisher(database.db)).id;
  await passKyc(database, publisherId);
  await fundPublisher(database.db, publisherId, AMOUNT);
});
afterAll(async () => await database?.close());

/** No flow: its steps are called as it would call them. */
function activitiesWith(provider: PayoutProvider) {
  const embedded = testProviders();
  const payouts: Payouts = {
    ...embedded.payouts,
    provider: () => provider,
    availability: () => ({ available: true }),
  };
  const deps: ActivityDeps = {
    ...activityDeps(database),
    providers: { ...embedded, payouts },
  };
  return {
    ...createWithdrawalActivities(deps),
    ...createWithdrawalFlowActivities(deps),
    ...createPayoutActivities(deps),
  };
}
type Steps = ReturnType<typeof activitiesWith>;

/** Approved, and its order written: READY. */
async function begun(steps: Steps): Promise<{ withdrawalId: number }> {
  const key = await steps.requestWithdrawal({
    publisherId,
    amountNanos: AMOUNT,
    channel: 'PAYPAL',
    accountInfo: 'ada@example.com',
    bank: null,
    kycUrl: '',
    requestId: 'test',
  });
  await approvedByOwner(database, key.withdrawalId);
  expect(await steps.beginPayout(key)).toBe('PROCESSING');
  return key;
}

async function rowsOf({ withdrawalId }: { withdrawalId: number }) {
  const { rows } = await database.pool.query<{ status: string; state: string; code: string }>(
    `SELECT w.status, p.state, p.last_outcome AS code
     FROM withdrawals w JOIN payouts p ON p.withdrawal_id = w.id WHERE w.id = $1`,
    [withdrawalId],
  );
  return rows[0];
}

const held = async (): Promise<bigint> => await balanceOf(database, `pub:${publisherId}:hold`);
const withdrawable = async (): Promise<bigint> =>
  await balanceOf(database, `pub:${publisherId}:withdrawable`);

const nobodyLooks: PayoutProvider['find'] = async () =>
  await Promise.resolve({ state: 'NOT_FOUND' });

/** Whoever waits gives the sender up before its answer is recorded, and `meanwhile` happens. */
async function answersLate(
  answer: PayoutOutcome,
  meanwhile: (steps: Steps, key: { withdrawalId: number }) => Promise<unknown> = async () =>
    await Promise.resolve(),
): Promise<{ withdrawalId: number }> {
  let key = { withdrawalId: 0 };
  const steps = activitiesWith({
    send: async () => {
      await steps.markPayoutLost(key);
      expect(await rowsOf(key)).toEqual({
        status: 'UNKNOWN',
        state: 'UNKNOWN',
        code: 'SENDER_DIED',
      });
      await meanwhile(steps, key);
      return answer;
    },
    find: async () => await Promise.resolve({ state: 'SETTLED', reference: 'FOUND-1' }),
  });
  key = await begun(steps);
  await steps.sendPayout(key);
  return key;
}

describe('an answer that comes after the sender was given up', () => {
  it('NOT_SENT · UNKNOWN · stays UNKNOWN, is never sent again, the hold stays', async () => {
    const key = await answersLate({ state: 'NOT_SENT', reason: 'CONNECTION_REFUSED' });
    expect(await rowsOf(key)).toMatchObject({ status: 'UNKNOWN', state: 'UNKNOWN' });
    let sent = 0;
    const steps = activitiesWith({
      send: async () => {
        sent += 1;
        return await Promise.resolve({ state: 'SETTLED', reference: 'TWICE' });
      },
      find: nobodyLooks,
    });
    expect(await steps.sendPayout(key)).toBe('TAKEN_BEFORE');
    expect(sent).toBe(0);
    expect(await held()).toBe(AMOUNT);
  });

  it('SETTLED · UNKNOWN · is paid', async () => {
    const key = await answersLate({ state: 'SETTLED', reference: 'PAY-1' });
    expect(await rowsOf(key)).toEqual({ status: 'PAID', state: 'SETTLED', code: 'SETTLED' });
    expect(await held()).toBe(0n);
    expect(await withdrawable()).toBe(0n);
  });

  it('REJECTED · UNKNOWN · the hold is void', async () => {
    const key = await answersLate({ state: 'REJECTED', reason: 'ACCOUNT_CLOSED' });
    expect(await rowsOf(key)).toEqual({
      status: 'FAILED',
      state: 'REJECTED',
      code: 'ACCOUNT_CLOSED',
    });
    expect(await withdrawable()).toBe(AMOUNT);
  });

  it('REJECTED · found SETTLED meanwhile · stays paid, money moves once', async () => {
    const key = await answersLate(
      { state: 'REJECTED', reason: 'TIMEOUT_THERE' },
      async (steps, found) => await steps.lookUpPayout({ ...found, looks: 0 }),
    );
    expect(await rowsOf(key)).toEqual({ status: 'PAID', state: 'SETTLED', code: 'FOUND_SETTLED' });
    expect(await held()).toBe(0n);
    expect(await withdrawable()).toBe(0n);
  });
});

describe('the order', () => {
  it('any state · every illegal move · is refused by the row, and nothing is written', async () => {
    const key = await begun(activitiesWith({ send: neverSent, find: nobodyLooks }));
    const sql = runner(database.db);
    const put = async (state: string): Promise<void> => {
      await database.pool.query('UPDATE payouts SET state = $2 WHERE withdrawal_id = $1', [
        key.withdrawalId,
        state,
      ]);
    };
    for (const [from, action] of illegalMoves(payoutLifecycle)) {
      await put(from);
      await expect(
        moveRow(sql, payoutTable, { state: 'state', action, where: key, set: { tries: 99 } }),
      ).rejects.toMatchObject({ token: 'state_conflict', hints: { from, action } });
      expect(await rowsOf(key)).toMatchObject({ state: from });
    }
    const { rows } = await database.pool.query<{ tries: number }>(
      'SELECT tries FROM payouts WHERE withdrawal_id = $1',
      [key.withdrawalId],
    );
    expect(rows[0]?.tries).toBe(0);
    await put('READY');
  });

  it('ended, its withdrawal not · asked about · stays ended, a person is asked', async () => {
    const steps = activitiesWith({ send: neverSent, find: nobodyLooks });
    const key = await begun(steps);
    await database.pool.query(`UPDATE payouts SET state = 'SETTLED' WHERE withdrawal_id = $1`, [
      key.withdrawalId,
    ]);
    await steps.askAboutPayout(key);
    expect(await rowsOf(key)).toMatchObject({ state: 'SETTLED', status: 'PROCESSING' });
    const { rowCount } = await database.pool.query(
      `SELECT 1 FROM tasks WHERE kind = 'payout_unknown' AND subject_id = $1 AND status = 'open'`,
      [key.withdrawalId],
    );
    expect(rowCount).toBe(1);
    await database.pool.query(`UPDATE payouts SET state = 'READY' WHERE withdrawal_id = $1`, [
      key.withdrawalId,
    ]);
  });

  it('all of these · the books · agree', async () => {
    const checks = await runBooks(runner(database.db));
    expect(checks.filter((check) => !check.ok)).toEqual([]);
  });
});

const neverSent: PayoutProvider['send'] = async () =>
  await Promise.resolve({ state: 'NOT_SENT', reason: 'NO_PROVIDER' });

describe('a person who says that it was not paid', () => {
  it('about one that its provider has · a person is asked · what the provider said last stays to be read', async () => {
    const steps = activitiesWith({
      send: async () => await Promise.resolve({ state: 'ACCEPTED', reference: 'PAY-2' }),
      find: nobodyLooks,
    });
    const key = await begun(steps);
    await steps.sendPayout(key);
    await steps.lookUpPayout({ ...key, looks: 0 });
    await steps.askAboutPayout(key);
    expect(await rowsOf(key)).toMatchObject({ state: 'UNKNOWN', code: 'NOT_FOUND' });
  });

  it('while it is being sent by a worker that was thought dead · is refused, the hold stays, it is paid once', async () => {
    let key = { withdrawalId: 0 };
    const steps = activitiesWith({
      send: async () => {
        await expect(saysFailed(steps, key)).rejects.toMatchObject({ token: 'state_conflict' });
        expect(await rowsOf(key)).toMatchObject({ status: 'PROCESSING', state: 'SENDING' });
        return { state: 'SETTLED', reference: 'PAY-1' };
      },
      find: nobodyLooks,
    });
    key = await begun(steps);
    // Its worker did not answer, and its flow has asked a person.
    await steps.askAboutPayout(key);
    await steps.sendPayout(key);
    expect(await rowsOf(key)).toMatchObject({ status: 'PAID', state: 'SETTLED' });
    expect([await held(), await withdrawable()]).toEqual([0n, 0n]);
  });

  it('about an order that left and was lost a moment before · is refused until its provider was asked', async () => {
    const steps = activitiesWith({ send: neverSent, find: nobodyLooks });
    const key = await begun(steps);
    await steps.askAboutPayout(key);
    const { asked } = await whileLocked(key, async () => await saysFailed(steps, key));
    await expect(asked).rejects.toMatchObject({ token: 'state_conflict' });
    expect(await rowsOf(key)).toMatchObject({ status: 'UNKNOWN', state: 'UNKNOWN' });
    expect([await held(), await withdrawable()]).toEqual([AMOUNT, 0n]);
  });
});

/** By an operator who is asked now. */
async function saysFailed(steps: Steps, key: { withdrawalId: number }): Promise<unknown> {
  const { rows } = await database.pool.query<{ id: string }>(
    `SELECT id FROM tasks WHERE workflow_id = $1 AND status = 'open'`,
    [`withdrawal:${key.withdrawalId}`],
  );
  const taskId = Number(rows[0]?.id);
  const { id } = await makeOperator(database.db, 'FINANCE');
  const { decisionId } = await createTaskActivities(activityDeps(database)).decideTask({
    taskId,
    operator: { id, role: 'FINANCE' },
    decision: 'confirm_failed',
    reasons: [],
    note: null,
    evidenceMediaId: null,
    requestId: 'test',
  });
  return await steps.applyWithdrawalDecision({ ...key, decision: { taskId, decisionId } });
}

/** What is asked comes to wait for a sender, who loses the order before it is done. */
async function whileLocked(
  { withdrawalId }: { withdrawalId: number },
  ask: () => Promise<unknown>,
): Promise<{ asked: Promise<unknown> }> {
  const sender = await database.pool.connect();
  try {
    await sender.query('BEGIN');
    await sender.query('SELECT 1 FROM withdrawals WHERE id = $1 FOR UPDATE', [withdrawalId]);
    const asked = ask();
    await until('somebody waits for the sender', async () => {
      const { rowCount } = await database.pool.query(
        `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
      );
      return rowCount === 1;
    });
    const lost = 'UPDATE payouts SET state = $2 WHERE withdrawal_id = $1';
    for (const state of ['SENDING', 'UNKNOWN']) await sender.query(lost, [withdrawalId, state]);
    await sender.query(`UPDATE withdrawals SET status = 'UNKNOWN' WHERE id = $1`, [withdrawalId]);
    await sender.query('COMMIT');
    return { asked };
  } finally {
    sender.release();
  }
}

test('what nobody knows · for a day · is asked about again within five minutes', () => {
  const { lookAgainSeconds } = WITHDRAWAL_WAITS;
  expect(Math.max(...lookAgainSeconds)).toBeLessThanOrEqual(300);
  expect(lookAgainSeconds.reduce((sum, each) => sum + each, 0)).toBeGreaterThan(86_400);
});
