import { nextId } from '../../db/next-id.ts';
import type { Transaction } from 'sequelize';
import { runner, violatedConstraint } from '../../db/postgres.ts';
import { readReceiptOf } from '../../db/queries/deposits.ts';
import { conflict, DomainError, notFound } from '../../domain/errors.ts';
import { depositReceived } from '../../domain/ledger/postings.ts';
import {
  DEPOSIT_EXPIRY_MS,
  depositReference,
  OPEN_DEPOSIT_STATUSES,
  OPERATOR_CONFIRMED_METHODS,
} from '../../domain/lifecycle/deposit.ts';
import { amountBand } from '../../domain/amount-band.ts';
import { formatAmount } from '../../domain/money.ts';
import {
  DEPOSIT_CANCEL_SIGNAL,
  DEPOSIT_RECEIPT_SIGNAL,
  type DepositInput,
  depositStart,
  depositWorkflowId,
} from '../../workflows/contracts/deposit.ts';
import { recordAudit } from '../core/audit.ts';
import { recordOwn } from '../core/history.ts';
import type { ActivityDeps } from '../deps.ts';
import { postEntries } from '../core/ledger.ts';
import { askFor, checkOrder, type OrderedDeposit } from './deposit-order.ts';
import { postingOf, startSuspenseFlow } from './deposit-receipts.ts';
import { insertReceipt, keepToEffect, type ReceiptCommand } from './receipt-writing.ts';
import { startFlow } from '../core/outbox.ts';
import { runStep } from '../core/run-once.ts';
import type { RecordOf } from '../../db/schema/models.ts';
import { moveRecord } from '../core/move-record.ts';
import { moveRow, NOW } from '../../db/schema/move.ts';
import { deposits } from '../../db/tables/deposit.ts';
type DepositReceipt = RecordOf<'depositReceipts'>;
type Deposit = RecordOf<'deposits'>;

/** The API's side of deposits: one transaction each, the outbox notifies the flow. */
export function createDepositActivities(deps: ActivityDeps) {
  return {
    /**
     * Opens a top-up order and its flow; answers its id. Raises validation_failed for a method or network
     * that is not configured or an amount below the method's minimum.
     */
    async openDeposit({
      advertiserId,
      ...order
    }: OrderedDeposit & { advertiserId: number }): Promise<{ id: number }> {
      return await runStep(deps.db, 'deposit.open', async (tx) => {
        await checkOrder(deps, tx, order);
        const { amountNanos, paymentMethod } = order;
        const id = await nextId(runner(deps.db, tx), 'deposits');
        const expiresAt = new Date(deps.clock().getTime() + DEPOSIT_EXPIRY_MS[paymentMethod]);
        await deps.db.models.deposits.create(
          {
            id,
            advertiserId,
            amountNanos,
            paymentMethod,
            reference: depositReference(id),
            expiresAt,
          },
          { transaction: tx },
        );
        const rail = await askFor(deps, tx, { id, ...order });
        const accountId = advertiserId;
        const subject = { type: 'deposit', id };
        await recordOwn(deps.db, tx, { accountId, action: 'deposit.open', subject });
        const input: DepositInput = { depositId: id, expiresAt: expiresAt.toISOString(), ...rail };
        await startFlow(deps, tx, depositStart(input), {
          accountId,
          amountBand: amountBand(amountNanos),
        });
        return { id };
      });
    },

    /** Only before money arrived. Raises not_found for another's order and state_conflict. */
    async cancelDeposit(command: { advertiserId: number; depositId: number }): Promise<void> {
      await runStep(deps.db, 'deposit.cancel', async (tx) => {
        const deposit = await moveRow(runner(deps.db, tx), deposits, {
          state: 'status',
          action: 'cancel',
          where: { id: command.depositId, advertiserId: command.advertiserId },
          set: { updatedAt: NOW },
        });
        const subject = { type: 'deposit', id: deposit.id };
        const { advertiserId: accountId } = command;
        await recordOwn(deps.db, tx, { accountId, action: 'deposit.cancel', subject });
        await deps.outbox.enqueue(tx, {
          kind: 'workflow_signal',
          dedupeKey: `cancel:${depositWorkflowId(deposit.id)}`,
          payload: { workflowId: depositWorkflowId(deposit.id), signal: DEPOSIT_CANCEL_SIGNAL },
        });
      });
    },

    /**
     * Money that arrived for an order: its row, its posting into suspense and the signal to the
     * flow in one transaction. The same reference with the same content answers the same receipt.
     * Raises not_found, validation_failed (method not confirmed by operators, unknown evidence) and
     * already_claimed when the reference is another receipt's.
     */
    async recordReceipt(
      command: ReceiptCommand,
    ): Promise<{ receiptId: number; repeated: boolean }> {
      try {
        return await runStep(
          deps.db,
          'deposit.receipt',
          async (tx) => await takeReceipt(deps, tx, command),
        );
      } catch (error) {
        // Another order took it a moment ago; this order's own receipts wait for its lock.
        if (tookReference(error)) throw referenceTaken();
        throw error;
      }
    },
  };
}

