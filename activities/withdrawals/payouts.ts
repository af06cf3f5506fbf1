import type { Transaction } from 'sequelize';
import { inTransaction } from '../../db/postgres.ts';
import { withdrawalReversed } from '../../domain/ledger/payout-postings.ts';
import { ACTION_OF_LOOK, actionOfAnswer, canBeLookedUp } from '../../domain/lifecycle/payout.ts';
import { illegalMove } from '../../domain/lifecycle/transition.ts';
import type { PayoutChannel } from '../../domain/lifecycle/withdrawal.ts';
import { formatAmount } from '../../domain/money.ts';
import { propose } from '../core/approvals.ts';
import { recordAudit } from '../core/audit.ts';
import { requireOwnEvidence } from '../core/evidence.ts';
import type { ActivityDeps } from '../deps.ts';
import { postEntries } from '../core/ledger.ts';
import type { PayoutFinding, PayoutOrder, PayoutOutcome } from '../providers/payout-port.ts';
import { runStep } from '../core/run-once.ts';
import { createBankRemarkActivities } from './bank-remarks.ts';
import { createPayoutFileActivities } from './payout-files.ts';
import { createPayoutFileTakeBackActivities } from './payout-file-take-back.ts';
import { lockPayout, movePayout, orderOf } from './payout-order.ts';
import { askOperator, recordOutcome, type RecordedOutcome } from './payout-outcome.ts';
import { signedBook } from './signed-book.ts';
import { type LockedWithdrawal, lockWithdrawal, moveWithdrawal } from './withdrawal-moves.ts';

/** A call that lasts longer has an unknown outcome; below the step's own timeout, so none outlives it. */
const SEND_TIMEOUT_MS = 20_000;

type Key = { withdrawalId: number };

/**
 * The order to the provider and what became of it. Sending is the one step that is not a database
 * transaction: SENDING is committed before the call, and whatever is not a plain answer is UNKNOWN.
 */
export function createPayoutActivities(deps: ActivityDeps) {
  return {
    ...createBankRemarkActivities(deps),
    ...createPayoutFileActivities(deps),
    ...createPayoutFileTakeBackActivities(deps),

    /** Run at most once by its flow. Answers the state that was recorded. */
    async sendPayout(key: Key): Promise<string> {
      const order = await takeOrder(deps, key);
      if (order === null) return 'TAKEN_BEFORE';
      const answer = await send(deps, key, order);
      return await recordAnswer(deps, key, answer);
    },

    /** The step that sent it ended without a record: nobody knows. Harmless twice. */
    async markPayoutLost(key: Key): Promise<void> {
      await inTransaction(deps.db, async (tx) => {
        const locked = await lockPayout(deps, tx, await lockWithdrawal(deps, tx, key));
        if (locked.payout.state !== 'SENDING') return;
        await recordOutcome(deps, tx, locked, { action: 'lose_track', code: 'SENDER_DIED' });
      });
    },

    /**
     * Asks the provider; `looks` is how often it was asked before, so that a repeat counts once. Null
     * is a look of its own, before a decision.
     */
    async lookUpPayout(key: Key & { looks: number | null }): Promise<string> {
      const answer = await find(deps, key);
      return await inTransaction(deps.db, async (tx) => {
        const locked = await lockPayout(deps, tx, await lockWithdrawal(deps, tx, key));
        const { payout } = locked;
        const isRepeat = key.looks !== null && payout.looks !== key.looks;
        if (!canBeLookedUp(payout.state) || isRepeat) return payout.state;
        const finding = answer ?? { state: 'NOT_FOUND' as const };
        // Silence is no answer: nobody may release money on it.
        if (answer !== null) {
          await payout.update({ lookedAt: deps.clock() }, { transaction: tx, silent: true });
        }
        const action = ACTION_OF_LOOK[finding.state];
        const details = detailsOfLook(finding, payout.looks + 1);
        if (action === null) {
          const lastOutcome = details.code;
          await payout.update({ lastOutcome, looks: payout.looks + 1 }, { transaction: tx });
        } else {
          await recordOutcome(deps, tx, locked, { action, ...details });
        }
        return finding.state;
      });
    },

    /**
     * The bank sent the money back days later: it is the publisher's again with the tax on it, the fee stays
     * earned. Above the limit that waits for a second person, and the answer names the approval. Raises
     * not_found, and state_conflict unless it counts as paid; so a repeat moves nothing.
     */
    async returnWithdrawal(
      command: ReturnCommand & { evidenceId?: number | null },
    ): Promise<{ approvalId: number | null }> {
      return await runStep(deps.db, 'withdrawal.return', async (tx) => {
        const withdrawal = await lockWithdrawal(deps, tx, command);
        const { status, id: subject } = withdrawal;
        if (status !== 'PAID') throw illegalMove(status, 'return');
        const { reference, evidenceId = null, operatorId: makerId } = command;
        await requireOwnEvidence(deps, tx, { evidenceId, operatorId: makerId });
        const kind = 'withdrawal_return';
        // What is shown for it is part of what a second person agrees to.
        const ask = { reference, ...(evidenceId === null ? {} : { evidence_id: evidenceId }) };
        const asked = await propose(deps, tx, { kind, subject, ask, makerId });
        if (asked.state === 'APPROVED') await takeBack(deps, tx, withdrawal, command);
        return { approvalId: asked.state === 'APPROVED' ? null : asked.id };
      });
    },

    /** Opens the operators' question, unless it is open or the withdrawal has ended. */
    async askAboutPayout(key: Key): Promise<void> {
      await inTransaction(deps.db, async (tx) => {
        const withdrawal = await lockWithdrawal(deps, tx, key);
        if (withdrawal.status !== 'PROCESSING' && withdrawal.status !== 'UNKNOWN') return;
        await askOperator(deps, tx, await lockPayout(deps, tx, withdrawal));
      });
    },
  };
}

