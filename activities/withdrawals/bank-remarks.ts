import type { Transaction } from 'sequelize';
import { runner } from '../../db/postgres.ts';
import { readFileTakenBack } from '../../db/queries/payout-file-take-backs.ts';
import type { RecordOf } from '../../db/schema/models.ts';
import { loadSettings } from '../../db/settings.ts';
import { at } from '../../domain/bank-statement/lines.ts';
import { type FieldError, invalid } from '../../domain/errors.ts';
import type { Nanos } from '../../domain/money.ts';
import {
  type BankRemark,
  isFileReference,
  isStronger,
  saysBankHasIt,
} from '../../domain/payout-status.ts';
import { needsSecondPerson } from '../../domain/second-person.ts';
import { bankReferenceKey } from '../../domain/bank-reference.ts';
import {
  WITHDRAWAL_CANCEL_SIGNAL,
  withdrawalWorkflowId,
} from '../../workflows/contracts/withdrawal.ts';
import { recordAudit } from '../core/audit.ts';
import { runStep } from '../core/run-once.ts';
import type { ActivityDeps } from '../deps.ts';
import type { StatusFile } from '../providers/bank-status-file.ts';
import { tellOfGivenBack, tellOfOldFile } from './payout-old-file.ts';
import { type LockedPayout, lockPayout, referenceOf } from './payout-order.ts';
import { markRefused, recordOutcome } from './payout-outcome.ts';
import { lockWithdrawal } from './withdrawal-moves.ts';

export interface ImportStatusFile {
  file: StatusFile;
  fileName: string | null;
  sha256: string;
  operatorId: number;
  requestId: string;
}

/**
 * What became of the order by a remark: PAID, put to an operator, kept, or it waits for another person; OLD_FILE: it is
 * of a file that was taken back, and the order is as it was.
 */
export const REMARK_OUTCOMES = [
  'PAID',
  'ASKED',
  'NOTED',
  'SECOND_PERSON',
  'OLD_FILE',
  'ENDED',
  'GIVEN_BACK',
] as const;
export type RemarkOutcome = (typeof REMARK_OUTCOMES)[number];

const FAULTS_MAX = 20;

/** Of each order; what was said of a file with several is said of each of them. */
type Told = Omit<Said, 'file'> & Applied & { reference: string };

/** `oldFile`: what carried it was taken back, and the bank has it. */
type Applied = { outcome: RemarkOutcome; oldFile: string | null };

/** Files of the bank about orders that were carried to it (interface 5.12). */
export function createBankRemarkActivities(deps: ActivityDeps) {
  return {
    /**
     * Keeps what the bank says of each order, once: the same file again is the file that it was, and tries
     * again what waited for another person. All or nothing; raises validation_failed, naming the row, for an
     * order that is none of the bank's or of another amount, or for debits of another account.
     */
    async importStatusFile(
      command: ImportStatusFile,
    ): Promise<{ fileId: number; repeated: boolean; remarks: Told[] }> {
      return await runStep(
        deps.db,
        'payout_status.import',
        async (tx) => await take(deps, tx, command),
      );
    },
  };
}

