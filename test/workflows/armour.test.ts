import { createHash } from 'node:crypto';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { submitReview } from '../../activities/review/reviews.ts';
import { inTransaction, runner } from '../../db/postgres.ts';
import { runBooks } from '../../db/queries/books.ts';
import { DECIDE_UPDATE } from '../../workflows/contracts/decision.ts';
import { depositWorkflowId } from '../../workflows/contracts/deposit.ts';
import {
  SITE_VERIFICATION_WITHDRAW_SIGNAL,
  siteVerificationWorkflowId,
} from '../../workflows/contracts/site-verification.ts';
import { withdrawalWorkflowId } from '../../workflows/contracts/withdrawal.ts';
import { dataOf } from '../support/call.ts';
import { flowDesk } from '../support/flow-desk.ts';
import type { TestFlows } from '../support/flows.ts';
import { captureHistory } from '../support/histories.ts';
import { makeAdvertiser, makeOperator, makePublisher } from '../support/make/account.ts';
import { balanceOf, fundPublisher, UNIT } from '../support/make/money.ts';
import { makeSite } from '../support/make/place.ts';
import { makeReviewRows } from '../support/make/review-rows.ts';
import { CARD, ibanOf, passKyc, ripenCards } from '../support/payouts.ts';
import { createStand, type FlowStand } from '../support/stand.ts';
import { eventually, until } from '../support/until.ts';

/** What an operator of Temporal, a refusal or a provider may do to a flow, and where the money is then. */
const sandboxDir = mkdtempSync(path.join(tmpdir(), 'payouts-'));

let stand: FlowStand;
let flows: TestFlows;
let finance: number;
let checker: number;
let reviewer: number;
let publisherId: number;
let accounts = 0;

beforeAll(async () => {
  stand = await createStand({ flows: { PAYOUT_SANDBOX_DIR: sandboxDir }, realTime: true });
  ({ flows } = stand);
  const { db } = stand.database;
  finance = (await makeOperator(db, 'FINANCE')).id;
  checker = (await makeOperator(db, 'FINANCE')).id;
  reviewer = (await makeOperator(db, 'REVIEWER')).id;
}, 90_000);

beforeEach(async () => {
  publisherId = (await makePublisher(stand.database.db)).id;
  await passKyc(stand.database, publisherId);
  await fundPublisher(stand.database.db, publisherId, 500n * UNIT);
  await put('payout.cooling_off_seconds', 0);
});

afterEach(async () => {
  const checks = await runBooks(runner(stand.database.db));
  expect(checks.filter((check) => !check.ok)).toEqual([]);
});

afterAll(async () => {
  await stand?.close();
}, 60_000);

const { query, put, handle, stateOf, openTask, reset, reconcile, askWallet, ...desk } = flowDesk(
  () => stand,
);
const { begunAgain, refused, terminate } = desk;
const held = async (): Promise<bigint> =>
  await balanceOf(stand.database, `pub:${publisherId}:hold`);
const statusOf = async (table: string, id: number): Promise<string> =>
  (await query<{ status: string }>(`SELECT status FROM ${table} WHERE id = $1`, [id]))[0]?.status ??
  '';

const decide = async (taskId: number, decision: string, operator = checker) =>
  await stand.as('admin', operator).post(`/tasks/${taskId}/decision`, {
    decision,
    reasons: decision === 'reject' ? [{ code: 'OTHER', note: 'Not as agreed' }] : [],
  });

/** Without the page that answers it, which opens the account as well. */
const decideUnseen = async (taskId: number, decision: string) => {
  const { outboxId } = await flows.activities.decideTask({
    taskId,
    operator: { id: checker, role: 'FINANCE' },
    decision,
    reasons: [],
    note: null,
    evidenceMediaId: null,
    requestId: 'test',
  });
  return await flows.dispatcher.dispatch(outboxId);
};

async function becomes(table: string, id: number, status: string): Promise<void> {
  await eventually(async () => {
    expect(await statusOf(table, id)).toBe(status);
  });
}

