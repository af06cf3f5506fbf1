import { type Figure, FIGURES } from '../../../domain/report-columns.ts';
import { RANGES } from './report-range.ts';
import { daysOfSearch, type ReportSearch } from './report-search.ts';
import { oneOf, stated, textOf } from './search.ts';

/** Their state in a list's address, as in a report's; the list itself is not asked for it. */
export type FiguresSearch = Pick<ReportSearch, 'range' | 'zone_name' | 'figures'>;

/** Days of one's own are the report's business. */
export const FIGURE_RANGES = RANGES.filter((range) => range !== 'own');

export const figuresSearch = (raw: Record<string, unknown>): FiguresSearch =>
  stated({
    range: oneOf(FIGURE_RANGES, raw['range']),
    zone_name: textOf(raw['zone_name']),
    figures: textOf(raw['figures']),
  });

type Side = keyof typeof FIGURES;
type Order<Word extends string> = Word | `-${Word}`;

/** Orders of a list by what its rows brought, as the API names them. */
export const figureSorts = <S extends Side>(
  side: S,
): readonly Order<(typeof FIGURES)[S][number]>[] =>
  FIGURES[side].flatMap((word: (typeof FIGURES)[S][number]) => [word, `-${word}`] as const);

const isByFigure = (sort: string | undefined): boolean =>
  sort !== undefined &&
  [...FIGURES.advertiser, ...FIGURES.publisher].includes(sort.replace(/^-/, '') as Figure);

/** A press on a head. From the first order by a figure on, the address means the same days elsewhere. */
export const sortedBy = (
  sort: string | undefined,
  timeZone: string,
): { sort: string | undefined; zone_name?: string } =>
  isByFigure(sort) ? { sort, zone_name: timeZone } : { sort };

interface FigureDays {
  figures_start_date?: string;
  figures_end_date?: string;
  figures_timezone?: string;
}

/** How a list is narrowed, without how its figures are shown. */
export function narrowed<Search extends FiguresSearch>(
  search: Search,
): Omit<Search, keyof FiguresSearch> {
  const { range: _range, zone_name: _zone, figures: _figures, ...rest } = search;
  return rest;
}

/** What a list is asked: the days of its figures as well, where it is in their order. */
export function asked<Search extends FiguresSearch & { sort?: string }>(
  search: Search,
  timeZone: string = search.zone_name ?? 'UTC',
): Omit<Search, keyof FiguresSearch> & FigureDays {
  if (!isByFigure(search.sort)) return narrowed(search);
  const { start_date: from, end_date: to } = daysOfSearch(search as FiguresSearch, timeZone);
  return {
    ...narrowed(search),
    figures_start_date: from,
    figures_end_date: to,
    figures_timezone: timeZone,
  };
}
