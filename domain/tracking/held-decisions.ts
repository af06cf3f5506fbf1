import { decodeText, delimiterOf, splitCsv } from '../bank-statement/csv.ts';
import { isFormula } from '../bank-statement/values.ts';
import type { FieldError } from '../errors.ts';

/** What its advertiser says of a held conversion (interface 4.7). */
export type HeldDecision = { action: 'approve' } | { action: 'reject'; note: string };

/** One line of a file of decisions; it names its conversion by our id or by the advertiser's own. */
export interface DecisionLine {
  line: number;
  id: number | null;
  transactionId: string | null;
  decision: HeldDecision | null;
  faults: FieldError[];
}

export const NOTE_CHARS_MAX = 500;
const LINES_MAX = 1_000;
const COLUMNS = ['id', 'txid', 'decision', 'reason'] as const;
type Column = (typeof COLUMNS)[number];

/**
 * A CSV with a head of `id` or `txid`, `decision` (approve, reject) and `reason`. What is wrong with a line
 * stays with it, and the others count; what is wrong with the file alone is answered as its faults.
 */
export function readDecisions(bytes: Uint8Array): DecisionLine[] | { faults: FieldError[] } {
  const text = decodeText(bytes);
  if (typeof text !== 'string') return { faults: [text] };
  const records = splitCsv(text, delimiterOf(text));
  if (!Array.isArray(records)) return { faults: [records] };
  const [head, ...body] = records;
  const places = new Map<Column, number>();
  for (const column of COLUMNS) {
    const at = head?.cells.findIndex((cell) => cell.trim().toLowerCase() === column) ?? -1;
    if (at >= 0) places.set(column, at);
  }
  if (!places.has('decision') || (!places.has('id') && !places.has('txid'))) {
    const message = 'the head must name decision, and id or txid.';
    return { faults: [{ field: 'file', code: 'columns', message }] };
  }
  if (body.length === 0 || body.length > LINES_MAX) {
    const message = `the file must hold 1 to ${LINES_MAX} lines below its head.`;
    return { faults: [{ field: 'file', code: 'lines', message }] };
  }
  const seen = new Set<string>();
  return body.map(({ line, cells }) => {
    const cell = (column: Column): string => (cells[places.get(column) ?? -1] ?? '').trim();
    return readLine(line, cell, seen);
  });
}

function readLine(line: number, cell: (column: Column) => string, seen: Set<string>): DecisionLine {
  const faults: FieldError[] = [];
  const fault = (field: Column, code: string, message: string): void => {
    faults.push({ field, code, message });
  };
  for (const column of COLUMNS) {
    if (isFormula(cell(column))) fault(column, 'formula', 'begins as a formula');
  }
  const id = /^[1-9]\d{0,14}$/.test(cell('id')) ? Number(cell('id')) : null;
  if (cell('id') !== '' && id === null) fault('id', 'typeError', 'must be a number');
  const transactionId = id === null && cell('txid') !== '' ? cell('txid') : null;
  if (cell('id') === '' && transactionId === null) fault('id', 'required', 'id or txid is needed');
  const name = id?.toString() ?? (transactionId === null ? null : `tx:${transactionId}`);
  if (name !== null && seen.has(name)) fault('id', 'repeated', 'stands in the file before');
  if (name !== null) seen.add(name);
  const decision = decisionOf(cell, fault);
  return { line, id, transactionId, decision: faults.length === 0 ? decision : null, faults };
}

function decisionOf(
  cell: (column: Column) => string,
  fault: (field: Column, code: string, message: string) => void,
): HeldDecision | null {
  const action = cell('decision').toLowerCase();
  const note = cell('reason');
  if (note.length > NOTE_CHARS_MAX) {
    fault('reason', 'max', `must be at most ${NOTE_CHARS_MAX} characters`);
  }
  if (action === 'approve') return { action };
  if (action !== 'reject') {
    fault('decision', 'one_of', 'must be approve or reject');
    return null;
  }
  if (note === '') fault('reason', 'required', 'a rejection needs a reason');
  return { action, note };
}
