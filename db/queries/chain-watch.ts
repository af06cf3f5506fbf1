import { text } from '../schema/column.ts';
import { columnsOf, readRows, type RowOf, select } from '../schema/selection.ts';
import type { TokenNetwork } from '../../domain/deposit-terms.ts';
import type { SqlRunner } from '../sql-runner.ts';
import { deposits } from '../tables/deposit.ts';
import { depositPayments } from '../tables/deposit-payment.ts';

const ORDER = select({
  ...columnsOf(depositPayments, 'p', ['depositId', 'payNanos']),
  ...columnsOf(deposits, 'd', ['amountNanos']),
  address: text().of('p.address'),
});
export type OrderOfAddress = RowOf<typeof ORDER>;

/** Orders by their address, written as its chain does, whatever became of them. */
export async function ordersOfAddresses(
  sql: SqlRunner,
  addresses: readonly string[],
): Promise<Map<string, OrderOfAddress>> {
  if (addresses.length === 0) return new Map();
  const rows = await readRows(
    sql,
    ORDER,
    `SELECT ${ORDER.list} FROM deposit_payments p JOIN deposits d ON d.id = p.deposit_id
     WHERE p.address = ANY($1::text[])`,
    [[...new Set(addresses)]],
  );
  return new Map(rows.map((row) => [row.address, row]));
}

/** How deep what is on its way on a chain is by now; what is not there any more is forgotten. */
export async function showSeen(
  sql: SqlRunner,
  network: TokenNetwork,
  seen: readonly { depositId: number; confirmations: number }[],
): Promise<void> {
  await sql.query(
    `UPDATE deposit_payments p SET confirmations_seen = s.confirmations
     FROM (SELECT p.deposit_id, max(s.confirmations) AS confirmations FROM deposit_payments p
           LEFT JOIN unnest($1::bigint[], $2::int[]) AS s (deposit_id, confirmations)
             ON s.deposit_id = p.deposit_id
           WHERE p.deposit_id = ANY($1::bigint[])
             OR p.confirmations_seen IS NOT NULL AND p.network IS NOT DISTINCT FROM $3
           GROUP BY p.deposit_id) AS s
     WHERE p.deposit_id = s.deposit_id AND p.confirmations_seen IS DISTINCT FROM s.confirmations`,
    [
      seen.map(({ depositId }) => depositId),
      seen.map(({ confirmations }) => confirmations),
      network,
    ],
  );
}
