import { nextId } from '../../db/next-id.ts';
import type { Transaction } from 'sequelize';
import { runner, violatedConstraint } from '../../db/postgres.ts';
import { loadSettings } from '../../db/settings.ts';
import { readApprovedIdentity } from '../../db/queries/kyc.ts';
import { readTaxTerm } from '../../db/queries/money-terms.ts';
import { readPublisherBalance } from '../../db/queries/withdrawals.ts';
import type { WithdrawalRow } from '../../db/tables/withdrawal.ts';
import { amountBand } from '../../domain/amount-band.ts';
import { DomainError, invalid } from '../../domain/errors.ts';
import { isOver, kycRequired } from '../../domain/lifecycle/kyc.ts';
import { withdrawalHeld } from '../../domain/ledger/payout-postings.ts';
import type { PayoutChannel } from '../../domain/lifecycle/withdrawal.ts';
import { formatAmount, type Nanos } from '../../domain/money.ts';
import {
  type PayoutAmounts,
  payoutAmounts,
  payoutFaults,
  payoutTerms,
} from '../../domain/payout-terms.ts';
import {
  WITHDRAWAL_CANCEL_SIGNAL,
  withdrawalStart,
  type WithdrawalInput,
  withdrawalWorkflowId,
} from '../../workflows/contracts/withdrawal.ts';
import { recordAudit } from '../core/audit.ts';
import { startFlow } from '../core/outbox.ts';
import type { ActivityDeps } from '../deps.ts';
import { postEntries } from '../core/ledger.ts';
import { openOperation } from '../core/operations.ts';
import {
  type BankChoice,
  chooseDestination,
  type ChosenDestination,
} from './payout-destination.ts';
import { runStep } from '../core/run-once.ts';
import {
  lockPublisher,
  lockWithdrawal,
  tellOfWithdrawal,
  voidWithdrawal,
} from './withdrawal-moves.ts';

export interface WithdrawalCommand {
  publisherId: number;
  /** Who of the account asks, when it is not its owner; for the audit log. */
  memberId?: number | null | undefined;
  amountNanos: Nanos;
  channel: PayoutChannel;
  /** interface 2.10: the receiving account of channels that are not banks. */
  accountInfo: string | null;
  bank: BankChoice | null;
  /** For the hint of a 412 (interface 7). */
  kycUrl: string;
  requestId: string;
}

/** What nobody knows is settled so soon after its provider can be asked. */
const LOOK_EVERY_SECONDS = 300;
/** For a day, before a person is asked. */
const LOOKS = 24 * 12;

/** Waits of the payout's flow. */
export const WITHDRAWAL_WAITS: Omit<WithdrawalInput, 'withdrawalId'> = {
  sendAgainSeconds: [60, 300, 1_800, 7_200, 21_600],
  lookAgainSeconds: [5, 30, 60, 120, ...Array.from({ length: LOOKS }, () => LOOK_EVERY_SECONDS)],
  senderAwayAgainSeconds: [5, 30, 300, 1_800],
  whileAskedAgainSeconds: [10_800],
};

