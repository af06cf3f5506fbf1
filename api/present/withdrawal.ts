import type * as yup from 'yup';
import type { PayoutEvidence } from '../../db/queries/payout-evidence.ts';
import type { FileOfPayout, FileTakenBack } from '../../db/queries/payout-file-take-backs.ts';
import type { ShownWithdrawal } from '../../db/queries/withdrawals.ts';
import {
  isCancellable,
  PAYOUT_CHANNELS,
  WITHDRAWAL_STATUSES,
} from '../../domain/lifecycle/withdrawal.ts';
import { presentAmount } from '../../domain/money.ts';
import {
  FILE_NOT_TAKEN_BACK,
  type FileNotTakenBack,
  whyFileNotTakenBack,
} from '../../domain/payout-file-take-back.ts';
import { PAYOUT_STAGES } from '../../domain/payout-stage.ts';
import { BANK_STATUSES } from '../../domain/payout-status.ts';
import {
  flag,
  idOf,
  idOrNullOf,
  listOf,
  money,
  oneOf,
  oneOfOrNull,
  record,
  time,
  timeOrNull,
  whole,
  words,
  wordsOrNull,
} from '../http/response-shapes.ts';
import { evidenceShape, presentEvidence } from './evidence.ts';
import { presentKeptTax, taxReasonShape } from './money-term.ts';

const REFUSALS = Object.keys(FILE_NOT_TAKEN_BACK) as FileNotTakenBack[];

const reasonShape = record({
  code: words(),
  field: wordsOrNull(),
  note: wordsOrNull(),
});

const fields = {
  id: idOf(),
  amount: money(),
  fee: money(),
  tax: money(),
  /** Why so much was withheld; null where it was the same of everybody. */
  tax_reason: taxReasonShape,
  /** interface 2.10: amount minus fee minus tax. */
  arrival_amount: money(),
  currency: words(),
  payment_method: oneOf(PAYOUT_CHANNELS),
  channel: oneOf(PAYOUT_CHANNELS),
  /** Masked. */
  account: wordsOrNull(),
  bank_card_id: idOrNullOf(),
  status: oneOf(WITHDRAWAL_STATUSES),
  reasons: listOf(reasonShape),
  cancellable: flag(),
  /** Once approved: when the payout begins. */
  not_before: timeOrNull(),
  /** What the bank or provider calls it, once it was paid. */
  reference: wordsOrNull(),
  paid_at: timeOrNull(),
  version: whole(),
  created_at: time(),
  updated_at: time(),
};

export const withdrawalShape = record(fields, 'Withdrawal');

/** interface 4.12; one request, as its publisher sees it. */
export function presentWithdrawal(row: ShownWithdrawal): yup.InferType<typeof withdrawalShape> {
  return {
    id: row.id,
    amount: presentAmount(row.amountNanos),
    fee: presentAmount(row.feeNanos),
    tax: presentAmount(row.taxNanos),
    tax_reason: presentKeptTax(row.terms),
    arrival_amount: presentAmount(row.arrivalNanos),
    currency: row.currency,
    payment_method: row.channel,
    channel: row.channel,
    account: row.accountMasked,
    bank_card_id: row.bankCardId,
    status: row.status,
    reasons: (row.reasons ?? []).map(({ code, field, note }) => ({
      code,
      field: field ?? null,
      note: note ?? null,
    })),
    cancellable: isCancellable(row.status),
    not_before: row.notBefore?.toISOString() ?? null,
    reference: row.providerReference,
    paid_at: row.paidAt?.toISOString() ?? null,
    version: row.version,
    created_at: row.createdAt.toISOString(),
    updated_at: row.updatedAt.toISOString(),
  };
}

const payoutShape = record({
  state: words(),
  external_ref: words(),
  tries: whole(),
  looks: whole(),
  last_outcome: wordsOrNull(),
  /** Of the file that it is carried in, alone or with others; and when that was first handed out. */
  file_name: wordsOrNull(),
  file_sha256: wordsOrNull(),
  file_taken_at: timeOrNull(),
  /** The strongest word of the bank about a file that was carried to it. */
  bank_status: oneOfOrNull(BANK_STATUSES),
  bank_code: wordsOrNull(),
  bank_words: wordsOrNull(),
});

