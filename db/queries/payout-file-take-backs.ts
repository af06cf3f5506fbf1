import type { CarriedOrder, TakeableFile } from '../../domain/payout-file-take-back.ts';
import { flag, ref, text } from '../schema/column.ts';
import { columnsOf, readRow, readRows, type RowOf, select } from '../schema/selection.ts';
import type { SqlRunner } from '../sql-runner.ts';
import { payoutFileTakeBacks } from '../tables/payout-file-take-back.ts';
import { payouts } from '../tables/payout.ts';

/** Of payout p with its file f, which is its own where there is none. */
const REFERENCE = 'COALESCE(f.external_ref, p.external_ref)';
const FILE = select({
  reference: text().of(REFERENCE),
  isTaken: flag().of('p.file_taken_at IS NOT NULL'),
  /** Asked for, and what is asked for is still so. */
  approvalId: ref().orNull()
    .of(`(SELECT max(a.id) FROM approvals a WHERE a.kind = 'payout_file_take_back'
    AND a.subject = ${REFERENCE} AND a.state = 'PROPOSED' AND approval_is_current(a))`),
});
const ORDER = select({
  ...columnsOf(payouts, 'p', ['state', 'bankStatus']),
  reference: text().of('p.external_ref'),
  isBooked: flag().of(
    'EXISTS (SELECT FROM bank_statement_lines l WHERE l.payout_reference = p.external_ref)',
  ),
  isAnswered: flag().of(`(EXISTS (SELECT FROM approvals a WHERE a.kind = 'payout_failed'
      AND a.subject = p.withdrawal_id::text AND a.state IN ('PROPOSED', 'APPROVED'))
    OR EXISTS (SELECT FROM tasks t JOIN task_decisions d ON d.task_id = t.id
      WHERE t.workflow_id = 'withdrawal:' || p.withdrawal_id AND d.status = 'PENDING'))`),
});

export type FileOfPayout = TakeableFile & {
  reference: string;
  approvalId: number | null;
};

/** The bank file that a payout is in; undefined: it has none. */
export async function readTakeableFile(
  sql: SqlRunner,
  withdrawalId: number,
): Promise<FileOfPayout | undefined> {
  const file = await readRow(
    sql,
    FILE,
    `SELECT ${FILE.list} FROM payouts p LEFT JOIN payout_files f ON f.id = p.file_id
     WHERE p.withdrawal_id = $1 AND p.channel = 'BANK'`,
    [withdrawalId],
  );
  if (file === undefined) return undefined;
  const orders: CarriedOrder[] = await readRows(
    sql,
    ORDER,
    `SELECT ${ORDER.list} FROM payouts p WHERE p.withdrawal_id = ANY (orders_of_payout_file($1))`,
    [file.reference],
  );
  return { ...file, isAsked: file.approvalId !== null, orders };
}

const BACK = select(
  columnsOf(payoutFileTakeBacks, 'b', ['reference', 'approvalId', 'withdrawalIds', 'createdAt']),
);
export type FileTakenBack = RowOf<typeof BACK>;

/** The file of this name, once it was taken back. */
export const readFileTakenBack = async (
  sql: SqlRunner,
  reference: string,
): Promise<FileTakenBack | undefined> =>
  await readRow(
    sql,
    BACK,
    `SELECT ${BACK.list} FROM payout_file_take_backs b WHERE b.reference = $1`,
    [reference],
  );

/** Those that a payout was in, the latest first. */
export const listFilesTakenBack = async (
  sql: SqlRunner,
  withdrawalId: number,
): Promise<FileTakenBack[]> =>
  await readRows(
    sql,
    BACK,
    `SELECT ${BACK.list} FROM payout_file_take_backs b WHERE $1 = ANY (b.withdrawal_ids)
     ORDER BY b.created_at DESC`,
    [withdrawalId],
  );
