import { ref, time } from '../schema/column.ts';
import { readRow, type RowOf, select } from '../schema/selection.ts';
import type { SqlRunner } from '../sql-runner.ts';
import { LATE } from './held-conversions.ts';

/** What was given up is news for a day: who is told of it for good does not look any more. */
const IS_NEWS = `> $1::timestamptz - interval '1 day'`;

/** `$1` is the time now. Each is told by a partial index. */
const BACKLOGS = select({
  outboxWaiting: ref().of('o.waiting'),
  outboxOldestAt: time().orNull().of('o.oldest_at'),
  outboxDead: ref().of(`(SELECT count(*) FROM outbox WHERE dead_at ${IS_NEWS})`),
  tasksOpen: ref().of('t.open'),
  tasksOverdue: ref().of('t.overdue'),
  tasksOldestDueAt: time().orNull().of('t.oldest_due_at'),
  approvalsWaiting: ref().of('a.waiting'),
  approvalsOldestAt: time().orNull().of('a.oldest_at'),
  mailsWaiting: ref().of('m.waiting'),
  mailsOldestAt: time().orNull().of('m.oldest_at'),
  mailsRefused: ref().of(`(SELECT count(*) FROM mails
    WHERE status = 'REFUSED' AND ended_at ${IS_NEWS})`),
  postbacksDead: ref().of(`(SELECT count(*) FROM postbacks
    WHERE status = 'DEAD' AND updated_at ${IS_NEWS})`),
  conversionsDoubted: ref().of('h.doubted'),
  conversionsLate: ref().of('h.late'),
  rewardsFailed: ref().of(`(SELECT count(*) FROM rewards
    WHERE callback_status = 'FAILED' AND callback_at ${IS_NEWS})`),
});
export type Backlogs = RowOf<typeof BACKLOGS>;

/** What waits for a machine or a person, and what was given up. */
export async function readBacklogs(sql: SqlRunner, now: Date): Promise<Backlogs> {
  const row = await readRow(
    sql,
    BACKLOGS,
    `SELECT ${BACKLOGS.list}
     FROM (SELECT count(*) AS waiting, min(created_at) AS oldest_at FROM outbox
       WHERE done_at IS NULL AND dead_at IS NULL) o,
     (SELECT count(*) AS open, count(*) FILTER (WHERE due_at < $1::timestamptz) AS overdue,
        min(due_at) AS oldest_due_at FROM tasks WHERE status = 'open') t,
     (SELECT count(*) AS waiting, min(created_at) AS oldest_at FROM approvals
       WHERE state = 'PROPOSED') a,
     (SELECT count(*) AS waiting, min(created_at) AS oldest_at FROM mails
       WHERE ended_at IS NULL) m,
     (SELECT count(*) AS doubted, count(*) FILTER (WHERE ${LATE}) AS late
       FROM conversions c WHERE c.decide_by IS NOT NULL) h`,
    [now],
  );
  if (row === undefined) throw new Error('a query without rows');
  return row;
}