/** The API's side of withdrawals: one transaction each, the outbox notifies the flow. */
export function createWithdrawalActivities(deps: ActivityDeps) {
  return {
    /**
     * Takes a request: row, hold, operation and flow commit together. Raises kyc_required, profile_incomplete (a kept account that still waits) and
     * validation_failed: channel not available, account refused or a card of somebody else, below
     * the minimum, finer than the channel pays, above what is withdrawable.
     */
    async requestWithdrawal(command: WithdrawalCommand): Promise<{ withdrawalId: number }> {
      try {
        return await runStep(deps.db, 'withdrawal.request', async (tx) => {
          const checked = await checkRequest(deps, tx, command);
          return await writeRequest(deps, tx, command, checked);
        });
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
      memberId?: number | null | undefined;
      withdrawalId: number;
      requestId: string;
    }): Promise<void> {
      await runStep(deps.db, 'withdrawal.cancel', async (tx) => {
        const withdrawal = await lockWithdrawal(deps, tx, command);
        await voidWithdrawal(deps, tx, withdrawal, {
          action: 'cancel',
          report: { status: 'cancelled', phase: 'cancelled' },
        });
        const workflowId = withdrawalWorkflowId(withdrawal.id);
        await recordAudit(deps.db, tx, {
          actor: { type: 'ACCOUNT', id: command.publisherId, memberId: command.memberId },
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

function unconfirmed({ kycUrl }: WithdrawalCommand, usableFrom: Date): DomainError {
  const at = usableFrom.toISOString();
  return new DomainError('profile_incomplete', {
    message: `A new account waits before it is paid to: this one can be used from ${at.slice(0, 16).replace('T', ' ')} UTC on.`,
    hints: {
      requires_kyc: false,
      kyc_status: 'approved',
      kyc_url: kycUrl,
      missing: ['payout_account'],
      usable_from: at,
    },
  });
}

/** Of the new row, what checking has found out. */
type CheckedRequest = PayoutAmounts &
  Pick<WithdrawalRow, 'terms'> &
  ChosenDestination & { id: number; requestedAt: Date };

/** One request of a publisher at a time: each sees the balance that the one before has left. */
async function checkRequest(
  deps: ActivityDeps,
  tx: Transaction,
  command: WithdrawalCommand,
): Promise<CheckedRequest> {
  const sql = runner(deps.db, tx);
  const { kycUrl } = command;
  const { kycStatus } = await lockPublisher(deps, tx, command.publisherId);
  if (kycStatus !== 'approved') throw kycRequired(kycStatus, { kycUrl });
  // The round that ends it may come up to an hour later.
  const identity = await readApprovedIdentity(sql, command.publisherId);
  if (identity !== undefined && isOver(identity, deps.clock())) {
    throw kycRequired('expired', { kycUrl });
  }
  const id = await nextId(sql, 'withdrawals');
  const destination = await chooseDestination(deps, tx, { ...command, withdrawalId: id });
  // A kept account that is confirmed only later is named with its hour; nothing is held for it.
  if (destination.bankCardId !== null && destination.accountUsableFrom > deps.clock()) {
    throw unconfirmed(command, destination.accountUsableFrom);
  }
  const { withdrawableNanos } = await readPublisherBalance(sql, command.publisherId);
  const requestedAt = deps.clock();
  const tax = await readTaxTerm(sql, command.publisherId, requestedAt);
  const terms = payoutTerms(await loadSettings(sql), command.channel, tax);
  const amounts = payoutAmounts(command.amountNanos, terms);
  const faults = payoutFaults(amounts, terms);
  if (faults.length > 0) throw invalid(...faults);
  if (amounts.amountNanos > withdrawableNanos) throw aboveBalance(withdrawableNanos);
  return {
    id,
    ...amounts,
    ...destination,
    terms: {
      fee_fixed: formatAmount(terms.feeFixedNanos),
      fee_ppm: terms.feePpm,
      tax_ppm: terms.taxPpm,
      ...(tax === undefined
        ? {}
        : {
            tax: {
              id: tax.id,
              country: tax.country,
              entity_type: tax.entityType,
              basis: tax.basis,
            },
          }),
    },
    requestedAt,
  };
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

/** Row, hold, flow and audit. Neither amount nor account is named where Temporal's pages show it. */
async function writeRequest(
  deps: ActivityDeps,
  tx: Transaction,
  { publisherId, memberId, channel, requestId }: WithdrawalCommand,
  { requestedAt: now, ...checked }: CheckedRequest,
): Promise<{ withdrawalId: number }> {
  const withdrawal = await deps.db.models.withdrawals.create(
    { publisherId, channel, ...checked, createdAt: now, updatedAt: now },
    { transaction: tx, silent: true },
  );
  await postEntries(deps.db, tx, withdrawalHeld(withdrawal));
  const { id: withdrawalId } = withdrawal;
  const workflowId = withdrawalWorkflowId(withdrawalId);
  const subject = { type: 'withdrawal', id: withdrawalId };
  const input: WithdrawalInput = { withdrawalId, ...WITHDRAWAL_WAITS };
  await openOperation(deps, tx, {
    accountId: publisherId,
    kind: 'withdrawal',
    subject,
    workflowId,
  });
  await startFlow(deps, tx, withdrawalStart(input), {
    accountId: publisherId,
    amountBand: amountBand(checked.amountNanos),
  });
  await recordAudit(deps.db, tx, {
    actor: { type: 'ACCOUNT', id: publisherId, memberId },
    action: 'withdrawal.request',
    subject,
    detail: { amount: formatAmount(checked.amountNanos), channel },
    requestId,
  });
  await tellOfWithdrawal(deps, tx, withdrawal, 'withdrawal_requested');
  return { withdrawalId };
}
