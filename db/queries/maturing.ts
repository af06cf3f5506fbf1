import type { Maturing } from '../../domain/ledger/correction-postings.ts';
import { nanos, day, ref, whole } from '../schema/column.ts';
import { readRows, select } from '../schema/selection.ts';
import type { SqlRunner } from '../sql-runner.ts';

/**
 * Whoever moves earnings of these UTC days out of what matures stands in line, until it commits: they
 * mature once, or are taken back.
 */
export async function holdMaturity(sql: SqlRunner, days: readonly string[]): Promise<void> {
  for (const each of [...new Set(days)].toSorted()) {
    await sql.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [`maturity:${each}`]);
  }
}

const LEFT = select({
  publisherId: ref().of('a.owner_id'),
  shard: whole().of('p.shard'),
  day: day().of('p.day'),
  leftNanos: nanos().of(`(sum(t.amount_nanos)
    - COALESCE(max(m.matured_nanos + m.reversed_nanos), 0))::bigint`),
});

/** What of these earnings has neither matured nor been taken back. Under holdMaturity. */
export async function readMaturing(
  sql: SqlRunner,
  places: readonly Omit<Maturing, 'leftNanos'>[],
): Promise<Maturing[]> {
  return await readRows(
    sql,
    LEFT,
    `SELECT ${LEFT.list}
     FROM unnest($1::bigint[], $2::int[], $3::date[]) AS p (publisher_id, shard, day)
     JOIN ledger_accounts a ON a.code = 'pub:' || p.publisher_id || ':earned:' || p.shard
     JOIN ledger_transfers t ON t.credit_id = a.id AND t.type IN ('EARNING', 'EARNING_RESTORED')
       AND t.created_at >= p.day::timestamp AT TIME ZONE 'UTC'
       AND t.created_at < (p.day + 1)::timestamp AT TIME ZONE 'UTC'
     LEFT JOIN earnings_matured m
       ON m.publisher_id = p.publisher_id AND m.shard = p.shard AND m.day = p.day
     GROUP BY a.owner_id, p.shard, p.day`,
    [
      places.map(({ publisherId }) => publisherId),
      places.map(({ shard }) => shard),
      places.map((place) => place.day),
    ],
  );
}
