import { writeXlsxStream } from 'hucre/xlsx';
import {
  type Cell,
  type ColumnKind,
  columnKind,
  fileColumns,
  type FileState,
  fileState,
  reportLine,
} from '../../domain/report-columns.ts';
import { CSV_MARK, csvLine, type ExportFormat, jsonLine } from '../../domain/report-text.ts';
import type { Dimension, ReportRow, ReportSide } from '../../domain/report.ts';

/** A report as the bytes of a file; never more than a batch of it is held. */
export interface ReportFile {
  format: ExportFormat;
  side: ReportSide;
  groupBy: readonly Dimension[];
  state: FileState;
  batches: AsyncIterable<ReportRow[]>;
}

export function reportBytes(file: ReportFile): AsyncIterable<Uint8Array> {
  return file.format === 'xlsx' ? workbook(file) : lines(file, file.format);
}

async function* cellsOf(file: ReportFile): AsyncGenerator<Cell[][]> {
  const { side, groupBy, batches } = file;
  const columns = fileColumns(groupBy, side);
  for await (const rows of batches) {
    yield rows.map((row) => {
      const line = { ...reportLine(row, side), ...fileState(file.state, row) };
      return columns.map((name) => line[name] ?? null);
    });
  }
}

async function* lines(file: ReportFile, format: 'csv' | 'jsonl'): AsyncGenerator<Buffer> {
  const columns = fileColumns(file.groupBy, file.side);
  let head = format === 'csv' ? CSV_MARK + csvLine(columns) : '';
  const lineOf =
    format === 'csv' ? csvLine : (cells: readonly Cell[]): string => jsonLine(columns, cells);
  for await (const rows of cellsOf(file)) {
    yield Buffer.from(head + rows.map(lineOf).join(''));
    head = '';
  }
  if (head !== '') yield Buffer.from(head);
}

/**
 * How a spreadsheet shows a column. Text is text by the type of its cell, so none of it runs; the
 * format `@` keeps it so when somebody edits the cell.
 */
const NUMBER_FORMATS: Readonly<Record<ColumnKind, string | undefined>> = {
  date: 'yyyy-mm-dd',
  text: '@',
  number: undefined,
};

/** Rows are asked for as the bytes are read; what a sheet cannot hold goes on the next one. */
function workbook(file: ReportFile): AsyncIterable<Uint8Array> {
  const names = fileColumns(file.groupBy, file.side);
  const columns = names.map((header) => {
    const numFmt = NUMBER_FORMATS[columnKind(header)];
    return numFmt === undefined ? { header } : { header, numFmt };
  });
  return writeXlsxStream(sheetRows(file, names), { name: 'Report', columns });
}

async function* sheetRows(
  file: ReportFile,
  names: readonly string[],
): AsyncGenerator<(Cell | Date)[]> {
  const dates = names.map((name) => columnKind(name) === 'date');
  for await (const rows of cellsOf(file)) {
    for (const cells of rows) yield cells.map((cell, at) => sheetCell(cell, dates[at] === true));
  }
}

/** A day is told without a zone; the sheet counts days from midnight UTC. XML has no U+FFFE, U+FFFF. */
function sheetCell(cell: Cell, isDate: boolean): Cell | Date {
  if (typeof cell !== 'string') return cell;
  return isDate ? new Date(cell) : cell.replace(/[\ufffe\uffff]/g, '\ufffd');
}
