import type { Transaction } from 'sequelize';
import { runner } from '../../db/postgres.ts';
import { loadSettings } from '../../db/settings.ts';
import { amountBand } from '../../domain/amount-band.ts';
import { notFound } from '../../domain/errors.ts';
import { depositCredited } from '../../domain/ledger/postings.ts';
import { type Nanos, presentAmount } from '../../domain/money.ts';
import { needsSecondPerson } from '../../domain/second-person.ts';
import {
  depositWorkflowId,
  type SuspenseInput,
  suspenseStart,
  suspenseWorkflowId,
} from '../../workflows/contracts/deposit.ts';
import { forgetLowBalance } from '../accounts/notifications.ts';
import type { ActivityDeps } from '../deps.ts';
import { consent } from '../core/approvals.ts';
import { postEntries } from '../core/ledger.ts';
import { publishInventory, startFlow } from '../core/outbox.ts';
import type { TaskKind } from '../../domain/lifecycle/task.ts';
import { openTask } from '../review/tasks.ts';
import type { RecordOf } from '../../db/schema/models.ts';
import { moveRecord } from '../core/move-record.ts';

type DepositReceipt = RecordOf<'depositReceipts'>;
type Deposit = RecordOf<'deposits'>;

/** What the ledger's deposit postings take, off a receipt. */
export function postingOf(receipt: DepositReceipt): {
  receiptId: number;
  depositId: number;
  provider: string;
  amountNanos: Nanos;
} {
  return {
    receiptId: receipt.id,
    depositId: receipt.depositId,
    provider: receipt.provider,
    amountNanos: receipt.amountNanos,
  };
}

/** Hands a receipt to a flow of its own; the same receipt twice is one flow. */
export async function startSuspenseFlow(
  deps: ActivityDeps,
  tx: Transaction,
  { deposit, receipt, ...how }: Money & Pick<SuspenseInput, 'isRefunding'>,
): Promise<void> {
  await startFlow(deps, tx, suspenseStart({ receiptId: receipt.id, ...how }), {
    accountId: deposit.advertiserId,
    amountBand: amountBand(receipt.amountNanos),
  });
}

export async function lockReceipt(
  deps: ActivityDeps,
  tx: Transaction,
  receiptId: number,
): Promise<DepositReceipt> {
  const receipt = await deps.db.models.depositReceipts.findByPk(receiptId, {
    transaction: tx,
    lock: tx.LOCK.UPDATE,
  });
  if (receipt === null) throw notFound();
  return receipt;
}

interface Money {
  deposit: Pick<Deposit, 'id' | 'advertiserId'>;
  receipt: Pick<DepositReceipt, 'id' | 'amountNanos'>;
}

interface Question {
  deposit: Deposit;
  receipt: DepositReceipt;
  kind: TaskKind & ('deposit_review' | 'deposit_second_approval' | 'suspense');
  /** Who has decided it alone, above the limit: another person must too. */
  second?: number;
}

/** Above the limit, whoever entered the receipt may not decide what becomes of it (four eyes). */
export async function askOperator(
  deps: ActivityDeps,
  tx: Transaction,
  question: Question,
): Promise<number> {
  const { deposit, receipt, kind, second } = question;
  const own = kind === 'suspense' ? suspenseWorkflowId(receipt.id) : depositWorkflowId(deposit.id);
  const settings = await loadSettings(runner(deps.db, tx));
  const secondPerson =
    kind === 'deposit_second_approval' ||
    needsSecondPerson(settings, 'deposit', receipt.amountNanos);
  return await openTask(deps, tx, {
    kind,
    subject: { type: 'deposit', id: deposit.id },
    accountId: deposit.advertiserId,
    heading: {
      form: 'RECEIPT',
      amount: presentAmount(receipt.amountNanos),
      ordered: presentAmount(deposit.amountNanos),
      reference: deposit.reference,
    },
    decisions: kind === 'suspense' ? ['credit', 'refund'] : ['approve', 'reject'],
    payload: { receipt_id: receipt.id },
    makerId: second ?? (secondPerson ? receipt.operatorId : null),
    workflowId: own,
    dedupeKey: `${own}:${kind}:${receipt.id}${second === undefined ? '' : `:${second}`}`,
    dueAt: new Date(deps.clock().getTime() + MONEY_DUE_MS),
  });
}

const MONEY_DUE_MS = 24 * 3_600_000;

/** Whether the money of a receipt may move now. Its recorder asks; what a provider has signed nobody has to. */
export async function consentTo(
  deps: ActivityDeps,
  tx: Transaction,
  move: {
    receipt: DepositReceipt;
    kind: 'deposit_credit' | 'deposit_refund';
    deciderId: number | null;
  },
): Promise<'GRANTED' | 'SECOND'> {
  const { receipt, kind, deciderId } = move;
  const { id: subject, operatorId: makerId } = receipt;
  const isSigned = makerId === null && kind === 'deposit_credit';
  return await consent(deps, tx, { kind, subject, makerId, deciderId, isSigned });
}

export async function creditReceipt(
  deps: ActivityDeps,
  tx: Transaction,
  deposit: Deposit,
  receipt: DepositReceipt,
): Promise<void> {
  const { advertiserId } = deposit;
  // Money leaves suspense once, whoever asks.
  const move = { record: receipt, state: 'state', action: 'credit' } as const;
  await moveRecord(deps.db, tx, 'depositReceipts', move);
  await postEntries(deps.db, tx, depositCredited({ ...postingOf(receipt), advertiserId }));
  await forgetLowBalance(deps, tx, advertiserId);
  await publishInventory(deps.outbox, tx, { topic: 'advertiser', id: advertiserId });
}
