import { day, flag, nanos, ref, text, word } from '../schema/column.ts';
import { readRows, type RowOf, select } from '../schema/selection.ts';
import type { SqlRunner } from '../sql-runner.ts';

/**
 * What the bank says and what our books say, held against each other account by account: from the first
 * statement that closed with a balance to the last. What neither side can say about the other is an item,
 * and all items with the gap in the statements themselves are the whole difference.
 */
export const POSITION_ITEMS = [
  /** Came in, and is no receipt yet. */
  'UNRECORDED',
  /** Went out, and neither a payout nor a refund of ours says that it was paid by it. */
  'UNKNOWN_OUT',
  /** Came back, or was taken back, and our books know nothing of it. */
  'TAKEN_BACK',
  /** Our books say that it came in; the bank does not. */
  'RECEIPT_NOT_AT_BANK',
  /** Our books say that it was paid; the bank still has it. */
  'PAYOUT_NOT_AT_BANK',
  /** Our books say that it was sent back to its payer; the bank still has it. */
  'REFUND_NOT_AT_BANK',
  /** Our books say that it came back; the bank does not. */
  'RETURN_NOT_AT_BANK',
] as const;

/** Days that a booking may take: a receipt is dated by its slip, and a payout is confirmed before a weekend. */
const BOOKING_DAYS = 5;
/** Finance has these days to say what a movement is. */
const WORKING_DAYS = 2;

const SIGNED = `CASE l.direction WHEN 'IN' THEN l.amount_nanos ELSE -l.amount_nanos END`;
const sameReference = (one: string, other: string): string =>
  `bank_reference_key(${one}) = bank_reference_key(${other})`;

/** A line that is of this payout: by its own reference, or by the bank's that a person wrote down. */
const ofPayout = (line: string): string => `(${line}.payout_reference = p.external_ref
  OR ${sameReference(`${line}.reference`, 'w.provider_reference')}) AND ${line}.amount_nanos = w.arrival_nanos`;
const backOf = (line: string): string => `(${line}.payout_reference = p.external_ref
  OR ${sameReference(`${line}.reference`, `w.reasons -> 0 ->> 'note'`)}) AND ${line}.amount_nanos = w.arrival_nanos
  AND ${line}.direction = 'IN' AND ${line}.receipt_id IS NULL`;
/** One transfer may pay several parts: they have its reference, and are together what went out. */
const REFUNDS = `refunds AS (
    SELECT bank_reference_key(w.reference) AS key_of, sum(w.amount_nanos) AS nanos, min(w.id) AS id,
      min(w.balance_refund_id) AS balance_refund_id, max(w.sent_at) AS sent_at
    FROM deposit_refunds w JOIN deposit_receipts r ON r.id = w.receipt_id
    WHERE r.provider = 'BANK' AND w.state = 'SENT' AND w.reference IS NOT NULL GROUP BY 1
  )`;
/** What paid a payout pays no refund as well. */
const ofRefund = (line: string): string => `bank_reference_key(${line}.reference) = f.key_of
  AND ${line}.amount_nanos = f.nanos AND ${line}.payout_reference IS NULL AND NOT EXISTS (SELECT FROM withdrawals o
    WHERE o.channel = 'BANK' AND ${sameReference(`${line}.reference`, 'o.provider_reference')})`;
/** What was written down was another reference: whoever explains the movement names it. */
const isNamedIn = (
  line: string,
): string => `${line}.explained_at IS NOT NULL AND ${line}.amount_nanos = f.nanos
  AND position(f.key_of IN bank_reference_key(${line}.explanation)) > 0`;
const isSent = (line: string): string => `${line}.direction = 'OUT' AND NOT ${line}.is_reversal`;

const SPANS = `closings AS (
    SELECT DISTINCT ON (bank_reference_key(s.account), b.on_day) bank_reference_key(s.account) AS key, s.account,
      s.pays_out, s.takes_in, b.on_day, b.amount_nanos
    FROM bank_statement_balances b JOIN bank_statements s ON s.id = b.statement_id
    WHERE b.kind = 'CLOSING' ORDER BY 1, b.on_day, s.id DESC
  ), spans AS (
    SELECT key, min(on_day) AS since, max(on_day) AS until, bool_or(pays_out) AS pays_out,
      bool_or(takes_in) AS takes_in, (array_agg(account ORDER BY on_day DESC))[1] AS account,
      (array_agg(amount_nanos ORDER BY on_day))[1] AS began_nanos,
      (array_agg(amount_nanos ORDER BY on_day DESC))[1] AS stands_nanos
    FROM closings GROUP BY key
  ), moved AS (
    SELECT s.key, COALESCE(sum(${SIGNED}), 0)::bigint AS nanos FROM spans s
    LEFT JOIN bank_statement_lines l ON bank_reference_key(l.account) = s.key
      AND l.booked_on > s.since AND l.booked_on <= s.until
    GROUP BY s.key
  ), gaps AS (
    SELECT key, s.stands_nanos - s.began_nanos - m.nanos AS nanos FROM spans s JOIN moved m USING (key)
  )`;

