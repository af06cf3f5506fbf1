import { dayOf, type Days, daysOfRange, type Range, RANGES, todayIn } from './report-range.ts';
import { numberOf, oneOf, stated, textOf } from './search.ts';

/** A report's state in its address. */
export interface ReportSearch {
  range?: Range;
  from?: string;
  to?: string;
  /** Dimensions, separated by commas. */
  by?: string;
  /** IANA name; the reader's own where none is said. */
  zone_name?: string;
  compare?: 'yes';
  metric?: string;
  /** Metrics that have a column, separated by commas; `none` of them. */
  figures?: string;
  sort?: string;
  /** The operation that writes a long export: it goes on while nobody looks. */
  export?: number;
  /** The export that a notification is about. */
  file?: number;
  /** Instead of the report, those that come by mail. */
  schedules?: 'yes';
}

export const NO_FIGURES = 'none';

export const reportSearch = (raw: Record<string, unknown>): ReportSearch =>
  stated({
    range: oneOf(RANGES, raw['range']),
    from: dayOf(raw['from']),
    to: dayOf(raw['to']),
    by: textOf(raw['by']),
    zone_name: textOf(raw['zone_name']),
    compare: oneOf(['yes'] as const, raw['compare']),
    metric: textOf(raw['metric']),
    figures: textOf(raw['figures']),
    sort: textOf(raw['sort']),
    export: numberOf(raw['export']),
    file: numberOf(raw['file']),
    schedules: oneOf(['yes'] as const, raw['schedules']),
  });

/** The days that a search means where it is read; other days are as they were written. */
export function daysOfSearch({ range = 'week', from, to }: ReportSearch, timeZone: string): Days {
  const today = todayIn(timeZone);
  if (range !== 'own') return daysOfRange(range, today);
  const week = daysOfRange('week', today);
  return { start_date: from ?? week.start_date, end_date: to ?? week.end_date };
}
