const AT = `AT TIME ZONE 'UTC'`;
/** Sums of transfers of a document's account from its side, between its own and others' accounts. */
const sumOf = (condition: string): string => `COALESCE((
  SELECT sum(CASE WHEN c.owner_id = d.account_id THEN t.amount_nanos ELSE -t.amount_nanos END)
  FROM ledger_accounts o
  JOIN LATERAL (SELECT * FROM ledger_transfers t WHERE t.credit_id = o.id
    UNION ALL SELECT * FROM ledger_transfers t WHERE t.debit_id = o.id) t ON true
  JOIN ledger_accounts c ON c.id = t.credit_id JOIN ledger_accounts b ON b.id = t.debit_id
  WHERE o.owner_id = d.account_id AND c.owner_id IS DISTINCT FROM b.owner_id AND ${condition}), 0)`;
const BEFORE = `t.created_at < d.month::timestamp ${AT}`;
const DURING = `t.created_at >= d.month::timestamp ${AT} AND t.created_at < (d.month + interval '1 month') ${AT}`;

/** What documents say against what the ledger holds. Shape as in books.ts. */
export const DOCUMENT_INVARIANTS = [
  {
    name: 'documents_equal_the_ledger',
    detail: 'Documents whose sums are not those of the ledger.',
    sql: `SELECT count(*)::text AS figure FROM documents d WHERE d.total_nanos IS DISTINCT FROM CASE d.kind
            WHEN 'STATEMENT' THEN ${sumOf(DURING)}
            WHEN 'INVOICE' THEN -${sumOf(`${DURING} AND t.type IN ('SPEND', 'SPEND_RESTORED')`)}
            WHEN 'CREDIT_NOTE' THEN ${sumOf(`${DURING} AND t.type = 'SPEND_REVERSED'`)}
            WHEN 'DEPOSIT_RECEIPT' THEN ${sumOf('t.batch_id = d.batch_id')}
            ELSE -${sumOf('t.batch_id = d.batch_id')} END
          OR d.opening_nanos IS DISTINCT FROM CASE d.kind WHEN 'STATEMENT' THEN ${sumOf(BEFORE)} END`,
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