async function take(deps: ActivityDeps, tx: Transaction, command: ImportStatusFile) {
  const { file, fileName, sha256, operatorId, requestId } = command;
  const { origin } = deps.providers.payouts;
  if (file.account !== null && !isOurs(file.account, origin)) {
    throw invalid(at(1, null, 'account', 'this is not the account that payouts leave from.'));
  }
  const { payoutStatusFiles, payoutRemarks } = deps.db.models;
  await runner(deps.db, tx).query(`SELECT pg_advisory_xact_lock(hashtextextended($1, 0))`, [
    `payout-status:${sha256}`,
  ]);
  const earlier = await payoutStatusFiles.findOne({ where: { sha256 }, transaction: tx });
  const about = await ordersOf(deps, tx, file.remarks);
  const { id: fileId } =
    earlier ??
    (await payoutStatusFiles.create(
      { kind: file.kind, sha256, fileName, operatorId },
      { transaction: tx },
    ));
  const outcomes: Record<string, RemarkOutcome> = {};
  const remarks: Told[] = [];
  for (const { remark, locked } of about) {
    const { reference, file: carriedIn, status, code, reason, words, bankReference } = remark;
    if (earlier === null) {
      const withdrawalId = locked.withdrawal.id;
      await payoutRemarks.create(
        { fileId, withdrawalId, status, code, reason, words, bankReference, carriedIn },
        { transaction: tx },
      );
    }
    const applied = await apply(deps, tx, { locked, remark, operatorId });
    outcomes[reference] = applied.outcome;
    remarks.push({ reference, status, code, reason, words, bankReference, ...applied });
  }
  if (earlier === null) {
    await recordAudit(deps.db, tx, {
      actor: { type: 'OPERATOR', id: operatorId },
      action: 'payout_status.import',
      subject: { type: 'payout_status_file', id: fileId },
      detail: { sha256, kind: file.kind, outcomes },
      requestId,
    });
  }
  return { fileId, repeated: earlier !== null, remarks };
}

export const isOurs = (account: string, origin: { iban: string } | null): boolean =>
  origin !== null && bankReferenceKey(account) === bankReferenceKey(origin.iban);

interface Remarked {
  remark: BankRemark;
  locked: LockedPayout;
}

/** Locked in the order of their numbers, whatever the file's; raises what is wrong with any. */
async function ordersOf(
  deps: ActivityDeps,
  tx: Transaction,
  remarks: readonly BankRemark[],
): Promise<Remarked[]> {
  const faults: FieldError[] = [];
  const each = await ofEachOrder(deps, tx, remarks);
  const sorted = each.toSorted((a, b) => numberOf(a.reference) - numberOf(b.reference));
  const found: Remarked[] = [];
  for (const remark of sorted) {
    const { line, reference, amountNanos } = remark;
    const locked = await findOrder(deps, tx, reference);
    if (locked === null) {
      faults.push(at(line, null, 'unknown_reference', `${reference} is no order of the bank's.`));
    } else if (amountNanos !== null && amountNanos !== locked.withdrawal.arrivalNanos) {
      faults.push(at(line, null, 'amount', `${reference} was ordered with another amount.`));
    } else found.push({ remark, locked });
  }
  if (faults.length > 0) throw invalid(...faults.slice(0, FAULTS_MAX));
  return found;
}

/** A file of several orders is spoken of as one: each of them is meant. */
async function ofEachOrder(
  { db }: ActivityDeps,
  tx: Transaction,
  remarks: readonly BankRemark[],
): Promise<BankRemark[]> {
  const { payoutFiles, payouts } = db.models;
  const told = remarks.map(async (remark) => {
    const { reference: externalRef } = remark;
    if (!isFileReference(externalRef)) return [remark];
    const back = await readFileTakenBack(runner(db, tx), externalRef);
    if (back !== undefined) {
      return back.withdrawalIds.map((id) => ({
        ...remark,
        reference: referenceOf(id),
        file: externalRef,
      }));
    }
    const file = await payoutFiles.findOne({
      where: { externalRef },
      transaction: tx,
    });
    const held = await payouts.findAll({
      where: { fileId: file?.id ?? 0 },
      transaction: tx,
    });
    const orders = held.filter(({ fileTakenAt }) => fileTakenAt !== null);
    // None: it is refused as any other order that nobody knows.
    if (orders.length === 0) return [remark];
    return orders.map((order) => ({ ...remark, reference: order.externalRef }));
  });
  return (await Promise.all(told)).flat();
}

const numberOf = (reference: string): number => Number(reference.slice('WD-'.length));

async function findOrder(
  deps: ActivityDeps,
  tx: Transaction,
  reference: string,
): Promise<LockedPayout | null> {
  const where = { externalRef: reference, channel: 'BANK' as const };
  const payout = await deps.db.models.payouts.findOne({ where, transaction: tx });
  if (payout === null) return null;
  const withdrawal = await lockWithdrawal(deps, tx, payout);
  return await lockPayout(deps, tx, withdrawal);
}

