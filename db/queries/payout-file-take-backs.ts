import type { CarriedOrder, TakeableFile } from '../../domain/payout-file-take-back.ts';
import { flag, ref, text, time } from '../schema/column.ts';
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

/** What the bank says of orders in file b, which was taken back: that it has them, and nothing after it that it refuses. */
const SAID = `payout_remarks r JOIN payout_status_files s ON s.id = r.file_id
  JOIN withdrawals w ON w.id = r.withdrawal_id
  WHERE r.carried_in = b.reference AND r.status IN ('TAKEN', 'BOOKED') AND NOT EXISTS (
    SELECT FROM payout_remarks l WHERE l.carried_in = r.carried_in AND l.withdrawal_id = r.withdrawal_id
    AND l.status = 'REFUSED' AND l.file_id > r.file_id)`;

const BACK = select({
  ...columnsOf(payoutFileTakeBacks, 'b', ['reference', 'approvalId', 'withdrawalIds', 'createdAt']),
  /** Since when it is known that the bank has it nevertheless. */
  bankHasItAt: time().orNull().of(`(SELECT min(s.created_at) FROM ${SAID})`),
});
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

const AT_BANK = select({
  ...columnsOf(payoutFileTakeBacks, 'b', ['reference', 'withdrawalIds']),
  bankHasItAt: time().of('said.since'),
});
export type OldFileAtBank = RowOf<typeof AT_BANK>;

/**
 * Files that were taken back and that the bank has: its orders may be paid twice. Until what it has of them has ended,
 * and for a day at least, since a booked one ends at once. `$1` is the time now.
 */
export const OLD_FILES_AT_BANK = `payout_file_take_backs b JOIN LATERAL (
    SELECT min(s.created_at) AS since, max(s.created_at) AS latest, bool_or(w.status IN ('PROCESSING', 'UNKNOWN')) AS open
    FROM ${SAID}) said ON said.open OR said.latest > $1::timestamptz - interval '1 day'`;

/** The oldest first. */
export const listOldFilesAtBank = async (sql: SqlRunner, now: Date): Promise<OldFileAtBank[]> =>
  await readRows(
    sql,
    AT_BANK,
    `SELECT ${AT_BANK.list} FROM ${OLD_FILES_AT_BANK} ORDER BY said.since`,
    [now],
  );
