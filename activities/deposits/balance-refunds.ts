import type { Transaction } from 'sequelize';
import { nextId } from '../../db/next-id.ts';
import { runner, violatedConstraint } from '../../db/postgres.ts';
import { readRefundable } from '../../db/queries/balance-refunds.ts';
import { amountBand } from '../../domain/amount-band.ts';
import { planRefund, refundableOf } from '../../domain/balance-refund.ts';
import { type DomainError, invalid, notFound } from '../../domain/errors.ts';
import { balanceRefundHeld } from '../../domain/ledger/refund-postings.ts';
import { formatAmount, type Nanos } from '../../domain/money.ts';
import { refundStart } from '../../workflows/contracts/deposit.ts';
import { propose } from '../core/approvals.ts';
import { recordAudit } from '../core/audit.ts';
import { postEntries } from '../core/ledger.ts';
import { publishInventory, startFlow } from '../core/outbox.ts';
import { runStep } from '../core/run-once.ts';
import type { ActivityDeps } from '../deps.ts';
import {
  type BalanceRefund,
  lockRequest,
  moveRequest,
  partReleased,
  tellOfRequest,
} from './balance-refund-parts.ts';
import { moveRefund } from './deposit-refund-rows.ts';

export interface BalanceRefundCommand {
  advertiserId: number;
  /** Null: all that can go back. */
  amountNanos: Nanos | null;
  reason: string;
  operatorId: number;
  requestId: string;
}

/** Unused balance that goes back to whoever paid it (interface 5.23). */
export function createBalanceRefundActivities(deps: ActivityDeps) {
  return {
    /**
     * The request, its parts, the hold and the approval commit together, and where one person may let it through
     * alone, its flows as well. Receipts and balance are locked: what is spent or asked for in between is not there
     * any more. Raises not_found for who is no advertiser, and validation_failed above what can go back.
     */
    async requestBalanceRefund(
      command: BalanceRefundCommand,
    ): Promise<{ balanceRefundId: number; approvalId: number | null }> {
      try {
        return await runStep(deps.db, 'balance_refund.request', async (tx) => {
          const request = await writeRequest(deps, tx, command);
          const { id: subject } = request;
          const asked = await propose(deps, tx, {
            kind: 'balance_refund',
            subject,
            makerId: command.operatorId,
          });
          if (asked.state === 'APPROVED') await beginReturning(deps, tx, request, command);
          return {
            balanceRefundId: request.id,
            approvalId: asked.state === 'APPROVED' ? null : asked.id,
          };
        });
      } catch (error) {
        const constraint = violatedConstraint(error);
        // The database's own word, should anything have come between.
        if (constraint === 'no_overdraft' || constraint === 'refunds_within_receipts') {
          throw aboveRefundable(0n);
        }
        throw error;
      }
    },
  };
}

async function writeRequest(
  deps: ActivityDeps,
  tx: Transaction,
  { advertiserId, amountNanos: asked, reason, operatorId, requestId }: BalanceRefundCommand,
): Promise<BalanceRefund> {
  const account = await deps.db.models.accounts.findByPk(advertiserId, { transaction: tx });
  if (account === null || account.kind !== 'ADVERTISER') throw notFound();
  const found = await readRefundable(runner(deps.db, tx), advertiserId, { locked: true });
  const { receipts } = found;
  const mostNanos = refundableOf(found);
  const amountNanos = asked ?? mostNanos;
  if (amountNanos > mostNanos || mostNanos === 0n) throw aboveRefundable(mostNanos);
  const parts = planRefund(receipts, amountNanos);
  if (parts === undefined) {
    throw invalid({ field: 'amount', code: 'step', message: 'must be a multiple of 0.01' });
  }
  const request = await deps.db.models.balanceRefunds.create(
    { advertiserId, amountNanos, reason, makerId: operatorId },
    { transaction: tx },
  );
  for (const part of parts) {
    const id = await nextId(runner(deps.db, tx), 'deposit_receipts');
    await deps.db.models.depositRefunds.create(
      { ...part, id, balanceRefundId: request.id, closesOrder: false, state: 'ASKED' },
      { transaction: tx },
    );
  }
  const held = { balanceRefundId: request.id, advertiserId, amountNanos };
  await postEntries(deps.db, tx, balanceRefundHeld(held));
  await publishInventory(deps.outbox, tx, { topic: 'advertiser', id: advertiserId });
  await recordAudit(deps.db, tx, {
    actor: { type: 'OPERATOR', id: operatorId },
    accountId: advertiserId,
    action: 'balance_refund.request',
    subject: { type: 'balance_refund', id: request.id },
    detail: { amount: formatAmount(amountNanos), reason, receipts: parts.length },
    requestId,
  });
  await tellOfRequest(deps, tx, request, 'balance_refund_begun');
  return request;
}

function aboveRefundable(mostNanos: Nanos): DomainError {
  return invalid({
    field: 'amount',
    code: 'max',
    message:
      mostNanos === 0n
        ? 'There is nothing of this balance that was paid in and can go back.'
        : `At most ${formatAmount(mostNanos)} of this balance was paid in and can go back.`,
  });
}

/** Approved: each part is on its way by a flow of its own. */
export async function beginReturning(
  deps: ActivityDeps,
  tx: Transaction,
  request: BalanceRefund,
  by: { operatorId: number; requestId: string },
): Promise<void> {
  await moveRequest(deps, tx, request, {
    action: 'approve',
    operatorId: by.operatorId,
    requestId: by.requestId,
    approvedAt: deps.clock(),
  });
  for (const record of await partsOf(deps, tx, request)) {
    await moveRefund(deps, tx, { record, action: 'approve' });
    await startFlow(deps, tx, refundStart({ refundId: record.id }), {
      accountId: request.advertiserId,
      amountBand: amountBand(record.amountNanos),
    });
  }
}

/** Refused, or asked for no more: all of it can be spent again. */
export async function keepBalance(
  deps: ActivityDeps,
  tx: Transaction,
  balanceRefundId: number,
  operatorId: number,
): Promise<void> {
  const request = await lockRequest(deps, tx, balanceRefundId);
  for (const record of await partsOf(deps, tx, request)) {
    await partReleased(deps, tx, record, operatorId);
  }
  await tellOfRequest(deps, tx, request, 'balance_refund_kept');
}

const partsOf = async (deps: ActivityDeps, tx: Transaction, { id }: BalanceRefund) =>
  await deps.db.models.depositRefunds.findAll({
    where: { balanceRefundId: id },
    order: ['id'],
    transaction: tx,
  });