async function askBank(): Promise<number> {
  const owner = stand.as('publisher', publisherId);
  accounts += 1;
  await owner.post('/withdrawals/bank-cards', { ...CARD, iban: ibanOf(900 + accounts) });
  await ripenCards(stand.database, publisherId);
  const answer = await owner.post('/withdrawals', { amount: 100, payment_method: 'BANK' });
  return (answer.body.data as { id: number }).id;
}

const approve = async (id: number): Promise<void> => {
  const answer = await decide(
    await openTask(withdrawalWorkflowId(id), 'withdrawal_review'),
    'approve',
  );
  expect(answer.status).toBe(200);
};

async function openDeposit(): Promise<number> {
  const { id: advertiserId } = await makeAdvertiser(stand.database.db);
  const order = { advertiserId, amountNanos: 100n * UNIT, paymentMethod: 'BANK' } as const;
  return (await flows.activities.openDeposit(order)).id;
}

const receive = async (depositId: number, units: bigint): Promise<void> => {
  await flows.activities.recordReceipt({
    depositId,
    amountNanos: units * UNIT,
    reference: `REF-${depositId}-${units}`,
    receivedAt: null,
    evidence: null,
    operatorId: finance,
    requestId: 'test',
  });
};

/** The length of a history whose flow has done what it had to. */
const settled = async (workflowId: string): Promise<number> =>
  await eventually(async () => {
    const { raw } = await handle(workflowId).describe();
    const events = (await handle(workflowId).fetchHistory()).events ?? [];
    const [last] = events.slice(-1);
    // Its last workflow task is done, and no step is under way.
    const waits =
      last?.workflowTaskCompletedEventAttributes ?? last?.timerStartedEventAttributes ?? null;
    expect(waits).not.toBeNull();
    expect(raw.pendingActivities ?? []).toEqual([]);
    return events.length;
  });

interface Wait {
  table: 'withdrawals' | 'deposits';
  /** Leads to the wait; answers the row's id. */
  begin: () => Promise<number>;
  status: string;
  /** What a cancel in Temporal leads to. */
  cancelled: string;
  /** A decision after a cancel that was refused, and what it leads to. */
  after?: [decision: string, status: string];
}

const WAITS: Record<string, Wait> = {
  'a withdrawal that waits for its review': {
    table: 'withdrawals',
    begin: async () => {
      const id = await askWallet(publisherId);
      await openTask(withdrawalWorkflowId(id));
      return id;
    },
    status: 'PENDING',
    cancelled: 'CANCELLED',
  },
  'a withdrawal in its cooling-off': {
    table: 'withdrawals',
    begin: async () => {
      await put('payout.cooling_off_seconds', 600);
      const id = await askWallet(publisherId);
      await approve(id);
      return id;
    },
    status: 'APPROVED',
    cancelled: 'CANCELLED',
  },
  'a bank transfer that an operator carries': {
    table: 'withdrawals',
    begin: async () => {
      const id = await askBank();
      await approve(id);
      await openTask(withdrawalWorkflowId(id), 'payout_unknown');
      return id;
    },
    status: 'PROCESSING',
    cancelled: 'PROCESSING',
    after: ['confirm_paid', 'PAID'],
  },
  'a payout of unknown outcome': {
    table: 'withdrawals',
    begin: async () => {
      const id = await askWallet(publisherId, '+lost');
      await approve(id);
      await openTask(withdrawalWorkflowId(id), 'payout_unknown');
      return id;
    },
    status: 'UNKNOWN',
    cancelled: 'UNKNOWN',
    after: ['confirm_failed', 'FAILED'],
  },
  'a deposit that waits for its money': {
    table: 'deposits',
    begin: async () => {
      const id = await openDeposit();
      await settled(depositWorkflowId(id));
      return id;
    },
    status: 'PENDING',
    cancelled: 'CANCELLED',
  },
  'a deposit whose amount differs': {
    table: 'deposits',
    begin: async () => {
      const id = await openDeposit();
      await receive(id, 90n);
      await openTask(depositWorkflowId(id));
      return id;
    },
    status: 'REVIEW',
    cancelled: 'REVIEW',
    after: ['approve', 'PAID'],
  },
};

