import {
  OPEN_WITHDRAWAL_STATUSES,
  VOID_WITHDRAWAL_STATUSES,
} from '../../domain/lifecycle/withdrawal.ts';

const listed = (words: readonly string[]): string => words.map((word) => `'${word}'`).join(', ');

/** What the withdrawals' rows, the holds and the transfers must agree on. Shape as in books.ts. */
export const PAYOUT_INVARIANTS = [
  {
    name: 'holds_equal_open_withdrawals',
    detail: 'Publishers whose hold is not the sum of their open withdrawals.',
    sql: `WITH open AS (
            SELECT publisher_id, sum(amount_nanos) AS nanos FROM withdrawals
            WHERE status IN (${listed(OPEN_WITHDRAWAL_STATUSES)}) GROUP BY 1
          ), holds AS (
            SELECT owner_id AS publisher_id, balance_nanos AS nanos FROM ledger_accounts
            WHERE code LIKE 'pub:%:hold'
          )
          SELECT count(*)::text AS figure FROM open o FULL JOIN holds h USING (publisher_id)
          WHERE COALESCE(o.nanos, 0) <> COALESCE(h.nanos, 0)`,
  },
  {
    name: 'withdrawals_equal_their_transfers',
    detail:
      'Withdrawals that were not held once, or not ended as their status says: paid in full, released in full, neither while open.',
    sql: `WITH moved AS (
            SELECT subject_id AS id,
              sum(amount_nanos) FILTER (WHERE type = 'WITHDRAWAL_HOLD') AS held,
              sum(amount_nanos) FILTER (WHERE type = 'WITHDRAWAL_RELEASE') AS released,
              sum(amount_nanos) FILTER (WHERE type = 'WITHDRAWAL') AS arrived,
              sum(amount_nanos) FILTER (WHERE type = 'WITHDRAWAL_FEE') AS fee,
              sum(amount_nanos) FILTER (WHERE type = 'WITHDRAWAL_TAX') AS tax,
              sum(amount_nanos) FILTER (WHERE type = 'WITHDRAWAL_RETURNED') AS returned,
              sum(amount_nanos) FILTER (WHERE type = 'WITHDRAWAL_TAX_RETURNED') AS tax_returned,
              -- Of before the tax went back as well.
              min(created_at) FILTER (WHERE type = 'WITHDRAWAL_RETURNED') < (SELECT applied_at FROM schema_migrations
                WHERE name = '0225-approvals.sql') AS old
            FROM ledger_transfers WHERE subject_type = 'withdrawal' GROUP BY 1
          ), expected AS (
            SELECT w.id AS expected_id, w.amount_nanos AS held,
              CASE WHEN released THEN w.amount_nanos ELSE 0 END AS released,
              CASE WHEN paid THEN w.arrival_nanos ELSE 0 END AS arrived,
              CASE WHEN paid THEN w.fee_nanos ELSE 0 END AS fee,
              CASE WHEN paid THEN w.tax_nanos ELSE 0 END AS tax,
              CASE WHEN w.status = 'RETURNED' THEN w.arrival_nanos ELSE 0 END AS returned,
              CASE WHEN w.status = 'RETURNED' THEN w.tax_nanos ELSE 0 END AS tax_returned
            FROM withdrawals w CROSS JOIN LATERAL (SELECT
              w.status IN ('PAID', 'RETURNED') AS paid,
              w.status IN (${listed(VOID_WITHDRAWAL_STATUSES)}) AS released) AS ended
          )
          SELECT count(*)::text AS figure FROM expected t FULL JOIN moved m ON m.id = t.expected_id
          WHERE COALESCE(m.held, 0) IS DISTINCT FROM t.held
             OR COALESCE(m.released, 0) IS DISTINCT FROM t.released
             OR COALESCE(m.arrived, 0) IS DISTINCT FROM t.arrived
             OR COALESCE(m.fee, 0) IS DISTINCT FROM t.fee
             OR COALESCE(m.tax, 0) IS DISTINCT FROM t.tax
             OR COALESCE(m.returned, 0) IS DISTINCT FROM t.returned
             OR (COALESCE(m.tax_returned, 0) IS DISTINCT FROM t.tax_returned AND m.old IS NOT TRUE)`,
  },
  {
    name: 'payouts_equal_their_withdrawals',
    detail: 'Payout orders whose outcome is not what their withdrawal says.',
    sql: `SELECT count(*)::text AS figure FROM payouts p JOIN withdrawals w ON w.id = p.withdrawal_id
          WHERE (p.state = 'SETTLED') IS DISTINCT FROM (w.status IN ('PAID', 'RETURNED'))
             OR (p.state = 'REJECTED') IS DISTINCT FROM (w.status = 'FAILED')`,
  },
  {
    // A look says that the bytes have paid before the order is settled: one that is on its way may lag behind.
    name: 'signed_payouts_equal_their_payments',
    detail:
      'Payouts from a wallet of ours that are settled without signed bytes that moved just their tokens, or whose bytes moved them while the order failed.',
    sql: `SELECT count(*)::text AS figure FROM payouts p JOIN withdrawals w ON w.id = p.withdrawal_id
          LEFT JOIN chain_payments c ON c.withdrawal_id = p.withdrawal_id
          CROSS JOIN LATERAL (SELECT
            COALESCE(c.ended = 'PAID' AND c.amount_nanos = w.arrival_nanos, false) AS paid,
            c.withdrawal_id IS NULL OR COALESCE(c.ended = 'DEAD', false) AS harmless) AS bytes
          WHERE (p.paying_wallet IS NOT NULL OR c.withdrawal_id IS NOT NULL)
            -- A person may say that it was paid in another way.
            AND (p.state = 'SETTLED' AND NOT bytes.paid
                AND NOT (p.last_outcome IS NOT DISTINCT FROM 'CONFIRMED_PAID' AND bytes.harmless)
              OR p.state IN ('READY', 'REJECTED') AND NOT bytes.harmless)`,
  },
  {
    name: 'matured_equals_its_days',
    detail: 'Days whose matured earnings differ from the transfers that moved them.',
    sql: `WITH moved AS (
            SELECT (b.ref ->> 'day')::date AS day, sum(t.amount_nanos) AS nanos
            FROM ledger_transfers t JOIN ledger_batches b ON b.id = t.batch_id
            WHERE t.type = 'EARNING_MATURED' GROUP BY 1
          ), expected AS (
            SELECT day, sum(matured_nanos) AS nanos FROM earnings_matured WHERE matured_nanos > 0 GROUP BY 1
          )
          SELECT count(*)::text AS figure FROM moved m FULL JOIN expected t USING (day)
          WHERE m.nanos IS DISTINCT FROM t.nanos`,
  },
  {
    name: 'nothing_matures_unearned',
    detail: 'Publisher days of which more has matured or was taken back than was earned.',
    sql: `WITH earned AS (
            SELECT a.owner_id AS publisher_id, split_part(a.code, ':', 4)::int AS shard,
              (t.created_at AT TIME ZONE 'UTC')::date AS day, sum(t.amount_nanos) AS nanos
            FROM ledger_transfers t JOIN ledger_accounts a ON a.id = t.credit_id
            WHERE t.type IN ('EARNING', 'EARNING_RESTORED') GROUP BY 1, 2, 3
          )
          SELECT count(*)::text AS figure FROM earnings_matured m
          LEFT JOIN earned e USING (publisher_id, shard, day)
          WHERE m.matured_nanos + m.reversed_nanos > COALESCE(e.nanos, 0)`,
  },
  {
    name: 'suspense_equals_waiting_receipts',
    detail: 'What suspense accounts hold beyond the receipts that wait there.',
    isMoney: true,
    sql: `SELECT ((SELECT COALESCE(sum(balance_nanos), 0) FROM ledger_accounts WHERE code LIKE 'suspense:%')
                - (SELECT COALESCE(sum(amount_nanos), 0) FROM deposit_receipts WHERE state IN ('SUSPENSE', 'REFUNDING')))::text AS figure`,
  },
];