const REFERENCE_ONCE = new Set([
  'deposit_receipts_reference',
  'deposit_receipts_provider_provider_reference_key',
]);

/** Another order took the reference a moment ago. */
export const tookReference = (error: unknown): boolean =>
  REFERENCE_ONCE.has(violatedConstraint(error) ?? '');

/** Locks the order; raises as recordReceipt, and tookReference where another order was faster. */
export async function takeReceipt(
  deps: ActivityDeps,
  tx: Transaction,
  command: ReceiptCommand,
): Promise<{ receiptId: number; repeated: boolean }> {
  const deposit = await lockDeposit(deps, tx, command.depositId);
  if (!OPERATOR_CONFIRMED_METHODS.includes(deposit.paymentMethod)) {
    throw conflict(`${deposit.paymentMethod} orders are confirmed by their provider.`);
  }
  return await postReceipt(deps, tx, deposit, command);
}

/** Of an order that is locked; raises as recordReceipt. */
export async function postReceipt(
  deps: ActivityDeps,
  tx: Transaction,
  deposit: Deposit,
  command: ReceiptCommand,
): Promise<{ receiptId: number; repeated: boolean }> {
  const earlier = await findReceipt(deps, tx, deposit, command);
  if (earlier !== null) return { receiptId: earlier.id, repeated: true };
  await keepToEffect(deps, tx, deposit, command);
  const receipt = await insertReceipt(deps, tx, deposit, command);
  await postEntries(deps.db, tx, depositReceived(postingOf(receipt)));
  if (deposit.status === 'PENDING') {
    await moveRecord(deps.db, tx, 'deposits', {
      record: deposit,
      state: 'status',
      action: 'receive',
    });
  }
  deposit.receivedNanos += receipt.amountNanos;
  await deposit.save({ transaction: tx });
  await recordAudit(deps.db, tx, {
    actor:
      command.operatorId === null
        ? { type: 'SYSTEM', id: null }
        : { type: 'OPERATOR', id: command.operatorId },
    action: 'deposit.receipt',
    subject: { type: 'deposit', id: deposit.id },
    detail: {
      receipt_id: receipt.id,
      amount: formatAmount(receipt.amountNanos),
      reference: command.reference,
      evidence_id: command.evidence?.id ?? null,
      reason: command.reason ?? null,
    },
    ...(command.requestId === null ? {} : { requestId: command.requestId }),
  });
  await notifyFlow(deps, tx, deposit, receipt);
  return { receiptId: receipt.id, repeated: false };
}

/** The order's row lock puts receipts, cancels, expiry and decisions of one order in a line. */
export async function lockDeposit(
  deps: ActivityDeps,
  tx: Transaction,
  depositId: number,
): Promise<Deposit> {
  const deposit = await deps.db.models.deposits.findByPk(depositId, {
    transaction: tx,
    lock: tx.LOCK.UPDATE,
  });
  if (deposit === null) throw notFound();
  return deposit;
}

/** An order that has ended has no flow to notify any more: its money gets one of its own. */
async function notifyFlow(
  deps: ActivityDeps,
  tx: Transaction,
  deposit: Deposit,
  receipt: DepositReceipt,
): Promise<void> {
  if (!OPEN_DEPOSIT_STATUSES.includes(deposit.status)) {
    await startSuspenseFlow(deps, tx, { deposit, receipt });
    return;
  }
  await deps.outbox.enqueue(tx, {
    kind: 'workflow_signal',
    dedupeKey: `receipt:${receipt.id}`,
    payload: {
      workflowId: depositWorkflowId(deposit.id),
      signal: DEPOSIT_RECEIPT_SIGNAL,
      input: { receiptId: receipt.id },
    },
  });
}

async function findReceipt(
  deps: ActivityDeps,
  tx: Transaction,
  deposit: Deposit,
  command: ReceiptCommand,
): Promise<{ id: number } | null> {
  const earlier = await readReceiptOf(runner(deps.db, tx), {
    provider: deposit.paymentMethod,
    reference: command.reference,
  });
  if (earlier === undefined) return null;
  if (earlier.depositId === deposit.id && earlier.amountNanos === command.amountNanos)
    return earlier;
  throw referenceTaken();
}

export const referenceTaken = (): DomainError =>
  new DomainError('already_claimed', { message: 'This reference stands for another receipt.' });
