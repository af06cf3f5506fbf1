import { HELD_REFUND_STATES } from '../../domain/lifecycle/deposit.ts';

const HELD = HELD_REFUND_STATES.map((state) => `'${state}'`).join(', ');

/** What goes back to whoever paid it: rows, holds and transfers must agree. Shape as in books.ts. */
export const REFUND_INVARIANTS = [
  {
    name: 'refunds_are_what_their_receipts_say',
    detail: 'Ways back whose receipt says otherwise, and receipts on a way back that there is not.',
    sql: `SELECT count(*)::text AS figure FROM deposit_receipts r
          FULL JOIN (SELECT * FROM deposit_refunds WHERE balance_refund_id IS NULL) b ON b.receipt_id = r.id
          WHERE (b.state = 'SENT' AND r.state IS DISTINCT FROM 'REFUNDED')
             OR (b.state = 'RELEASED' AND r.state IS DISTINCT FROM 'TAKEN_BACK')
             OR (b.state NOT IN ('SENT', 'RELEASED') AND r.state IS DISTINCT FROM 'REFUNDING')
             OR (r.state = 'REFUNDING' AND b.id IS NULL)`,
  },
  {
    name: 'refund_holds_equal_open_refunds',
    detail:
      'Advertisers whose hold is not the sum of the parts that are asked for or on their way back, and of the receipts that are being taken back.',
    sql: `WITH each AS (
            SELECT b.advertiser_id, w.amount_nanos AS nanos
            FROM deposit_refunds w JOIN balance_refunds b ON b.id = w.balance_refund_id
            WHERE w.state IN (${HELD})
            UNION ALL
            SELECT d.advertiser_id, r.amount_nanos FROM deposit_receipts r JOIN deposits d ON d.id = r.deposit_id
            WHERE r.state = 'TAKING_BACK'
          ), open AS (
            SELECT advertiser_id, sum(nanos) AS nanos FROM each GROUP BY 1
          ), holds AS (
            SELECT owner_id AS advertiser_id, balance_nanos AS nanos FROM ledger_accounts
            WHERE kind = 'advertiser_refund_hold'
          )
          SELECT count(*)::text AS figure FROM open o FULL JOIN holds h USING (advertiser_id)
          WHERE COALESCE(o.nanos, 0) <> COALESCE(h.nanos, 0)`,
  },
  {
    name: 'balance_refunds_equal_their_transfers',
    detail:
      'Refunds of balance that were not held once in full, whose parts are not what was sent and given back, or that have ended before them or not with them.',
    sql: `WITH moved AS (
            SELECT subject_id AS id,
              sum(amount_nanos) FILTER (WHERE type = 'BALANCE_REFUND_HOLD') AS held,
              sum(amount_nanos) FILTER (WHERE type = 'BALANCE_REFUND') AS sent,
              sum(amount_nanos) FILTER (WHERE type = 'BALANCE_REFUND_RELEASE') AS released
            FROM ledger_transfers WHERE subject_type = 'balance_refund' GROUP BY 1
          ), parts AS (
            SELECT balance_refund_id AS id, sum(amount_nanos) AS nanos,
              sum(amount_nanos) FILTER (WHERE state = 'SENT') AS sent,
              sum(amount_nanos) FILTER (WHERE state = 'RELEASED') AS released,
              count(*) FILTER (WHERE state IN (${HELD})) AS open,
              count(*) FILTER (WHERE state = 'ASKED') AS asked
            FROM deposit_refunds WHERE balance_refund_id IS NOT NULL GROUP BY 1
          )
          SELECT count(*)::text AS figure FROM balance_refunds b
          LEFT JOIN parts p USING (id) FULL JOIN moved m USING (id)
          WHERE b.amount_nanos IS DISTINCT FROM m.held OR b.amount_nanos IS DISTINCT FROM p.nanos
             OR COALESCE(p.sent, 0) <> COALESCE(m.sent, 0) OR COALESCE(p.released, 0) <> COALESCE(m.released, 0)
             OR (b.status IN ('RETURNED', 'KEPT')) IS DISTINCT FROM (p.open = 0)
             OR (b.status = 'KEPT') IS DISTINCT FROM (p.open = 0 AND p.sent IS NULL)
             OR (b.status = 'REQUESTED') IS DISTINCT FROM (p.asked > 0)`,
  },
  {
    name: 'taken_back_receipts_equal_their_transfers',
    detail:
      'Receipts that were taken back and not just once, in full, and such transfers of others.',
    sql: `WITH moved AS (
            SELECT (b.ref ->> 'receipt_id')::bigint AS id, sum(t.amount_nanos) AS nanos
            FROM ledger_transfers t JOIN ledger_batches b ON b.id = t.batch_id
            WHERE t.type = 'RECEIPT_TAKEN_BACK' GROUP BY 1
          )
          SELECT count(*)::text AS figure
          FROM (SELECT id, amount_nanos FROM deposit_receipts WHERE state = 'TAKEN_BACK') r FULL JOIN moved m USING (id)
          WHERE r.amount_nanos IS DISTINCT FROM m.nanos`,
  },
  {
    name: 'refunds_within_receipts',
    detail:
      'Receipts of which more has gone or goes back than came by them, in either currency, or that goes back to another account.',
    sql: `SELECT count(*)::text AS figure FROM (
            SELECT w.receipt_id FROM deposit_refunds w JOIN deposit_receipts r ON r.id = w.receipt_id
            LEFT JOIN deposits d ON d.id = r.deposit_id LEFT JOIN balance_refunds b ON b.id = w.balance_refund_id
            WHERE w.state <> 'RELEASED' GROUP BY w.receipt_id, r.amount_nanos
            HAVING sum(w.amount_nanos) > r.amount_nanos OR sum(w.pay_nanos) > max(w.paid_nanos)
                OR bool_or(b.id IS NOT NULL AND (b.advertiser_id IS DISTINCT FROM d.advertiser_id OR r.state <> 'CREDITED'))
          ) AS beyond`,
  },
];
