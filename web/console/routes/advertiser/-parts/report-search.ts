import { numberOf, oneOf, stated, textOf } from '../../../parts/search.ts';
import type { ReportQuery } from '../../../queries/advertiser/report.ts';
import { countDays, shiftDay, todayIn } from './days.ts';
import { METRICS } from './metrics.ts';

export const PRESETS = [
  'today',
  'yesterday',
  'last7',
  'last30',
  'thisMonth',
  'lastMonth',
  'own',
] as const;
export type Preset = (typeof PRESETS)[number];

export const DIMENSIONS = [
  'date',
  'hour',
  'campaign',
  'adgroup',
  'ad',
  'creative',
  'country',
  'device',
  'os',
  'browser',
] as const;
export type ReportDimension = (typeof DIMENSIONS)[number];
export const DIMENSIONS_MAX = 3;

const DAY = /^\d{4}-\d{2}-\d{2}$/;
const dayFrom = (raw: unknown): string | undefined => {
  const text = textOf(raw);
  return text !== undefined && DAY.test(text) ? text : undefined;
};

/** The whole report is in its address: a copied one shows the same rows. */
export const reportSearch = (raw: Record<string, unknown>) =>
  stated({
    range: oneOf(PRESETS, raw['range']),
    from: dayFrom(raw['from']),
    to: dayFrom(raw['to']),
    by: textOf(raw['by']),
    zone: textOf(raw['zone']),
    metric: oneOf(METRICS, raw['metric']),
    campaign_id: numberOf(raw['campaign_id']),
    compare: oneOf(['1'], textOf(raw['compare'])),
    operation: numberOf(raw['operation']),
  });
export type ReportSearch = ReturnType<typeof reportSearch>;

export function dimensionsOf(by: string | undefined): ReportDimension[] {
  const named = (by ?? 'date').split(',');
  const known = DIMENSIONS.filter((each) => named.includes(each));
  return known.length === 0 ? ['date'] : known.slice(0, DIMENSIONS_MAX);
}

/** First and last day of a choice, as the chosen zone's calendar has them now. */
export function daysOf(
  { range = 'last7', from, to, zone = 'UTC' }: ReportSearch,
  now = new Date(),
) {
  const today = todayIn(zone, now);
  const month = `${today.slice(0, 7)}-01`;
  const beforeMonth = shiftDay(month, -1);
  const presets: Readonly<Record<Exclude<Preset, 'own'>, readonly [string, string]>> = {
    today: [today, today],
    yesterday: [shiftDay(today, -1), shiftDay(today, -1)],
    last7: [shiftDay(today, -6), today],
    last30: [shiftDay(today, -29), today],
    thisMonth: [month, today],
    lastMonth: [`${beforeMonth.slice(0, 7)}-01`, beforeMonth],
  };
  const [first, last] =
    range === 'own' ? [from ?? shiftDay(today, -6), to ?? today] : presets[range];
  return { first, last };
}

export function askOf(search: ReportSearch): ReportQuery {
  const { first, last } = daysOf(search);
  return {
    start_date: first,
    end_date: last,
    group_by: dimensionsOf(search.by).join(','),
    timezone: search.zone ?? 'UTC',
    ...(search.campaign_id === undefined ? {} : { campaign_id: search.campaign_id }),
  };
}

/** The same question about as many days just before. */
export function askBefore(ask: ReportQuery): ReportQuery {
  const { start_date: first = '', end_date: last = '' } = ask;
  const count = countDays(first, last);
  return { ...ask, start_date: shiftDay(first, -count), end_date: shiftDay(first, -1) };
}
