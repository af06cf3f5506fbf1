import type { Transaction } from 'sequelize';
import { runner } from '../../db/postgres.ts';
import type { RecordOf } from '../../db/schema/models.ts';
import { loadSettings } from '../../db/settings.ts';
import { effectOf, type ReceiptEffect } from '../../domain/bank-statement/match.ts';
import { conflict, type FieldError, invalid } from '../../domain/errors.ts';
import type { Nanos } from '../../domain/money.ts';
import { needsSecondPerson } from '../../domain/second-person.ts';
import type { ActivityDeps } from '../deps.ts';
import { evidenceFaults, offlineFaults } from './receipt-evidence.ts';

type DepositReceipt = RecordOf<'depositReceipts'>;
type Deposit = RecordOf<'deposits'>;

export interface ReceiptCommand {
  depositId: number;
  amountNanos: Nanos;
  /** The provider's or bank's own reference: one receipt per method and reference. */
  reference: string;
  receivedAt: Date | null;
  /** What proves it: a row of receipt_evidence, and the field that named it. */
  evidence: { id: number; field: string } | null;
  /** Why it is credited; of OFFLINE nobody but its operator says that it arrived. */
  reason?: string | null;
  /** What whoever records it was told that it would bring about, before they agreed to it. */
  effect?: ReceiptEffect | undefined;
  /** Null: the provider says it, not a person. */
  operatorId: number | null;
  requestId: string | null;
}

/**
 * Of two who record at once, the second one's money is not what the order waits for any more. Raises state_conflict
 * where it is not what whoever records it was shown.
 */
export async function keepToEffect(
  deps: ActivityDeps,
  tx: Transaction,
  deposit: Deposit,
  { amountNanos, effect }: ReceiptCommand,
): Promise<void> {
  if (effect === undefined) return;
  const settings = await loadSettings(runner(deps.db, tx));
  const now = effectOf(
    { amountNanos },
    deposit,
    needsSecondPerson(settings, 'deposit', amountNanos),
  );
  if (now !== effect) {
    throw conflict('It would not do any more what was shown; look at it again.', { effect: now });
  }
}

/** Raises validation_failed: a time to come, evidence that is another's or another receipt's, none where it is needed. */
export async function insertReceipt(
  deps: ActivityDeps,
  tx: Transaction,
  deposit: Deposit,
  command: ReceiptCommand,
): Promise<DepositReceipt> {
  const errors: FieldError[] = [];
  const receivedAt = command.receivedAt ?? deps.clock();
  if (receivedAt.getTime() > deps.clock().getTime() + CLOCK_TOLERANCE_MS) {
    errors.push({ field: 'received_at', code: 'max', message: 'must not be in the future' });
  }
  const { evidence, operatorId } = command;
  if (evidence !== null && operatorId !== null) {
    errors.push(...(await evidenceFaults(runner(deps.db, tx), { ...evidence, operatorId })));
  }
  errors.push(...offlineFaults(deposit.paymentMethod, command));
  if (errors.length > 0) throw invalid(...errors);
  return await deps.db.models.depositReceipts.create(
    {
      depositId: deposit.id,
      amountNanos: command.amountNanos,
      currency: deposit.currency,
      provider: deposit.paymentMethod,
      providerReference: command.reference,
      receivedAt,
      evidenceId: evidence?.id ?? null,
      reason: command.reason ?? null,
      operatorId: command.operatorId,
    },
    { transaction: tx },
  );
}

const CLOCK_TOLERANCE_MS = 5 * 60_000;
