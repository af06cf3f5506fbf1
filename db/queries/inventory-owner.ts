import { ref } from '../schema/column.ts';
import { readRow, select } from '../schema/selection.ts';
import type { SqlRunner } from '../sql-runner.ts';

const OWNER = select({ id: ref().of('o.id') });

/** Whose column it is in, by what is reviewed; names come from here alone. */
const OWNERS = {
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
  { type, id }: { type: keyof typeof OWNERS; id: number },
): Promise<number | undefined> {
  const [table = '', owner = ''] = OWNERS[type].split('.');
  const row = await readRow(
    sql,
    OWNER,
    `SELECT ${OWNER.list} FROM (
       SELECT t.${owner} AS id FROM ${table} t WHERE t.id = $1 AND t.status <> 'ARCHIVED') o`,
    [id],
  );
  return row?.id;
}
