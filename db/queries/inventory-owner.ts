import { ref, text } from '../schema/column.ts';
import { readRow, type RowOf, select } from '../schema/selection.ts';
import type { SqlRunner } from '../sql-runner.ts';

const OWNER = select({
  id: ref().of('a.id'),
  name: text().of('COALESCE(a.company_name, a.nickname)'),
});
export type Owner = RowOf<typeof OWNER>;

/** Whose column it is in, by what is reviewed; names come from here alone. */
export const INVENTORY_OWNERS = {
  campaign: 'campaigns.advertiser_id',
  adgroup: 'ad_groups.advertiser_id',
  ad: 'ads.advertiser_id',
  creative: 'creatives.advertiser_id',
  site: 'sites.publisher_id',
  zone: 'zones.publisher_id',
} as const;

/** The account of something that is not archived, for operators; undefined where there is none. */
export async function findOwner(
  sql: SqlRunner,
  { type, id }: { type: keyof typeof INVENTORY_OWNERS; id: number },
): Promise<Owner | undefined> {
  const [table = '', owner = ''] = INVENTORY_OWNERS[type].split('.');
  return await readRow(
    sql,
    OWNER,
    `SELECT ${OWNER.list} FROM ${table} t JOIN accounts a ON a.id = t.${owner}
     WHERE t.id = $1 AND t.status <> 'ARCHIVED'`,
    [id],
  );
}

/** The account itself; undefined where there is none of this number and kind. */
export async function readOwner(
  sql: SqlRunner,
  { id, kind }: { id: number; kind: 'ADVERTISER' | 'PUBLISHER' },
): Promise<Owner | undefined> {
  return await readRow(
    sql,
    OWNER,
    `SELECT ${OWNER.list} FROM accounts a WHERE a.id = $1 AND a.kind = $2`,
    [id, kind],
  );
}
