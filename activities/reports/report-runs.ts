import type { Transaction } from 'sequelize';
import { inTransaction, runner } from '../../db/postgres.ts';
import { countRunsUnderWay, dueSchedules } from '../../db/queries/report-schedules.ts';
import { columnsOf, readRow, select } from '../../db/schema/selection.ts';
import { reportRuns } from '../../db/tables/report-run.ts';
import type { ReportScheduleRow } from '../../db/tables/report-schedule.ts';
import { DomainError } from '../../domain/errors.ts';
import { planPlatformReport } from '../../domain/platform-report.ts';
import {
  dayAt,
  daysOfPeriod,
  dueRun,
  type Period,
  type ScheduleFilter,
} from '../../domain/report-schedule.ts';
import { readRange, type ReportSide } from '../../domain/report.ts';
import type { ActivityDeps } from '../deps.ts';
import { openExport } from './exports.ts';
import { refusalOf, sendRun, tellFailure } from './report-letters.ts';
import {
  EXPORT_EVENTS_MAX,
  fileNameOf,
  planReportQuery,
  type PlannedReport,
} from './report-plan.ts';

export interface ReportRound {
  /** Files that are being written now. */
  begun: number;
  /** Told at once, or refused, as the run says. */
  ended: number;
  /** Nobody may be told any more, or somebody has changed it meanwhile. */
  passed: number;
  /** Left for the next round: their steps failed. */
  failed: number;
}

const LOT = 100;
/** Whoever presses for a file waits behind so many at most. */
const UNDER_WAY_MAX = 200;
/** The rest is found due in the next round. */
const BUDGET_MS = 600_000;
/** A run is looked up for that long, and its letter lives no longer than its file. */
const LETTER_LIVES_MS = 86_400_000;

export function createReportRunActivities(deps: ActivityDeps) {
  return {
    /** A round of workflows/report-schedules.ts. */
    sendDueReports: async (): Promise<ReportRound> => await sendDueReports(deps),
  };
}

/** Begins what is due, each in a transaction of its own: one that fails keeps nobody else waiting. */
export async function sendDueReports(deps: ActivityDeps): Promise<ReportRound> {
  const round: ReportRound = { begun: 0, ended: 0, passed: 0, failed: 0 };
  const endsAt = Date.now() + BUDGET_MS;
  const sql = runner(deps.db);
  let after = 0;
  while (Date.now() < endsAt) {
    const room = UNDER_WAY_MAX - (await countRunsUnderWay(sql));
    const limit = Math.min(LOT, room);
    if (limit <= 0) break;
    const due = await dueSchedules(sql, { now: deps.clock(), after, limit });
    for (const id of due) {
      try {
        round[await runDue(deps, id)] += 1;
      } catch (error) {
        round.failed += 1;
        deps.log.error({ err: error, reportSchedule: id }, 'a scheduled report was not begun');
      }
    }
    if (due.length < limit) break;
    after = due.at(-1) ?? after;
  }
  return round;
}

/**
 * The run and when the next one is due are written together, so that a crash between any two lines leaves both or
 * neither; a moment has one run, whoever comes twice.
 */
async function runDue(deps: ActivityDeps, id: number): Promise<'begun' | 'ended' | 'passed'> {
  const seen = await deps.db.models.reportSchedules.findByPk(id);
  if (seen === null) return 'passed';
  const { dueAt, nextAt } = dueRun(seen, seen.nextRunAt, deps.clock());
  const question = await questionOf(deps, seen, dueAt);
  return await inTransaction(deps.db, async (tx) => {
    const schedule = await deps.db.models.reportSchedules.findByPk(id, {
      transaction: tx,
      lock: tx.LOCK.UPDATE,
      skipLocked: true,
    });
    if (schedule === null || !isAsSeen(schedule, seen)) return 'passed';
    await schedule.update({ nextRunAt: nextAt }, { transaction: tx, silent: true });
    if ((await refusalOf(deps, tx, schedule)) === 'not_allowed') return 'passed';
    return await openRun(deps, tx, { schedule, question, dueAt });
  });
}

const isAsSeen = (now: ReportScheduleRow, seen: ReportScheduleRow): boolean =>
  !now.isPaused &&
  now.version === seen.version &&
  now.nextRunAt.getTime() === seen.nextRunAt.getTime();

