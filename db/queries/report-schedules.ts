import type { Person } from '../../domain/person.ts';
import { PLATFORM_REPORT_READERS } from '../../domain/platform-report.ts';
import { flag, ref, time } from '../schema/column.ts';
import {
  columnsOf,
  leftJoined,
  prefixed,
  readRow,
  readRows,
  type RowOf,
  select,
} from '../schema/selection.ts';
import { reportRuns } from '../tables/report-run.ts';
import { reportSchedules } from '../tables/report-schedule.ts';
import type { SqlRunner } from '../sql-runner.ts';

const SCHEDULE = select({
  ...columnsOf(reportSchedules, 's'),
  ...leftJoined({
    ...prefixed(
      'run',
      columnsOf(reportRuns, 'r', [
        'id',
        'dueAt',
        'startDate',
        'endDate',
        'exportId',
        'sentAt',
        'failure',
      ]),
    ),
    /** Of its file, while it may be loaded. */
    fileUntil: time().of(`CASE WHEN e.status = 'READY' THEN e.expires_at END`),
  }),
});
export type ShownSchedule = RowOf<typeof SCHEDULE>;

/** Whose a schedule is: a person's, and of the account that they had then. */
export type ScheduleOwner = Person & { accountId: number | null };

/** A person's own, each with its last run. They have few enough that there are no pages of the list. */
export async function listReportSchedules(
  sql: SqlRunner,
  { personType, personId, accountId }: ScheduleOwner,
  { id }: { id?: number } = {},
): Promise<ShownSchedule[]> {
  return await readRows(
    sql,
    SCHEDULE,
    `SELECT ${SCHEDULE.list} FROM report_schedules s
     LEFT JOIN LATERAL (SELECT * FROM report_runs r WHERE r.schedule_id = s.id ORDER BY r.due_at DESC LIMIT 1) r ON true
     LEFT JOIN report_exports e ON e.id = r.export_id
     WHERE s.person_type = $1 AND s.person_id = $2 AND s.account_id IS NOT DISTINCT FROM $3::bigint
       AND ($4::bigint IS NULL OR s.id = $4)
     ORDER BY lower(s.name), s.id LIMIT 100`,
    [personType, personId, accountId, id ?? null],
  );
}

const DUE = select({ id: reportSchedules.columns.id.of('s.id') });

/** Due now, behind `after`, in the order of their ids: one that cannot be run does not stand in the way. */
export async function dueSchedules(
  sql: SqlRunner,
  { now, after, limit }: { now: Date; after: number; limit: number },
): Promise<number[]> {
  const rows = await readRows(
    sql,
    DUE,
    `SELECT ${DUE.list} FROM report_schedules s
     WHERE NOT s.is_paused AND s.next_run_at <= $1 AND s.id > $2 ORDER BY s.id LIMIT $3`,
    [now, after, limit],
  );
  return rows.map(({ id }) => id);
}

const READER = select({ isConfirmed: flag().of('p.email_confirmed_at IS NOT NULL') });

/** Whether somebody may still read the report that they asked for; undefined: they may not. */
export async function readReportReader(
  sql: SqlRunner,
  { personType, personId, accountId }: ScheduleOwner,
): Promise<RowOf<typeof READER> | undefined> {
  return await readRow(
    sql,
    READER,
    `SELECT ${READER.list} FROM (
       SELECT a.email_confirmed_at FROM accounts a
       WHERE $1 = 'ACCOUNT' AND a.id = $2 AND a.id = $3::bigint AND a.status = 'ACTIVE'
       UNION ALL
       SELECT m.email_confirmed_at FROM members m JOIN accounts a ON a.id = m.account_id
       WHERE $1 = 'MEMBER' AND m.id = $2 AND a.id = $3::bigint AND m.status = 'ACTIVE' AND a.status = 'ACTIVE'
       UNION ALL
       SELECT o.email_confirmed_at FROM operators o
       WHERE $1 = 'OPERATOR' AND o.id = $2 AND o.status = 'ACTIVE' AND o.role = ANY($4::text[])) p`,
    [personType, personId, accountId, ['ADMIN', ...PLATFORM_REPORT_READERS]],
  );
}

const UNDER_WAY = select({ count: ref().of('count(*)') });

/** Files that schedules have asked for and that are not written yet. */
export async function countRunsUnderWay(sql: SqlRunner): Promise<number> {
  const row = await readRow(
    sql,
    UNDER_WAY,
    `SELECT ${UNDER_WAY.list} FROM report_runs r WHERE r.sent_at IS NULL AND r.failure IS NULL`,
  );
  return row?.count ?? 0;
}

const OLDEST = select({ dueAt: time().orNull().of('min(s.next_run_at)') });

/** Since when the schedule that was longest not run is due; null: none is. */
export async function oldestDueSchedule(sql: SqlRunner, now: Date): Promise<Date | null> {
  const row = await readRow(
    sql,
    OLDEST,
    `SELECT ${OLDEST.list} FROM report_schedules s WHERE NOT s.is_paused AND s.next_run_at <= $1`,
    [now],
  );
  return row?.dueAt ?? null;
}
