import type { Figure } from '../../domain/report-columns.ts';
import type { ReportQuery } from '../../domain/report.ts';
import { groupsStatement } from './report-sql.ts';
import { orderBy, type Sorts } from './sorting.ts';

/** Lists in the order of what their rows brought: which number, of which days (interface 2.1, 4.5). */
export interface FigureOrder {
  figure: Figure;
  isDown: boolean;
  /** One line for each thing: grouped by what the list holds. */
  query: ReportQuery;
}

const rate = (part: string, whole: string): string =>
  `CASE g.${whole} WHEN 0 THEN 0 ELSE g.${part}::numeric / g.${whole} END`;

/** Of a line `g` of the report, as the report itself works them out. */
const EXPRESSIONS: Readonly<Record<Figure, string>> = {
  spend: 'g.money',
  revenue: 'g.money',
  requests: 'g.requests',
  impressions: 'g.impressions',
  viewable: 'g.viewable',
  views: 'g.views',
  clicks: 'g.clicks',
  conversions: 'g.conversions',
  removed: 'g.removed',
  ctr: rate('clicks', 'impressions'),
  cvr: rate('conversions', 'clicks'),
  ecpm: rate('money', 'impressions'),
};
const RATES: ReadonlySet<Figure> = new Set<Figure>(['ctr', 'cvr', 'ecpm']);

/** What a list sorts by: one of its own columns, or a figure; newest first without either. */
export interface ListOrder {
  sort?: string | undefined;
  figure?: FigureOrder | undefined;
}

/**
 * What goes behind FROM, and behind ORDER BY inside and outside of a page that is cut from it. `values` of the
 * statement so far; the figures' own are put behind them.
 */
export function orderedRows(
  { table, alias, sorts }: { table: string; alias: string; sorts: Sorts },
  { sort, figure }: ListOrder,
  values: unknown[],
): { from: string; order: string } {
  if (figure === undefined) {
    return { from: `${table} ${alias}`, order: orderBy(sorts, sort, alias) };
  }
  const groups = groupsStatement(figure.query, values);
  const direction = figure.isDown ? 'DESC' : 'ASC';
  // A thing without a line had nothing; a rate of nothing is not 0, and stands last either way.
  const none = RATES.has(figure.figure) ? 'NULL' : '0';
  return {
    from: `(SELECT x.*, COALESCE(f.figure, ${none}) AS figure FROM ${table} x LEFT JOIN (
      SELECT g.k0 AS id, ${EXPRESSIONS[figure.figure]} AS figure FROM (${groups}) g) f ON f.id = x.id) ${alias}`,
    order: `${alias}.figure ${direction} NULLS LAST, ${alias}.id ${direction}`,
  };
}
