import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createSettlementActivities } from '../../activities/tracking/settlement.ts';
import { runner } from '../../db/postgres.ts';
import { runBooks } from '../../db/queries/books.ts';
import { chart } from '../../domain/ledger/chart.ts';
import { depositWorkflowId } from '../../workflows/contracts/deposit.ts';
import { removalAppealWorkflowId } from '../../workflows/contracts/removal-appeal.ts';
import { reversalWorkflowId } from '../../workflows/contracts/reversal.ts';
import { withdrawalWorkflowId } from '../../workflows/contracts/withdrawal.ts';
import { dataOf, idOf } from '../support/call.ts';
import { flowDesk } from '../support/flow-desk.ts';
import type { TestFlows } from '../support/flows.ts';
import { makeOperator, makePublisher } from '../support/make/account.ts';
import { type Line, makeLine } from '../support/make/line.ts';
import { balanceOf, fundPublisher, UNIT } from '../support/make/money.ts';
import { passKyc } from '../support/payouts.ts';
import { activityDeps, append, eventOf } from '../support/settlement.ts';
import { interfereAtRefusal } from '../support/refused-step.ts';
import { createStand, type FlowStand } from '../support/stand.ts';
import { eventually, until } from '../support/until.ts';

/**
 * Cancel, terminate and reset from Temporal's pages where a flow waits for a second person, and on those of
 * corrections: none of it decides anything, and money moves once. A cancel of a withdrawal or a deposit is heeded
 * at its first question (armour.test.ts) and at this one alike.
 */
let stand: FlowStand;
let flows: TestFlows;
let first: number;
let second: number;

beforeAll(async () => {
  const sandbox = mkdtempSync(path.join(tmpdir(), 'payouts-'));
  stand = await createStand({ flows: { PAYOUT_SANDBOX_DIR: sandbox }, realTime: true });
  ({ flows } = stand);
  first = (await makeOperator(stand.database.db, 'FINANCE')).id;
  second = (await makeOperator(stand.database.db, 'FINANCE')).id;
  await put('payout.cooling_off_seconds', 0);
}, 120_000);

afterEach(async () => {
  const checks = await runBooks(runner(stand.database.db));
  expect(checks.filter((check) => !check.ok)).toEqual([]);
});

afterAll(async () => {
  await stand?.close();
}, 60_000);

const desk = flowDesk(() => stand);
const { query, put, handle, stateOf, openTask, reset, reconcile, askWallet } = desk;

const decide = async (task: number, decision: string, operator: number): Promise<number> =>
  (await stand.as('admin', operator).post(`/tasks/${task}/decision`, { decision, reasons: [] }))
    .status;

const DAY_MS = 86_400_000;
const yesterday = new Date(Date.now() - DAY_MS);

/** Removed impressions of yesterday, appealed by their publisher. */
async function appealed(): Promise<{ line: Line; workflowId: string }> {
  const line = await makeLine(stand.database);
  const shown = () =>
    eventOf(line, { at: yesterday, priceNanos: 1_000_000n, facts: { userAgent: 'bot' } });
  await append(stand.database, shown(), shown());
  await createSettlementActivities(activityDeps(stand.database)).settleBatch({ shard: 0 });
  const appealId = idOf(
    await stand.as('publisher', line.publisherId).post('/removal-appeals', {
      zone_id: line.zoneId,
      date: yesterday.toISOString().slice(0, 10),
      reason: 'BOT_UA',
      text: 'A screen reader.',
    }),
  );
  return { line, workflowId: removalAppealWorkflowId({ appealId }) };
}

const earnedBy = async (line: Line): Promise<bigint> =>
  await balanceOf(stand.database, chart.publisherEarned(line.publisherId, 0));

interface Wait {
  begin: () => Promise<{
    workflowId: string;
    /** Where its money is, and what its rows say; changes by nothing but its end. */
    rows: () => Promise<[tasks: unknown, money: unknown]>;
    /** Answers what the money is then. */
    end: () => Promise<unknown>;
  }>;
  /** What a cancel leads to, where it is heeded. */
  isHeeded?: string;
  /** What the flow answers, and where the money is, in the end. */
  result: [answer: string, money: unknown];
}

/** But for those about a refused step. */
const tasksOf = async (workflowId: string): Promise<unknown> =>
  await query(
    `SELECT id, kind, status FROM tasks WHERE workflow_id = $1 AND kind NOT LIKE '%\\_refused' ORDER BY id`,
    [workflowId],
  );

