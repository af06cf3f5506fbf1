import type * as yup from 'yup';
import { POSITION_ITEMS, type PositionAccount } from '../../db/queries/bank-position.ts';
import { LINE_STATES, type LineOfOrder } from '../../db/queries/bank-statements.ts';
import type { BankStatementRow } from '../../db/tables/bank-statement.ts';
import { STATEMENT_FORMATS } from '../../domain/bank-statement/lines.ts';
import {
  effectOf,
  RECEIPT_EFFECTS,
  UNMATCHED_REASONS,
  whyUnmatched,
} from '../../domain/bank-statement/match.ts';
import { DEPOSIT_STATUSES, RECEIPT_STATES } from '../../domain/lifecycle/deposit.ts';
import { WITHDRAWAL_STATUSES } from '../../domain/lifecycle/withdrawal.ts';
import { presentAmount } from '../../domain/money.ts';
import { needsSecondPerson } from '../../domain/second-person.ts';
import type { Settings } from '../../domain/settings.ts';
import {
  date,
  flag,
  idOf,
  listOf,
  idOrNullOf,
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

export const statementShape = record(
  {
    id: idOf(),
    account: words(),
    file_name: wordsOrNull(),
    format: oneOf(STATEMENT_FORMATS),
    /** Incoming lines of the file; those that an earlier statement had are not added again. */
    lines: whole().min(0),
    added: whole().min(0),
    /** Movements of the file that are no payment to us. */
    outgoing: whole().min(0),
    /** Of the lines that were added. */
    proposed: whole().min(0),
    unmatched: whole().min(0),
    recorded: whole().min(0),
    operator_id: idOf(),
    created_at: time(),
  },
  'BankStatement',
);

/** What an upload answers. */
export const uploadedStatementShape = statementShape
  .shape({
    /** The same file was here before: this is what it led to then. */
    repeated: flag(),
  })
  .meta({ name: 'UploadedBankStatement' });

type Counts = readonly {
  statementId: number;
  state: (typeof LINE_STATES)[number];
  lines: number;
}[];

export function presentStatement(
  row: BankStatementRow,
  counts: Counts,
): yup.InferType<typeof statementShape> {
  const of = (state: (typeof LINE_STATES)[number]): number =>
    counts.find((each) => each.statementId === row.id && each.state === state)?.lines ?? 0;
  return {
    id: row.id,
    account: row.account,
    file_name: row.fileName,
    format: row.format,
    lines: row.lineCount,
    added: row.addedCount,
    outgoing: row.outgoingCount,
    proposed: of('PROPOSED'),
    unmatched: of('UNMATCHED'),
    recorded: of('RECORDED'),
    operator_id: row.operatorId,
    created_at: row.createdAt.toISOString(),
  };
}

export const statementLineShape = record(
  {
    id: idOf(),
    line: whole().min(1),
    booked_on: date(),
    amount: money(),
    currency: words(),
    reference: words(),
    payer: wordsOrNull(),
    text: wordsOrNull(),
    state: oneOf(LINE_STATES),
    direction: oneOf(['IN', 'OUT'] as const),
    /** It takes an earlier movement back. */
    is_reversal: flag(),
    /** Whose payout its words name. */
    withdrawal_id: idOrNullOf(),
    /** How that stands, and what it was to pay; `fits`: this is as much. */
    payout: record({
      status: oneOf(WITHDRAWAL_STATUSES),
      amount: money(),
      currency: words(),
      fits: flag(),
    }).nullable(),
    /** The way back that it has paid, and the refund of balance of which that is a part. */
    refund_id: idOrNullOf(),
    balance_refund_id: idOrNullOf(),
    /** In the words of who said that it is nothing of the platform's. */
    explanation: wordsOrNull(),
    /** The second person's question whether it is nothing of the platform's. */
    approval_id: idOrNullOf(),
    /** Why it is not proposed. */
    reason: oneOfOrNull(UNMATCHED_REASONS),
    /** What recording it for `order` brings about. */
    effect: oneOfOrNull(RECEIPT_EFFECTS),
    /** That its words name, or that it was recorded for. */
    order: record({
      id: idOf(),
      advertiser_id: idOf(),
      amount: money(),
      status: oneOf(DEPOSIT_STATUSES),
    }).nullable(),
    receipt_id: idOrNullOf(),
    receipt_state: oneOfOrNull(RECEIPT_STATES),
    recorded_by: idOrNullOf(),
    recorded_at: timeOrNull(),
  },
  'BankStatementLine',
);

function payoutOf(line: LineOfOrder): yup.InferType<typeof statementLineShape>['payout'] {
  const { payoutNanos: nanos, payoutCurrency: currency, payoutStatus: status } = line;
  if (nanos === null || currency === null || status === null) return null;
  const fits = nanos === line.amountNanos && currency === line.currency;
  return { status, amount: presentAmount(nanos), currency, fits };
}

export function presentStatementLine(
  line: LineOfOrder,
  settings: Settings,
): yup.InferType<typeof statementLineShape> {
  const { order } = line;
  const isOpen = line.state === 'PROPOSED' || line.state === 'UNMATCHED';
  const secondPerson = needsSecondPerson(settings, 'deposit', line.amountNanos);
  return {
    id: line.id,
    line: line.line,
    booked_on: line.bookedOn,
    amount: presentAmount(line.amountNanos),
    currency: line.currency,
    reference: line.reference,
    payer: line.payer,
    text: line.remittance,
    state: line.state,
    direction: line.direction,
    is_reversal: line.isReversal,
    withdrawal_id: line.withdrawalId,
    payout: payoutOf(line),
    refund_id: line.refundId,
    balance_refund_id: line.balanceRefundId,
    explanation: line.explanation,
    approval_id: line.approvalId,
    reason: isOpen ? whyUnmatched(line, order) : null,
    effect: isOpen && order !== null ? effectOf(line, order, secondPerson) : null,
    order:
      order === null
        ? null
        : {
            id: order.id,
            advertiser_id: order.advertiserId,
            amount: presentAmount(order.amountNanos),
            status: order.status,
          },
    receipt_id: line.receiptId,
    receipt_state: line.receiptId === null ? null : line.receiptState,
    recorded_by: line.recordedBy,
    recorded_at: line.recordedAt?.toISOString() ?? null,
  };
}

export const bankPositionShape = record({
  accounts: listOf(
    record({
      account: words(),
      pays_out: flag(),
      takes_in: flag(),
      /** Behind the close of which day the two are held against each other, and up to which. */
      since: date(),
      until: date(),
      /** As the bank closed both days. */
      began: money(),
      stands: money(),
      /** What the bank has beyond our books: `gap` and all items. */
      difference: money(),
      /** Between the bank's balances and its own movements: a statement is missing. */
      gap: money(),
      open: whole().min(0),
      /** Late ones first, then the oldest; 100 of all accounts. */
      items: listOf(
        record({
          item: oneOf(POSITION_ITEMS),
          day: date(),
          amount: money(),
          is_late: flag(),
          line_id: idOrNullOf(),
          statement_id: idOrNullOf(),
          receipt_id: idOrNullOf(),
          withdrawal_id: idOrNullOf(),
          refund_id: idOrNullOf(),
          balance_refund_id: idOrNullOf(),
        }),
      ),
    }),
  ),
});

export const presentBankPosition = (
  accounts: readonly PositionAccount[],
): yup.InferType<typeof bankPositionShape> => ({
  accounts: accounts.map((account) => ({
    account: account.account,
    pays_out: account.paysOut,
    takes_in: account.takesIn,
    since: account.since,
    until: account.until,
    began: presentAmount(account.beganNanos),
    stands: presentAmount(account.standsNanos),
    difference: presentAmount(account.gapNanos + account.openNanos),
    gap: presentAmount(account.gapNanos),
    open: account.items,
    items: account.open.map((each) => ({
      item: each.item,
      day: each.day,
      amount: presentAmount(each.nanos),
      is_late: each.isLate,
      line_id: each.lineId,
      statement_id: each.statementId,
      receipt_id: each.receiptId,
      withdrawal_id: each.withdrawalId,
      refund_id: each.refundId,
      balance_refund_id: each.balanceRefundId,
    })),
  })),
});
