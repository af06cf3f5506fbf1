import { createHash } from 'node:crypto';
import type { Transaction } from 'sequelize';
import { runner } from '../../db/postgres.ts';
import { loadSettings } from '../../db/queries/settings.ts';
import { conflict } from '../../domain/errors.ts';
import { withdrawalPaid, withdrawalReleased } from '../../domain/ledger/payout-postings.ts';
import { formatAmount, type Nanos, NANOS_PER_UNIT } from '../../domain/money.ts';
import { needsSecondPerson } from '../../domain/second-person.ts';
import { withdrawalWorkflowId } from '../../workflows/contracts/withdrawal.ts';
import type { ActivityDeps } from '../deps.ts';
import { postEntries } from '../core/ledger.ts';
import { reportOperation } from '../core/operations.ts';
import type { Destination } from './payout-accounts.ts';
import { WITHDRAWAL_SEAL } from './payout-destination.ts';
import { writeBankFile } from '../providers/bank-file.ts';
import type { LoadedDecision } from '../review/task-decisions.ts';
import { openTask } from '../review/tasks.ts';
import {
  type LockedWithdrawal,
  lockWithdrawal,
  moveWithdrawal,
  voidWithdrawalTasks,
} from './withdrawal-moves.ts';

export const PAYOUT_FILE_SEAL = 'payouts.sealed_file';
const ASK_DUE_MS = 24 * 3_600_000;

/** What the bank or provider knows the payment by; never made of anything that changes. */
const referenceOf = (withdrawalId: number): string => `WD-${withdrawalId}`;

export type PayoutRowState =
  | 'READY'
  | 'SENDING'
  | 'FILE'
  | 'ACCEPTED'
  | 'UNKNOWN'
  | 'SETTLED'
  | 'REJECTED';

/** The order, written before anything leaves. For a bank its file as well, once: every download is these bytes. */
export async function openPayout(
  deps: ActivityDeps,
  tx: Transaction,
  withdrawal: LockedWithdrawal,
): Promise<void> {
  const file = withdrawal.channel === 'BANK' ? bankFile(deps, withdrawal) : null;
  await runner(deps.db, tx).query(
    `INSERT INTO payouts (withdrawal_id, channel, external_ref, state, sealed_file, file_sha256, file_name)
     VALUES ($1, $2, $3, $4, $5, $6, $7) RETURNING withdrawal_id`,
    [
      withdrawal.id,
      withdrawal.channel,
      referenceOf(withdrawal.id),
      file === null ? 'READY' : 'FILE',
      file === null ? null : Buffer.from(deps.providers.sealer.seal(file, PAYOUT_FILE_SEAL)),
      file === null ? null : createHash('sha256').update(file).digest('hex'),
      file === null ? null : `pain.001-${referenceOf(withdrawal.id)}.xml`,
    ],
  );
}

function bankFile(deps: ActivityDeps, withdrawal: LockedWithdrawal): string {
  const destination = openDestination(deps, withdrawal);
  const { origin } = deps.providers.payouts;
  if (destination.channel !== 'BANK' || origin === null) {
    throw conflict('Bank payouts are not configured on this platform.');
  }
  return writeBankFile(origin, {
    reference: referenceOf(withdrawal.id),
    amount: decimalText(withdrawal.arrivalNanos, 2),
    currency: withdrawal.currency,
    account: destination.account,
    createdAt: deps.clock(),
  });
}

export function openDestination(deps: ActivityDeps, withdrawal: LockedWithdrawal): Destination {
  const sealed = withdrawal.sealedAccount.toString('utf8');
  return JSON.parse(deps.providers.sealer.open(sealed, WITHDRAWAL_SEAL)) as Destination;
}

/** `95.00`: as many decimals as the channel pays; the amounts are whole steps of it. */
export function decimalText(amountNanos: Nanos, decimals: 2 | 6): string {
  const fraction = (amountNanos % NANOS_PER_UNIT).toString().padStart(9, '0').slice(0, decimals);
  return `${amountNanos / NANOS_PER_UNIT}.${fraction}`;
}

export interface LockedPayout {
  state: PayoutRowState;
  externalRef: string;
  tries: number;
  looks: number;
  asked: number;
}

/** Behind its withdrawal's lock. */
export async function lockPayout(
  deps: ActivityDeps,
  tx: Transaction,
  withdrawalId: number,
): Promise<{ withdrawal: LockedWithdrawal; payout: LockedPayout }> {
  const withdrawal = await lockWithdrawal(deps, tx, { withdrawalId });
  const { rows } = await runner(deps.db, tx).query<{
    state: PayoutRowState;
    external_ref: string;
    tries: number;
    looks: number;
    asked: number;
  }>('SELECT * FROM payouts WHERE withdrawal_id = $1 FOR UPDATE', [withdrawalId]);
  const [row] = rows;
  if (row === undefined) throw new Error(`withdrawal ${withdrawalId} has no payout`);
  const { external_ref: externalRef, ...rest } = row;
  return { withdrawal, payout: { ...rest, externalRef } };
}

export async function setPayout(
  deps: ActivityDeps,
  tx: Transaction,
  withdrawalId: number,
  to: { state: PayoutRowState; outcome: string; looks?: number; tries?: number },
): Promise<void> {
  await runner(deps.db, tx).query(
    `UPDATE payouts SET state = $2, last_outcome = $3, looks = COALESCE($4, looks),
       tries = COALESCE($5, tries), updated_at = now() WHERE withdrawal_id = $1 RETURNING withdrawal_id`,
    [withdrawalId, to.state, to.outcome, to.looks ?? null, to.tries ?? null],
  );
}