const presentPayout = (
  payout: NonNullable<ShownWithdrawal['payout']>,
): yup.InferType<typeof payoutShape> => ({
  state: payout.state,
  external_ref: payout.externalRef,
  tries: payout.tries,
  looks: payout.looks,
  last_outcome: payout.lastOutcome,
  file_name: payout.fileName,
  file_sha256: payout.fileSha256,
  file_taken_at: payout.fileTakenAt === null ? null : new Date(payout.fileTakenAt).toISOString(),
  bank_status: payout.bankStatus,
  bank_code: payout.bankCode,
  bank_words: payout.bankWords,
});

export const operatorWithdrawalShape = record(
  {
    ...fields,
    publisher_id: idOf(),
    publisher_name: wordsOrNull(),
    findings: listOf(record({ code: words(), severity: words(), note: wordsOrNull() })),
    payout: payoutShape.nullable(),
    /** Where it stands for whoever works on it; null where nothing is to be done. */
    stage: oneOfOrNull(PAYOUT_STAGES),
    stage_since: timeOrNull(),
    /** The question that is open about it, and who has decided before where it is put to another person. */
    task_id: idOrNullOf(),
    asked_by: wordsOrNull(),
  },
  'OperatorWithdrawal',
);

/** The same with what the automatic checks saw, and the state of the payout. */
export function presentWithdrawalForOperator(
  row: ShownWithdrawal,
): yup.InferType<typeof operatorWithdrawalShape> {
  return {
    ...presentWithdrawal(row),
    publisher_id: row.publisherId,
    publisher_name: row.publisherName,
    findings: row.findings.map(({ code, severity, note }) => ({
      code,
      severity,
      note: note ?? null,
    })),
    payout: row.payout === null ? null : presentPayout(row.payout),
    stage: row.stage,
    stage_since: row.stage === null ? null : row.stageSince.toISOString(),
    task_id: row.taskId,
    asked_by: row.askedBy,
  };
}

/** With what operators showed for what they said became of it, and what of its bank file can be done and was. */
export const withdrawalPageShape = operatorWithdrawalShape
  .shape({
    evidence: listOf(
      record(
        { file: evidenceShape, said: words(), operator: words(), at: time() },
        'PayoutEvidence',
      ),
    ),
    file_take_back: record({
      /** Every order that the file carries now. */
      orders: listOf(words()),
      /** Why it cannot be taken back; null where it can. */
      refusal: oneOfOrNull(REFUSALS),
      /** That asks a second person. */
      approval_id: idOrNullOf(),
      /** Files that it was in, and that were taken back, the latest first. */
      earlier: listOf(
        record({
          reference: words(),
          approval_id: idOf(),
          at: time(),
          /** Since when it is known that the bank has it nevertheless: it may be paid twice. */
          bank_has_it_at: timeOrNull(),
        }),
      ),
    }),
  })
  .meta({ name: 'WithdrawalPage' });

export const presentWithdrawalPage = (
  row: ShownWithdrawal,
  {
    evidence,
    file,
    back,
  }: {
    evidence: readonly PayoutEvidence[];
    file: FileOfPayout | undefined;
    back: readonly FileTakenBack[];
  },
): yup.InferType<typeof withdrawalPageShape> => ({
  ...presentWithdrawalForOperator(row),
  evidence: evidence.map((each) => ({
    file: presentEvidence(each),
    said: each.said,
    operator: each.operator,
    at: each.at.toISOString(),
  })),
  file_take_back: {
    orders: file?.orders.map(({ reference }) => reference) ?? [],
    refusal: file === undefined ? 'NO_FILE' : whyFileNotTakenBack(file),
    approval_id: file?.approvalId ?? null,
    earlier: back.map(({ reference, approvalId, createdAt, bankHasItAt }) => ({
      reference,
      approval_id: approvalId,
      at: createdAt.toISOString(),
      bank_has_it_at: bankHasItAt?.toISOString() ?? null,
    })),
  },
});