async function readTimeline(workflowId: string): Promise<unknown[]> {
  const [type = '', id = ''] = workflowId.split(':');
  const { id: operator } = await makeOperator(stand.database.db, 'SUPPORT');
  const { timeline } = dataOf(
    await stand.as('admin', operator).get(`/timeline?subject_type=${type}&subject_id=${id}`),
  );
  return timeline as unknown[];
}

async function earner(): Promise<number> {
  const { id } = await makePublisher(stand.database.db);
  await passKyc(stand.database, id);
  await fundPublisher(stand.database.db, id, 500n * UNIT);
  return id;
}

async function secondApproval(): ReturnType<Wait['begin']> {
  await put('payout.second_approval_above', 50);
  const publisherId = await earner();
  const workflowId = withdrawalWorkflowId(await askWallet(publisherId));
  const held = async () => await balanceOf(stand.database, `pub:${publisherId}:hold`);
  expect(await decide(await openTask(workflowId), 'approve', first)).toBe(200);
  await openTask(workflowId, 'withdrawal_second_approval');
  return {
    workflowId,
    rows: async () => [await tasksOf(workflowId), await held()],
    end: async () => {
      const task = await openTask(workflowId, 'withdrawal_second_approval');
      expect(await decide(task, 'approve', first)).toBe(403);
      expect(await decide(task, 'approve', second)).toBe(200);
      await handle(workflowId).result();
      return await held();
    },
  };
}

async function largeDeposit(): ReturnType<Wait['begin']> {
  const advertiser = await stand.newAdvertiser();
  const order = { amount: 20_000, payment_method: 'BANK' };
  const id = idOf(await advertiser.post('/deposits', order));
  const receipt = { amount: 20_000, reference: `LARGE-${id}` };
  await stand.as('admin', first).post(`/deposits/${id}/receipts`, receipt);
  const workflowId = depositWorkflowId(id);
  await openTask(workflowId);
  const receipts = async () =>
    await query('SELECT state FROM deposit_receipts WHERE deposit_id = $1', [id]);
  return {
    workflowId,
    rows: async () => [await tasksOf(workflowId), await receipts()],
    end: async () => {
      expect(await decide(await openTask(workflowId), 'approve', first)).toBe(403);
      expect(await decide(await openTask(workflowId), 'approve', second)).toBe(200);
      await handle(workflowId).result();
      return await receipts();
    },
  };
}

/** `isLarge`: one person has upheld it, and another is asked. */
async function appeal(isLarge: boolean): ReturnType<Wait['begin']> {
  await put('payout.second_approval_above', isLarge ? 0 : 10_000);
  const { line, workflowId } = await appealed();
  const task = await openTask(workflowId);
  if (isLarge) {
    expect(await decide(task, 'uphold', first)).toBe(200);
    await openTask(workflowId);
  }
  return {
    workflowId,
    rows: async () => [await tasksOf(workflowId), await earnedBy(line)],
    end: async () => {
      expect(await decide(await openTask(workflowId), 'uphold', second)).toBe(200);
      await handle(workflowId).result();
      return await earnedBy(line);
    },
  };
}

async function reversal(): ReturnType<Wait['begin']> {
  const line = await makeLine(stand.database);
  const at = new Date(Date.now() - 3_600_000);
  await append(stand.database, eventOf(line, { at, priceNanos: 1_000_000n }));
  await createSettlementActivities(activityDeps(stand.database)).settleBatch({ shard: 0 });
  const asked = await stand.as('admin', first).post('/reversals', {
    reason: 'INVALID_TRAFFIC',
    note: 'A farm',
    source: 'TRAFFIC',
    from: new Date(at.getTime() - 60_000).toISOString(),
    to: new Date(at.getTime() + 60_000).toISOString(),
    zone_id: line.zoneId,
  });
  const workflowId = reversalWorkflowId({ reversalId: idOf(asked) });
  await openTask(workflowId);
  return {
    workflowId,
    rows: async () => [await tasksOf(workflowId), await earnedBy(line)],
    end: async () => {
      expect(await decide(await openTask(workflowId), 'approve', second)).toBe(200);
      await handle(workflowId).result();
      return await earnedBy(line);
    },
  };
}

const WAITS = {
  'a withdrawal that waits for a second person': {
    begin: secondApproval,
    isHeeded: 'CANCELLED',
    result: ['PAID', 0n],
  },
  'a deposit that waits for a second person': {
    begin: largeDeposit,
    result: ['PAID', [{ state: 'CREDITED' }]],
  },
  'an appeal that waits for a person': {
    begin: async () => await appeal(false),
    result: ['UPHELD', 1_400_000n],
  },
  'an appeal that one upheld and a second is asked about': {
    begin: async () => await appeal(true),
    result: ['UPHELD', 1_400_000n],
  },
  'a reversal whose preview waits for a second person': {
    begin: reversal,
    result: ['APPLIED', 0n],
  },
} satisfies Record<string, Wait>;
const waitOf = (name: keyof typeof WAITS): Wait => WAITS[name];

