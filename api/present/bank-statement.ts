import type * as yup from 'yup';
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
import { presentAmount } from '../../domain/money.ts';
import { needsSecondPerson } from '../../domain/second-person.ts';
import type { Settings } from '../../domain/settings.ts';
import {
  date,
  idOf,
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

export function presentStatementLine(
  line: LineOfOrder,
  settings: Settings,
): yup.InferType<typeof statementLineShape> {
  const { order } = line;
  const isOpen = line.state !== 'RECORDED';
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
