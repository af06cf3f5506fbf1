import type { Transaction } from 'sequelize';
import { runner } from '../../db/postgres.ts';
import { readReportReader, type ScheduleOwner } from '../../db/queries/report-schedules.ts';
import { columnsOf, readRows, type RowOf, select } from '../../db/schema/selection.ts';
import { reportRuns } from '../../db/tables/report-run.ts';
import { reportSchedules } from '../../db/tables/report-schedule.ts';
import type { ReportSide } from '../../domain/report.ts';
import type { ReportLetter } from '../accounts/report-letter.ts';
import { queueMail } from '../accounts/mails.ts';
import type { ActivityDeps } from '../deps.ts';

const RUN = select({
  ...columnsOf(reportSchedules, 's', [
    'personType',
    'personId',
    'accountId',
    'name',
    'groupBy',
    'filter',
    'timezone',
    'figures',
  ]),
  ...columnsOf(reportRuns, 'r', ['id', 'startDate', 'endDate', 'exportId']),
});
export type OpenRun = RowOf<typeof RUN>;

const OPEN = 'r.sent_at IS NULL AND r.failure IS NULL';

/**
 * The file of an export is there: whoever asked for it by a schedule is written to, in the transaction in which it
 * became ready, so that no crash parts the two. Answers whether anybody had.
 */
export async function sendRunsOf(
  deps: ActivityDeps,
  tx: Transaction,
  { exportId, side, until }: { exportId: number; side: ReportSide; until: Date },
): Promise<boolean> {
  const runs = await readRows(
    runner(deps.db, tx),
    RUN,
    `SELECT ${RUN.list} FROM report_runs r JOIN report_schedules s ON s.id = r.schedule_id
     WHERE r.export_id = $1 AND ${OPEN} ORDER BY r.id FOR UPDATE OF r`,
    [exportId],
  );
  for (const run of runs) await sendRun(deps, tx, { run, folder: side, until });
  return runs.length > 0;
}

/** One letter, or why there is none: whoever may not read the report any more is not told of it. */
export async function sendRun(
  deps: ActivityDeps,
  tx: Transaction,
  { run, folder, until }: { run: OpenRun; folder: ReportSide | 'operator'; until: Date },
): Promise<void> {
  const where = { id: run.id };
  const failure = await refusalOf(deps, tx, run);
  if (failure !== null) {
    await deps.db.models.reportRuns.update({ failure }, { where, transaction: tx });
    return;
  }
  await deps.db.models.reportRuns.update({ sentAt: deps.clock() }, { where, transaction: tx });
  const detail = JSON.stringify({
    name: run.name,
    report: `${folder}/reports?${searchOf(run).toString()}`,
    schedules: `${folder}/reports?schedules=yes`,
  } satisfies ReportLetter);
  const { personType, personId, accountId } = run;
  await queueMail(deps, tx, {
    kind: 'report_ready',
    ...(accountId === null ? { operatorId: personId } : { accountId }),
    ...(personType === 'MEMBER' ? { memberId: personId } : {}),
    detail,
    expiresAt: until,
  });
}

/** Why nobody is written to; null: somebody is. */
export async function refusalOf(
  { db }: ActivityDeps,
  tx: Transaction,
  owner: ScheduleOwner,
): Promise<'not_allowed' | 'email_unconfirmed' | null> {
  const reader = await readReportReader(runner(db, tx), owner);
  if (reader === undefined) return 'not_allowed';
  return reader.isConfirmed ? null : 'email_unconfirmed';
}

/** The page of the report as it was on that day, with its file. */
function searchOf({ startDate, endDate, groupBy, timezone, figures, filter, exportId }: OpenRun) {
  const search = new URLSearchParams({
    range: 'own',
    from: startDate,
    to: endDate,
    by: groupBy,
    zone_name: timezone,
  });
  for (const [name, value] of Object.entries({ figures, ...filter, file: exportId })) {
    if (value !== null) search.set(name, String(value));
  }
  return search;
}

/** Its file was given up: nothing is sent, and the page of schedules says why. */
export async function failRunsOf(
  { db }: ActivityDeps,
  tx: Transaction,
  { exportId, reason }: { exportId: number; reason: string },
): Promise<void> {
  await db.models.reportRuns.update(
    { failure: reason },
    { where: { exportId, sentAt: null, failure: null }, transaction: tx },
  );
}
