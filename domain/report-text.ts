import type { Cell } from './report-columns.ts';

/** Cells of a report as text of the formats it is exported in. */
export const EXPORT_FORMATS = ['csv', 'xlsx', 'jsonl'] as const;
export type ExportFormat = (typeof EXPORT_FORMATS)[number];

export const EXPORT_MIME: Readonly<Record<ExportFormat, string>> = {
  csv: 'text/csv',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  jsonl: 'application/jsonl',
};

/** By this mark, the first of the file, Excel knows that a csv is UTF-8. */
export const CSV_MARK = '\ufeff';

/** What a spreadsheet takes for a formula, or for the cell to begin one. */
const FORMULA = /^[=+\-@\t\r\n＝＋－＠]/u;

/**
 * RFC 4180. Text that a spreadsheet would run is kept from it by an apostrophe before it: names are
 * written by one person and opened by another.
 */
function csvCell(cell: Cell): string {
  if (cell === null) return '';
  if (typeof cell !== 'string') return String(cell);
  const text = FORMULA.test(cell) ? `'${cell}` : cell;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

export const csvLine = (cells: readonly Cell[]): string => `${cells.map(csvCell).join(',')}\r\n`;

export const jsonLine = (columns: readonly string[], cells: readonly Cell[]): string =>
  `${JSON.stringify(Object.fromEntries(columns.map((name, at) => [name, cells[at] ?? null])))}\n`;
