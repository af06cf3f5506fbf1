import { ref, time } from '../schema/column.ts';
import { columnsOf, readRow, readRows, type RowOf, select } from '../schema/selection.ts';
import { flowFindings } from '../tables/flow-finding.ts';
import type { SqlRunner } from '../sql-runner.ts';

const RAISED = select(
  columnsOf(flowFindings, 'f', [
    'id',
    'kind',
    'subject',
    'detail',
    'heals',
    'firstSeenAt',
    'raisedAt',
  ]),
);
const SUMMARY = select({
  checkedAt: time().orNull().of('(SELECT max(ended_at) FROM reconciler_runs)'),
  healedToday: ref().of(`(SELECT count(*) FROM flow_findings
    WHERE heals > 0 AND last_seen_at > $1::timestamptz - interval '1 day')`),
  raised: ref().of(`(SELECT count(*) FROM flow_findings
    WHERE ended_at IS NULL AND raised_at IS NOT NULL AND kind <> 'TASK_OVERDUE')`),
});

export type FlowFindings = RowOf<typeof SUMMARY> & { findings: RowOf<typeof RAISED>[] };

const SHOWN_MAX = 50;

/**
 * What the reconciler asks an operator to look at, the oldest first. Overdue tasks have a page of
 * their own, and are not among `raised`.
 */
export async function readFlowFindings(sql: SqlRunner, now: Date): Promise<FlowFindings> {
  const summary = await readRow(sql, SUMMARY, `SELECT ${SUMMARY.list}`, [now]);
  if (summary === undefined) throw new Error('a query without rows');
  const findings = await readRows(
    sql,
    RAISED,
    `SELECT ${RAISED.list} FROM flow_findings f
     WHERE f.ended_at IS NULL AND f.raised_at IS NOT NULL AND f.kind <> 'TASK_OVERDUE'
     ORDER BY f.raised_at, f.id LIMIT ${SHOWN_MAX}`,
  );
  return { ...summary, findings };
}
