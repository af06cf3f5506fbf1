import { XMLParser, XMLValidator } from 'fast-xml-parser';
import { decodeText } from '../../domain/bank-statement/csv.ts';
import {
  at,
  type Rules,
  type Statement,
  type StatementLine,
} from '../../domain/bank-statement/lines.ts';
import { readDay, readMoney } from '../../domain/bank-statement/values.ts';
import type { FieldError } from '../../domain/errors.ts';
import { inOneLine } from '../../domain/control-characters.ts';

/** What a bank's file says, and of which account. */
export interface CamtStatement extends Statement {
  /** IBAN, or the bank's own number. */
  account: string;
}

type Node = Readonly<Record<string, unknown>>;

const NAMESPACE = /\sxmlns(?::\w+)?=["']urn:iso:std:iso:20022:tech:xsd:camt\.053\.001\.\d{2}["']/;
const ENTRIES_MAX = 5_000;
const FAULTS_MAX = 20;
const TEXT_MAX = 500;
const REFERENCE_MAX = 140;

const parser = new XMLParser({
  ignoreAttributes: false,
  attributeNamePrefix: '@',
  textNodeName: '#',
  removeNSPrefix: true,
  // Figures stay as the bank wrote them, and nothing in the file may name anything outside it.
  parseTagValue: false,
  parseAttributeValue: false,
  processEntities: true,
  isArray: (name) => ['Stmt', 'Ntry', 'TxDtls', 'Ustrd', 'NtryDtls', 'Strd'].includes(name),
});

/**
 * Booked credits of a camt.053 of any version, a line for each payment: a batch entry is divided into its
 * transactions. Lines are counted by payment. Everything that is wrong is named (interface 5.12).
 */
export function readCamtStatement(
  bytes: Uint8Array,
  rules: Rules,
): CamtStatement | { faults: FieldError[] } {
  const text = decodeText(bytes);
  if (typeof text !== 'string') return { faults: [text] };
  if (/<!(?:DOCTYPE|ENTITY)/i.test(text) || XMLValidator.validate(text) !== true) {
    return { faults: [at(1, null, 'format', 'this is no XML of a bank.')] };
  }
  const document = nodeOf((parser.parse(text) as Node)['Document']);
  const statements = listOf(nodeOf(document['BkToCstmrStmt'])['Stmt']);
  if (!NAMESPACE.test(text) || statements.length === 0) {
    return { faults: [at(1, null, 'format', 'this is no camt.053.')] };
  }
  const accounts = new Set(statements.map(accountOf));
  const [account = ''] = accounts;
  if (accounts.size > 1 || account === '') {
    return { faults: [at(1, null, 'account', 'the file is of no account, or of several.')] };
  }
  const read = new Reading(rules);
  for (const entry of statements.flatMap((statement) => listOf(statement['Ntry'])))
    read.take(entry);
  if (read.count > ENTRIES_MAX) {
    const message = `the file has more than ${ENTRIES_MAX} payments; split it.`;
    return { faults: [at(ENTRIES_MAX, null, 'too_many', message)] };
  }
  const faults = [...read.faults, ...repeatedIn(read.lines)];
  if (faults.length > 0) return { faults: faults.slice(0, FAULTS_MAX) };
  return { account, lines: read.lines, outgoing: read.outgoing };
}

function accountOf(statement: Node): string {
  const id = nodeOf(nodeOf(statement['Acct'])['Id']);
  const iban = wordOf(id['IBAN']);
  return iban === '' ? wordOf(nodeOf(id['Othr'])['Id']) : iban;
}

class Reading {
  readonly lines: StatementLine[] = [];
  readonly faults: FieldError[] = [];
  outgoing = 0;
  count = 0;
  readonly #rules: Rules;

  constructor(rules: Rules) {
    this.#rules = rules;
  }

  take(entry: Node): void {
    const status = entry['Sts'];
    const isBooked = [wordOf(status), wordOf(nodeOf(status)['Cd'])].includes('BOOK');
    const details = listOf(entry['NtryDtls']).flatMap((each) => listOf(each['TxDtls']));
    for (const detail of details.length === 0 ? [{}] : details) {
      this.count += 1;
      if (!isBooked) continue;
      const isCredit = wordOf(detail['CdtDbtInd'] ?? entry['CdtDbtInd']) === 'CRDT';
      const isReversal = wordOf(entry['RvslInd']) === 'true';
      // Money that a reversal brings back is no payment of anybody's order.
      if (!isCredit || isReversal) this.outgoing += 1;
      else this.#credit(entry, detail, details.length);
    }
  }

  #credit(entry: Node, detail: Node, of: number): void {
    const line = this.count;
    const own = detail['Amt'] ?? nodeOf(nodeOf(detail['AmtDtls'])['TxAmt'])['Amt'];
    const amount = own ?? (of <= 1 ? entry['Amt'] : undefined);
    const read = readMoney(wordOf(amount), 'point');
    const bookedOn = dayOf(entry);
    const currency = wordOf(nodeOf(amount)['@Ccy']);
    const fault = (code: string, message: string) =>
      this.faults.push(at(line, null, code, message));
    if ('why' in read) return void fault('amount', `the amount ${read.why}`);
    if (read.nanos <= 0n) return void fault('amount', 'the amount is nothing.');
    if (bookedOn === undefined) return void fault('date', 'no day of booking.');
    if (bookedOn > this.#rules.today) return void fault('date', 'is in the future.');
    if (currency !== this.#rules.currency) {
      return void fault('currency', `${currency.slice(0, 8)} is not ${this.#rules.currency}.`);
    }
    const reference = referenceOf(entry, detail, of);
    if (reference !== null && reference.length > REFERENCE_MAX) {
      return void fault('max', `the reference is longer than ${REFERENCE_MAX} characters.`);
    }
    const payer = payerOf(detail);
    const remittance = remittanceOf(entry, detail);
    this.lines.push({
      line,
      bookedOn,
      amountNanos: read.nanos,
      currency,
      reference,
      payer,
      remittance,
    });
  }
}

function dayOf(entry: Node): string | undefined {
  const date = nodeOf(entry['BookgDt']);
  return readDay(wordOf(date['Dt'] ?? date['DtTm']), 'YYYY-MM-DD');
}

/** The bank's own for this payment; that of a batch tells its payments apart by nothing. */
function referenceOf(entry: Node, detail: Node, of: number): string | null {
  const refs = nodeOf(detail['Refs']);
  const own = [refs['AcctSvcrRef'], refs['TxId'], refs['InstrId']].map(wordOf);
  const found = own.find((reference) => reference !== '');
  const ofEntry = of <= 1 ? wordOf(entry['AcctSvcrRef']) : '';
  return found ?? (ofEntry === '' ? null : ofEntry);
}

function payerOf(detail: Node): string | null {
  const debtor = nodeOf(nodeOf(detail['RltdPties'])['Dbtr']);
  return plain(wordOf(debtor['Nm'] ?? nodeOf(debtor['Pty'])['Nm']));
}

/** All that the payer wrote: words, a structured reference, the reference of his order. */
function remittanceOf(entry: Node, detail: Node): string | null {
  const info = nodeOf(detail['RmtInf']);
  const words = Array.isArray(info['Ustrd']) ? info['Ustrd'].map(wordOf) : [];
  const structured = listOf(info['Strd']).map((each) => wordOf(nodeOf(each['CdtrRefInf'])['Ref']));
  const endToEnd = wordOf(nodeOf(detail['Refs'])['EndToEndId']);
  const more = wordOf(entry['AddtlNtryInf']);
  const parts = [...words, ...structured, endToEnd === 'NOTPROVIDED' ? '' : endToEnd, more];
  return plain(parts.filter((part) => part !== '').join(' '));
}

function plain(text: string): string | null {
  const tidy = inOneLine(text);
  return tidy === '' ? null : tidy.slice(0, TEXT_MAX);
}

function repeatedIn(lines: readonly StatementLine[]): FieldError[] {
  const seen = new Set<string>();
  return lines.flatMap(({ line, reference }) => {
    if (reference === null) return [];
    if (seen.has(reference))
      return [at(line, null, 'repeated', 'another has this reference already.')];
    seen.add(reference);
    return [];
  });
}

const nodeOf = (value: unknown): Node =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Node) : {};
const listOf = (value: unknown): Node[] => (Array.isArray(value) ? value.map(nodeOf) : []);
/** Text of an element, with or without attributes. */
const wordOf = (value: unknown): string => {
  if (typeof value === 'string') return value.trim();
  const text = nodeOf(value)['#'];
  return typeof text === 'string' ? text.trim() : '';
};
