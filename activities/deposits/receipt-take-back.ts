import type { Transaction } from 'sequelize';
import { runner, violatedConstraint } from '../../db/postgres.ts';
import { isHeldByAnother, readTakeable } from '../../db/queries/receipt-take-backs.ts';
import type { RecordOf } from '../../db/schema/models.ts';
import type { ApprovalRow } from '../../db/tables/approval.ts';
import { amountBand } from '../../domain/amount-band.ts';
import { conflict, type DomainError, notFound } from '../../domain/errors.ts';
import {
  receiptTakenBack,
  takeBackHeld,
  takeBackReleased,
} from '../../domain/ledger/take-back-postings.ts';
import { formatAmount } from '../../domain/money.ts';
import {
  NOT_TAKEN_BACK,
  type NotTakenBack,
  reopensOrder,
  whyNotTakenBack,
} from '../../domain/receipt-take-back.ts';
import {
  DEPOSIT_RECEIPT_SIGNAL,
  depositStart,
  depositWorkflowId,
  SUSPENSE_TAKEN_BACK_SIGNAL,
  suspenseWorkflowId,
} from '../../workflows/contracts/deposit.ts';
import { forgetLowBalance } from '../accounts/notifications.ts';
import { propose, voidApprovals } from '../core/approvals.ts';
import { recordAudit } from '../core/audit.ts';
import { recordOwn } from '../core/history.ts';
import { postEntries } from '../core/ledger.ts';
import { moveRecord } from '../core/move-record.ts';
import { publishInventory, startFlowAgain } from '../core/outbox.ts';
import { runStep } from '../core/run-once.ts';
import type { ActivityDeps } from '../deps.ts';
import { voidTasks } from '../review/tasks.ts';
import { askedEvery } from './deposit-order.ts';
import { moveDeposit, tellOfDeposit } from './deposit-moves.ts';
import { lockReceipt } from './deposit-receipts.ts';
import { moveRefund } from './deposit-refund-rows.ts';
import { lockDeposit } from './deposits.ts';

type Receipt = RecordOf<'depositReceipts'>;
type Deposit = RecordOf<'deposits'>;
interface Held {
  deposit: Deposit;
  receipt: Receipt;
}

export interface TakeBackCommand {
  receiptId: number;
  reason: string;
  operatorId: number;
  requestId: string;
}

/** A receipt that an operator wrote by mistake (interface 4.6): on the wrong order, twice, or of the wrong sum. */
export function createReceiptTakeBackActivities(deps: ActivityDeps) {
  return {
    /**
     * Asks a second person; what was credited by it is held at once, so that it is not spent meanwhile. Raises
     * not_found, and state_conflict with the `reason` that domain/receipt-take-back.ts names.
     */
    async askReceiptBack(command: TakeBackCommand): Promise<{ approvalId: number }> {
      try {
        return await runStep(
          deps.db,
          'receipt.take_back',
          async (tx) => await askBack(deps, tx, command),
        );
      } catch (error) {
        // The database's own word, should it have been spent in between.
        if (violatedConstraint(error) === 'no_overdraft') throw notTakenBack('SPENT');
        throw error;
      }
    },
  };
}

const notTakenBack = (reason: NotTakenBack): DomainError =>
  conflict(NOT_TAKEN_BACK[reason], { reason });