/** Money arrived there: out of the hold for good. */
export async function settle(
  deps: ActivityDeps,
  tx: Transaction,
  withdrawal: LockedWithdrawal,
  { reference, outcome }: { reference: string | null; outcome: string },
): Promise<void> {
  await moveWithdrawal(deps, tx, withdrawal, { action: 'pay', providerReference: reference });
  await postEntries(deps.db, tx, withdrawalPaid(withdrawal));
  await setPayout(deps, tx, withdrawal.id, { state: 'SETTLED', outcome });
  await voidWithdrawalTasks(deps, tx, withdrawal.id);
  await reportOperation(deps, tx, withdrawalWorkflowId(withdrawal.id), {
    status: 'succeeded',
    phase: 'paid',
    result: { withdrawal_id: withdrawal.id, status: withdrawal.status },
  });
}

/** Nothing left, and nothing will: back to the publisher. */
export async function fail(
  deps: ActivityDeps,
  tx: Transaction,
  withdrawal: LockedWithdrawal,
  reason: string,
): Promise<void> {
  await moveWithdrawal(deps, tx, withdrawal, { action: 'fail', reasons: [{ code: reason }] });
  await postEntries(deps.db, tx, withdrawalReleased(withdrawal));
  await setPayout(deps, tx, withdrawal.id, { state: 'REJECTED', outcome: reason });
  await voidWithdrawalTasks(deps, tx, withdrawal.id);
  await reportOperation(deps, tx, withdrawalWorkflowId(withdrawal.id), {
    status: 'failed',
    phase: 'failed',
    error: { error: 'payout_failed', reason },
  });
}

/** Nobody knows whether it was paid: the hold stays, whatever happens, until somebody does. */
export async function lose(
  deps: ActivityDeps,
  tx: Transaction,
  withdrawal: LockedWithdrawal,
  outcome: string,
): Promise<void> {
  await setPayout(deps, tx, withdrawal.id, { state: 'UNKNOWN', outcome });
  if (withdrawal.status === 'PROCESSING')
    await moveWithdrawal(deps, tx, withdrawal, { action: 'lose' });
  await reportOperation(deps, tx, withdrawalWorkflowId(withdrawal.id), {
    status: 'running',
    phase: 'unknown',
  });
}

/** Puts the order's outcome to an operator; for a bank file that is how it ends. */
export async function askAbout(
  deps: ActivityDeps,
  tx: Transaction,
  { withdrawal, payout }: { withdrawal: LockedWithdrawal; payout: LockedPayout },
): Promise<void> {
  const isFile = payout.state === 'FILE';
  if (!isFile) await lose(deps, tx, withdrawal, 'ASKED_OPERATOR');
  const workflowId = withdrawalWorkflowId(withdrawal.id);
  const asked = payout.asked + 1;
  await runner(deps.db, tx).query(
    'UPDATE payouts SET asked = $2 WHERE withdrawal_id = $1 RETURNING withdrawal_id',
    [withdrawal.id, asked],
  );
  const settings = await loadSettings(runner(deps.db, tx));
  const secondPerson = needsSecondPerson(settings, 'payout', withdrawal.amountNanos);
  await openTask(deps, tx, {
    kind: 'payout_unknown',
    subject: { type: 'withdrawal', id: withdrawal.id },
    accountId: withdrawal.publisherId,
    summary: `${isFile ? 'Bank transfer to carry out' : 'Payout of unknown outcome'}: ${formatAmount(withdrawal.arrivalNanos)} to ${withdrawal.accountMasked} (${payout.externalRef})`,
    decisions: ['confirm_paid', 'confirm_failed', 'keep_waiting'],
    payload: { external_ref: payout.externalRef },
    requiredRole: 'FINANCE',
    makerId: secondPerson ? withdrawal.approvedBy : null,
    workflowId,
    dedupeKey: `${workflowId}:payout:${asked}`,
    dueAt: new Date(deps.clock().getTime() + ASK_DUE_MS),
  });
  await reportOperation(deps, tx, workflowId, {
    status: 'waiting_human',
    phase: isFile ? 'bank_transfer' : 'unknown',
  });
}

/** Decisions of `payout_unknown`. The note of a confirmation is kept as the bank's reference. */
export async function applyPayoutDecision(
  deps: ActivityDeps,
  tx: Transaction,
  withdrawal: LockedWithdrawal,
  decision: LoadedDecision,
): Promise<void> {
  switch (decision.decision) {
    case 'confirm_paid': {
      const reference = await noteOf(deps, tx, decision.id);
      await settle(deps, tx, withdrawal, { reference, outcome: 'CONFIRMED_PAID' });
      return;
    }
    case 'confirm_failed':
      await fail(deps, tx, withdrawal, decision.reasons[0]?.code ?? 'CONFIRMED_FAILED');
      return;
    case 'keep_waiting': {
      // The looking begins anew, and then a question of its own; the task keeps its answer.
      const { payout } = await lockPayout(deps, tx, withdrawal.id);
      await setPayout(deps, tx, withdrawal.id, {
        state: payout.state,
        outcome: 'KEPT_WAITING',
        looks: 0,
      });
      return;
    }
    default:
      throw conflict(`A payout knows no ${decision.decision}.`);
  }
}

async function noteOf(
  deps: ActivityDeps,
  tx: Transaction,
  decisionId: number,
): Promise<string | null> {
  const { rows } = await runner(deps.db, tx).query<{ note: string | null }>(
    'SELECT note FROM task_decisions WHERE id = $1',
    [decisionId],
  );
  return rows[0]?.note ?? null;
}
