import { bankReferenceKey } from '../bank-reference.ts';
import type { FieldError } from '../errors.ts';
import type { Nanos } from '../money.ts';
import { type CsvRecord, decodeText, type Delimiter, delimiterOf, splitCsv } from './csv.ts';
import { type DayFormat, type Decimal, isFormula, readDay, readMoney } from './values.ts';

export const STATEMENT_FORMATS = ['CSV', 'CAMT053'] as const;

/** Money that came in, as one line of a statement says it. */
export interface StatementLine {
  line: number;
  bookedOn: string;
  amountNanos: Nanos;
  currency: string;
  /** The bank's own; null where the file has none. */
  reference: string | null;
  payer: string | null;
  remittance: string | null;
}

/** Any other movement: money that went out, and what takes an earlier one back. No receipt is made of it. */
export interface OtherMovement extends StatementLine {
  direction: 'IN' | 'OUT';
  isReversal: boolean;
}

export const BALANCE_KINDS = ['OPENING', 'CLOSING'] as const;
/** What the bank says lies on the account when that day begins or ends; below zero where it is owed. */
export interface StatementBalance {
  kind: (typeof BALANCE_KINDS)[number];
  onDay: string;
  amountNanos: Nanos;
}

export interface Statement {
  /** Payments that came in. */
  lines: StatementLine[];
  others: OtherMovement[];
  balances: StatementBalance[];
}

/** Which column, by its head, says what. */
export interface Mapping {
  date: string;
  amount: string;
  currency?: string | undefined;
  reference?: string | undefined;
  payer?: string | undefined;
  remittance?: string | undefined;
  delimiter?: Delimiter | undefined;
  decimal?: Decimal | undefined;
  dayFormat: DayFormat;
}

export interface Rules {
  /** The only one that is taken. */
  currency: string;
  /** `YYYY-MM-DD`: nothing is booked later. */
  today: string;
}

const STATEMENT_LINES_MAX = 5_000;
/** As many as somebody mends at once. */
const FAULTS_MAX = 20;
const REFERENCE_MAX = 140;
const TEXT_MAX = 500;

/** The statement, or everything that is wrong with it: row and column are named (interface 5.12). */
export function readCsvStatement(
  bytes: Uint8Array,
  mapping: Mapping,
  rules: Rules,
): Statement | { faults: FieldError[] } {
  const text = decodeText(bytes);
  if (typeof text !== 'string') return { faults: [text] };
  const records = splitCsv(text, mapping.delimiter ?? delimiterOf(text));
  if (!Array.isArray(records)) return { faults: [records] };
  const [head, ...body] = records;
  if (head === undefined || body.length === 0) {
    return { faults: [at(1, null, 'empty', 'the file has a head and no lines, or nothing.')] };
  }
  if (body.length > STATEMENT_LINES_MAX) {
    const message = `the file has more than ${STATEMENT_LINES_MAX} lines; split it.`;
    return { faults: [at(STATEMENT_LINES_MAX + 1, null, 'too_many', message)] };
  }
  const columns = columnsOf(head, mapping);
  if (Array.isArray(columns)) return { faults: columns };
  const reader = new Reader(columns, mapping, rules);
  for (const record of body) reader.read(record, head.cells.length);
  const faults = [...reader.faults, ...repeatedIn(reader.lines, mapping)];
  if (faults.length > 0) return { faults: faults.slice(0, FAULTS_MAX) };
  return { lines: reader.lines, others: reader.others, balances: [] };
}

export const at = (
  line: number,
  column: string | null,
  code: string,
  message: string,
): FieldError => ({
  field: column === null ? `row.${line}` : `row.${line}.${column}`,
  code,
  message:
    column === null ? `Row ${line}: ${message}` : `Row ${line}, column "${column}": ${message}`,
});

type Said = 'date' | 'amount' | 'currency' | 'reference' | 'payer' | 'remittance';
const SAID = ['date', 'amount', 'currency', 'reference', 'payer', 'remittance'] as const;
type Columns = Partial<Record<Said, number>>;

function columnsOf({ line, cells }: CsvRecord, mapping: Mapping): Columns | FieldError[] {
  const heads = cells.map((cell) => cell.trim());
  const faults: FieldError[] = [];
  const columns: Columns = {};
  for (const said of SAID) {
    const name = mapping[said];
    if (name === undefined) continue;
    const found = heads.flatMap((head, index) => (head === name ? [index] : []));
    if (found.length === 1) columns[said] = found[0] as number;
    else if (found.length === 0)
      faults.push(at(line, name, 'no_column', 'there is no such column.'));
    else faults.push(at(line, name, 'two_columns', 'two columns have this name.'));
  }
  return faults.length > 0 ? faults : columns;
}

