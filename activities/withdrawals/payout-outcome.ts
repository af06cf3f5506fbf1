import type { Transaction } from 'sequelize';
import { runner } from '../../db/postgres.ts';
import { loadSettings } from '../../db/settings.ts';
import { conflict } from '../../domain/errors.ts';
import { type PayoutAction, payoutLifecycle } from '../../domain/lifecycle/payout.ts';
import { statusesBefore } from '../../domain/lifecycle/transition.ts';
import { presentAmount } from '../../domain/money.ts';
import { type TaskHeading, taskTitle } from '../../domain/task-heading.ts';
import { needsSecondPerson } from '../../domain/second-person.ts';
import { withdrawalWorkflowId } from '../../workflows/contracts/withdrawal.ts';
import { consent, voidApprovals } from '../core/approvals.ts';
import { reportOperation } from '../core/operations.ts';
import type { ActivityDeps } from '../deps.ts';
import type { LoadedDecision } from '../review/task-decisions.ts';
import { openTask } from '../review/tasks.ts';
import { type LockedPayout, lockPayout, movePayout } from './payout-order.ts';
import {
  type LockedWithdrawal,
  moveWithdrawal,
  postWithdrawal,
  voidWithdrawal,
} from './withdrawal-moves.ts';

const QUESTION_DUE_MS = 24 * 3_600_000;

export interface RecordedOutcome {
  action: PayoutAction;
  /** Kept as the order's last outcome; of a payment that failed also the publisher's reason. */
  code: string;
  /** What the bank or provider calls the payment. */
  reference?: string | null;
  looks?: number;
  /** Who says that it was not paid: of a person the database asks for an approval. */
  rejectedBy?: 'PROVIDER' | 'OPERATOR' | 'UNSENT';
}

/** Moves the order, and with it the money that is held for it. Raises state_conflict. */
export async function recordOutcome(
  deps: ActivityDeps,
  tx: Transaction,
  { withdrawal, payout }: LockedPayout,
  { action, code, reference = null, looks, rejectedBy }: RecordedOutcome,
): Promise<void> {
  const ends = { void: 'PROVIDER', give_up: 'UNSENT' } as const;
  const by = action === 'void' || action === 'give_up' ? (rejectedBy ?? ends[action]) : undefined;
  await movePayout(deps, tx, payout, { action, lastOutcome: code, looks, rejectedBy: by });
  switch (action) {
    case 'post':
      await postWithdrawal(deps, tx, withdrawal, reference);
      return;
    case 'void':
    case 'give_up':
      await voidWithdrawal(deps, tx, withdrawal, {
        action: 'fail',
        reasons: [{ code }],
        report: {
          status: 'failed',
          phase: 'failed',
          error: { error: 'payout_failed', reason: code },
        },
      });
      return;
    case 'lose_track':
      await keepHold(deps, tx, withdrawal);
      return;
    case 'send':
    case 'requeue':
    case 'accept':
    // The hold stays: the provider has said nothing final.
  }
}

/** Nobody knows whether it was paid: whatever happens, the hold stays until somebody does. */
async function keepHold(
  deps: ActivityDeps,
  tx: Transaction,
  withdrawal: LockedWithdrawal,
): Promise<void> {
  if (withdrawal.status === 'PROCESSING')
    await moveWithdrawal(deps, tx, withdrawal, { action: 'lose_track' });
  await reportOperation(deps, tx, withdrawalWorkflowId(withdrawal.id), {
    status: 'running',
    phase: 'unknown',
  });
}

/**
 * Puts the order's outcome to an operator; for a bank file that is how it ends. Should an order have
 * ended while its withdrawal has not, which cannot happen, it stays as it is and the operator is asked.
 */
export async function askOperator(
  deps: ActivityDeps,
  tx: Transaction,
  locked: LockedPayout,
  /** Who has said that nothing was paid, above the limit: another person must say so too. */
  { second = null }: { second?: number | null } = {},
): Promise<void> {
  const { withdrawal, payout } = locked;
  const isFile = payout.state === 'FILE';
  // Nothing has left: it may be tried again or given up, and cannot have been paid.
  const isUnsent = payout.state === 'READY';
  const asked = payout.asked + 1;
  if (statusesBefore(payoutLifecycle, 'lose_track').includes(payout.state)) {
    // What the provider said last stays: whoever is asked goes by it. That it was being sent is no answer.
    const said = payout.state === 'SENDING' ? null : payout.lastOutcome;
    const code = said ?? 'ASKED_OPERATOR';
    await recordOutcome(deps, tx, locked, { action: 'lose_track', code });
  }
  await payout.update({ asked }, { transaction: tx, silent: true });
  const workflowId = withdrawalWorkflowId(withdrawal.id);
  const settings = await loadSettings(runner(deps.db, tx));
  const secondPerson = needsSecondPerson(settings, 'payout', withdrawal.amountNanos);
  await openTask(deps, tx, {
    kind: 'payout_unknown',
    subject: { type: 'withdrawal', id: withdrawal.id },
    accountId: withdrawal.publisherId,
    heading: headingOf(locked, second !== null),
    decisions: decisionsOf(payout),
    payload: { external_ref: payout.externalRef },
    makerId: second ?? (secondPerson ? withdrawal.approvedBy : null),
    workflowId,
    dedupeKey: `${workflowId}:payout:${asked}`,
    dueAt: new Date(deps.clock().getTime() + QUESTION_DUE_MS),
  });
  await reportOperation(deps, tx, workflowId, {
    status: 'waiting_human',
    phase: isFile ? 'bank_transfer' : isUnsent ? 'processing' : 'unknown',
  });
}