/** Signed as the bank has it beyond our books. */
const ITEMS = `${SPANS}, ${REFUNDS}, lines AS (
    SELECT s.key, l.* FROM spans s JOIN bank_statement_lines l ON bank_reference_key(l.account) = s.key
      AND l.booked_on > s.since AND l.booked_on <= s.until
    WHERE l.explained_at IS NULL AND l.receipt_id IS NULL
  ), items AS (
    SELECT l.key, 'UNRECORDED' AS item, l.booked_on AS day, l.amount_nanos AS nanos, l.id AS line_id, l.statement_id,
      NULL::bigint AS receipt_id, NULL::bigint AS withdrawal_id, NULL::bigint AS refund_id,
      NULL::bigint AS balance_refund_id, l.created_at < now() - interval '${WORKING_DAYS} days' AS is_late
    FROM lines l WHERE l.identity IS NULL
      AND NOT EXISTS (SELECT FROM deposit_receipts r WHERE r.provider = 'BANK' AND r.amount_nanos = l.amount_nanos
        AND r.state <> 'TAKEN_BACK' AND ${sameReference('r.provider_reference', 'l.reference')})
      AND NOT EXISTS (SELECT FROM payouts p JOIN withdrawals w ON w.id = p.withdrawal_id
        WHERE w.channel = 'BANK' AND w.status = 'RETURNED' AND ${backOf('l')})
    UNION ALL
    SELECT l.key, 'UNKNOWN_OUT', l.booked_on, -l.amount_nanos, l.id, l.statement_id, NULL,
      (SELECT p.withdrawal_id FROM payouts p WHERE p.external_ref = l.payout_reference), NULL, NULL,
      -- Of a payout that our books gave back, or paid by another movement already, nobody waits two days.
      l.created_at < now() - interval '${WORKING_DAYS} days'
        OR EXISTS (SELECT FROM payouts p WHERE p.external_ref = l.payout_reference AND p.state IN ('SETTLED', 'REJECTED'))
    FROM lines l WHERE ${isSent('l')}
      AND NOT EXISTS (SELECT FROM refunds f WHERE ${ofRefund('l')} AND NOT EXISTS (
        SELECT FROM bank_statement_lines e WHERE e.id < l.id AND ${isSent('e')} AND ${ofRefund('e')}))
      AND NOT EXISTS (SELECT FROM payouts p JOIN withdrawals w ON w.id = p.withdrawal_id
        WHERE w.channel = 'BANK' AND ${ofPayout('l')} AND (w.status IN ('PAID', 'RETURNED') AND NOT EXISTS (
            SELECT FROM bank_statement_lines e WHERE e.id < l.id AND ${isSent('e')} AND ${ofPayout('e')})
          OR w.status = 'FAILED' AND EXISTS (SELECT FROM bank_statement_lines b WHERE b.is_reversal AND ${backOf('b')})))
    UNION ALL
    SELECT l.key, 'TAKEN_BACK', l.booked_on, ${SIGNED}, l.id, l.statement_id, NULL,
      (SELECT p.withdrawal_id FROM payouts p WHERE p.external_ref = l.payout_reference), NULL, NULL,
      l.created_at < now() - interval '${WORKING_DAYS} days'
    FROM lines l WHERE l.is_reversal
      AND NOT EXISTS (SELECT FROM payouts p JOIN withdrawals w ON w.id = p.withdrawal_id
        WHERE w.channel = 'BANK' AND ${backOf('l')} AND (w.status = 'RETURNED' OR w.status = 'FAILED'
          AND EXISTS (SELECT FROM bank_statement_lines o WHERE ${isSent('o')} AND ${ofPayout('o')})))
    UNION ALL
    SELECT s.key, 'RECEIPT_NOT_AT_BANK', (r.received_at AT TIME ZONE 'UTC')::date, -r.amount_nanos, NULL, NULL, r.id, NULL, NULL, NULL,
      (r.received_at AT TIME ZONE 'UTC')::date <= s.until - ${BOOKING_DAYS}
    FROM spans s JOIN deposit_receipts r ON r.provider = 'BANK' AND r.state <> 'TAKEN_BACK'
      AND r.received_at >= (s.since + 1)::timestamp AT TIME ZONE 'UTC' AND r.received_at < (s.until + 1)::timestamp AT TIME ZONE 'UTC'
    WHERE s.takes_in AND NOT EXISTS (SELECT FROM bank_statement_lines l WHERE l.receipt_id = r.id
        OR l.identity IS NULL AND l.amount_nanos = r.amount_nanos AND ${sameReference('l.reference', 'r.provider_reference')})
    UNION ALL
    SELECT s.key, 'PAYOUT_NOT_AT_BANK', (w.paid_at AT TIME ZONE 'UTC')::date, w.arrival_nanos, NULL, NULL, NULL, w.id, NULL, NULL,
      (w.paid_at AT TIME ZONE 'UTC')::date <= s.until - ${BOOKING_DAYS}
    FROM spans s JOIN withdrawals w ON w.channel = 'BANK' AND w.status IN ('PAID', 'RETURNED')
      AND w.paid_at >= (s.since + 1)::timestamp AT TIME ZONE 'UTC' AND w.paid_at < (s.until + 1)::timestamp AT TIME ZONE 'UTC'
    JOIN payouts p ON p.withdrawal_id = w.id
    WHERE s.pays_out AND NOT EXISTS (SELECT FROM bank_statement_lines l WHERE ${isSent('l')} AND ${ofPayout('l')})
    UNION ALL
    SELECT s.key, 'REFUND_NOT_AT_BANK', (f.sent_at AT TIME ZONE 'UTC')::date, f.nanos::bigint, NULL, NULL, NULL, NULL, f.id,
      f.balance_refund_id, (f.sent_at AT TIME ZONE 'UTC')::date <= s.until - ${BOOKING_DAYS}
    FROM spans s JOIN refunds f
      ON f.sent_at >= (s.since + 1)::timestamp AT TIME ZONE 'UTC' AND f.sent_at < (s.until + 1)::timestamp AT TIME ZONE 'UTC'
    WHERE s.takes_in AND NOT EXISTS (SELECT FROM bank_statement_lines l
      WHERE ${isSent('l')} AND (${ofRefund('l')} OR ${isNamedIn('l')}))
    UNION ALL
    SELECT s.key, 'RETURN_NOT_AT_BANK', (w.updated_at AT TIME ZONE 'UTC')::date, -w.arrival_nanos, NULL, NULL, NULL, w.id, NULL, NULL,
      (w.updated_at AT TIME ZONE 'UTC')::date <= s.until - ${BOOKING_DAYS}
    FROM spans s JOIN withdrawals w ON w.channel = 'BANK' AND w.status = 'RETURNED'
      AND w.updated_at >= (s.since + 1)::timestamp AT TIME ZONE 'UTC' AND w.updated_at < (s.until + 1)::timestamp AT TIME ZONE 'UTC'
    JOIN payouts p ON p.withdrawal_id = w.id
    WHERE s.pays_out AND NOT EXISTS (SELECT FROM bank_statement_lines l WHERE ${backOf('l')})
  )`;

