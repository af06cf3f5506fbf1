import { text } from '../schema/column.ts';
import { columnsOf, readRows, type RowOf, select } from '../schema/selection.ts';
import { accounts } from '../tables/account.ts';
import type { SqlRunner } from '../sql-runner.ts';

export const RELATIONS = ['PAYOUT_ACCOUNT', 'LANDING_HOST', 'SITE_DOMAIN'] as const;
export type Relation = (typeof RELATIONS)[number];

const RELATED_MAX = 50;

const RELATED = select({
  by: text<Relation>().of('x.by'),
  /** A host or domain; a payout account is not told. */
  value: text().orNull().of('x.value'),
  ...columnsOf(accounts, 'a', [
    'id',
    'kind',
    'username',
    'companyName',
    'email',
    'nickname',
    'status',
  ]),
});
export type RelatedAccount = RowOf<typeof RELATED>;

/**
 * Accounts that may belong to the same people: they are paid to the same account (by its blind index),
 * advertise pages of the same host, or one advertises what the other publishes.
 */
export async function listRelatedAccounts(
  sql: SqlRunner,
  accountId: number,
): Promise<RelatedAccount[]> {
  return await readRows(
    sql,
    RELATED,
    `WITH destinations AS (
       SELECT destination_fingerprint AS f FROM withdrawals WHERE publisher_id = $1
       UNION SELECT fingerprint FROM bank_cards WHERE publisher_id = $1),
     hosts AS (SELECT host FROM approved_hosts WHERE advertiser_id = $1),
     domains AS (SELECT lower(domain) AS domain FROM sites
       WHERE publisher_id = $1 AND media_type = 'WEB' AND status <> 'ARCHIVED'),
     x AS (
       SELECT 'PAYOUT_ACCOUNT' AS by, NULL AS value, w.publisher_id AS id
       FROM destinations d JOIN withdrawals w ON w.destination_fingerprint = d.f
       UNION SELECT 'PAYOUT_ACCOUNT', NULL, c.publisher_id
       FROM destinations d JOIN bank_cards c ON c.fingerprint = d.f
       UNION SELECT 'LANDING_HOST', h.host, o.advertiser_id
       FROM hosts h JOIN approved_hosts o ON o.host = h.host
       UNION SELECT 'SITE_DOMAIN', h.host, s.publisher_id
       FROM hosts h JOIN sites s ON lower(s.domain) = h.host
         AND s.media_type = 'WEB' AND s.status <> 'ARCHIVED'
       UNION SELECT 'SITE_DOMAIN', d.domain, o.advertiser_id
       FROM domains d JOIN approved_hosts o ON o.host = d.domain)
     SELECT ${RELATED.list} FROM x JOIN accounts a ON a.id = x.id
     WHERE x.id <> $1 ORDER BY x.by, a.id LIMIT ${RELATED_MAX}`,
    [accountId],
  );
}
