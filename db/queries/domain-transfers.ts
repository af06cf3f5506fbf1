import { text, time } from '../schema/column.ts';
import { columnsOf, readRow, type RowOf, select } from '../schema/selection.ts';
import type { SqlRunner } from '../sql-runner.ts';
import { domainTransfers } from '../tables/domain-transfer.ts';

const TRANSFER = select({
  ...columnsOf(domainTransfers, 't'),
  claimantName: text().of('a.username'),
  holderName: text().of('b.username'),
  holderSince: time().orNull().of('s.verified_at'),
  holderDomain: text().orNull().of('s.domain'),
});
export type TransferScreen = RowOf<typeof TRANSFER>;

/** As an operator sees it: both sides, what each proves and what the holder said. */
export async function readTransfer(
  sql: SqlRunner,
  id: number,
): Promise<TransferScreen | undefined> {
  return await readRow(
    sql,
    TRANSFER,
    `SELECT ${TRANSFER.list} FROM domain_transfers t
     JOIN accounts a ON a.id = t.claimant_id JOIN accounts b ON b.id = t.holder_id
     JOIN sites s ON s.id = t.holder_site_id WHERE t.id = $1`,
    [id],
  );
}
