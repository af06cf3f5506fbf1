/** What corrections, their transfers and what publishers owe must agree on. Shape as in books.ts. */
export const CORRECTION_INVARIANTS = [
  {
    name: 'corrections_equal_transfers',
    detail: 'Batches of corrections whose money differs from the transfers that moved it.',
    sql: `WITH corrected AS (
            SELECT batch_id, sum(price_delta_nanos) AS price, sum(publisher_delta_nanos) AS share
            FROM event_corrections GROUP BY 1
          ), moved AS (
            SELECT batch_id,
              COALESCE(sum(amount_nanos) FILTER (WHERE type = 'SPEND_RESTORED'), 0)
                - COALESCE(sum(amount_nanos) FILTER (WHERE type = 'SPEND_REVERSED'), 0) AS price,
              COALESCE(sum(amount_nanos) FILTER (WHERE type = 'EARNING_RESTORED'), 0)
                - COALESCE(sum(amount_nanos) FILTER (WHERE type = 'EARNING_REVERSED'), 0) AS share,
              COALESCE(sum(amount_nanos) FILTER (WHERE type = 'FEE_RESTORED'), 0)
                - COALESCE(sum(amount_nanos) FILTER (WHERE type IN ('FEE_REVERSED', 'APPEAL_COST')), 0) AS fee
            FROM ledger_transfers
            WHERE type IN ('SPEND_REVERSED', 'EARNING_REVERSED', 'FEE_REVERSED', 'SPEND_RESTORED',
              'EARNING_RESTORED', 'FEE_RESTORED', 'APPEAL_COST') GROUP BY 1
          )
          SELECT count(*)::text AS figure FROM corrected c FULL JOIN moved m USING (batch_id)
          WHERE COALESCE(c.price, 0) <> COALESCE(m.price, 0) OR COALESCE(c.share, 0) <> COALESCE(m.share, 0)
             OR COALESCE(m.price - m.share, 0) <> COALESCE(m.fee, 0)`,
  },
  {
    name: 'only_approved_corrections',
    detail: 'Corrections of nothing, twice the same way, or that no second person approved.',
    sql: `SELECT count(*)::text AS figure FROM event_corrections c
          LEFT JOIN events e ON e.day = c.day AND e.id = c.event_id
          LEFT JOIN reversals r ON r.id = c.reversal_id
          LEFT JOIN removal_appeals p ON p.id = c.appeal_id
          WHERE e.id IS NULL OR e.billable = c.billable
             OR e.publisher_nanos + c.publisher_delta_nanos < 0 OR e.price_nanos + c.price_delta_nanos < 0
             OR (c.reversal_id IS NOT NULL AND (r.checker_id IS NULL OR r.checker_id = r.maker_id))
             OR (c.appeal_id IS NOT NULL AND p.status IS DISTINCT FROM 'UPHELD')`,
  },
  {
    name: 'reversals_equal_their_corrections',
    detail:
      'Reversals whose figures are not those of their corrections, or that ended before they were through.',
    sql: `WITH done AS (
            SELECT reversal_id AS id, count(*) AS events, -sum(price_delta_nanos) AS price,
              -sum(publisher_delta_nanos) AS share
            FROM event_corrections WHERE reversal_id IS NOT NULL GROUP BY 1
          )
          SELECT count(*)::text AS figure FROM reversals r LEFT JOIN done d USING (id)
          WHERE r.reversed_events <> COALESCE(d.events, 0) OR r.reversed_price_nanos <> COALESCE(d.price, 0)
             OR r.reversed_publisher_nanos <> COALESCE(d.share, 0)
             OR (r.status = 'APPLIED' AND EXISTS (SELECT FROM reversal_items i WHERE i.reversal_id = r.id
               AND NOT EXISTS (SELECT FROM event_corrections c WHERE c.day = i.day AND c.event_id = i.event_id)))`,
  },
  {
    name: 'debts_are_paid_first',
    detail: 'Publishers who owe and could withdraw, or who are owed a debt.',
    sql: `SELECT count(*)::text AS figure FROM ledger_accounts d
          LEFT JOIN ledger_accounts w ON w.code = 'pub:' || d.owner_id || ':withdrawable'
          WHERE d.kind = 'publisher_debt' AND (d.balance_nanos > 0 OR (d.balance_nanos < 0 AND w.balance_nanos > 0))`,
  },
  {
    name: 'maturing_equals_earned_accounts',
    detail:
      'Accounts of maturing earnings that hold another sum than was earned and has neither matured nor been taken back.',
    sql: `WITH earned AS (
            SELECT t.credit_id AS id, sum(t.amount_nanos) AS nanos FROM ledger_transfers t
            WHERE t.type IN ('EARNING', 'EARNING_RESTORED') GROUP BY 1
          ), gone AS (
            SELECT 'pub:' || publisher_id || ':earned:' || shard AS code,
              sum(matured_nanos + reversed_nanos) AS nanos FROM earnings_matured GROUP BY 1
          )
          SELECT count(*)::text AS figure FROM ledger_accounts a
          LEFT JOIN earned e USING (id) LEFT JOIN gone g USING (code)
          WHERE a.kind = 'publisher_earned'
            AND a.balance_nanos <> COALESCE(e.nanos, 0) - COALESCE(g.nanos, 0)`,
  },
];