async function askBack(
  deps: ActivityDeps,
  tx: Transaction,
  { receiptId, reason, operatorId, requestId }: TakeBackCommand,
): Promise<{ approvalId: number }> {
  const { deposit, receipt } = await lockWithOrder(deps, tx, receiptId);
  const takeable = await readTakeable(runner(deps.db, tx), receiptId);
  const refusal = takeable === undefined ? 'TAKEN_BACK' : whyNotTakenBack(takeable);
  if (refusal !== null) throw notTakenBack(refusal);
  const { id: approvalId } = await propose(deps, tx, {
    kind: 'receipt_take_back',
    subject: receiptId,
    ask: { why: reason },
    makerId: operatorId,
  });
  if (receipt.state === 'CREDITED') {
    await moveReceipt(deps, tx, receipt, 'ask_back');
    await postEntries(deps.db, tx, takeBackHeld(postingOf({ deposit, receipt }, approvalId)));
    await publishInventory(deps.outbox, tx, { topic: 'advertiser', id: deposit.advertiserId });
  }
  await recordAudit(deps.db, tx, {
    actor: { type: 'OPERATOR', id: operatorId },
    accountId: deposit.advertiserId,
    action: 'deposit.take_back_request',
    subject: { type: 'deposit', id: deposit.id },
    detail: {
      receipt_id: receiptId,
      amount: formatAmount(receipt.amountNanos),
      reference: receipt.providerReference,
      reason,
    },
    requestId,
  });
  return { approvalId };
}

/** The order before its receipt, as everywhere. Raises not_found. */
export async function lockWithOrder(
  deps: ActivityDeps,
  tx: Transaction,
  receiptId: number,
): Promise<Held> {
  const found = await deps.db.models.depositReceipts.findByPk(receiptId, { transaction: tx });
  if (found === null) throw notFound();
  const deposit = await lockDeposit(deps, tx, found.depositId);
  return { deposit, receipt: await lockReceipt(deps, tx, receiptId) };
}

/**
 * Approved: out of the books, by the way that it was written in. Its order waits for its money again where nothing
 * else holds it, its questions are nobody's any more, and its payment may be written on another order.
 */
export async function takeReceiptBack(
  deps: ActivityDeps,
  tx: Transaction,
  { deposit, receipt }: Held,
  approval: Pick<ApprovalRow, 'id'> & { operatorId: number; requestId: string },
): Promise<void> {
  const heldOf = receipt.state === 'TAKING_BACK' ? deposit.advertiserId : null;
  const posting = { ...postingOf({ deposit, receipt }, approval.id), heldOf };
  const wasRefunding = receipt.state === 'REFUNDING';
  if (wasRefunding) await endWayBack(deps, tx, receipt);
  await moveReceipt(deps, tx, receipt, 'take_back');
  await postEntries(deps.db, tx, receiptTakenBack({ ...posting, provider: receipt.provider }));
  deposit.receivedNanos -= receipt.amountNanos;
  await deposit.save({ transaction: tx });
  for (const kind of ['deposit_credit', 'deposit_refund'] as const) {
    await voidApprovals(deps, tx, kind, receipt.id);
  }
  await deps.db.models.bankStatementLines.update(
    { receiptId: null, recordedBy: null, recordedAt: null },
    { where: { receiptId: receipt.id }, transaction: tx },
  );
  await recordOwn(deps.db, tx, {
    accountId: deposit.advertiserId,
    by: { operatorId: approval.operatorId },
    action: 'deposit.take_back',
    subject: { type: 'deposit', id: deposit.id },
    requestId: approval.requestId,
  });
  await endQuestions(deps, tx, { deposit, receipt, wasRefunding });
  const { amountNanos } = receipt;
  const { status } = deposit;
  await tellOfDeposit(deps, tx, { deposit, kind: 'deposit_taken_back', amountNanos, status });
}

/** Refused, or asked for no more: what was held of it can be spent again. */
export async function keepReceipt(
  deps: ActivityDeps,
  tx: Transaction,
  receiptId: number,
  approvalId: number,
): Promise<void> {
  const { deposit, receipt } = await lockWithOrder(deps, tx, receiptId);
  if (receipt.state !== 'TAKING_BACK') return;
  await moveReceipt(deps, tx, receipt, 'keep');
  await postEntries(deps.db, tx, takeBackReleased(postingOf({ deposit, receipt }, approvalId)));
  await forgetLowBalance(deps, tx, deposit.advertiserId);
  await publishInventory(deps.outbox, tx, { topic: 'advertiser', id: deposit.advertiserId });
}