const idOf = ({ table }: Wait, id: number): string =>
  table === 'deposits' ? depositWorkflowId(id) : withdrawalWorkflowId(id);
/** In suspense or held: not lost, not paid, not given back. */
const kept = async ({ table }: Wait, id: number): Promise<bigint> => {
  if (table === 'withdrawals') return await held();
  const [row] = await query<{ nanos: string }>(
    `SELECT COALESCE(sum(amount_nanos), 0) AS nanos FROM deposit_receipts
     WHERE deposit_id = $1 AND state = 'SUSPENSE'`,
    [id],
  );
  return BigInt(row?.nanos ?? 0);
};

describe.each(Object.entries(WAITS))('in Temporal, on %s', (_name, wait) => {
  it('cancel · is a request: heeded before anything has left, refused later; the money is where the row says', async () => {
    const id = await wait.begin();
    const before = await kept(wait, id);
    await handle(idOf(wait, id)).cancel();
    const action = `${wait.table.slice(0, -1)}.cancel${wait.cancelled === wait.status ? '_refused' : ''}`;
    await until('the answer', async () => {
      const found = await query(
        'SELECT 1 FROM audit_log WHERE action = $1 AND subject_id = $2 AND actor_type = $3',
        [action, id, 'SYSTEM'],
      );
      return found.length > 0;
    });
    await becomes(wait.table, id, wait.cancelled);
    if (wait.cancelled === 'CANCELLED') {
      await expect(handle(idOf(wait, id)).result()).resolves.toBe('CANCELLED');
      expect(await kept(wait, id)).toBe(0n);
    } else {
      expect(await stateOf(idOf(wait, id))).toBe('RUNNING');
      expect(await kept(wait, id)).toBe(before);
      const [decision, status] = wait.after ?? ['', ''];
      const task = await openTask(idOf(wait, id));
      expect((await decide(task, decision)).status).toBe(200);
      await expect(handle(idOf(wait, id)).result()).resolves.toBe(status);
    }
  });

  it('terminate, then a lap of the reconciler · the flow waits again, the money has not moved', async () => {
    const id = await wait.begin();
    const before = await kept(wait, id);
    await terminate(idOf(wait, id));
    expect([
      await stateOf(idOf(wait, id)),
      await statusOf(wait.table, id),
      await kept(wait, id),
    ]).toEqual(['RUNNING', wait.status, before]);
  });

  it('reset to its beginning · reads its rows and waits again, the money has not moved', async () => {
    const id = await wait.begin();
    const before = await kept(wait, id);
    const workflowId = idOf(wait, id);
    await reset(workflowId);
    expect(await stateOf(workflowId)).toBe('RUNNING');
    expect([await statusOf(wait.table, id), await kept(wait, id)]).toEqual([wait.status, before]);
  });
});