const isRefused = ({ state, bankStatus }: LockedPayout['payout']): boolean =>
  state === 'FILE' && bankStatus === 'REFUSED';

/** Nobody says paid of what has not left, or of what the bank has refused. */
const decisionsOf = (payout: LockedPayout['payout']): string[] =>
  payout.state === 'READY' || isRefused(payout)
    ? ['confirm_failed', 'keep_waiting']
    : ['confirm_paid', 'confirm_failed', 'keep_waiting'];

/** Puts the bank's refusal into the question that is open; false where none is: the flow asks so then. */
export async function markRefused(
  deps: ActivityDeps,
  tx: Transaction,
  { withdrawal, payout }: LockedPayout,
): Promise<boolean> {
  const [changed] = await deps.db.models.tasks.update(
    { ...titled({ withdrawal, payout }), decisions: decisionsOf(payout) },
    {
      where: {
        workflowId: withdrawalWorkflowId(withdrawal.id),
        kind: 'payout_unknown',
        status: 'open',
      },
      transaction: tx,
    },
  );
  return changed > 0;
}

/** Of the question that is open. */
function titled(locked: LockedPayout): { summary: string; heading: TaskHeading } {
  const heading = headingOf(locked, false);
  const subject = { type: 'withdrawal', id: locked.withdrawal.id };
  return { heading, summary: taskTitle({ kind: 'payout_unknown', subject, heading }) };
}

const headingOf = ({ withdrawal, payout }: LockedPayout, second: boolean): TaskHeading => ({
  ...formOf(payout),
  amount: presentAmount(withdrawal.arrivalNanos),
  account: withdrawal.accountMasked,
  reference: payout.externalRef,
  second,
});

function formOf(payout: LockedPayout['payout']) {
  const { state, lastOutcome, bankCode, bankWords } = payout;
  if (isRefused(payout)) {
    return { form: 'PAYOUT_REFUSED', answer: bankWords ?? bankCode } as const;
  }
  if (state === 'FILE') return { form: 'PAYOUT_TO_SEND', answer: null } as const;
  if (state !== 'READY') return { form: 'PAYOUT_UNKNOWN', answer: null } as const;
  return { form: 'PAYOUT_UNSENT', answer: lastOutcome } as const;
}

/** Decisions of `payout_unknown`. The note of a confirmation is kept as the bank's reference. */
export async function applyPayoutDecision(
  deps: ActivityDeps,
  tx: Transaction,
  withdrawal: LockedWithdrawal,
  decision: LoadedDecision,
): Promise<void> {
  const locked = await lockPayout(deps, tx, withdrawal);
  switch (decision.decision) {
    case 'confirm_paid': {
      const row = await deps.db.models.taskDecisions.findByPk(decision.id, { transaction: tx });
      const reference = row?.note ?? null;
      const signed = await deps.db.models.chainPayments.findByPk(withdrawal.id, {
        transaction: tx,
      });
      if (signed !== null && signed.ended === null) {
        throw conflict('What was signed for it can still pay it: the chain says when it has.');
      }
      if (isRefused(locked.payout)) throw conflict('The bank has refused this order.');
      await voidApprovals(deps, tx, 'payout_failed', withdrawal.id);
      await recordOutcome(deps, tx, locked, { action: 'post', code: 'CONFIRMED_PAID', reference });
      return;
    }
    case 'confirm_failed': {
      if (locked.payout.state === 'SENDING') {
        throw conflict('It is being sent: keep waiting until it is known what became of it.');
      }
      if (locked.payout.state === 'ACCEPTED' && locked.payout.lastOutcome === 'PENDING') {
        throw conflict('The provider says that it is still working on this payment.');
      }
      if (locked.payout.bankStatus === 'BOOKED') {
        throw conflict('The bank has booked this payment.');
      }
      const code = decision.reasons[0]?.code ?? 'CONFIRMED_FAILED';
      // Nothing has left of what is READY; of all else somebody might know better.
      const isUnsent = locked.payout.state === 'READY';
      if (!isUnsent && !(await mayRelease(deps, tx, withdrawal, decision))) {
        await askOperator(deps, tx, locked, { second: decision.operatorId });
        return;
      }
      await recordOutcome(
        deps,
        tx,
        locked,
        isUnsent ? { action: 'give_up', code } : { action: 'void', code, rejectedBy: 'OPERATOR' },
      );
      return;
    }
    case 'keep_waiting':
      await voidApprovals(deps, tx, 'payout_failed', withdrawal.id);
      // Sending or looking begins anew, and then a question of its own; the task keeps its answer.
      await locked.payout.update(
        locked.payout.state === 'READY' ? { tries: 0 } : { lastOutcome: 'KEPT_WAITING', looks: 0 },
        { transaction: tx },
      );
      return;
    default:
      throw conflict(`A payout knows no ${decision.decision}.`);
  }
}

/** Releasing what may have been paid is a move of money: above the limit two persons say so. */
const mayRelease = async (
  deps: ActivityDeps,
  tx: Transaction,
  { id: subject }: LockedWithdrawal,
  { operatorId: deciderId }: LoadedDecision,
): Promise<boolean> =>
  (await consent(deps, tx, { kind: 'payout_failed', subject, makerId: null, deciderId })) ===
  'GRANTED';
