import { PassThrough, type Readable } from 'node:stream';
import { once } from 'node:events';
import yazl from 'yazl';
import { type Cell, reportColumns, reportLine } from '../../domain/report-columns.ts';
import { csvLine, type ExportFormat, jsonLine, sheetRow } from '../../domain/report-text.ts';
import type { Dimension, ReportRow, ReportSide } from '../../domain/report.ts';
import { sheetHead, SHEET_TAIL, workbookParts } from './workbook-parts.ts';

/** A report as the bytes of a file; never more than a batch of it is held. */
export interface ReportFile {
  format: ExportFormat;
  side: ReportSide;
  groupBy: readonly Dimension[];
  batches: AsyncIterable<ReportRow[]>;
}

export function reportBytes(file: ReportFile): AsyncIterable<Buffer> {
  return file.format === 'xlsx' ? workbook(file) : lines(file, file.format);
}

async function* cellsOf({ side, groupBy, batches }: ReportFile): AsyncGenerator<Cell[][]> {
  const columns = reportColumns(groupBy, side);
  for await (const rows of batches) {
    yield rows.map((row) => {
      const line = reportLine(row, side);
      return columns.map((name) => line[name] ?? null);
    });
  }
}

async function* lines(file: ReportFile, format: 'csv' | 'jsonl'): AsyncGenerator<Buffer> {
  const columns = reportColumns(file.groupBy, file.side);
  let head = format === 'csv' ? csvLine(columns) : '';
  const lineOf =
    format === 'csv' ? csvLine : (cells: readonly Cell[]): string => jsonLine(columns, cells);
  for await (const rows of cellsOf(file)) {
    yield Buffer.from(head + rows.map(lineOf).join(''));
    head = '';
  }
  if (head !== '') yield Buffer.from(head);
}

/** What a sheet holds at most, its head included; the rest goes on the next one. */
const SHEET_ROWS_MAX = 1_048_576;

/** The zip is written as it is read: sheets first, and last the parts that say how many there are. */
async function* workbook(file: ReportFile): AsyncGenerator<Buffer> {
  const zip = new yazl.ZipFile();
  const output = zip.outputStream as Readable;
  const readerLeft = new AbortController();
  const filling = fill(zip, file, readerLeft.signal);
  // What goes wrong there is raised here, to who reads the bytes.
  filling.catch((error: unknown) => output.destroy(asError(error)));
  try {
    yield* output as AsyncIterable<Buffer>;
  } finally {
    // A reader that stops early must not leave the other end waiting for room, with its connection.
    readerLeft.abort();
    await Promise.allSettled([filling]);
  }
}

async function fill(zip: yazl.ZipFile, file: ReportFile, readerLeft: AbortSignal): Promise<void> {
  const write = async (stream: PassThrough, text: string): Promise<void> => {
    if (!stream.write(text)) await once(stream, 'drain', { signal: readerLeft });
  };
  const columns = reportColumns(file.groupBy, file.side);
  let sheets = 0;
  let sheet: PassThrough | undefined;
  let rowsLeft = 0;
  const open = async (): Promise<PassThrough> => {
    sheet?.end(SHEET_TAIL);
    sheets += 1;
    sheet = new PassThrough();
    zip.addReadStream(sheet, `xl/worksheets/sheet${sheets}.xml`);
    await write(sheet, sheetHead() + sheetRow(columns));
    rowsLeft = SHEET_ROWS_MAX - 1;
    return sheet;
  };
  let current = await open();
  for await (const rows of cellsOf(file)) {
    let from = 0;
    while (from < rows.length) {
      if (rowsLeft === 0) current = await open();
      const part = rows.slice(from, from + rowsLeft);
      await write(current, part.map(sheetRow).join(''));
      from += part.length;
      rowsLeft -= part.length;
    }
  }
  current.end(SHEET_TAIL);
  for (const [name, text] of workbookParts(sheets)) zip.addBuffer(Buffer.from(text), name);
  zip.end();
}

const asError = (error: unknown): Error =>
  error instanceof Error ? error : new Error('the report could not be read', { cause: error });
