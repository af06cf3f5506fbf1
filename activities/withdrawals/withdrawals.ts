import type { Transaction } from 'sequelize';
import { runner, violatedConstraint } from '../../db/postgres.ts';
import { loadSettings } from '../../db/queries/settings.ts';
import { readPublisherBalance } from '../../db/queries/withdrawals.ts';
import { conflict, DomainError, invalid } from '../../domain/errors.ts';
import { withdrawalHeld, withdrawalReleased } from '../../domain/ledger/payout-postings.ts';
import { isCancellable, type PayoutChannel } from '../../domain/lifecycle/withdrawal.ts';
import { formatAmount, type Nanos } from '../../domain/money.ts';
import {
  type PayoutAmounts,
  payoutAmounts,
  payoutFaults,
  type PayoutTerms,
  payoutTerms,
} from '../../domain/payout-terms.ts';
import {
  WITHDRAWAL_CANCEL_SIGNAL,
  WITHDRAWAL_WORKFLOW,
  type WithdrawalInput,
  withdrawalWorkflowId,
} from '../../workflows/contracts/withdrawal.ts';
import { recordAudit } from '../core/audit.ts';
import { lockPublisher } from './bank-cards.ts';
import type { ActivityDeps } from '../deps.ts';
import { postEntries } from '../core/ledger.ts';
import { openOperation, reportOperation } from '../core/operations.ts';
import {
  type BankChoice,
  chooseDestination,
  type ChosenDestination,
} from './payout-destination.ts';
import { runStep } from '../core/run-once.ts';
import { lockWithdrawal, moveWithdrawal, voidWithdrawalTasks } from './withdrawal-moves.ts';

export interface WithdrawalCommand {
  publisherId: number;
  amountNanos: Nanos;
  channel: PayoutChannel;
  /** interface 2.10: the receiving account of channels that are not banks. */
  accountInfo: string | null;
  bank: BankChoice | null;
  /** For the hint of a 412 (interface 7). */
  kycUrl: string;
  requestId: string;
  /** Other waits of its flow than the usual ones. */
  waits?: Waits;
}

type Waits = Pick<WithdrawalInput, 'sendAgainSeconds' | 'lookAgainSeconds'>;

/** Waits of the payout's flow; about a day of looking before a person is asked. */
const USUAL_WAITS: Waits = {
  sendAgainSeconds: [60, 300, 1_800, 7_200, 21_600],
  lookAgainSeconds: [5, 30, 300, 1_800, 7_200, 21_600, 43_200],
};

/** The API's side of withdrawals: one transaction each, the outbox notifies the flow. */
export function createWithdrawalActivities(deps: ActivityDeps) {
  return {
    /**
     * Takes a request: row, hold, operation and flow commit together. Raises kyc_required,
     * not_found (a bank card that is not the caller's) and validation_failed: channel not available,
     * below the minimum, finer than the channel pays, above what is withdrawable, account refused.
     */
    async requestWithdrawal(command: WithdrawalCommand): Promise<{ withdrawalId: number }> {
      try {
        return await runStep(
          deps.db,
          'withdrawal.request',
          async (tx) => await take(deps, tx, command),
        );
      } catch (error) {
        // The database's own floor, should anything but a withdrawal have moved the balance meanwhile.
        if (violatedConstraint(error) === 'no_overdraft') throw aboveBalance();
        throw error;
      }
    },

    /**
     * Until the payout begins: all of it is withdrawable again. Raises not_found for another's and
     * state_conflict. The row's lock decides between a cancel and the payout.
     */
    async cancelWithdrawal(command: {
      publisherId: number;
      withdrawalId: number;
      requestId: string;
    }): Promise<void> {
      await runStep(deps.db, 'withdrawal.cancel', async (tx) => {
        const withdrawal = await lockWithdrawal(deps, tx, command);
        if (!isCancellable(withdrawal.status)) {
          throw conflict(`Cannot cancel while ${withdrawal.status}.`, { from: withdrawal.status });
        }
        await moveWithdrawal(deps, tx, withdrawal, { action: 'cancel' });
        await postEntries(deps.db, tx, withdrawalReleased(withdrawal));
        await voidWithdrawalTasks(deps, tx, withdrawal.id);
        const workflowId = withdrawalWorkflowId(withdrawal.id);
        await reportOperation(deps, tx, workflowId, { status: 'cancelled', phase: 'cancelled' });
        await recordAudit(deps.db, tx, {
          actor: { type: 'ACCOUNT', id: command.publisherId },
          action: 'withdrawal.cancel',
          subject: { type: 'withdrawal', id: withdrawal.id },
          requestId: command.requestId,
        });
        await deps.outbox.enqueue(tx, {
          kind: 'workflow_signal',
          dedupeKey: `cancel:${workflowId}`,
          payload: { workflowId, signal: WITHDRAWAL_CANCEL_SIGNAL },
        });
      });
    },
  };
}

