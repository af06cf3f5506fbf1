import type { QueryKey, UseQueryOptions } from '@tanstack/react-query';
import type { Period, ScheduleFilter } from '../../../domain/report-schedule.ts';
import type { ReportSchedule } from '../../client/routes.ts';
import { read, write } from '../api.ts';
import type { Realm } from '../session.ts';
import type { Range } from './report-range.ts';

/** Scheduled reports have the same routes in every realm. */
export const schedulesOf = (realm: Realm) => {
  const stale = [`GET /api/${realm}/report-schedules`] as const;
  return {
    list: read(`GET /api/${realm}/report-schedules`) as unknown as UseQueryOptions<{
      items: ReportSchedule[];
    }> & { queryKey: QueryKey },
    add: write(`POST /api/${realm}/report-schedules`, stale),
    save: write(`PUT /api/${realm}/report-schedules/{id}`, stale),
    remove: write(`DELETE /api/${realm}/report-schedules/{id}`, stale),
    run: write(`POST /api/${realm}/report-schedules/{id}/run`, stale),
  };
};

/** What of a report a schedule keeps beside its days. */
export interface ScheduledAsk {
  group_by: string;
  timezone: string;
  filter: ScheduleFilter;
  figures: string | null;
}

export const PERIOD_OF: Readonly<Record<Range, Period>> = {
  today: 'TODAY',
  yesterday: 'YESTERDAY',
  week: 'LAST_7_DAYS',
  month: 'LAST_30_DAYS',
  thisMonth: 'THIS_MONTH',
  lastMonth: 'LAST_MONTH',
  // Days of one's own do not move on.
  own: 'YESTERDAY',
};

/** `1` is Monday: 2024 began with one. */
export const weekdayText = (weekday: number, language: string): string =>
  new Intl.DateTimeFormat(language, { weekday: 'long', timeZone: 'UTC' }).format(
    Date.UTC(2024, 0, weekday),
  );