class Reader {
  readonly lines: StatementLine[] = [];
  readonly others: OtherMovement[] = [];
  readonly faults: FieldError[] = [];
  readonly #columns: Columns;
  readonly #mapping: Mapping;
  readonly #rules: Rules;

  constructor(columns: Columns, mapping: Mapping, rules: Rules) {
    this.#columns = columns;
    this.#mapping = mapping;
    this.#rules = rules;
  }

  read(record: CsvRecord, width: number): void {
    const { line, cells } = record;
    if (cells.length !== width) {
      const message = `has ${cells.length} cells and the head ${width}; is the delimiter right?`;
      this.faults.push(at(line, null, 'cells', message));
      return;
    }
    const before = this.faults.length;
    const amountNanos = this.#amount(record);
    const bookedOn = this.#day(record);
    const currency = this.#currency(record);
    const reference = this.#reference(record);
    const payer = this.#text(record, 'payer');
    const remittance = this.#text(record, 'remittance');
    if (this.faults.length > before) return;
    const said = { line, bookedOn, currency, reference, payer, remittance };
    if (amountNanos > 0n) this.lines.push({ ...said, amountNanos });
    else {
      const out = { direction: 'OUT', isReversal: false } as const;
      this.others.push({ ...said, amountNanos: -amountNanos, ...out });
    }
  }

  #cell(record: CsvRecord, said: Said): string | undefined {
    const index = this.#columns[said];
    return index === undefined ? undefined : record.cells[index]?.trim();
  }

  #fault({ line }: CsvRecord, said: Said, code: string, message: string): void {
    this.faults.push(at(line, this.#mapping[said] ?? null, code, message));
  }

  #amount(record: CsvRecord): Nanos {
    const read = readMoney(this.#cell(record, 'amount') ?? '', this.#mapping.decimal);
    if ('why' in read) this.#fault(record, 'amount', 'amount', read.why);
    else if (read.nanos === 0n) this.#fault(record, 'amount', 'amount', 'is nothing.');
    else return read.nanos;
    return 0n;
  }

  #day(record: CsvRecord): string {
    const { dayFormat } = this.#mapping;
    const day = readDay(this.#cell(record, 'date') ?? '', dayFormat);
    if (day === undefined) this.#fault(record, 'date', 'date', `is no day as ${dayFormat}.`);
    else if (day > this.#rules.today) this.#fault(record, 'date', 'date', 'is in the future.');
    return day ?? '';
  }

  #currency(record: CsvRecord): string {
    const { currency } = this.#rules;
    const said = this.#cell(record, 'currency')?.toUpperCase() ?? currency;
    if (said !== currency) {
      this.#fault(record, 'currency', 'currency', `${said.slice(0, 8)} is not ${currency}.`);
    }
    return currency;
  }

  /** The bank writes it, so a formula here is nobody's reference. */
  #reference(record: CsvRecord): string | null {
    const reference = this.#cell(record, 'reference') ?? '';
    if (isFormula(reference)) this.#fault(record, 'reference', 'formula', 'begins as a formula.');
    if (reference.length > REFERENCE_MAX) {
      this.#fault(record, 'reference', 'max', `is longer than ${REFERENCE_MAX} characters.`);
    }
    return reference === '' ? null : reference;
  }

  /**
   * A payer writes it, and no payer may stop a statement: kept as the text that it is, never run. What
   * is longer than anybody reads is cut.
   */
  #text(record: CsvRecord, said: 'payer' | 'remittance'): string | null {
    const text = (this.#cell(record, said) ?? '').replace(/\p{Cc}+/gu, ' ');
    return text === '' ? null : text.slice(0, TEXT_MAX);
  }
}

/** What makes two lines one payment, where the bank gives no reference. */
export const contentOf = (line: StatementLine): string =>
  JSON.stringify([
    line.bookedOn,
    String(line.amountNanos),
    line.currency,
    line.payer,
    line.remittance,
  ]);

function repeatedIn(lines: readonly StatementLine[], mapping: Mapping): FieldError[] {
  const seen = new Map<string, number>();
  const faults: FieldError[] = [];
  for (const line of lines) {
    const key =
      line.reference === null ? contentOf(line) : `ref ${bankReferenceKey(line.reference)}`;
    const first = seen.get(key);
    if (first === undefined) seen.set(key, line.line);
    else if (line.reference !== null) {
      const message = `row ${first} has this reference already.`;
      faults.push(at(line.line, mapping.reference ?? null, 'repeated', message));
    } else {
      const message = `says the same as row ${first}; map the column of the bank's reference.`;
      faults.push(at(line.line, null, 'repeated', message));
    }
  }
  return faults;
}
