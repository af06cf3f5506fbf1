import { columnsOf, prefixed, readRows, type RowOf, select } from '../schema/selection.ts';
import { accounts } from '../tables/account.ts';
import { sites } from '../tables/site.ts';
import type { SqlRunner } from '../sql-runner.ts';

/** A publisher as buyers may know it; what is not known for certain is null. */
const SELLER = select({
  ...prefixed('publisher', columnsOf(accounts, 'a', ['id'])),
  ...columnsOf(accounts, 'a', ['companyName']),
  /** Of a site that is proven to be theirs. */
  ...columnsOf(sites, 's', ['domain']),
});
export type SellerRow = RowOf<typeof SELLER>;

const PAGE_ROWS = 5_000;

/** Every active publisher who has a site that may sell, by id; read in pages, so that no statement is long. */
export async function readSellers(sql: SqlRunner): Promise<SellerRow[]> {
  const sellers: SellerRow[] = [];
  for (;;) {
    const rows = await readRows(
      sql,
      SELLER,
      `SELECT ${SELLER.list}
       FROM accounts a
       JOIN LATERAL (
         SELECT CASE WHEN verify_status = 'VERIFIED' THEN domain END AS domain
         FROM sites WHERE publisher_id = a.id AND audit_status = 'APPROVED' AND status <> 'ARCHIVED'
         ORDER BY verify_status = 'VERIFIED' DESC, domain IS NOT NULL DESC, id LIMIT 1) s ON true
       WHERE a.kind = 'PUBLISHER' AND a.status = 'ACTIVE' AND a.id > $1
       ORDER BY a.id LIMIT $2`,
      [sellers.at(-1)?.publisherId ?? 0, PAGE_ROWS],
    );
    sellers.push(...rows);
    if (rows.length < PAGE_ROWS) return sellers;
  }
}
