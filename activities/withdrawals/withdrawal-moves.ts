import type { Transaction } from 'sequelize';
import type { ReviewFinding, ReviewReason } from '../../db/tables/json.ts';
import { runner } from '../../db/postgres.ts';
import { conflict, notFound } from '../../domain/errors.ts';
import type { WithdrawalMoney } from '../../domain/ledger/payout-postings.ts';
import {
  type PayoutChannel,
  type WithdrawalAction,
  type WithdrawalStatus,
  withdrawalLifecycle,
} from '../../domain/lifecycle/withdrawal.ts';
import { transition } from '../../domain/lifecycle/transition.ts';
import type { ActivityDeps } from '../deps.ts';
import { withdrawalWorkflowId } from '../../workflows/contracts/withdrawal.ts';

/** A withdrawal's row, locked. `status` follows the moves made of it. */
export interface LockedWithdrawal extends WithdrawalMoney {
  channel: PayoutChannel;
  currency: string;
  status: WithdrawalStatus;
  accountMasked: string;
  destinationFingerprint: string | null;
  sealedAccount: Buffer;
  accountUsableFrom: Date;
  notBefore: Date | null;
  findings: ReviewFinding[];
  reviewRound: number;
  approvedBy: number | null;
  createdAt: Date;
}

/**
 * The row's lock puts cancels, decisions, payouts and their outcomes in a line; it is taken before
 * any task's. Raises not_found, also for another publisher's when one is given.
 */
export async function lockWithdrawal(
  deps: ActivityDeps,
  tx: Transaction,
  key: { withdrawalId: number; publisherId?: number },
): Promise<LockedWithdrawal> {
  const { rows } = await runner(deps.db, tx).query<
    Record<
      'id' | 'publisher_id' | 'amount_nanos' | 'fee_nanos' | 'tax_nanos' | 'arrival_nanos',
      string
    > & {
      channel: PayoutChannel;
      currency: string;
      status: WithdrawalStatus;
      account_masked: string;
      destination_fingerprint: string | null;
      sealed_account: Buffer;
      account_usable_from: Date;
      not_before: Date | null;
      findings: ReviewFinding[];
      review_round: number;
      approved_by: string | null;
      created_at: Date;
    }
  >(
    `SELECT * FROM withdrawals WHERE id = $1 AND ($2::bigint IS NULL OR publisher_id = $2)
     FOR NO KEY UPDATE`,
    [key.withdrawalId, key.publisherId ?? null],
  );
  const [row] = rows;
  if (row === undefined) throw notFound();
  return {
    id: Number(row.id),
    publisherId: Number(row.publisher_id),
    amountNanos: BigInt(row.amount_nanos),
    feeNanos: BigInt(row.fee_nanos),
    taxNanos: BigInt(row.tax_nanos),
    arrivalNanos: BigInt(row.arrival_nanos),
    channel: row.channel,
    currency: row.currency,
    status: row.status,
    accountMasked: row.account_masked,
    destinationFingerprint: row.destination_fingerprint,
    sealedAccount: row.sealed_account,
    accountUsableFrom: row.account_usable_from,
    notBefore: row.not_before,
    findings: row.findings,
    reviewRound: row.review_round,
    approvedBy: row.approved_by === null ? null : Number(row.approved_by),
    createdAt: row.created_at,
  };
}

/** A move, and what it writes beside the status. */
export interface Move {
  action: WithdrawalAction;
  reasons?: readonly ReviewReason[];
  notBefore?: Date;
  providerReference?: string | null;
  findings?: readonly ReviewFinding[];
}

/** The table decides; the row is locked. Raises state_conflict for an illegal move. */
export async function moveWithdrawal(
  deps: ActivityDeps,
  tx: Transaction,
  withdrawal: LockedWithdrawal,
  { action, ...details }: Move,
): Promise<void> {
  const from = withdrawal.status;
  const status = transition(withdrawalLifecycle, from, action);
  const now = deps.clock();
  const { rows } = await runner(deps.db, tx).query(
    `UPDATE withdrawals SET status = $3, version = version + 1, updated_at = $4,
       paid_at = CASE WHEN $3 = 'PAID' THEN $4 ELSE paid_at END,
       reasons = COALESCE($5::jsonb, reasons), not_before = COALESCE($6, not_before),
       provider_reference = COALESCE($7, provider_reference),
       findings = COALESCE($8::jsonb, findings)
     WHERE id = $1 AND status = $2 RETURNING id`,
    [
      withdrawal.id,
      from,
      status,
      now,
      details.reasons === undefined ? null : JSON.stringify(details.reasons),
      details.notBefore ?? null,
      details.providerReference ?? null,
      details.findings === undefined ? null : JSON.stringify(details.findings),
    ],
  );
  if (rows.length !== 1) throw conflict(`Withdrawal ${withdrawal.id} moved meanwhile.`);
  withdrawal.status = status;
  if (details.notBefore !== undefined) withdrawal.notBefore = details.notBefore;
}

/** Its questions have no answer any more. */
export async function voidWithdrawalTasks(
  deps: ActivityDeps,
  tx: Transaction,
  withdrawalId: number,
): Promise<void> {
  await runner(deps.db, tx).query(
    `UPDATE tasks SET status = 'void', decided_at = now()
     WHERE workflow_id = $1 AND status = 'open' RETURNING id`,
    [withdrawalWorkflowId(withdrawalId)],
  );
}