describe.each<[string, Wait]>(Object.entries(WAITS))('in Temporal, on %s', (_name, wait) => {
  it('cancel · is heeded where the money is the owner’s to have back; else a decision ends it as ever', async () => {
    const { workflowId, rows, end } = await wait.begin();
    const before = await rows();
    await desk.cancel(workflowId);
    if (wait.isHeeded === undefined) {
      expect([await stateOf(workflowId), await rows()]).toEqual(['RUNNING', before]);
      expect(await end()).toEqual(wait.result[1]);
      await expect(handle(workflowId).result()).resolves.toBe(wait.result[0]);
      return;
    }
    await expect(handle(workflowId).result()).resolves.toBe(wait.isHeeded);
    // Its question is void, and nothing is held.
    expect(await rows()).toEqual([
      [expect.anything(), expect.objectContaining({ status: 'void' })],
      0n,
    ]);
    // Its owner reads that they were not the one.
    const steps = await readTimeline(workflowId);
    expect(steps.at(-1)).toMatchObject({ step: 'ended', note: 'CANCELLED_BY_PLATFORM' });
  });

  it('terminate, then a lap of the reconciler, then reset · asks the same question, and ends as ever', async () => {
    const { workflowId, rows, end } = await wait.begin();
    const before = await rows();
    await desk.terminate(workflowId);
    await until('it waits again', async () => {
      const { historyLength, raw } = await handle(workflowId).describe();
      return historyLength > 6 && (raw.pendingActivities ?? []).length === 0;
    });
    await reset(workflowId);
    expect([await stateOf(workflowId), await rows()]).toEqual(['RUNNING', before]);
    expect(await end()).toEqual(wait.result[1]);
    await expect(handle(workflowId).result()).resolves.toBe(wait.result[0]);
  });
});

/** Decided, and then a step behind that is refused. */
const decided = async (waits: ReturnType<Wait['begin']>, decision: string) => {
  const { workflowId, rows } = await waits;
  expect(await decide(await openTask(workflowId), decision, second)).toBe(200);
  await openTask(workflowId);
  const end = async (): Promise<unknown> => {
    await handle(workflowId).result();
    return (await rows())[1];
  };
  return { workflowId, rows, end };
};

describe.each<[string, Parameters<TestFlows['faults']['set']>[0], Wait]>([
  ['an appeal', 'openRemovalAppealTask', waitOf('an appeal that waits for a person')],
  [
    'an appeal that one upheld',
    'openRemovalAppealSecondTask',
    waitOf('an appeal that one upheld and a second is asked about'),
  ],
  [
    'an upheld appeal that is being paid',
    'restoreRemoved',
    {
      begin: async () => await decided(appeal(false), 'uphold'),
      result: ['UPHELD', 1_400_000n],
    },
  ],
  ['a reversal', 'openReversalTask', waitOf('a reversal whose preview waits for a second person')],
  [
    'an approved reversal',
    'applyReversal',
    { begin: async () => await decided(reversal(), 'approve'), result: ['APPLIED', 0n] },
  ],
])('in Temporal, on %s at a refused step', (_name, step, wait) => {
  it('cancel, terminate, reset · asked about, nothing moves; tried again, it ends as ever', async () => {
    let begun: Awaited<ReturnType<Wait['begin']>> | undefined;
    const workflowId = await interfereAtRefusal(stand, desk, {
      step,
      begin: async () => (begun = await wait.begin()).workflowId,
      rows: async () => await begun?.rows(),
    });
    expect(await begun?.end()).toEqual(wait.result[1]);
    await expect(handle(workflowId).result()).resolves.toBe(wait.result[0]);
  });
});

