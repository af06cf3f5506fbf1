import { ref, text, whole } from '../schema/column.ts';
import { readRows, type RowOf, select } from '../schema/selection.ts';
import type { SqlRunner } from '../sql-runner.ts';

export interface TenantVersion {
  /** Changes with whatever serving reads of them, money aside. */
  version: string;
  /** That it is read from. */
  rows: number;
}

export type TenantVersions = ReadonlyMap<number, TenantVersion>;

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
    readRows(sql, VERSION, ADVERTISERS),
    readRows(sql, VERSION, PUBLISHERS),
  ]);
  return { advertisers: asMap(advertisers), publishers: asMap(publishers) };
}

/** Tenants whose version is another one, those who came, and those who have nothing any more. */
export function changedTenants(held: TenantVersions, now: TenantVersions): number[] {
  const changed = [...now]
    .filter(([id, { version }]) => held.get(id)?.version !== version)
    .map(([id]) => id);
  const gone = [...held.keys()].filter((id) => !now.has(id));
  return [...changed, ...gone];
}

/** Per statement, so that none takes long, and so that rows are garbage while they are young. */
const TENANTS_AT_ONCE = 100;
const ROWS_AT_ONCE = 5_000;

/** Who is read together, as far as it is known how much each has; one tenant's rows are never cut. */
export function* inGroups(ids: readonly number[], sizes?: TenantVersions): Generator<number[]> {
  let group: number[] = [];
  let rows = 0;
  for (const id of ids) {
    const more = sizes?.get(id)?.rows ?? 0;
    if (group.length === TENANTS_AT_ONCE || (group.length > 0 && rows + more > ROWS_AT_ONCE)) {
      yield group;
      group = [];
      rows = 0;
    }
    group.push(id);
    rows += more;
  }
  if (group.length > 0) yield group;
}

const VERSION = select({
  id: ref().of('tenant'),
  version: text().of('sum(part)::text'),
  rows: whole().of('count(*)::int'),
});

const asMap = (rows: readonly RowOf<typeof VERSION>[]): TenantVersions =>
  new Map(rows.map(({ id, ...version }) => [id, version]));

/** Sums of hashes: whatever the order of rows, and one changed row changes the sum. */
const hashed = (...parts: string[]): string =>
  `hashtextextended(concat_ws(':', ${parts.join(', ')}), 0)`;

/** The same rows, by the same conditions, as db/serving/snapshot-store.ts loads. */
const ADVERTISERS = `
  SELECT ${VERSION.list} FROM (
    SELECT t.advertiser_id AS tenant, ${hashed("'c'", 't.id', 't.xmin')} AS part
    FROM campaigns t WHERE t.status <> 'ARCHIVED'
    UNION ALL SELECT t.advertiser_id, ${hashed("'g'", 't.id', 't.xmin')}
    FROM ad_groups t WHERE t.status <> 'ARCHIVED'
    UNION ALL SELECT t.advertiser_id, ${hashed("'a'", 't.id', 't.xmin', 'w.xmin', 'c.xmin', 'r.xmin')}
    FROM ads t
    JOIN ad_revisions w ON w.ad_id = t.id AND w.revision = COALESCE(t.approved_revision, t.latest_revision)
    JOIN creatives c ON c.id = w.creative_id AND c.advertiser_id = t.advertiser_id
    LEFT JOIN creative_revisions r ON r.creative_id = c.id AND r.revision = c.approved_revision
    WHERE t.status <> 'ARCHIVED'
    UNION ALL SELECT a.id, ${hashed('a.status')} FROM accounts a WHERE a.kind = 'ADVERTISER') parts
  GROUP BY tenant`;

const PUBLISHERS = `
  SELECT ${VERSION.list} FROM (
    SELECT z.publisher_id AS tenant, ${hashed('z.id', 'z.xmin', 's.xmin', 'p.status')} AS part
    FROM zones z JOIN sites s ON s.id = z.site_id JOIN accounts p ON p.id = z.publisher_id
    WHERE z.status <> 'ARCHIVED') parts
  GROUP BY tenant`;
