import type { FieldError } from '../errors.ts';

/** One record with the line of the file that it begins on, as a person's editor counts. */
export interface CsvRecord {
  line: number;
  cells: string[];
}

export const DELIMITERS = { comma: ',', semicolon: ';', tab: '\t' } as const;
export type Delimiter = keyof typeof DELIMITERS;

const fault = (line: number, code: string, message: string): FieldError => ({
  field: `row.${line}`,
  code,
  message: `Row ${line}: ${message}`,
});

/** UTF-8 with or without its mark. What is no UTF-8 is named by its line. */
export function decodeText(bytes: Uint8Array): string | FieldError {
  const [first, second] = bytes;
  if ((first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff)) {
    return fault(1, 'encoding', 'the file is UTF-16; save it as UTF-8.');
  }
  const text = decoded(bytes);
  if (text === undefined) {
    return fault(firstUnread(bytes), 'encoding', 'is not UTF-8; save the file as UTF-8.');
  }
  const nul = text.indexOf('\u0000');
  if (nul < 0) return text;
  return fault(text.slice(0, nul).split('\n').length, 'encoding', 'holds a NUL; this is no text.');
}

function decoded(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (error) {
    if (error instanceof TypeError) return undefined;
    throw error;
  }
}

const NEWLINE = 0x0a;

function firstUnread(bytes: Uint8Array): number {
  let line = 1;
  let from = 0;
  for (;;) {
    const end = bytes.indexOf(NEWLINE, from);
    if (decoded(bytes.subarray(from, end < 0 ? bytes.length : end)) === undefined) return line;
    if (end < 0) return line;
    line += 1;
    from = end + 1;
  }
}

/** The one that the head has most of. */
export function delimiterOf(text: string): Delimiter {
  const head = (/^[^\r\n]*/.exec(text)?.[0] ?? '').replace(/"[^"]*"/g, '');
  const names = Object.keys(DELIMITERS) as Delimiter[];
  const times = (name: Delimiter): number => head.split(DELIMITERS[name]).length;
  return names.reduce((best, name) => (times(name) > times(best) ? name : best));
}

/** RFC 4180; empty lines are passed over. */
export function splitCsv(text: string, by: Delimiter): CsvRecord[] | FieldError {
  const delimiter = DELIMITERS[by];
  const records: CsvRecord[] = [];
  let at = 0;
  let line = 1;
  while (at < text.length) {
    const record: CsvRecord = { line, cells: [] };
    for (;;) {
      const read = text[at] === '"' ? quoted(text, at) : plain(text, at, delimiter);
      if (read === undefined) return fault(record.line, 'quote', 'a quotation mark is not closed.');
      record.cells.push(read.cell);
      line += read.cell.split('\n').length - 1;
      at = read.end;
      if (text[at] !== delimiter) break;
      at += 1;
    }
    if (text[at] === '\r') at += 1;
    if (at < text.length && text[at] !== '\n') {
      return fault(record.line, 'quote', 'something follows a closing quotation mark.');
    }
    at += 1;
    line += 1;
    if (record.cells.some((cell) => cell.trim() !== '')) records.push(record);
  }
  return records;
}

function plain(text: string, from: number, delimiter: string): { cell: string; end: number } {
  let end = from;
  while (end < text.length && text[end] !== delimiter && text[end] !== '\n') end += 1;
  if (end > from && text[end - 1] === '\r' && text[end] === '\n') end -= 1;
  return { cell: text.slice(from, end), end };
}

function quoted(text: string, from: number): { cell: string; end: number } | undefined {
  let cell = '';
  let at = from + 1;
  for (;;) {
    const close = text.indexOf('"', at);
    if (close < 0) return undefined;
    cell += text.slice(at, close);
    if (text[close + 1] !== '"') return { cell, end: close + 1 };
    cell += '"';
    at = close + 2;
  }
}
