import type * as yup from 'yup';
import type { ShownSchedule } from '../../db/queries/report-schedules.ts';
import { FREQUENCIES, PERIODS } from '../../domain/report-schedule.ts';
import { EXPORT_FORMATS } from '../../domain/report-text.ts';
import {
  date,
  flag,
  idOf,
  idOrNullOf,
  moving,
  oneOf,
  record,
  time,
  timeOrNull,
  whole,
  wholeOrNull,
  words,
  wordsOrNull,
} from '../http/response-shapes.ts';

const filterShape = record({
  campaign_id: idOf().optional(),
  adgroup_id: idOf().optional(),
  ad_id: idOf().optional(),
  site_id: idOf().optional(),
  zone_id: idOf().optional(),
  advertiser_id: idOf().optional(),
  publisher_id: idOf().optional(),
});

const runShape = record(
  {
    id: idOf(),
    due_at: time(),
    start_date: date(),
    end_date: date(),
    state: oneOf(['WRITING', 'SENT', 'FAILED'] as const),
    /** Why nobody was written to: what the report refuses, `not_allowed` or `email_unconfirmed`. */
    failure: wordsOrNull(),
    sent_at: timeOrNull(),
    /** Of its file, while it may be loaded. */
    file_id: idOrNullOf(),
    file_until: timeOrNull(),
  },
  'ReportRun',
);

/** interface 5.24 */
export const reportScheduleShape = record(
  {
    id: idOf(),
    name: words(),
    group_by: words(),
    filter: filterShape,
    period: oneOf(PERIODS),
    timezone: words(),
    /** Which have a column on the page; null: the usual ones. */
    figures: wordsOrNull(),
    format: oneOf(EXPORT_FORMATS),
    frequency: oneOf(FREQUENCIES),
    /** Of a weekly one: 1 is Monday. */
    weekday: wholeOrNull().min(1).max(7),
    month_day: wholeOrNull().min(1).max(31),
    hour: whole().min(0).max(23),
    is_paused: flag(),
    /** Null: it is paused. */
    next_run_at: moving(timeOrNull()),
    last_run: moving(runShape.nullable()),
    version: moving(whole().min(1)),
    created_at: time(),
    updated_at: moving(time()),
  },
  'ReportSchedule',
);

type Shown = yup.InferType<typeof reportScheduleShape>;

function presentRun(row: ShownSchedule): Shown['last_run'] {
  const { runId, runDueAt, runStartDate, runEndDate } = row;
  if (runId === null || runDueAt === null || runStartDate === null || runEndDate === null) {
    return null;
  }
  const state = row.runSentAt === null ? 'WRITING' : 'SENT';
  return {
    id: runId,
    due_at: runDueAt.toISOString(),
    start_date: runStartDate,
    end_date: runEndDate,
    state: row.runFailure === null ? state : 'FAILED',
    failure: row.runFailure,
    sent_at: row.runSentAt?.toISOString() ?? null,
    file_id: row.fileUntil === null ? null : row.runExportId,
    file_until: row.fileUntil?.toISOString() ?? null,
  };
}

export const presentReportSchedule = (row: ShownSchedule): Shown => ({
  id: row.id,
  name: row.name,
  group_by: row.groupBy,
  filter: row.filter,
  period: row.period,
  timezone: row.timezone,
  figures: row.figures,
  format: row.format,
  frequency: row.frequency,
  weekday: row.weekday,
  month_day: row.monthDay,
  hour: row.hour,
  is_paused: row.isPaused,
  next_run_at: row.isPaused ? null : row.nextRunAt.toISOString(),
  last_run: presentRun(row),
  version: row.version,
  created_at: row.createdAt.toISOString(),
  updated_at: row.updatedAt.toISOString(),
});
