import type { Transaction } from 'sequelize';
import { inTransaction } from '../../db/postgres.ts';
import { refundKey, sendsBack } from '../../domain/deposit-terms.ts';
import { conflict } from '../../domain/errors.ts';
import { depositRefunded } from '../../domain/ledger/postings.ts';
import type { RefundState } from '../../domain/lifecycle/deposit.ts';
import type { DecideInput } from '../../workflows/contracts/decision.ts';
import {
  DEPOSIT_RECEIPT_SIGNAL,
  depositWorkflowId,
  type WayBackInput,
} from '../../workflows/contracts/deposit.ts';
import type { Question } from '../../workflows/contracts/stages.ts';
import type { ActivityDeps } from '../deps.ts';
import { recordOwn } from '../core/history.ts';
import { postEntries } from '../core/ledger.ts';
import { moveRecord } from '../core/move-record.ts';
import { runOnce } from '../core/run-once.ts';
import type { DepositProvider, RefundFinding, RefundOrder } from '../providers/deposit-port.ts';
import { loadDecision, markDecided } from '../review/task-decisions.ts';
import { partReleased, partSent, tellOfPart } from './balance-refund-parts.ts';
import { moveDeposit, tellOfDeposit } from './deposit-moves.ts';
import { tried } from './deposit-payments.ts';
import { postingOf } from './deposit-receipts.ts';
import {
  flowOfRefund,
  lastTry,
  lockRefund,
  moveRefund,
  readRefund,
  type Receipt,
  refundIdOf,
  type Standing,
} from './deposit-refund-rows.ts';
import { fixRefundSum } from './deposit-refund-sum.ts';
import { openRefundTask } from './deposit-refund-task.ts';

/** WAITING: the provider has not said its last word, or could not be asked. */
export type SentBack = 'SENT' | 'WAITING' | 'BY_HAND' | 'RELEASED';

/**
 * How money gets back to whoever paid it (workflows/way-back.ts). The row is written before the first try;
 * a try is preceded by a question about the last one; and the books move when the provider has said that
 * it was sent, or a person how.
 */