describe('refusals', () => {
  it('200 approvals of a site whose proof is gone · refused before the flow hears of them · not an event more', async () => {
    const { siteId: id, publisherId: accountId } = await makeReviewRows(stand.database);
    await query(`UPDATE sites SET verify_status = 'VERIFIED' WHERE id = $1`, [id]);
    const { workflowId } = await inTransaction(
      stand.database.db,
      async (tx) => await submitReview(flows.deps, tx, { type: 'site', id, accountId }),
    );
    const taskId = await openTask(workflowId);
    await query(`UPDATE sites SET verify_status = 'LAPSED' WHERE id = $1`, [id]);
    const before = await settled(workflowId);
    for (let round = 0; round < 200; round += 1) {
      const answer = await decide(taskId, 'approve', reviewer);
      expect([answer.status, answer.body.message]).toEqual([
        409,
        'Cannot approve: SITE_NOT_VERIFIED.',
      ]);
    }
    expect(await settled(workflowId)).toBe(before);
    // A finding is looked at afresh when somebody takes the task.
    await query(`UPDATE sites SET verify_status = 'VERIFIED' WHERE id = $1`, [id]);
    const claimed = await stand.as('admin', reviewer).post(`/tasks/${taskId}/claim`);
    expect(claimed.status).toBe(200);
    const shown = await stand.as('admin', reviewer).get(`/tasks/${taskId}`);
    expect(dataOf(shown)['findings']).toEqual([]);
    expect((await decide(taskId, 'approve', reviewer)).status).toBe(200);
  }, 120_000);

  it('a site that lapses between the checks and its approval · is put to a person', async () => {
    await put('review.site', 'auto_when_clean');
    const { siteId: id, publisherId: accountId } = await makeReviewRows(stand.database);
    await query(`UPDATE sites SET verify_status = 'VERIFIED' WHERE id = $1`, [id]);
    flows.delivery.on = false;
    const { workflowId, round } = await inTransaction(
      stand.database.db,
      async (tx) => await submitReview(flows.deps, tx, { type: 'site', id, accountId }),
    );
    const input = { subjectType: 'site', subjectId: id, round } as const;
    expect(await flows.activities.runReviewChecks(input)).toEqual({ route: 'auto' });
    await query(`UPDATE sites SET verify_status = 'LAPSED' WHERE id = $1`, [id]);
    flows.delivery.on = true;
    await query('UPDATE outbox SET next_at = now() WHERE done_at IS NULL');
    await flows.dispatcher.dispatchDue(100);
    const taskId = await openTask(workflowId);
    const [task] = await query<{ findings: { code: string }[] }>(
      'SELECT findings FROM tasks WHERE id = $1',
      [taskId],
    );
    expect(task?.findings.map(({ code }) => code)).toEqual(['SITE_NOT_VERIFIED']);
    await captureHistory(flows.client, { workflowId }, 'reviewWorkflow.refused-then-human');
    await put('review.site', 'human');
  });

  it('the platform lost its own bank account · the approved withdrawal is put to a person, and paid later', async () => {
    const { payouts } = flows.deps.providers;
    const id = await askBank();
    const workflowId = withdrawalWorkflowId(id);
    const task = await openTask(workflowId);
    flows.deps.providers.payouts = { ...payouts, origin: null };
    const early = await decide(task, 'approve');
    expect([early.status, early.body.message]).toEqual([409, 'Cannot approve: NO_DEBTOR_ACCOUNT.']);
    flows.deps.providers.payouts = payouts;
    await put('payout.cooling_off_seconds', 2);
    expect((await decide(task, 'approve')).status).toBe(200);
    flows.deps.providers.payouts = { ...payouts, origin: null };
    await becomes('withdrawals', id, 'RISK_HOLD');
    await put('payout.cooling_off_seconds', 0);
    const again = await openTask(workflowId);
    expect(await held()).toBe(100n * UNIT);
    flows.deps.providers.payouts = payouts;
    await captureHistory(flows.client, { workflowId }, 'withdrawalWorkflow.risk-hold');
    expect((await decide(again, 'approve')).status).toBe(200);
    await becomes('withdrawals', id, 'PROCESSING');
  });

  it('an account that cannot be opened · some tries, then a person; given up, the money is its owner’s', async () => {
    const id = await askWallet(publisherId);
    const workflowId = withdrawalWorkflowId(id);
    const task = await openTask(workflowId);
    const { providers } = flows.deps;
    const torn = (): never => {
      throw new Error('sealed with a key that is lost');
    };
    flows.deps.providers = { ...providers, sealer: { ...providers.sealer, open: torn } };
    expect(await decideUnseen(task, 'approve')).toMatchObject({ state: 'done' });
    const first = await openTask(workflowId, 'payout_unknown');
    const [asked] = await query<{ decisions: string[] }>(
      'SELECT decisions FROM tasks WHERE id = $1',
      [first],
    );
    expect(asked?.decisions).toEqual(['confirm_failed', 'keep_waiting']);
    expect((await handle(workflowId).describe()).historyLength).toBeLessThan(150);
    expect(await decideUnseen(first, 'keep_waiting')).toMatchObject({ state: 'done' });
    const second = await openTask(workflowId, 'payout_unknown');
    flows.deps.providers = providers;
    expect(second).not.toBe(first);
    expect(await held()).toBe(100n * UNIT);
    expect((await decide(second, 'confirm_failed')).status).toBe(200);
    await expect(handle(workflowId).result()).resolves.toBe('FAILED');
    expect(await held()).toBe(0n);
    await captureHistory(flows.client, { workflowId }, 'withdrawalWorkflow.cannot-be-sent');
  });
});

