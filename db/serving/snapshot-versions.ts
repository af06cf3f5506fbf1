import type { SqlRunner } from '../sql-runner.ts';

/** A text per tenant that changes with whatever serving reads of them, money aside. */
export type TenantVersions = ReadonlyMap<number, string>;

export interface InventoryVersions {
  advertisers: TenantVersions;
  publishers: TenantVersions;
}

/**
 * What a look at everything costs must not grow with what is in it: the rows stay in the database,
 * and one line per tenant comes here. Read these before the rows that they speak of: a change in
 * between is then found by the next look, instead of never.
 */
export async function loadVersions(sql: SqlRunner): Promise<InventoryVersions> {
  const [advertisers, publishers] = await Promise.all([
    sql.query<VersionRow>(ADVERTISERS),
    sql.query<VersionRow>(PUBLISHERS),
  ]);
  return { advertisers: asMap(advertisers.rows), publishers: asMap(publishers.rows) };
}

/** Tenants whose version is another one, those who came, and those who have nothing any more. */
export function changedTenants(held: TenantVersions, now: TenantVersions): number[] {
  const changed = [...now].filter(([id, version]) => held.get(id) !== version).map(([id]) => id);
  const gone = [...held.keys()].filter((id) => !now.has(id));
  return [...changed, ...gone];
}

interface VersionRow {
  id: string;
  version: string;
}

const asMap = (rows: readonly VersionRow[]): TenantVersions =>
  new Map(rows.map(({ id, version }) => [Number(id), version]));

/** Sums of hashes: whatever the order of rows, and one changed row changes the sum. */
const hashed = (...parts: string[]): string =>
  `hashtextextended(concat_ws(':', ${parts.join(', ')}), 0)`;

/** The same rows, by the same conditions, as db/serving/snapshot-store.ts loads. */
const ADVERTISERS = `
  SELECT id, sum(part)::text AS version FROM (
    SELECT t.advertiser_id AS id, ${hashed("'c'", 't.id', 't.xmin')} AS part
    FROM campaigns t WHERE t.status <> 'ARCHIVED'
    UNION ALL SELECT t.advertiser_id, ${hashed("'g'", 't.id', 't.xmin')}
    FROM ad_groups t WHERE t.status <> 'ARCHIVED'
    UNION ALL SELECT t.advertiser_id, ${hashed("'a'", 't.id', 't.xmin', 'c.xmin', 'r.xmin')}
    FROM ads t
    JOIN creatives c ON c.id = t.creative_id AND c.advertiser_id = t.advertiser_id
    LEFT JOIN creative_revisions r ON r.creative_id = c.id AND r.revision = c.approved_revision
    WHERE t.status <> 'ARCHIVED'
    UNION ALL SELECT a.id, ${hashed('a.status')} FROM accounts a WHERE a.kind = 'ADVERTISER') parts
  GROUP BY id`;

const PUBLISHERS = `
  SELECT z.publisher_id AS id, sum(${hashed('z.id', 'z.xmin', 's.xmin', 'p.status')})::text AS version
  FROM zones z JOIN sites s ON s.id = z.site_id JOIN accounts p ON p.id = z.publisher_id
  WHERE z.status <> 'ARCHIVED' GROUP BY z.publisher_id`;
