import { PERSON_TYPES } from '../../domain/person.ts';
import { FREQUENCIES, PERIODS, type ScheduleFilter } from '../../domain/report-schedule.ts';
import { EXPORT_FORMATS } from '../../domain/report-text.ts';
import { flag, id, json, ref, text, time, whole, word } from '../schema/column.ts';
import { type Row, table } from '../schema/table.ts';

export const reportSchedules = table('report_schedules', {
  id: id(),
  personType: word(PERSON_TYPES),
  personId: ref(),
  accountId: ref().orNull(),
  name: text(),
  groupBy: text(),
  filter: json<ScheduleFilter>(),
  period: word(PERIODS),
  timezone: text(),
  /** Which have a column on the page. */
  figures: text().orNull(),
  format: word(EXPORT_FORMATS),
  frequency: word(FREQUENCIES),
  weekday: whole().orNull(),
  monthDay: whole().orNull(),
  hour: whole(),
  isPaused: flag().byDefault(),
  /** Its person has heard that it fails: not again before one is sent, or they change it. */
  failureTold: flag().byDefault(),
  nextRunAt: time(),
  version: whole().byDefault(),
  createdAt: time().byDefault(),
  updatedAt: time().byDefault(),
});
export type ReportScheduleRow = Row<typeof reportSchedules>;
