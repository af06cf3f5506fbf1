/**
 * Documents and what they are of never change, so each is held against the ledger while it is new: those of the
 * two newest months that are done, and the newest receipts. Of older months the statements still form a chain,
 * whose end is held against the balances: what was changed in any of them shows.
 */
const NEWEST_RECEIPTS = 5_000;

const MONTHS = `months AS MATERIALIZED (
    SELECT month, month::timestamp AT TIME ZONE 'UTC' AS since,
      (month + interval '1 month') AT TIME ZONE 'UTC' AS until
    FROM document_months ORDER BY month DESC LIMIT 2)`;
/** Both sides of a transfer between accounts of different owners, each from its owner's side. */
const SIDES = `JOIN ledger_accounts c ON c.id = t.credit_id JOIN ledger_accounts b ON b.id = t.debit_id
  CROSS JOIN LATERAL (VALUES (c.owner_id, t.amount_nanos), (b.owner_id, -t.amount_nanos)) AS s (owner_id, signed)
  WHERE c.owner_id IS DISTINCT FROM b.owner_id AND s.owner_id IS NOT NULL`;
const MOVED = `moved AS (
    SELECT m.month, s.owner_id AS account_id, t.type, sum(s.signed) AS nanos
    FROM months m JOIN ledger_transfers t ON t.created_at >= m.since AND t.created_at < m.until ${SIDES}
    GROUP BY 1, 2, 3)`;

/** What documents say against what the ledger holds. Shape as in books.ts. */
export const DOCUMENT_INVARIANTS = [
  {
    name: 'statements_equal_the_ledger',
    detail:
      'Accounts whose newest statements say another sum than moved in their month, or than is held after it.',
    sql: `WITH ${MONTHS}, ${MOVED}, said AS (
            SELECT d.month, d.account_id, d.total_nanos, d.closing_nanos FROM documents d
            JOIN months USING (month) WHERE d.kind = 'STATEMENT'
          ), sums AS (SELECT month, account_id, sum(nanos) AS nanos FROM moved GROUP BY 1, 2
          ), newest AS (SELECT month, until FROM months ORDER BY month DESC LIMIT 1
          ), since AS (
            SELECT s.owner_id AS account_id, sum(s.signed) AS nanos
            FROM newest n JOIN ledger_transfers t ON t.created_at >= n.until ${SIDES} GROUP BY 1
          ), held AS (
            SELECT owner_id AS account_id, sum(balance_nanos) AS nanos FROM ledger_accounts
            WHERE owner_id IS NOT NULL GROUP BY 1
          )
          SELECT ((SELECT count(*) FROM said FULL JOIN sums USING (month, account_id)
                   WHERE said.total_nanos IS DISTINCT FROM COALESCE(sums.nanos, 0))
                + (SELECT count(*) FROM newest CROSS JOIN held LEFT JOIN since USING (account_id)
                   LEFT JOIN said ON said.account_id = held.account_id AND said.month = newest.month
                   WHERE COALESCE(said.closing_nanos, 0) <> held.nanos - COALESCE(since.nanos, 0)))::text AS figure`,
  },
  {
    name: 'statements_form_a_chain',
    detail: 'Statements that do not begin with what the account’s last one ended with.',
    sql: `SELECT count(*)::text AS figure FROM (
            SELECT opening_nanos - lag(closing_nanos, 1, 0::bigint) OVER (PARTITION BY account_id ORDER BY month) AS gap
            FROM documents WHERE kind = 'STATEMENT') AS links WHERE gap <> 0`,
  },
  {
    name: 'invoices_equal_the_ledger',
    detail:
      'Accounts whose newest invoices and credit notes are not of what was spent and given back.',
    sql: `WITH ${MONTHS}, ${MOVED}, billed AS (
            SELECT month, account_id, k.kind, sum(k.signed) AS nanos FROM moved
            CROSS JOIN LATERAL (SELECT CASE WHEN type IN ('SPEND', 'SPEND_RESTORED') THEN 'INVOICE' ELSE 'CREDIT_NOTE' END,
              CASE WHEN type IN ('SPEND', 'SPEND_RESTORED') THEN -nanos ELSE nanos END) AS k (kind, signed)
            WHERE type IN ('SPEND', 'SPEND_RESTORED', 'SPEND_REVERSED') GROUP BY 1, 2, 3
          ), said AS (
            SELECT d.month, d.account_id, d.kind, d.total_nanos FROM documents d JOIN months USING (month)
            WHERE d.kind IN ('INVOICE', 'CREDIT_NOTE')
          )
          SELECT count(*)::text AS figure FROM said FULL JOIN billed USING (month, account_id, kind)
          WHERE said.total_nanos IS DISTINCT FROM billed.nanos`,
  },
  {
    name: 'receipts_equal_the_ledger',
    detail: `Receipts, of the newest ${NEWEST_RECEIPTS}, that say another sum than their batch moved.`,
    sql: `SELECT count(*)::text AS figure FROM (
            SELECT * FROM documents WHERE batch_id IS NOT NULL ORDER BY id DESC LIMIT ${NEWEST_RECEIPTS}) d
          CROSS JOIN LATERAL (SELECT COALESCE(sum(s.signed), 0) AS nanos FROM ledger_transfers t ${SIDES}
            AND t.batch_id = d.batch_id AND s.owner_id = d.account_id) m
          WHERE d.total_nanos <> CASE WHEN d.kind IN ('PAYOUT_RECEIPT', 'REFUND_RECEIPT') THEN -m.nanos ELSE m.nanos END`,
  },
  {
    name: 'document_numbers_have_no_gaps',
    detail: 'Kinds and years whose numbers are not 1 to their count.',
    sql: `SELECT count(*)::text AS figure FROM document_numbers n
          FULL JOIN (SELECT kind, year, count(*) AS many, max(sequence) AS highest FROM documents GROUP BY 1, 2) d
            USING (kind, year)
          WHERE n.last IS DISTINCT FROM d.many OR n.last IS DISTINCT FROM d.highest`,
  },
];
