import { PAYOUT_STAGES, type PayoutStage, STATUSES_OF_STAGE } from '../../domain/payout-stage.ts';
import { nanos, ref, text, time } from '../schema/column.ts';
import { columnsOf, readRow, readRows, type RowOf, select } from '../schema/selection.ts';
import type { SqlRunner } from '../sql-runner.ts';
import { payoutFiles } from '../tables/payout-file.ts';

/** When somebody was asked to be the second to approve withdrawal `w`; null while nobody is. */
const SECOND_ASKED = `(SELECT t.opened_at FROM tasks t WHERE t.workflow_id = 'withdrawal:' || w.id
  AND t.status = 'open' AND t.kind = 'withdrawal_second_approval' LIMIT 1)`;
const TAKEN = `(SELECT p.file_taken_at FROM payouts p WHERE p.withdrawal_id = w.id)`;

/** Of withdrawal `w`: one of PAYOUT_STAGES, null where it has ended and nothing is to be done. */
export const STAGE = `(CASE
  WHEN w.status IN ('PENDING', 'RISK_HOLD') AND ${SECOND_ASKED} IS NOT NULL THEN 'SECOND_APPROVAL'
  WHEN w.status = 'PENDING' THEN 'REVIEW'
  WHEN w.status = 'APPROVED' THEN 'COOLING'
  WHEN w.status = 'PROCESSING' AND w.channel <> 'BANK' THEN 'PROCESSING'
  WHEN w.status = 'PROCESSING' THEN CASE WHEN ${TAKEN} IS NULL THEN 'BANK_FILE' ELSE 'AT_BANK' END
  WHEN w.status IN ('RISK_HOLD', 'UNKNOWN', 'RETURNED') THEN w.status END)`;

/** Since when it stands there. */
export const STAGE_SINCE = `(CASE w.status
  WHEN 'PENDING' THEN COALESCE(${SECOND_ASKED}, w.created_at)
  WHEN 'RISK_HOLD' THEN COALESCE(${SECOND_ASKED}, w.updated_at)
  WHEN 'PROCESSING' THEN COALESCE(${TAKEN}, w.updated_at)
  ELSE w.updated_at END)`;

const COUNT = select({
  stage: text<PayoutStage>().of('b.stage'),
  currency: text().of('b.currency'),
  count: ref().of('count(*)'),
  arrivalNanos: nanos().of('sum(b.arrival_nanos)'),
  since: time().of('min(b.since)'),
});
export type StageCount = RowOf<typeof COUNT>;

const STATUSES = [...new Set(PAYOUT_STAGES.flatMap((stage) => STATUSES_OF_STAGE[stage]))];

/** How many payouts stand where, how much would arrive, and since when the first of them does. */
export const countStages = async (sql: SqlRunner): Promise<StageCount[]> =>
  await readRows(
    sql,
    COUNT,
    `SELECT ${COUNT.list} FROM (
       SELECT ${STAGE} AS stage, ${STAGE_SINCE} AS since, w.currency, w.arrival_nanos
       FROM withdrawals w WHERE w.status = ANY ($1::text[])) b
     GROUP BY b.stage, b.currency`,
    [STATUSES],
  );

const { sealedFile: _sealed, ...SHOWN } = columnsOf(payoutFiles, 'f');
const FILE = select(SHOWN);

export async function readPayoutFile(sql: SqlRunner, id: number): Promise<RowOf<typeof FILE>> {
  const query = `SELECT ${FILE.list} FROM payout_files f WHERE f.id = $1`;
  const file = await readRow(sql, FILE, query, [id]);
  if (file === undefined) throw new Error(`bank file ${id} vanished`);
  return file;
}
