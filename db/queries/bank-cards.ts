import { columnsOf, readRows, type RowOf, select } from '../schema/selection.ts';
import type { SqlRunner } from '../sql-runner.ts';
import { bankCards } from '../tables/bank-card.ts';

const { sealedInfo: _sealed, ...SHOWN } = columnsOf(bankCards, 'c');
const CARD = select(SHOWN);
/** A kept account without its sealed number. */
export type ShownBankCard = RowOf<typeof CARD>;

/** A publisher's kept accounts, the default one first; there are at most 20. */
export const listBankCards = async (
  sql: SqlRunner,
  key: { publisherId: number; id?: number },
): Promise<ShownBankCard[]> =>
  await readRows(
    sql,
    CARD,
    `SELECT ${CARD.list} FROM bank_cards c
     WHERE publisher_id = $1 AND status = 'ACTIVE' AND ($2::bigint IS NULL OR id = $2)
     ORDER BY is_default DESC, id DESC LIMIT 100`,
    [key.publisherId, key.id ?? null],
  );
