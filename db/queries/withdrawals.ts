import type { SqlRunner } from '../sql-runner.ts';

/** A publisher's money as the ledger has it. Nanos. */
export interface PublisherBalance {
  withdrawableNanos: bigint;
  /** Earned, but not yet old enough to be withdrawn (decisions 10). */
  maturingNanos: bigint;
  /** Set aside for withdrawals under way. */
  heldNanos: bigint;
  paidTotalNanos: bigint;
}

export async function readPublisherBalance(
  sql: SqlRunner,
  publisherId: number,
): Promise<PublisherBalance> {
  const { rows } = await sql.query<Record<'withdrawable' | 'maturing' | 'held' | 'paid', string>>(
    `SELECT COALESCE(sum(balance_nanos) FILTER (WHERE code = 'pub:' || $1 || ':withdrawable'), 0) AS withdrawable,
       COALESCE(sum(balance_nanos) FILTER (WHERE code LIKE 'pub:' || $1 || ':earned:%'), 0) AS maturing,
       COALESCE(sum(balance_nanos) FILTER (WHERE code = 'pub:' || $1 || ':hold'), 0) AS held,
       (SELECT COALESCE(sum(amount_nanos), 0) FROM withdrawals
        WHERE publisher_id = $2 AND status = 'PAID') AS paid
     FROM ledger_accounts WHERE owner_type = 'PUBLISHER' AND owner_id = $2`,
    [String(publisherId), publisherId],
  );
  const [row] = rows;
  if (row === undefined) throw new Error('a query without rows');
  return {
    withdrawableNanos: BigInt(row.withdrawable),
    maturingNanos: BigInt(row.maturing),
    heldNanos: BigInt(row.held),
    paidTotalNanos: BigInt(row.paid),
  };
}

export interface PublisherTransaction {
  id: number;
  type: string;
  /** Signed: what the publisher's whole balance gained or lost. */
  amountNanos: bigint;
  balanceAfterNanos: bigint;
  currency: string;
  subjectType: string | null;
  subjectId: number | null;
  eventCount: number;
  createdAt: Date;
}

/**
 * Newest first, in one statement, hence of one snapshot. Moves between the publisher's own accounts
 * change no total and are left out; the balance after each is counted back from today's.
 */
export async function listPublisherTransactions(
  sql: SqlRunner,
  filter: { publisherId: number; beforeId?: number | undefined },
  window: { limit: number; offset: number },
): Promise<{ rows: PublisherTransaction[]; total: number }> {
  const { rows } = await sql.query<Record<string, string> & { created_at: Date }>(
    `WITH own AS (
       SELECT id, balance_nanos FROM ledger_accounts WHERE owner_type = 'PUBLISHER' AND owner_id = $1),
     moves AS (
       SELECT t.id, t.type, t.currency, t.subject_type, t.subject_id, t.event_count, t.created_at,
         t.amount_nanos AS amount
       FROM ledger_transfers t
       WHERE t.credit_id IN (SELECT id FROM own) AND t.debit_id NOT IN (SELECT id FROM own)
       UNION ALL
       SELECT t.id, t.type, t.currency, t.subject_type, t.subject_id, t.event_count, t.created_at,
         -t.amount_nanos
       FROM ledger_transfers t
       WHERE t.debit_id IN (SELECT id FROM own) AND t.credit_id NOT IN (SELECT id FROM own)),
     told AS (
       SELECT m.*, (SELECT sum(balance_nanos) FROM own)
         - COALESCE(sum(m.amount) OVER (ORDER BY m.id DESC ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), 0)
           AS balance_after,
         count(*) OVER () AS total
       FROM moves m)
     SELECT * FROM told WHERE $2::bigint IS NULL OR id < $2 ORDER BY id DESC LIMIT $3 OFFSET $4`,
    [filter.publisherId, filter.beforeId ?? null, window.limit, window.offset],
  );
  return { rows: rows.map(asTransaction), total: Number(rows[0]?.['total'] ?? 0) };
}

function asTransaction(row: Record<string, string> & { created_at: Date }): PublisherTransaction {
  const subjectId = row['subject_id'] as string | null | undefined;
  return {
    id: Number(row['id']),
    type: String(row['type']),
    amountNanos: BigInt(String(row['amount'])),
    balanceAfterNanos: BigInt(String(row['balance_after'])),
    currency: String(row['currency']),
    subjectType: row['subject_type'] ?? null,
    subjectId: subjectId === null || subjectId === undefined ? null : Number(subjectId),
    eventCount: Number(row['event_count']),
    createdAt: row.created_at,
  };
}
