import { RANGES } from './report-range.ts';
import type { ReportSearch } from './report-search.ts';
import { oneOf, stated, textOf } from './search.ts';

/** Their state in a list's address, as in a report's; the list itself is not asked for it. */
export interface FiguresSearch extends Pick<ReportSearch, 'range' | 'zone_name'> {
  /** Metrics, separated by commas; `none` of them. */
  figures?: string;
}

/** Days of one's own are the report's business. */
export const FIGURE_RANGES = RANGES.filter((range) => range !== 'own');
export const NO_FIGURES = 'none';

export const figuresSearch = (raw: Record<string, unknown>): FiguresSearch =>
  stated({
    range: oneOf(FIGURE_RANGES, raw['range']),
    zone_name: textOf(raw['zone_name']),
    figures: textOf(raw['figures']),
  });

/** What a list is asked, without how its figures are shown. */
export function asked<Search extends FiguresSearch>(
  search: Search,
): Omit<Search, keyof FiguresSearch> {
  const { range: _range, zone_name: _zone, figures: _figures, ...rest } = search;
  return rest;
}
