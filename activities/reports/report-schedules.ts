import type { Transaction } from 'sequelize';
import { inTransaction, runner } from '../../db/postgres.ts';
import type { ScheduleOwner } from '../../db/queries/report-schedules.ts';
import type { NewRow } from '../../db/schema/table.ts';
import type { ReportScheduleRow, reportSchedules } from '../../db/tables/report-schedule.ts';
import { conflict, DomainError, type FieldError, invalid, notFound } from '../../domain/errors.ts';
import { expectVersion } from '../../domain/lifecycle/version.ts';
import { planPlatformReport } from '../../domain/platform-report.ts';
import {
  dayAt,
  daysOfPeriod,
  nextRun,
  type Rhythm,
  SCHEDULES_PER_PERSON,
} from '../../domain/report-schedule.ts';
import { readTimezone } from '../../domain/report.ts';
import { oneAtATime } from '../accounts/saved-views.ts';
import { runStep } from '../core/run-once.ts';
import type { ActivityDeps } from '../deps.ts';
import { openRun, planOf, questionOf } from './report-runs.ts';

type Fields = Pick<
  ReportScheduleRow,
  | 'name'
  | 'groupBy'
  | 'filter'
  | 'period'
  | 'timezone'
  | 'figures'
  | 'format'
  | 'frequency'
  | 'weekday'
  | 'monthDay'
  | 'hour'
  | 'isPaused'
>;
/** What is undefined stays. */
type Given = { [Field in keyof Fields]?: Fields[Field] | undefined };
type ScheduleKey = ScheduleOwner & { id: number };
type Change = ScheduleKey & { ifMatch: readonly number[] | undefined };

/** Reports that come by themselves (interface 5.24). They move nothing, so no log has them. */
export function createReportScheduleActivities(deps: ActivityDeps) {
  const { db, clock } = deps;
  return {
    /** Raises 422 for what no report answers, not_found, state_conflict when there are too many. */
    addReportSchedule: async ({
      owner,
      fields,
    }: {
      owner: ScheduleOwner;
      fields: Fields;
    }): Promise<{ id: number }> => {
      const checked = await requireAnswered(deps, owner, fields);
      return await runStep(db, 'report_schedule.add', async (tx) => {
        await oneAtATime(runner(db, tx), owner);
        await expectRoom(deps, tx, owner);
        const row: NewRow<typeof reportSchedules> = {
          ...owner,
          ...checked,
          nextRunAt: nextRun(checked, clock()),
        };
        const { id } = await db.models.reportSchedules.create(row, { transaction: tx });
        return { id };
      });
    },

    /** What is undefined stays. Raises as above, and precondition_failed. */
    updateReportSchedule: async ({ ifMatch, ...key }: Change, given: Given): Promise<void> => {
      const named = Object.fromEntries(
        Object.entries(given).filter(([, value]) => value !== undefined),
      ) as Partial<Fields>;
      const seen = await db.models.reportSchedules.findOne({ where: { ...key } });
      if (seen === null) {
        // What is wrong in itself is named all the same, whosever it is.
        requireKnown(key, named);
        throw notFound();
      }
      const checked = await requireAnswered(deps, key, { ...fieldsOf(seen), ...named });
      await inTransaction(db, async (tx) => {
        const schedule = await lockSchedule(deps, tx, key);
        expectVersion(ifMatch, schedule.version);
        // What was looked at is what is written: somebody else's change is not undone.
        if (schedule.version !== seen.version) throw new DomainError('precondition_failed');
        if (Object.keys(named).length === 0) return;
        await schedule.update(
          {
            ...checked,
            nextRunAt: nextRun(checked, clock()),
            failureTold: false,
            version: schedule.version + 1,
          },
          { transaction: tx },
        );
      });
    },

    /** Raises not_found, precondition_failed. Nobody is told of a run that is under way. */
    deleteReportSchedule: async ({ ifMatch, ...key }: Change): Promise<void> => {
      await inTransaction(db, async (tx) => {
        const schedule = await lockSchedule(deps, tx, key);
        expectVersion(ifMatch, schedule.version);
        await schedule.destroy({ transaction: tx });
      });
    },

    /** Runs it now, beside its rhythm. Raises not_found, state_conflict while a run is under way. */
    runReportSchedule: async (key: ScheduleKey): Promise<void> => {
      const seen = await db.models.reportSchedules.findOne({ where: { ...key } });
      if (seen === null) throw notFound();
      const dueAt = clock();
      const question = await questionOf(deps, seen, dueAt);
      await runStep(db, 'report_schedule.run', async (tx) => {
        const schedule = await lockSchedule(deps, tx, key);
        if (schedule.version !== seen.version) throw new DomainError('precondition_failed');
        await expectIdle(deps, tx, schedule.id);
        await openRun(deps, tx, { schedule, question, dueAt });
      });
    },
  };
}

