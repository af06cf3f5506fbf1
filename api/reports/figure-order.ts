import * as yup from 'yup';
import { runner } from '../../db/postgres.ts';
import type { FigureOrder } from '../../db/queries/figure-order.ts';
import { readBounds } from '../../db/queries/reports.ts';
import { type Sorts, sortWords } from '../../db/queries/sorting.ts';
import { invalid } from '../../domain/errors.ts';
import { type Figure, FIGURES } from '../../domain/report-columns.ts';
import { type Dimension, planReport, readRange, type ReportSide } from '../../domain/report.ts';
import type { ConsoleDeps } from '../deps.ts';
import { day, text } from '../http/fields.ts';
import { sortField } from '../http/pagination.ts';

/** Days of a list's figures, beside the days of creation that it may be narrowed to. */
const PREFIX = 'figures_';

/** Query parameters of a list whose rows reports know: its own orders and those by a figure (interface 2.1). */
export const figureSortFields = (side: ReportSide, sorts: Sorts) => ({
  ...sortField([...sortWords(sorts), ...FIGURES[side].flatMap((word) => [word, `-${word}`])]),
  [`${PREFIX}start_date` as const]: day(),
  [`${PREFIX}end_date` as const]: day(),
  [`${PREFIX}timezone` as const]: text(64).meta({ kind: 'word' }),
});

const figureQuery = yup.object(figureSortFields('publisher', {}));
export type FigureSortQuery = yup.InferType<typeof figureQuery>;

/**
 * The order that a list is asked for: by a column of its own, or by what its rows brought in those days, as
 * the report by `by` counts them. 422 where days are given and nothing is ordered by them.
 */
export async function readListOrder(
  deps: Pick<ConsoleDeps, 'db' | 'clock'>,
  { side, ownerId, by }: { side: ReportSide; ownerId: number; by: Dimension },
  { sort, ...query }: FigureSortQuery,
): Promise<{ sort?: string | undefined; figure?: FigureOrder }> {
  const isDown = sort?.startsWith('-') === true;
  const figure = isDown ? sort.slice(1) : sort;
  if (!isFigure(figure, side)) {
    const idle = Object.entries(query).flatMap(([field, value]) =>
      field.startsWith(PREFIX) && value !== undefined ? [field] : [],
    );
    if (idle.length === 0) return { sort };
    const message = 'goes with a sort by a figure';
    throw invalid(...idle.map((field) => ({ field, code: 'sort', message })));
  }
  const given = {
    startDate: query.figures_start_date,
    endDate: query.figures_end_date,
    timezone: query.figures_timezone,
  };
  const { timezone, ...days } = readRange(given, deps.clock(), PREFIX);
  const bounds = await readBounds(runner(deps.db), { ...days, timezone });
  const asked = { groupBy: [by], filter: {}, timezone };
  return {
    figure: {
      figure,
      isDown,
      query: { side, ownerId, ...asked, parts: planReport(side, asked, bounds) },
    },
  };
}

const isFigure = (word: string | undefined, side: ReportSide): word is Figure =>
  FIGURES[side].some((each) => each === word);