export function createDepositRefundActivities(deps: ActivityDeps) {
  return {
    /** One lap: asks what became of the last try, and sends where there was none. Harmless twice. */
    async sendRefund(way: WayBackInput): Promise<SentBack> {
      const refundId = refundIdOf(way);
      const standing = await readRefund(deps, refundId);
      const { refund, provider, deposit } = standing;
      // Nobody has approved it.
      if (refund.state === 'ASKED') return 'WAITING';
      if (refund.state !== 'TO_SEND' && refund.state !== 'SENDING') return refund.state;
      const order = await orderOf(deps, standing);
      if (typeof order === 'string') return order;
      const ask = async (call: (at: DepositProvider) => Promise<RefundFinding>) =>
        await tried(deps, deposit.id, provider, call);
      if (refund.state === 'TO_SEND') {
        // A try that was refused has done nothing; should it have, there is no second one.
        if (refund.attempt > 1) {
          const key = refundKey(deposit.reference, refundId, refund.attempt - 1);
          const earlier = await ask(async (at) => await at.queryRefund({ ...order, key }));
          if (earlier?.state !== 'NONE' && earlier?.state !== 'REFUSED') {
            return await conclude(deps, refundId, earlier);
          }
        }
      } else {
        const found = await ask(async (at) => await at.queryRefund(order));
        if (found?.state !== 'NONE') return await conclude(deps, refundId, found);
      }
      if (!(await beginTry(deps, refund))) return 'WAITING';
      return await conclude(deps, refundId, await ask(async (at) => await at.refund(order)));
    },

    /** Opens the task of whoever sends it by hand or mends it at the provider, or finds it. Null: it has ended. */
    async askAboutRefund(way: WayBackInput): Promise<Question | null> {
      const refundId = refundIdOf(way);
      return await inTransaction(deps.db, async (tx) => await openRefundTask(deps, tx, refundId));
    },

    /**
     * Key `suspense:<receipt>:refund:<decision>`, of a part `refund:<part>:<decision>`. `sent_back` is how a
     * person did it, `give_back` makes a part of a balance its advertiser's to spend again; as long as its
     * provider has not refused, both are refused: it would be paid twice. `send_again` asks anew, and after a
     * refusal tries anew. Raises not_found or state_conflict.
     */
    async applyRefundDecision(
      input: WayBackInput & { decision: DecideInput },
    ): Promise<Receipt['state'] | RefundState> {
      const refundId = refundIdOf(input);
      const key =
        'refundId' in input
          ? `refund:${refundId}:${input.decision.decisionId}`
          : `suspense:${refundId}:refund:${input.decision.decisionId}`;
      return await runOnce(deps.db, key, async (tx) => {
        const { receipt, refund, deposit } = await lockRefund(deps, tx, refundId);
        const decision = await loadDecision(deps, tx, {
          ...input.decision,
          workflowId: flowOfRefund(refund),
          kinds: ['deposit_refund'],
        });
        if (decision.decision === 'give_back') {
          if (refund.state !== 'BY_HAND') throw conflict(MAY_STILL_PAY);
          await partReleased(deps, tx, refund);
          await tellOfPart(deps, tx, { refund, deposit, kind: 'balance_refund_kept' });
        } else if (decision.decision === 'sent_back') {
          if (refund.state !== 'BY_HAND') throw conflict(MAY_STILL_PAY);
          const row = await deps.db.models.taskDecisions.findByPk(decision.id, { transaction: tx });
          const reference = row?.note?.trim() ?? '';
          if (reference === '') throw conflict(REFERENCE_MISSING);
          const by = { reference, sentBy: decision.operatorId };
          await end(deps, tx, { receipt, refund, deposit }, by);
        } else if (refund.state === 'BY_HAND') {
          if (!sendsBack(deposit.paymentMethod)) throw conflict('Nobody sends this by machine.');
          await moveRefund(deps, tx, {
            record: refund,
            action: 'again',
            attempt: refund.attempt + 1,
          });
        }
        await markDecided(deps, tx, decision);
        return refund.balanceRefundId === null ? receipt.state : refund.state;
      });
    },
  };
}

const MAY_STILL_PAY =
  'Its provider was told to send it back and has not said no: it may still do it.';
const REFERENCE_MISSING = 'Write into the note under which reference it was sent back.';

/** The decision to send a receipt back: it is on its way from now on, and never credited. Its flow is the caller's. */
export async function beginRefund(
  deps: ActivityDeps,
  tx: Transaction,
  receipt: Receipt,
  { closesOrder }: { closesOrder: boolean },
): Promise<void> {
  await moveRecord(deps.db, tx, 'depositReceipts', {
    record: receipt,
    state: 'state',
    action: 'send_back',
  });
  const { id, amountNanos } = receipt;
  await deps.db.models.depositRefunds.create(
    { id, receiptId: id, amountNanos, closesOrder },
    { transaction: tx },
  );
}

/** Before anything is sent. False: while this was asked about, somebody else has gone on with it. */
async function beginTry(
  deps: ActivityDeps,
  { id, state, attempt }: Standing['refund'],
): Promise<boolean> {
  return await inTransaction(deps.db, async (tx) => {
    const { refund } = await lockRefund(deps, tx, id);
    if (refund.state !== state || refund.attempt !== attempt) return false;
    if (state === 'TO_SEND') {
      await moveRefund(deps, tx, { record: refund, action: 'try', askedAt: deps.clock() });
    }
    return true;
  });
}

/** BY_HAND: no machine sends it, or the provider does not know the payment as this one. */
async function orderOf(deps: ActivityDeps, standing: Standing): Promise<RefundOrder | SentBack> {
  const { refund, deposit, provider } = standing;
  if (provider === undefined) {
    // It was told to, and may still do it: nobody else does.
    if (refund.state === 'SENDING') return 'WAITING';
    // Of a wire nobody is missing: a person sends it.
    const answer = sendsBack(deposit.paymentMethod) ? 'NO_PROVIDER' : null;
    return await giveUp(deps, refund.id, answer);
  }
  const sum = await fixRefundSum(deps, standing);
  if (sum === 'FIXED') return lastTry(refund, deposit);
  return sum === 'AWAY' ? 'WAITING' : await giveUp(deps, refund.id, sum);
}