describe('a step on the main path that is refused', () => {
  /** Approved, and then its account cannot be opened where its bank file is written. */
  async function refusedPayout(): Promise<{ id: number; workflowId: string; mend: () => void }> {
    const id = await askBank();
    const workflowId = withdrawalWorkflowId(id);
    const task = await openTask(workflowId);
    const { providers } = flows.deps;
    const torn = (): never => {
      throw new Error('sealed with a key that is lost');
    };
    flows.deps.providers = { ...providers, sealer: { ...providers.sealer, open: torn } };
    expect(await decideUnseen(task, 'approve')).toMatchObject({ state: 'done' });
    const mend = (): void => {
      flows.deps.providers = providers;
    };
    return { id, workflowId, mend };
  }

  it('tried again · asks anew until it is mended, then goes on; the flow never fails, the hold stays', async () => {
    const { id, workflowId, mend } = await refusedPayout();
    const first = await openTask(workflowId, 'money_refused');
    const [asked] = await query<{ role: string; decisions: string[]; findings: object[] }>(
      'SELECT required_role AS role, decisions, findings FROM tasks WHERE id = $1',
      [first],
    );
    expect(asked).toEqual({
      role: 'FINANCE',
      decisions: ['retry', 'end'],
      findings: [
        {
          code: 'STEP_REFUSED',
          severity: 'notice',
          note: expect.stringMatching(/^beginPayout: The account of this payout cannot be opened/),
        },
      ],
    });
    await eventually(async () => {
      const { status, typedSearchAttributes: shown } = await handle(workflowId).describe();
      const attributes = shown.getAll().map(({ key, value }) => [key.name, value]);
      expect(status.name).toBe('RUNNING');
      expect(attributes).toEqual(
        expect.arrayContaining([
          ['FlowState', 'refused'],
          ['NeedsOperator', true],
        ]),
      );
    });
    expect(await decideUnseen(first, 'retry')).toMatchObject({ state: 'done' });
    const second = await openTask(workflowId, 'money_refused');
    expect(second).not.toBe(first);
    expect(await held()).toBe(100n * UNIT);
    mend();
    expect((await decide(second, 'retry')).status).toBe(200);
    await becomes('withdrawals', id, 'PROCESSING');
    expect(await held()).toBe(100n * UNIT);
    await captureHistory(flows.client, { workflowId }, 'withdrawalWorkflow.refused-then-mended');
  });

  it('ended · as by a cancel: its rows heed it, the money is its owner’s again', async () => {
    const { id, workflowId, mend } = await refusedPayout();
    const task = await openTask(workflowId, 'money_refused');
    mend();
    expect((await decide(task, 'end')).status).toBe(200);
    await expect(handle(workflowId).result()).resolves.toBe('CANCELLED');
    expect(await statusOf('withdrawals', id)).toBe('CANCELLED');
    expect(await held()).toBe(0n);
    await captureHistory(flows.client, { workflowId }, 'withdrawalWorkflow.refused-then-ended');
  });

  it('cancelled in Temporal while an operator is asked · heeded at once, nobody is asked any more', async () => {
    const { id, workflowId, mend } = await refusedPayout();
    const task = await openTask(workflowId, 'money_refused');
    mend();
    await handle(workflowId).cancel();
    await expect(handle(workflowId).result()).resolves.toBe('CANCELLED');
    expect(await statusOf('withdrawals', id)).toBe('CANCELLED');
    expect(await statusOf('tasks', task)).toBe('void');
    expect(await held()).toBe(0n);
  });

  it('terminate and a lap, then reset · is begun again, the same question, the hold stays; then it goes on', async () => {
    const { id, workflowId, mend } = await refusedPayout();
    const task = await openTask(workflowId, 'money_refused');
    await terminate(workflowId);
    expect(await refused(workflowId)).toBe(task);
    expect(await held()).toBe(100n * UNIT);
    await reset(workflowId);
    expect(await refused(workflowId)).toBe(task);
    expect(await held()).toBe(100n * UNIT);
    mend();
    expect((await decide(task, 'retry')).status).toBe(200);
    await becomes('withdrawals', id, 'PROCESSING');
    expect(await held()).toBe(100n * UNIT);
    expect(await statusOf('tasks', task)).toBe('decided');
  });

  it('terminate, mended before a lap begins it again · goes on without that question, which is void', async () => {
    const { id, workflowId, mend } = await refusedPayout();
    const task = await openTask(workflowId, 'money_refused');
    await handle(workflowId).terminate('by mistake');
    mend();
    await begunAgain(workflowId);
    // The payout is another question, and can be answered.
    const payout = await openTask(workflowId, 'payout_unknown');
    // A lap that meets the flow at a step leaves the question to the next one.
    await eventually(async () => {
      await reconcile();
      expect(await statusOf('tasks', task)).toBe('void');
    });
    expect((await decide(payout, 'confirm_paid')).status).toBe(200);
    await expect(handle(workflowId).result()).resolves.toBe('PAID');
    expect(await statusOf('withdrawals', id)).toBe('PAID');
  });

  it('of a flow whose row is gone · there is nothing to ask about: it fails', async () => {
    await flows.client.workflow.start('withdrawalWorkflow', {
      workflowId: 'withdrawal:999999999',
      taskQueue: 'money',
      args: [{ withdrawalId: 999_999_999, sendAgainSeconds: [], lookAgainSeconds: [] }],
    });
    await expect(handle('withdrawal:999999999').result()).rejects.toThrow('failed');
  });
});

