import type { Cell } from './report-columns.ts';

/** Cells of a report as text of the formats it is exported in. */
export const EXPORT_FORMATS = ['csv', 'xlsx', 'jsonl'] as const;
export type ExportFormat = (typeof EXPORT_FORMATS)[number];

export const EXPORT_MIME: Readonly<Record<ExportFormat, string>> = {
  csv: 'text/csv',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  jsonl: 'application/jsonl',
};

/** What a spreadsheet takes for a formula, or for the cell to begin one. */
const FORMULA = /^[=+\-@\t\r\n＝＋－＠]/u;

/**
 * RFC 4180. Text that a spreadsheet would run is kept from it by an apostrophe before it: names are
 * written by one person and opened by another.
 */
function csvCell(cell: Cell): string {
  if (cell === null) return '';
  if (typeof cell === 'number') return String(cell);
  const text = FORMULA.test(cell) ? `'${cell}` : cell;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

export const csvLine = (cells: readonly Cell[]): string => `${cells.map(csvCell).join(',')}\r\n`;

export const jsonLine = (columns: readonly string[], cells: readonly Cell[]): string =>
  `${JSON.stringify(Object.fromEntries(columns.map((name, at) => [name, cells[at] ?? null])))}\n`;

/** XML 1.0 has no place for most control characters and for halves of surrogate pairs. */
// oxlint-disable-next-line no-control-regex -- naming the control characters is the point
const NOT_XML = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|\p{Surrogate}/gu;
const XML_ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\r': '&#13;',
};

const xmlText = (text: string): string =>
  text.replace(NOT_XML, '\ufffd').replace(/[&<>"\r]/g, (char) => XML_ESCAPES[char] ?? char);

/** The style of text cells: `quotePrefix`, so that editing one does not make it a formula. */
const TEXT_STYLE = 1;

/** One row of a worksheet. Text is text by its type: no spreadsheet runs it. */
export function sheetRow(cells: readonly Cell[]): string {
  const xml = cells.map((cell) => {
    if (cell === null) return '<c/>';
    if (typeof cell === 'number') return `<c><v>${cell}</v></c>`;
    return `<c t="inlineStr" s="${TEXT_STYLE}"><is><t xml:space="preserve">${xmlText(cell)}</t></is></c>`;
  });
  return `<row>${xml.join('')}</row>`;
}