export interface ReturnCommand {
  withdrawalId: number;
  /** The bank's own. */
  reference: string;
  operatorId: number;
  requestId: string;
}

/** By an approval of just this: money, status and audit. */
export async function takeBack(
  deps: ActivityDeps,
  tx: Transaction,
  withdrawal: LockedWithdrawal,
  { reference, operatorId, requestId }: ReturnCommand,
): Promise<void> {
  await moveWithdrawal(deps, tx, withdrawal, {
    action: 'return',
    reasons: [{ code: 'RETURNED_BY_BANK', note: reference }],
  });
  await postEntries(deps.db, tx, withdrawalReversed(withdrawal));
  await recordAudit(deps.db, tx, {
    actor: { type: 'OPERATOR', id: operatorId },
    action: 'withdrawal.return',
    subject: { type: 'withdrawal', id: withdrawal.id },
    detail: { reference, amount: formatAmount(withdrawal.arrivalNanos) },
    requestId,
  });
}

type Order = PayoutOrder & { channel: PayoutChannel };

async function takeOrder(deps: ActivityDeps, key: Key): Promise<Order | null> {
  return await inTransaction(deps.db, async (tx) => {
    const locked = await lockPayout(deps, tx, await lockWithdrawal(deps, tx, key));
    const { withdrawal, payout } = locked;
    if (payout.state !== 'READY' || withdrawal.status !== 'PROCESSING') return null;
    await movePayout(deps, tx, payout, {
      action: 'send',
      lastOutcome: 'SENDING',
      tries: payout.tries + 1,
      payingWallet: deps.providers.payouts.provider(withdrawal.channel)?.wallet ?? null,
    });
    return { channel: withdrawal.channel, ...orderOf(deps, locked) };
  });
}

async function send(
  deps: ActivityDeps,
  key: Key,
  { channel, ...order }: Order,
): Promise<PayoutOutcome> {
  const provider = deps.providers.payouts.provider(channel);
  if (provider === undefined) return { state: 'NOT_SENT', reason: 'NO_PROVIDER' };
  try {
    return await within(SEND_TIMEOUT_MS, provider.send(order, signedBook(deps, key)));
  } catch (error) {
    deps.log.warn({ err: error, payout: order.key }, 'payout sent with unknown outcome');
    return { state: 'UNKNOWN', reason: 'NO_ANSWER' };
  }
}

async function within<Result>(milliseconds: number, promise: Promise<Result>): Promise<Result> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => {
      reject(new Error(`no answer within ${milliseconds} ms`));
    }, milliseconds);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}

/**
 * Null: the provider did not answer, which says nothing about the payment. An order that has ended is
 * not asked about: asking may send it.
 */
async function find(deps: ActivityDeps, key: Key): Promise<PayoutFinding | null> {
  const locked = await inTransaction(
    deps.db,
    async (tx) => await lockPayout(deps, tx, await lockWithdrawal(deps, tx, key)),
  );
  const { withdrawal, payout } = locked;
  const provider = deps.providers.payouts.provider(withdrawal.channel);
  if (provider === undefined) return { state: 'NOT_FOUND' };
  if (!canBeLookedUp(payout.state)) return null;
  try {
    const order = { ...orderOf(deps, locked), writtenAt: payout.createdAt };
    return await within(SEND_TIMEOUT_MS, provider.find(order, signedBook(deps, key)));
  } catch (error) {
    deps.log.warn({ err: error, payout: payout.externalRef }, 'payout could not be looked up');
    return null;
  }
}

type Details = Omit<RecordedOutcome, 'action'>;

/** A look that ends the payment is not counted. */
function detailsOfLook(finding: PayoutFinding, looks: number): Details {
  switch (finding.state) {
    case 'SETTLED':
      return { code: 'FOUND_SETTLED', reference: finding.reference };
    case 'FAILED':
      return { code: finding.reason };
    case 'PENDING':
      return { code: finding.state, looks };
    case 'NOT_FOUND':
      return { code: finding.reason ?? finding.state, looks };
  }
}

function detailsOfAnswer(answer: PayoutOutcome): Details {
  switch (answer.state) {
    case 'SETTLED':
      return { code: 'SETTLED', reference: answer.reference };
    case 'ACCEPTED':
      return { code: answer.reference };
    case 'NOT_SENT':
    case 'REJECTED':
    case 'UNKNOWN':
      return { code: answer.reason };
  }
}

async function recordAnswer(deps: ActivityDeps, key: Key, answer: PayoutOutcome): Promise<string> {
  return await inTransaction(deps.db, async (tx) => {
    const locked = await lockPayout(deps, tx, await lockWithdrawal(deps, tx, key));
    const { state } = locked.payout;
    const action = actionOfAnswer(state, answer.state);
    if (action === null) {
      deps.log.error(
        { withdrawal_id: key.withdrawalId, state, outcome: answer.state },
        'payout answered after it had ended',
      );
      return state;
    }
    const details = detailsOfAnswer(answer);
    await recordOutcome(deps, tx, locked, { action, ...details });
    return answer.state;
  });
}