/** What a schedule asks on a day: what is written of it, or why nothing can be. */
export interface Question {
  startDate: string;
  endDate: string;
  planned: PlannedReport | null;
  failure: string | null;
}

interface Asked {
  accountId: number | null;
  groupBy: string;
  filter: ScheduleFilter;
  period: Period;
  timezone: string;
}

/** Raises nothing that the report itself refuses: a later day may be answered. */
export async function questionOf(deps: ActivityDeps, asked: Asked, at: Date): Promise<Question> {
  const days = daysOfPeriod(asked.period, dayAt(asked.timezone, at));
  try {
    return { ...days, planned: await planOf(deps, asked, days), failure: null };
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    return { ...days, planned: null, failure: error.errors?.[0]?.code ?? error.token };
  }
}

/** As the report's route plans it: raises what that would. An operator's is read on its page, and only checked. */
export async function planOf(
  deps: ActivityDeps,
  { accountId, groupBy, filter, timezone }: Asked,
  days: { startDate: string; endDate: string },
): Promise<PlannedReport | null> {
  const { advertiser_id: advertiser, publisher_id: publisher, ...things } = filter;
  if (accountId === null) {
    const range = readRange({ ...days, timezone }, deps.clock());
    planPlatformReport(groupBy, {
      filter: { advertiser, publisher },
      timezone: range.timezone,
    });
    return null;
  }
  return await planReportQuery(
    deps,
    {
      side: await sideOf(deps, accountId),
      ownerId: accountId,
      params: { ...days, groupBy, timezone },
      filter: Object.fromEntries(
        Object.entries(things).map(([name, id]) => [name.replace('_id', ''), id]),
      ),
    },
    EXPORT_EVENTS_MAX,
  );
}

async function sideOf({ db }: ActivityDeps, accountId: number): Promise<ReportSide> {
  const { kind } = await db.models.accounts.findByPk(accountId, { rejectOnEmpty: true });
  return kind === 'ADVERTISER' ? 'advertiser' : 'publisher';
}

const OPENED = select(columnsOf(reportRuns, 'r', ['id']));

/** Once for each moment: an export, or what is said of it at once. */
export async function openRun(
  deps: ActivityDeps,
  tx: Transaction,
  { schedule, question, dueAt }: { schedule: ReportScheduleRow; question: Question; dueAt: Date },
): Promise<'begun' | 'ended' | 'passed'> {
  const { startDate, endDate, planned, failure } = question;
  const opened = await readRow(
    runner(deps.db, tx),
    OPENED,
    `INSERT INTO report_runs AS r (schedule_id, due_at, start_date, end_date, failure)
     VALUES ($1, $2, $3, $4, $5) ON CONFLICT DO NOTHING RETURNING ${OPENED.list}`,
    [schedule.id, dueAt, startDate, endDate, failure],
  );
  if (opened === undefined) return 'passed';
  if (failure !== null) {
    await tellFailure(deps, tx, { run: scheduleOf(schedule, question), failure });
    return 'ended';
  }
  const { accountId, format } = schedule;
  if (planned !== null && accountId !== null) {
    const { query } = planned;
    const fileName = fileNameOf(planned, format);
    const { exportId } = await openExport(deps, tx, { accountId, query, format, fileName });
    const where = { id: opened.id };
    await deps.db.models.reportRuns.update({ exportId }, { where, transaction: tx });
    return 'begun';
  }
  const until = new Date(deps.clock().getTime() + LETTER_LIVES_MS);
  const run = { ...scheduleOf(schedule, question), id: opened.id };
  await sendRun(deps, tx, { run, folder: 'operator', until });
  return 'ended';
}

/** By name: a record's fields are its getters, and spreading finds none. */
const scheduleOf = (schedule: ReportScheduleRow, { startDate, endDate }: Question) => ({
  scheduleId: schedule.id,
  personType: schedule.personType,
  personId: schedule.personId,
  accountId: schedule.accountId,
  name: schedule.name,
  groupBy: schedule.groupBy,
  filter: schedule.filter,
  timezone: schedule.timezone,
  figures: schedule.figures,
  startDate,
  endDate,
  exportId: null,
});