const fieldsOf = (row: ReportScheduleRow): Fields => ({
  name: row.name,
  groupBy: row.groupBy,
  filter: row.filter,
  period: row.period,
  timezone: row.timezone,
  figures: row.figures,
  format: row.format,
  frequency: row.frequency,
  weekday: row.weekday,
  monthDay: row.monthDay,
  hour: row.hour,
  isPaused: row.isPaused,
});

/** The zone as the platform spells it. Raises what the report would say to the question of now. */
async function requireAnswered(
  deps: ActivityDeps,
  { accountId }: ScheduleOwner,
  fields: Fields,
): Promise<Fields> {
  const timezone = readTimezone(fields.timezone);
  const faults = rhythmFaults(fields);
  if (timezone === undefined) {
    faults.push(NO_ZONE);
  }
  if (timezone === undefined || faults.length > 0) throw invalid(...faults);
  const checked = { ...fields, timezone };
  const days = daysOfPeriod(fields.period, dayAt(timezone, deps.clock()));
  await planOf(deps, { ...checked, accountId }, days);
  return checked;
}

/** Raises 422 for a zone of nobody, and of the platform's report for dimensions. */
function requireKnown({ accountId }: ScheduleOwner, { timezone, groupBy }: Partial<Fields>): void {
  if (timezone !== undefined && readTimezone(timezone) === undefined) throw invalid(NO_ZONE);
  if (groupBy !== undefined && accountId === null) {
    planPlatformReport(groupBy, { filter: {}, timezone: 'UTC' });
  }
}

const NO_ZONE: FieldError = { field: 'timezone', code: 'unknown', message: 'no such time zone' };

function rhythmFaults({ frequency, weekday, monthDay }: Rhythm): FieldError[] {
  const needs = (field: string): FieldError[] => [
    { field, code: 'required', message: `is needed when frequency is ${frequency}` },
  ];
  if (frequency === 'WEEKLY' && weekday === null) return needs('weekday');
  return frequency === 'MONTHLY' && monthDay === null ? needs('month_day') : [];
}

async function expectRoom(
  { db }: ActivityDeps,
  tx: Transaction,
  { personType, personId }: ScheduleOwner,
): Promise<void> {
  const count = await db.models.reportSchedules.count({
    where: { personType, personId },
    transaction: tx,
  });
  if (count < SCHEDULES_PER_PERSON) return;
  throw conflict(`At most ${SCHEDULES_PER_PERSON} scheduled reports of a person are kept.`, {
    max: SCHEDULES_PER_PERSON,
  });
}

async function expectIdle({ db }: ActivityDeps, tx: Transaction, id: number): Promise<void> {
  const where = { scheduleId: id, sentAt: null, failure: null };
  if ((await db.models.reportRuns.count({ where, transaction: tx })) === 0) return;
  throw conflict('This report is being written.');
}

async function lockSchedule({ db }: ActivityDeps, tx: Transaction, key: ScheduleKey) {
  const lock = { transaction: tx, lock: tx.LOCK.UPDATE };
  const schedule = await db.models.reportSchedules.findOne({ where: { ...key }, ...lock });
  if (schedule === null) throw notFound();
  return schedule;
}