/** A debit of ours that the bank has booked, off its statement. */
export interface BookedDebit {
  reference: string;
  amountNanos: Nanos;
  bankReference: string;
}

/** As a booked debit of a camt.054; one of another amount, or of no order, is for a person to see. */
export async function applyBookedDebits(
  deps: ActivityDeps,
  tx: Transaction,
  { debits, operatorId }: { debits: readonly BookedDebit[]; operatorId: number },
): Promise<void> {
  const sorted = debits.toSorted((a, b) => numberOf(a.reference) - numberOf(b.reference));
  for (const debit of sorted) {
    const locked = await findOrder(deps, tx, debit.reference);
    if (locked === null || locked.withdrawal.arrivalNanos !== debit.amountNanos) continue;
    const said = {
      file: null,
      status: 'BOOKED',
      code: 'BOOK',
      reason: null,
      words: null,
    } as const;
    await apply(deps, tx, {
      locked,
      remark: { ...debit, ...said },
      operatorId,
    });
  }
}

type Said = Pick<BankRemark, 'file' | 'status' | 'code' | 'reason' | 'words' | 'bankReference'>;

async function apply(
  deps: ActivityDeps,
  tx: Transaction,
  of: { locked: LockedPayout; remark: Said; operatorId: number },
): Promise<Applied> {
  const { file, status } = of.remark;
  const back = file === null ? undefined : await readFileTakenBack(runner(deps.db, tx), file);
  if (back === undefined) return { outcome: await note(deps, tx, of), oldFile: null };
  if (!saysBankHasIt(status)) return { outcome: 'OLD_FILE', oldFile: null };
  await tellOfOldFile(deps, tx, { payout: of.locked.payout, back });
  return { outcome: await note(deps, tx, of), oldFile: back.reference };
}

async function note(
  deps: ActivityDeps,
  tx: Transaction,
  { locked, remark, operatorId }: { locked: LockedPayout; remark: Said; operatorId: number },
): Promise<RemarkOutcome> {
  const { withdrawal, payout } = locked;
  const { status, code } = remark;
  if (isStronger(status, payout.bankStatus)) {
    const bankWords = [remark.reason, remark.words].filter((part) => part !== null).join(': ');
    await payout.update(
      { bankStatus: status, bankCode: code, bankWords: bankWords === '' ? null : bankWords },
      { transaction: tx, silent: true },
    );
  }
  if (payout.state !== 'FILE') {
    if (payout.state === 'REJECTED' && status === 'BOOKED') {
      await tellOfGivenBack(deps, tx, withdrawal);
      return 'GIVEN_BACK';
    }
    return 'ENDED';
  }
  if (status === 'REFUSED' && payout.bankStatus === 'REFUSED') {
    return (await markRefused(deps, tx, locked)) ? 'ASKED' : 'NOTED';
  }
  if (status !== 'BOOKED') return 'NOTED';
  if (await isOneself(deps, tx, { withdrawal, operatorId })) return 'SECOND_PERSON';
  const reference = remark.bankReference;
  await recordOutcome(deps, tx, locked, { action: 'post', code: 'BOOKED', reference });
  const workflowId = withdrawalWorkflowId(withdrawal.id);
  // Its flow waits for a person who need not come any more.
  await deps.outbox.enqueue(tx, {
    kind: 'workflow_signal',
    dedupeKey: `booked:${workflowId}`,
    payload: { workflowId, signal: WITHDRAWAL_CANCEL_SIGNAL },
  });
  return 'PAID';
}

/** Above the limit whoever approved it does not say alone what became of it, by a file either. */
async function isOneself(
  deps: ActivityDeps,
  tx: Transaction,
  { withdrawal, operatorId }: { withdrawal: RecordOf<'withdrawals'>; operatorId: number },
): Promise<boolean> {
  if (withdrawal.approvedBy !== operatorId) return false;
  const settings = await loadSettings(runner(deps.db, tx));
  return needsSecondPerson(settings, 'payout', withdrawal.amountNanos);
}