describe('an outcome that only the provider knows', () => {
  const fileOf = (id: number): string =>
    path.join(
      sandboxDir,
      `${createHash('sha256').update(`WD-${id}`).digest('hex').slice(0, 32)}.json`,
    );
  /** It was paid all along, and the provider says so from now on. */
  const showsUp = (id: number): void => {
    writeFileSync(fileOf(id), JSON.stringify({ mark: null }));
  };
  const insertDecision = async (taskId: number, decision: string): Promise<number> => {
    const [row] = await query<{ id: string }>(
      `INSERT INTO task_decisions (task_id, operator_id, decision) VALUES ($1, $2, $3) RETURNING id`,
      [taskId, checker, decision],
    );
    return Number(row?.id);
  };

  it('while an operator has the question · it is asked on, and what it says voids the question', async () => {
    const id = await askWallet(publisherId, '+hidden');
    await approve(id);
    const task = await openTask(withdrawalWorkflowId(id), 'payout_unknown');
    showsUp(id);
    await expect(handle(withdrawalWorkflowId(id)).result()).resolves.toBe('PAID');
    expect(await statusOf('tasks', task)).toBe('void');
    expect(await held()).toBe(0n);
  });

  it('confirm_failed · the step asks for a look first; the payment shows up · nothing is released', async () => {
    const id = await askWallet(publisherId, '+hidden');
    await approve(id);
    const taskId = await openTask(withdrawalWorkflowId(id), 'payout_unknown');
    await handle(withdrawalWorkflowId(id)).terminate('only the steps, one by one');
    const decisionId = await insertDecision(taskId, 'confirm_failed');
    const step = { withdrawalId: id, decision: { taskId, decisionId } };
    expect(await flows.activities.applyWithdrawalDecision(step)).toEqual({ lookFirst: true });
    showsUp(id);
    await flows.activities.lookUpPayout({ withdrawalId: id, looks: null });
    await expect(flows.activities.applyWithdrawalDecision(step)).rejects.toMatchObject({
      token: 'state_conflict',
    });
    expect([await statusOf('withdrawals', id), await held()]).toEqual(['PAID', 0n]);
  });

  it('confirm_failed · the provider is silent · refused, the hold stays; it answers · released', async () => {
    const { payouts } = flows.deps.providers;
    const id = await askWallet(publisherId, '+lost');
    await approve(id);
    const task = await openTask(withdrawalWorkflowId(id), 'payout_unknown');
    const away = () => Promise.reject(new Error('away'));
    flows.deps.providers.payouts = { ...payouts, provider: () => ({ send: away, find: away }) };
    const early = await decide(task, 'confirm_failed');
    expect([early.status, early.body.message]).toEqual([
      409,
      'The provider does not answer, so it may have paid: decide again later.',
    ]);
    expect(await held()).toBe(100n * UNIT);
    flows.deps.providers.payouts = payouts;
    expect((await decide(task, 'confirm_failed')).status).toBe(200);
    await expect(handle(withdrawalWorkflowId(id)).result()).resolves.toBe('FAILED');
    expect(await held()).toBe(0n);
    const workflowId = withdrawalWorkflowId(id);
    await captureHistory(flows.client, { workflowId }, 'withdrawalWorkflow.looked-first');
  });
});