async function giveUp(
  deps: ActivityDeps,
  refundId: number,
  answer: string | null,
): Promise<SentBack> {
  return await inTransaction(deps.db, async (tx) => {
    const { refund } = await lockRefund(deps, tx, refundId);
    const { state } = refund;
    if (state === 'BY_HAND' || state === 'SENT' || state === 'RELEASED') return state;
    await moveRefund(deps, tx, {
      record: refund,
      action: 'give_up',
      answer,
      askedAt: deps.clock(),
    });
    return 'BY_HAND';
  });
}

/** What the provider has said, or not said, of a try. */
async function conclude(
  deps: ActivityDeps,
  refundId: number,
  found: RefundFinding | undefined,
): Promise<SentBack> {
  if (found?.state === 'REFUSED') return await giveUp(deps, refundId, found.reason);
  return await inTransaction(deps.db, async (tx) => {
    const held = await lockRefund(deps, tx, refundId);
    const { refund } = held;
    if (refund.state === 'SENT' || refund.state === 'RELEASED') return refund.state;
    if (found?.state === 'REFUNDED') {
      if (refund.state === 'TO_SEND') await moveRefund(deps, tx, { record: refund, action: 'try' });
      await end(deps, tx, held, {});
      return 'SENT';
    }
    const answer = found === undefined ? 'AWAY' : found.state === 'PENDING' ? found.word : 'NONE';
    await refund.update({ answer, askedAt: deps.clock() }, { transaction: tx });
    return 'WAITING';
  });
}

/** It was sent: the books, and whatever it was a way back of, say so at once. */
async function end(
  deps: ActivityDeps,
  tx: Transaction,
  held: Omit<Standing, 'provider'>,
  by: { reference?: string; sentBy?: number },
): Promise<void> {
  const { refund } = held;
  const said = by.sentBy === undefined ? { answer: 'REFUNDED' } : {};
  await moveRefund(deps, tx, {
    record: refund,
    action: 'end',
    ...by,
    ...said,
    sentAt: deps.clock(),
  });
  if (refund.balanceRefundId === null) await endWhole(deps, tx, held, by.sentBy ?? null);
  else {
    await partSent(deps, tx, held, by.sentBy ?? null);
    await tellOfPart(deps, tx, { ...held, kind: 'balance_refund_sent' });
  }
}

/** The receipt, the order that asked for it, and its owner's history. */
async function endWhole(
  deps: ActivityDeps,
  tx: Transaction,
  { receipt, refund, deposit }: Omit<Standing, 'provider'>,
  sentBy: number | null,
): Promise<void> {
  await moveRecord(deps.db, tx, 'depositReceipts', {
    record: receipt,
    state: 'state',
    action: 'refund',
  });
  await postEntries(deps.db, tx, depositRefunded(postingOf(receipt)));
  if (!refund.closesOrder) {
    await recordOwn(deps.db, tx, {
      accountId: deposit.advertiserId,
      by: { operatorId: sentBy },
      action: 'deposit.refund',
      subject: { type: 'deposit', id: deposit.id },
    });
    const { amountNanos } = receipt;
    const status = 'REFUNDED';
    await tellOfDeposit(deps, tx, { deposit, kind: 'deposit_failed', amountNanos, status });
    return;
  }
  await moveDeposit(deps, tx, deposit, 'refund');
  await deps.outbox.enqueue(tx, {
    kind: 'workflow_signal',
    dedupeKey: `refunded:${receipt.id}`,
    payload: {
      workflowId: depositWorkflowId(deposit.id),
      signal: DEPOSIT_RECEIPT_SIGNAL,
      input: { receiptId: receipt.id },
    },
  });
}