async function take(
  deps: ActivityDeps,
  tx: Transaction,
  command: WithdrawalCommand,
): Promise<{ withdrawalId: number }> {
  // One request of a publisher at a time: each sees the balance that the one before has left.
  const publisher = await lockPublisher(deps, tx, command.publisherId);
  if (publisher.kycStatus !== 'approved') throw kycRequired(publisher.kycStatus, command.kycUrl);
  const terms = payoutTerms(await loadSettings(runner(deps.db, tx)), command.channel);
  const chosen = await chooseDestination(deps, tx, command);
  const amounts = payoutAmounts(command.amountNanos, terms);
  const faults = payoutFaults(amounts, terms);
  if (faults.length > 0) throw invalid(...faults);
  const { withdrawableNanos } = await readPublisherBalance(
    runner(deps.db, tx),
    command.publisherId,
  );
  if (amounts.amountNanos > withdrawableNanos) throw aboveBalance(withdrawableNanos);

  const withdrawalId = await insertWithdrawal(deps, tx, { command, amounts, chosen, terms });
  await postEntries(
    deps.db,
    tx,
    withdrawalHeld({
      ...amounts,
      id: withdrawalId,
      publisherId: command.publisherId,
      channel: command.channel,
    }),
  );
  await startFlow(deps, tx, withdrawalId, command);
  await recordAudit(deps.db, tx, {
    actor: { type: 'ACCOUNT', id: command.publisherId },
    action: 'withdrawal.request',
    subject: { type: 'withdrawal', id: withdrawalId },
    detail: { amount: formatAmount(amounts.amountNanos), channel: command.channel },
    requestId: command.requestId,
  });
  return { withdrawalId };
}

const aboveBalance = (withdrawableNanos?: Nanos): DomainError =>
  invalid({
    field: 'amount',
    code: 'balance',
    message:
      withdrawableNanos === undefined
        ? 'is more than can be withdrawn'
        : `at most ${formatAmount(withdrawableNanos)} can be withdrawn`,
  });

const kycRequired = (kycStatus: string, kycUrl: string): DomainError =>
  new DomainError('kyc_required', {
    hints: { requires_kyc: true, kyc_status: kycStatus, kyc_url: kycUrl },
  });

interface NewRow {
  command: WithdrawalCommand;
  amounts: PayoutAmounts;
  chosen: ChosenDestination;
  terms: PayoutTerms;
}

async function insertWithdrawal(
  deps: ActivityDeps,
  tx: Transaction,
  { command, amounts, chosen, terms }: NewRow,
): Promise<number> {
  const now = deps.clock();
  const { rows } = await runner(deps.db, tx).query<{ id: string }>(
    `INSERT INTO withdrawals (publisher_id, amount_nanos, fee_nanos, tax_nanos, arrival_nanos,
       channel, account_masked, sealed_account, bank_card_id, destination_fingerprint,
       account_usable_from, terms, created_at, updated_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $13) RETURNING id`,
    [
      command.publisherId,
      amounts.amountNanos.toString(),
      amounts.feeNanos.toString(),
      amounts.taxNanos.toString(),
      amounts.arrivalNanos.toString(),
      command.channel,
      chosen.masked,
      Buffer.from(chosen.sealed),
      chosen.bankCardId,
      chosen.fingerprint,
      chosen.usableFrom,
      JSON.stringify({
        fee_fixed: formatAmount(terms.feeFixedNanos),
        fee_ppm: terms.feePpm,
        tax_ppm: terms.taxPpm,
      }),
      now,
    ],
  );
  return Number(rows[0]?.id);
}

/** Neither amount nor account is named where Temporal's pages show it. */
async function startFlow(
  deps: ActivityDeps,
  tx: Transaction,
  withdrawalId: number,
  command: WithdrawalCommand,
): Promise<void> {
  const workflowId = withdrawalWorkflowId(withdrawalId);
  const input: WithdrawalInput = { withdrawalId, ...(command.waits ?? USUAL_WAITS) };
  await openOperation(deps, tx, {
    accountId: command.publisherId,
    kind: 'withdrawal',
    subject: { type: 'withdrawal', id: withdrawalId },
    workflowId,
  });
  await deps.outbox.enqueue(tx, {
    kind: 'workflow_start',
    dedupeKey: `start:${workflowId}`,
    payload: {
      workflowId,
      type: WITHDRAWAL_WORKFLOW,
      taskQueue: 'money',
      input,
      summary: `Withdrawal ${withdrawalId} by ${command.channel}`,
    },
  });
}