describe('in Temporal, on an appeal that is begun again while a second person answers', () => {
  it('reset · the answer waits until the flow has read its rows, and is taken', async () => {
    const { workflowId, end } = await appeal(true);
    const reader = await stand.database.pool.connect();
    try {
      // The flow, begun again, cannot read how far it came.
      await reader.query('BEGIN');
      await reader.query('LOCK TABLE removal_appeals IN ACCESS EXCLUSIVE MODE');
      const { runId } = await handle(workflowId).describe();
      const begun = reset(workflowId);
      await until('it is begun again', async () => {
        return (await handle(workflowId).describe()).runId !== runId;
      });
      const ended = end();
      // The first person's is there as well: a reset brings along what the run before was told.
      await until('the answer is in the flow', async () => {
        const events = (await handle(workflowId).fetchHistory()).events ?? [];
        const taken = events.filter((event) =>
          Boolean(event.workflowExecutionUpdateAcceptedEventAttributes),
        );
        return taken.length === 2;
      });
      await reader.query('COMMIT');
      await begun;
      expect(await ended).toBe(1_400_000n);
    } finally {
      reader.release(true);
    }
    await expect(handle(workflowId).result()).resolves.toBe('UPHELD');
  });
});

/** A task about a refused step, as a run before this one left it; answered by the second person. */
async function answeredRefusal(workflowId: string, decision: string) {
  const [task] = await query<{ id: string }>(
    `INSERT INTO tasks (kind, subject_type, subject_id, summary, decisions, required_role, workflow_id, dedupe_key)
     VALUES ('money_refused', 'withdrawal', 1, 'a step was refused', '["retry","end"]', 'FINANCE', $1, $1 || ':refused')
     RETURNING id`,
    [workflowId],
  );
  const [row] = await query<{ id: string }>(
    `INSERT INTO task_decisions (task_id, operator_id, decision) VALUES ($1, $2, $3) RETURNING id`,
    [task?.id, second, decision],
  );
  return { taskId: Number(task?.id), decisionId: Number(row?.id) };
}

describe('a word about a refused step, to a flow that was begun again and has yet to ask', () => {
  const HAS_YET_TO_ASK = 'has yet to ask this';

  it('of a withdrawal that waits for a second person · approves nothing', async () => {
    const { workflowId, end } = await secondApproval();
    const withdrawalId = Number(workflowId.split(':')[1]);
    const state = async () => [
      await query('SELECT status FROM withdrawals WHERE id = $1', [withdrawalId]),
      await query(
        `SELECT state, checker_id FROM approvals WHERE kind = 'withdrawal' AND subject = $1`,
        [String(withdrawalId)],
      ),
    ];
    const before = await state();
    const decision = await answeredRefusal(workflowId, 'end');
    const applied = flows.activities.applyWithdrawalDecision({ withdrawalId, decision });
    await expect(applied).rejects.toThrow(HAS_YET_TO_ASK);
    expect(await state()).toEqual(before);
    await query(`UPDATE tasks SET status = 'void' WHERE id = $1`, [decision.taskId]);
    expect(await end()).toBe(0n);
  });

  it('of a deposit that waits for a second person · credits nothing', async () => {
    const { workflowId, rows, end } = await largeDeposit();
    const depositId = Number(workflowId.split(':')[1]);
    const decision = await answeredRefusal(workflowId, 'retry');
    const before = await rows();
    const applied = flows.activities.applyDepositDecision({ depositId, decision });
    await expect(applied).rejects.toThrow(HAS_YET_TO_ASK);
    expect(await rows()).toEqual(before);
    await query(`UPDATE tasks SET status = 'void' WHERE id = $1`, [decision.taskId]);
    expect(await end()).toEqual([{ state: 'CREDITED' }]);
  });
});

describe('in Temporal, on an appeal that was upheld and is not yet paid', () => {
  it('terminate, then a lap of the reconciler · what was promised is paid, once', async () => {
    await put('payout.second_approval_above', 10_000);
    const { line, workflowId } = await appealed();
    const task = await openTask(workflowId);
    // Decided by its own step, as a worker leaves it that dies right behind: nobody is paid yet.
    await handle(workflowId).terminate('by mistake');
    const [row] = await query<{ id: string }>(
      `INSERT INTO task_decisions (task_id, operator_id, decision) VALUES ($1, $2, 'uphold') RETURNING id`,
      [task, first],
    );
    const appealId = Number(workflowId.split(':')[1]);
    const decision = { taskId: task, decisionId: Number(row?.id) };
    expect(await flows.activities.applyRemovalAppealDecision({ appealId, decision })).toEqual({
      outcome: 'UPHELD',
    });
    expect(await earnedBy(line)).toBe(0n);
    await eventually(async () => {
      await reconcile();
      expect(await stateOf(workflowId)).not.toBe('TERMINATED');
    });
    await expect(handle(workflowId).result()).resolves.toBe('UPHELD');
    expect(await earnedBy(line)).toBe(1_400_000n);
    await reset(workflowId);
    await expect(handle(workflowId).result()).resolves.toBe('UPHELD');
    expect(await earnedBy(line)).toBe(1_400_000n);
  });
});
