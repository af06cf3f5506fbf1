import type { report } from '../texts/report.ts';
import { traits } from '../texts/traits.ts';
import { countryName } from './countries.ts';
import { decimalsOf, hourText, numberFormat, RATE } from './formats.ts';
import { formatFigure, formatMoney } from './money.tsx';
import type { Language } from './preferences.tsx';
import type { Dimension } from './report-controls.tsx';
import { type Same, textsIn, type Tree, wordOf } from './texts.ts';
import { formatDay } from './time.tsx';

type Words = Same<(typeof report)['en']>;
export type Metric = keyof (typeof report)['en']['metrics'];

/** A line of any report: its dimensions and its figures. */
export type Line = Readonly<Record<string, string | number | null | undefined>>;

/** Dimensions that are things with a name. */
export const NAMED = new Set<Dimension>([
  'site',
  'zone',
  'campaign',
  'adgroup',
  'ad',
  'creative',
  'advertiser',
  'publisher',
]);
/** To the last digit, as files and transactions have them. */
const MONEY = new Set<Metric>([
  'revenue',
  'spend',
  'publisher_revenue',
  'margin',
  'pending_revenue',
  'approved_revenue',
  'rejected_revenue',
  'pending_spend',
  'approved_spend',
  'rejected_spend',
]);
/** Conversions that wait for their advertiser; where there are none, nobody reads of them. */
export const isHeld = (metric: Metric): boolean => /^(pending|approved|rejected)_/.test(metric);

/** Those that say something of this report. */
export function metricsOf(metrics: readonly Metric[], totals: Line): readonly Metric[] {
  const counted = metrics.filter((each) => totals[each] !== null);
  const isHeldThere = counted.some((each) => isHeld(each) && totals[each] !== 0);
  return isHeldThere ? counted : counted.filter((each) => !isHeld(each));
}

/**
 * The columns of a table while nobody has chosen: what nobody did and what is held, which has its sum above, would push
 * the others out of a laptop's width.
 */
export const usualOf = (metrics: readonly Metric[], totals: Line): readonly Metric[] =>
  metrics.filter((each) => !isHeld(each) && (each !== 'views' || totals[each] !== 0));

const RATES = new Set<Metric>(['ctr', 'cvr', 'fill_rate']);

/** `decimals`: of its column (`decimalsIn`), where it stands in one. */
export function formatMetric(
  metric: Metric,
  value: number | null | undefined,
  language: Language,
  decimals?: number,
): string {
  if (value === null || value === undefined) return '—';
  if (MONEY.has(metric)) return formatMoney(value, language, 'USD', decimals);
  if (metric === 'ecpm') return formatFigure(value, language);
  return numberFormat(language, RATES.has(metric) ? RATE : {}).format(value);
}

/** How many decimals the amounts of a column have; undefined where they are none. */
export function decimalsIn(metric: Metric, lines: Iterable<Line>): number | undefined {
  if (!MONEY.has(metric)) return undefined;
  return decimalsOf(Array.from(lines, (line) => Number(line[metric] ?? 0)));
}

/** A thing without a line had nothing; a rate of nothing is not 0. */
export function figureOf(line: Line | undefined, metric: Metric): number | null {
  if (line === undefined) return RATES.has(metric) || metric === 'ecpm' ? null : 0;
  return line[metric] as number | null;
}

/** What a line is about, in words: things by name, hours as on a clock. */
export function labelOf(line: Line, dimension: Dimension, t: Words, language: Language): string {
  const own = line[dimension];
  if (dimension === 'date') return formatDay(String(own), language);
  if (dimension === 'hour') return hourText(String(own));
  if (NAMED.has(dimension)) {
    return String(line[`${dimension}_name`] ?? `#${String(line[`${dimension}_id`])}`);
  }
  if (own === undefined || own === null || own === '' || own === 'ZZ') return t.unknown;
  if (dimension === 'country') return countryName(String(own), language);
  const names: Tree = textsIn(traits, language);
  return wordOf((names[dimension] ?? {}) as Tree, String(own));
}

/** The same thing in another period has the same key. */
export const keyOf = (line: Line, by: readonly Dimension[]): string =>
  by.map((dimension) => String(line[dimension] ?? line[`${dimension}_id`])).join(' ');