/** Shape as in books.ts. Without a statement that closes with a balance there is nothing to hold against. */
export const BANK_INVARIANTS = [
  {
    name: 'bank_statements_lead_to_their_balances',
    detail: 'What the bank has beyond the movements of its statements since the first balance.',
    isMoney: true,
    sql: `WITH ${SPANS} SELECT COALESCE(sum(abs(nanos)), 0)::text AS figure FROM gaps`,
  },
  {
    name: 'bank_agrees_with_books',
    detail:
      'Movements at the bank that our books do not know, and ours that the bank does not, since the first balance; what is days old at most is still work.',
    isMoney: true,
    sql: `WITH ${ITEMS} SELECT COALESCE(sum(abs(nanos)) FILTER (WHERE is_late), 0)::text AS figure FROM items`,
  },
];

const ACCOUNT = select({
  key: text().of('s.key'),
  account: text().of('s.account'),
  paysOut: flag().of('s.pays_out'),
  takesIn: flag().of('s.takes_in'),
  since: day().of('s.since'),
  until: day().of('s.until'),
  beganNanos: nanos().of('s.began_nanos'),
  standsNanos: nanos().of('s.stands_nanos'),
  gapNanos: nanos().of('g.nanos::bigint'),
  items: ref().of('(SELECT count(*) FROM items i WHERE i.key = s.key)'),
  openNanos: nanos().of(
    'COALESCE((SELECT sum(i.nanos) FROM items i WHERE i.key = s.key), 0)::bigint',
  ),
});
const ITEM = select({
  key: text().of('i.key'),
  item: word(POSITION_ITEMS).of('i.item'),
  day: day().of('i.day'),
  nanos: nanos().of('i.nanos'),
  lineId: ref().orNull().of('i.line_id'),
  statementId: ref().orNull().of('i.statement_id'),
  receiptId: ref().orNull().of('i.receipt_id'),
  withdrawalId: ref().orNull().of('i.withdrawal_id'),
  refundId: ref().orNull().of('i.refund_id'),
  balanceRefundId: ref().orNull().of('i.balance_refund_id'),
  isLate: flag().of('i.is_late'),
});
export type PositionAccount = RowOf<typeof ACCOUNT> & { open: RowOf<typeof ITEM>[] };

/** Each account that has closed with a balance, with its oldest items; `limit` of all accounts together. */
export async function readBankPosition(sql: SqlRunner, limit: number): Promise<PositionAccount[]> {
  const accounts = await readRows(
    sql,
    ACCOUNT,
    `WITH ${ITEMS} SELECT ${ACCOUNT.list} FROM spans s JOIN gaps g USING (key) ORDER BY s.account`,
    [],
  );
  const items = await readRows(
    sql,
    ITEM,
    `WITH ${ITEMS} SELECT ${ITEM.list} FROM items i ORDER BY i.is_late DESC, i.day, i.line_id, i.receipt_id, i.withdrawal_id, i.refund_id LIMIT $1`,
    [limit],
  );
  return accounts.map((account) => ({
    ...account,
    open: items.filter(({ key }) => key === account.key),
  }));
}