describe('messages sent by hand', () => {
  it('Updates at once · are taken one after the other', async () => {
    const workflowId = depositWorkflowId(await openDeposit());
    await eventually(async () => {
      expect(await stateOf(workflowId)).toBe('RUNNING');
    });
    const forged = Array.from({ length: 6 }, (_, at) => ({ taskId: at + 1, decisionId: 987_654 }));
    await Promise.allSettled(
      forged.map((input) => handle(workflowId).executeUpdate(DECIDE_UPDATE, { args: [input] })),
    );
    let running = 0;
    let most = 0;
    const scheduled = new Map<string, boolean>();
    for (const event of (await handle(workflowId).fetchHistory()).events ?? []) {
      const begun = event.activityTaskScheduledEventAttributes;
      const ended =
        event.activityTaskFailedEventAttributes ?? event.activityTaskCompletedEventAttributes;
      if (begun?.activityType?.name === 'applyDepositDecision') {
        scheduled.set(String(event.eventId), true);
        running += 1;
        most = Math.max(most, running);
      }
      if (ended && scheduled.delete(String(ended.scheduledEventId))) running -= 1;
    }
    expect(most).toBe(1);
  });

  it('a withdraw signal to a site verification · its rows are open · it goes on looking', async () => {
    const site = await makeSite(stand.database.db, publisherId, { verifyStatus: 'UNVERIFIED' });
    await flows.activities.requestSiteVerification({
      siteId: site.id,
      publisherId,
      method: 'FILE',
      retryAfterSeconds: [3_600],
    });
    const workflowId = siteVerificationWorkflowId({ siteId: site.id, round: 1 });
    await until('the first look', async () => {
      const [row] = await query<{ attempts: number }>(
        'SELECT attempts FROM site_verifications WHERE site_id = $1',
        [site.id],
      );
      return row?.attempts === 1;
    });
    await handle(workflowId).signal(SITE_VERIFICATION_WITHDRAW_SIGNAL);
    await until('the row was read', async () =>
      ((await handle(workflowId).fetchHistory()).events ?? []).some(
        (event) =>
          event.activityTaskScheduledEventAttributes?.activityType?.name ===
          'isVerificationWithdrawn',
      ),
    );
    expect(await stateOf(workflowId)).toBe('RUNNING');
    await query(`UPDATE site_verifications SET status = 'VOID' WHERE site_id = $1`, [site.id]);
    await handle(workflowId).signal(SITE_VERIFICATION_WITHDRAW_SIGNAL);
    await expect(handle(workflowId).result()).resolves.toEqual({
      state: 'VOID',
      outcome: 'WITHDRAWN',
    });
    await captureHistory(flows.client, { workflowId }, 'siteVerificationWorkflow.withdrawn');
  });
});
