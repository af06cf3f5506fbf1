import type { Transaction } from 'sequelize';
import { runner } from '../../db/postgres.ts';
import { readReportReader, type ScheduleOwner } from '../../db/queries/report-schedules.ts';
import { ref } from '../../db/schema/column.ts';
import { columnsOf, readRows, type RowOf, select } from '../../db/schema/selection.ts';
import { reportRuns } from '../../db/tables/report-run.ts';
import { reportSchedules } from '../../db/tables/report-schedule.ts';
import type { ReportSide } from '../../domain/report.ts';
import { queueMail } from '../accounts/mails.ts';
import type { Notice } from '../accounts/notice-letter.ts';
import { notify } from '../accounts/notifications.ts';
import type { ReportLetter } from '../accounts/report-letter.ts';
import type { ActivityDeps } from '../deps.ts';

const RUN = select({
  scheduleId: ref().of('s.id'),
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
  const runs = await openRunsOf(deps, tx, exportId);
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
    await tellFailure(deps, tx, { run, failure });
    return;
  }
  await deps.db.models.reportRuns.update({ sentAt: deps.clock() }, { where, transaction: tx });
  await keepTold(deps, tx, { scheduleId: run.scheduleId, isTold: false });
  const detail = JSON.stringify({
    name: run.name,
    report: `${folder}/reports?${searchOf(run).toString()}`,
    schedules: `${folder}/reports?schedules=yes`,
  } satisfies ReportLetter);
  await queueMail(deps, tx, { kind: 'report_ready', ...readerOf(run), detail, expiresAt: until });
}

const readerOf = ({ personType, personId, accountId }: ScheduleOwner) => ({
  ...(accountId === null ? { operatorId: personId } : { accountId }),
  ...(personType === 'MEMBER' ? { memberId: personId } : {}),
});

/** A week later the page of schedules has shown it anyway. */
const NEWS_LIVES_MS = 7 * 86_400_000;

/**
 * Its person hears that a run was not sent, and why: once, until one is sent again or they change the schedule. The
 * inbox is the account's: only its owner's is told there as well, a member's or an operator's is theirs alone.
 */
export async function tellFailure(
  deps: ActivityDeps,
  tx: Transaction,
  { run, failure }: { run: Omit<OpenRun, 'id'>; failure: string },
): Promise<void> {
  const { personType, accountId, scheduleId, name } = run;
  const reader = await readReportReader(runner(deps.db, tx), run);
  const isOwners = personType === 'ACCOUNT' && accountId !== null;
  if (reader === undefined || (!isOwners && !reader.isConfirmed)) return;
  if (!(await keepTold(deps, tx, { scheduleId, isTold: true }))) return;
  const news = {
    kind: 'report_failed',
    subject: { type: 'report_schedule', id: scheduleId },
    params: { name, failure },
  } satisfies Notice;
  if (isOwners) {
    await notify(deps, tx, { accountId, ...news });
    return;
  }
  await queueMail(deps, tx, {
    kind: 'notice',
    ...readerOf(run),
    detail: JSON.stringify(news),
    expiresAt: new Date(deps.clock().getTime() + NEWS_LIVES_MS),
  });
}

/** Answers whether it was otherwise before. */
async function keepTold(
  { db }: ActivityDeps,
  tx: Transaction,
  { scheduleId: id, isTold }: { scheduleId: number; isTold: boolean },
): Promise<boolean> {
  const [changed] = await db.models.reportSchedules.update(
    { failureTold: isTold },
    { where: { id, failureTold: !isTold }, transaction: tx, silent: true },
  );
  return changed > 0;
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

/** Its file was given up: nothing is sent, the page of schedules says why, and whoever asked for it hears of it. */
export async function failRunsOf(
  deps: ActivityDeps,
  tx: Transaction,
  { exportId, reason }: { exportId: number; reason: string },
): Promise<void> {
  for (const run of await openRunsOf(deps, tx, exportId)) {
    const where = { id: run.id };
    await deps.db.models.reportRuns.update({ failure: reason }, { where, transaction: tx });
    await tellFailure(deps, tx, { run, failure: reason });
  }
}

/** Locked, their schedules first: as whoever changes or deletes one. */
async function openRunsOf(
  { db }: ActivityDeps,
  tx: Transaction,
  exportId: number,
): Promise<OpenRun[]> {
  return await readRows(
    runner(db, tx),
    RUN,
    `SELECT ${RUN.list} FROM report_runs r JOIN report_schedules s ON s.id = r.schedule_id
     WHERE r.export_id = $1 AND ${OPEN} ORDER BY r.id FOR UPDATE OF s, r`,
    [exportId],
  );
}