const postingOf = ({ deposit, receipt }: Held, approvalId: number) => ({
  approvalId,
  receiptId: receipt.id,
  depositId: deposit.id,
  advertiserId: deposit.advertiserId,
  amountNanos: receipt.amountNanos,
});

const moveReceipt = async (
  deps: ActivityDeps,
  tx: Transaction,
  record: Receipt,
  action: 'ask_back' | 'keep' | 'take_back',
): Promise<void> =>
  await moveRecord(deps.db, tx, 'depositReceipts', { record, state: 'state', action });

/** It was for a person to send, and there is nothing to send. Raises state_conflict where it was sent meanwhile. */
async function endWayBack(deps: ActivityDeps, tx: Transaction, { id }: Receipt): Promise<void> {
  const record = await deps.db.models.depositRefunds.findByPk(id, {
    transaction: tx,
    lock: tx.LOCK.UPDATE,
  });
  if (record?.state !== 'BY_HAND') throw notTakenBack('SENT_BACK');
  await moveRefund(deps, tx, { record, action: 'release' });
}

/** Both of its flows are woken, and see by the rows that there is nothing to decide. */
async function endQuestions(
  deps: ActivityDeps,
  tx: Transaction,
  { deposit, receipt, wasRefunding }: Held & { wasRefunding: boolean },
): Promise<void> {
  const orderFlow = depositWorkflowId(deposit.id);
  const asked = await deps.db.models.tasks.findOne({
    where: { workflowId: orderFlow, status: 'open' },
    transaction: tx,
  });
  if (asked !== null && Number(asked.payload['receipt_id']) === receipt.id) {
    await voidTasks(deps, tx, orderFlow);
  }
  await endOwnFlow(deps, tx, receipt, wasRefunding);
  const wasPaid = deposit.status === 'PAID';
  const sql = runner(deps.db, tx);
  if (reopensOrder(deposit.status, await isHeldByAnother(sql, receipt))) {
    await moveDeposit(deps, tx, deposit, 'reopen');
  }
  if (deposit.status !== 'PENDING') return;
  if (wasPaid) {
    // Its flow has ended with the payment, or is about to; what the order waits for now is another's to wait for.
    const { id: depositId, paymentMethod, expiresAt } = deposit;
    const polled = askedEvery(deps.providers, paymentMethod);
    const input = { depositId, expiresAt: expiresAt.toISOString(), ...polled };
    const why = `taken_back:${receipt.id}`;
    const { advertiserId: accountId, amountNanos } = deposit;
    const about = { accountId, amountBand: amountBand(amountNanos) };
    const wake = DEPOSIT_RECEIPT_SIGNAL;
    await startFlowAgain(deps, tx, { ...depositStart(input), why, wake }, about);
    return;
  }
  await deps.outbox.enqueue(tx, {
    kind: 'workflow_signal',
    dedupeKey: `taken_back:${orderFlow}:${receipt.id}`,
    payload: {
      workflowId: orderFlow,
      signal: DEPOSIT_RECEIPT_SIGNAL,
      input: { receiptId: receipt.id },
    },
  });
}

/** Money beside an order, or on its way back, has a flow of its own. One that has asked nothing yet reads the row first. */
async function endOwnFlow(
  deps: ActivityDeps,
  tx: Transaction,
  receipt: Receipt,
  wasRefunding: boolean,
): Promise<void> {
  const workflowId = suspenseWorkflowId(receipt.id);
  const where = { workflowId, status: 'open' };
  const asked = await deps.db.models.tasks.findOne({ where, transaction: tx });
  await voidTasks(deps, tx, workflowId);
  if (asked === null && !wasRefunding) return;
  await deps.outbox.enqueue(tx, {
    kind: 'workflow_signal',
    dedupeKey: `taken_back:${workflowId}`,
    payload: { workflowId, signal: SUSPENSE_TAKEN_BACK_SIGNAL },
  });
}
