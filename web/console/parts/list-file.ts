import { CSV_MARK, csvLine } from '../../../domain/report-text.ts';
import type { Cell } from '../../../domain/report-columns.ts';
import type { AskOf } from '../../client/client.ts';
import { api, type ReadName } from '../api.ts';
import { dateFormat } from './formats.ts';
import type { ListQuery, PageOf } from './list-page.tsx';
import { figureOf, type Line, type Metric } from './report-cells.ts';
import type { ReportQuery } from './report-page.tsx';
import type { Reported } from './report-view.tsx';

/** What a list's file has of each row, under the API's names, as files of reports have them. */
export interface ListFile<Row> {
  /** Begins the file's name. */
  name: string;
  /** In their order; moments are in the reader's zone, lists of words one after the other. */
  fields: readonly (keyof Row & string)[];
  /** What a row refers to by its number, and the list that has its name. */
  named?: readonly NamedField<Row>[];
}

interface NamedField<Row> {
  id: keyof Row & string;
  /** The column that the name stands in, behind the number's. */
  as: string;
  // oxlint-disable-next-line typescript/no-explicit-any -- a list of any thing that has a name
  list: ListQuery<any>;
}

/** The figures that stand beside the rows: which, and how they are read for some of them. */
export interface FileFigures {
  by: string;
  metrics: readonly Metric[];
  ask: (ids: string) => ReportQuery;
}

/** A page of the API; a list that nobody would read whole is cut here, and its file says so. */
const PAGE_ROWS = 100;
const FILE_ROWS_MAX = 5_000;

export interface Written {
  text: string;
  rows: number;
  /** How many the list has; more than `rows` where the file is cut. */
  total: number;
  /** While it was read rows came or went: it may lack some. */
  isMoved: boolean;
}

interface Writing<Row> {
  file: ListFile<Row>;
  query: ListQuery<Row>;
  figures?: FileFigures | undefined;
  timeZone: string;
  signal: AbortSignal;
  onProgress: (rows: number, total: number) => void;
}

type Thing = { id: number };

/** All pages of a list as the address has it, with its figures, as the text of a file. */
export async function writeList<Row extends Thing>(writing: Writing<Row>): Promise<Written> {
  const { file, query, figures, timeZone, signal, onProgress } = writing;
  const { rows, total } = await readAll(query, signal, onProgress);
  const names = new Map<string, ReadonlyMap<number, string>>();
  for (const { as, list } of file.named ?? []) names.set(as, await namesOf(list, signal));
  const reported = figures === undefined ? null : await readFigures(figures, rows, signal);
  const cellsOf = (row: Row): Cell[] => [
    ...file.fields.flatMap((field) => {
      const own = cellOf(field, row[field], timeZone);
      const named = file.named?.find(({ id }) => id === field);
      return named === undefined ? [own] : [own, names.get(named.as)?.get(Number(own)) ?? null];
    }),
    timeZone,
    ...(reported?.cellsOf(row.id) ?? []),
  ];
  const heads = [
    ...file.fields.flatMap((field) => {
      const named = file.named?.find(({ id }) => id === field);
      return named === undefined ? [field] : [field, named.as];
    }),
    'timezone',
    ...(reported?.heads ?? []),
  ];
  const isCut = rows.length === FILE_ROWS_MAX && total > FILE_ROWS_MAX;
  return {
    text: CSV_MARK + [heads, ...rows.map(cellsOf)].map(csvLine).join(''),
    rows: rows.length,
    total,
    isMoved: !isCut && rows.length !== total,
  };
}

/** One page of a list, or one report, by the route and the question that its key is made of. */
async function ask<Answer>(
  { queryKey }: { queryKey: readonly unknown[] },
  more: Record<string, number>,
  signal: AbortSignal,
): Promise<Answer> {
  const [route, asked] = queryKey as [ReadName, { query?: object }];
  const whole = { ...asked, query: { ...asked.query, ...more }, signal };
  return (await api(route).call(route, ...([whole] as unknown as AskOf<ReadName>))) as Answer;
}

/** One after the other, so that whoever works beside it is not held up. */
async function readAll<Row extends Thing>(
  query: ListQuery<Row>,
  signal: AbortSignal,
  onProgress: Writing<Row>['onProgress'],
): Promise<{ rows: Row[]; total: number }> {
  // A row that moved to a later page meanwhile is there once.
  const rows = new Map<number, Row>();
  for (let page = 1; ; page += 1) {
    const read = await ask<PageOf<Row>>(query, { page, page_size: PAGE_ROWS }, signal);
    for (const row of read.items) rows.set(row.id, row);
    const isLast = page >= read.total_pages || page * PAGE_ROWS >= FILE_ROWS_MAX;
    onProgress(rows.size, Math.min(read.total, FILE_ROWS_MAX));
    if (isLast) return { rows: [...rows.values()], total: read.total };
  }
}

async function namesOf(
  list: ListQuery<Thing & { name: string }>,
  signal: AbortSignal,
): Promise<ReadonlyMap<number, string>> {
  const { rows } = await readAll(list, signal, () => undefined);
  return new Map(rows.map(({ id, name }) => [id, name]));
}

/** Of a hundred rows at a time; of which days they are, and how far they are counted, is said in each line. */
async function readFigures(
  { by, metrics, ask: reportOf }: FileFigures,
  rows: readonly Thing[],
  signal: AbortSignal,
) {
  const lines = new Map<number, Cell[]>();
  for (let at = 0; at < rows.length; at += PAGE_ROWS) {
    const ids = rows.slice(at, at + PAGE_ROWS).map(({ id }) => id);
    const report = await ask<Reported>(reportOf(ids.join(',')), {}, signal);
    const known = new Map(
      (report.items as readonly Line[]).map((line) => [line[`${by}_id`], line]),
    );
    const state: Cell[] = [report.start_date, report.end_date, report.as_of, report.is_final];
    for (const id of ids) {
      lines.set(id, [...metrics.map((metric) => figureOf(known.get(id), metric)), ...state]);
    }
  }
  return {
    // As the list's own parameters are called: a campaign has days of its own.
    heads: [...metrics, 'figures_start_date', 'figures_end_date', 'as_of', 'is_final'],
    cellsOf: (id: number): Cell[] => lines.get(id) ?? [],
  };
}

function cellOf(field: string, value: unknown, timeZone: string): Cell {
  if (value === null || value === undefined) return null;
  if (Array.isArray(value)) return value.join(' ');
  if (field.endsWith('_at') && typeof value === 'string') return momentIn(timeZone, value);
  return value as Cell;
}

/** `2026-01-31 18:05:00`, which every spreadsheet takes for a moment; its zone stands in the same line. */
function momentIn(timeZone: string, at: string): string {
  return dateFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium' }).format(
    new Date(at),
  );
}
