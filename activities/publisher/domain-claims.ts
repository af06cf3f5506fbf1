import { columnsOf, readRow, type RowOf, select } from '../../db/schema/selection.ts';
import type { SqlRunner } from '../../db/sql-runner.ts';
import { sites } from '../../db/tables/site.ts';
import { claimOf, namesAbove, namesOfClaim } from './site-domain.ts';

/**
 * Whoever decides whose a domain is holds this until the end of the transaction, before any row of a site:
 * of two proofs at once one is the first. A domain and its `www.` are one.
 */
export async function lockClaim(sql: SqlRunner, domain: string): Promise<void> {
  await sql.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [
    `domain-claim:${claimOf(domain)}`,
  ]);
}

const HOLDER = select(columnsOf(sites, 's', ['id', 'publisherId', 'name', 'domain']));
export type DomainHolder = RowOf<typeof HOLDER>;

/** The verified site of another account for this domain or its `www.`; under lockClaim. */
export async function otherHolder(
  sql: SqlRunner,
  { domain, publisherId }: { domain: string; publisherId: number },
): Promise<DomainHolder | undefined> {
  return await heldByOthers(sql, namesOfClaim(domain), publisherId);
}

/** The verified site of another account for a domain that this one, or its `www.`, is below. */
export async function holderAbove(
  sql: SqlRunner,
  { domain, publisherId }: { domain: string; publisherId: number },
): Promise<DomainHolder | undefined> {
  const names = namesAbove(claimOf(domain)).flatMap(namesOfClaim);
  return await heldByOthers(sql, names, publisherId);
}

const heldByOthers = async (
  sql: SqlRunner,
  names: readonly string[],
  publisherId: number,
): Promise<DomainHolder | undefined> =>
  await readRow(
    sql,
    HOLDER,
    `SELECT ${HOLDER.list} FROM sites s WHERE lower(s.domain) = ANY($1::text[]) AND s.media_type = 'WEB'
       AND s.status <> 'ARCHIVED' AND s.verify_status = 'VERIFIED' AND s.publisher_id <> $2
     ORDER BY s.id LIMIT 1`,
    [names, publisherId],
  );
