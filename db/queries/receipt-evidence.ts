import { columnsOf, readRows, type RowOf, select } from '../schema/selection.ts';
import type { SqlRunner } from '../sql-runner.ts';
import { receiptEvidence } from '../tables/receipt-evidence.ts';

const FILE = select(columnsOf(receiptEvidence, 'e', ['id', 'name', 'mime', 'bytes']));
export type EvidenceFile = RowOf<typeof FILE>;

/** What is known of these files; their bytes are read one by one, on record. */
export const listEvidence = async (
  sql: SqlRunner,
  ids: readonly number[],
): Promise<EvidenceFile[]> =>
  ids.length === 0
    ? []
    : await readRows(
        sql,
        FILE,
        `SELECT ${FILE.list} FROM receipt_evidence e WHERE e.id = ANY ($1::bigint[]) ORDER BY e.id`,
        [ids],
      );
