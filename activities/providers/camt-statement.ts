import {
  at,
  type OtherMovement,
  type Rules,
  type Statement,
  type StatementBalance,
  type StatementLine,
} from '../../domain/bank-statement/lines.ts';
import { readDay, readMoney } from '../../domain/bank-statement/values.ts';
import { inOneLine } from '../../domain/control-characters.ts';
import type { FieldError } from '../../domain/errors.ts';
import type { Nanos } from '../../domain/money.ts';
import { type BankMessage, listOf, type Node, nodeOf, openBankXml, wordOf } from './bank-xml.ts';

/** What a bank's file says, and of which account. */
export interface CamtStatement extends Statement {
  /** IBAN, or the bank's own number. */
  account: string;
}

const STATEMENT: BankMessage = { message: 'camt.053', body: 'BkToCstmrStmt' };
const ENTRIES_MAX = 5_000;
const FAULTS_MAX = 20;
const TEXT_MAX = 500;
const REFERENCE_MAX = 140;

/**
 * Booked entries of a camt.053 of any version: a line for each payment that came in, a batch divided into its
 * transactions, every other movement, and the balances that they lead from and to. Lines are counted by
 * payment. Everything that is wrong is named (interface 5.12).
 */
export function readCamtStatement(
  bytes: Uint8Array,
  rules: Rules,
): CamtStatement | { faults: FieldError[] } {
  const content = openBankXml(bytes, STATEMENT);
  if ('faults' in content) return content as { faults: FieldError[] };
  return readEntries(listOf(content['Stmt']), rules);
}

/** Statements, or notifications of a camt.054, of one account. */
export function readEntries(
  statements: readonly Node[],
  rules: Rules,
): CamtStatement | { faults: FieldError[] } {
  const accounts = new Set(statements.map(accountOf));
  const [account = ''] = accounts;
  if (accounts.size > 1 || account === '') {
    return { faults: [at(1, null, 'account', 'the file is of no account, or of several.')] };
  }
  const read = new Reading(rules);
  const balances = statements.flatMap((statement) => {
    const before = read.movedNanos;
    for (const entry of listOf(statement['Ntry'])) read.take(entry);
    return read.balances(statement, read.movedNanos - before);
  });
  if (read.count > ENTRIES_MAX) {
    const message = `the file has more than ${ENTRIES_MAX} payments; split it.`;
    return { faults: [at(ENTRIES_MAX, null, 'too_many', message)] };
  }
  const faults = [...read.faults, ...repeatedIn(read.lines)];
  if (faults.length > 0) return { faults: faults.slice(0, FAULTS_MAX) };
  return { account, lines: read.lines, others: read.others, balances };
}

function accountOf(statement: Node): string {
  const id = nodeOf(nodeOf(statement['Acct'])['Id']);
  const iban = wordOf(id['IBAN']);
  return iban === '' ? wordOf(nodeOf(id['Othr'])['Id']) : iban;
}

class Reading {
  readonly lines: StatementLine[] = [];
  readonly others: OtherMovement[] = [];
  readonly faults: FieldError[] = [];
  /** Of all booked entries: in less out. */
  movedNanos: Nanos = 0n;
  count = 0;
  readonly #rules: Rules;

  constructor(rules: Rules) {
    this.#rules = rules;
  }

  take(entry: Node): void {
    const status = entry['Sts'];
    const isBooked = [wordOf(status), wordOf(nodeOf(status)['Cd'])].includes('BOOK');
    const details = listOf(entry['NtryDtls']).flatMap((each) => listOf(each['TxDtls']));
    const parts = details.length === 0 ? [{}] : details;
    const first = this.count + 1;
    this.count += parts.length;
    if (!isBooked) return;
    const sum = this.#money(entry['Amt'], first);
    if (sum === undefined) return;
    const isIn = wordOf(entry['CdtDbtInd']) === 'CRDT';
    this.movedNanos += isIn ? sum : -sum;
    const isReversal = wordOf(entry['RvslInd']) === 'true';
    if (!isIn || isReversal) {
      this.#other(entry, parts, { sum, first, isIn, isReversal });
      return;
    }
    for (const [index, part] of parts.entries())
      this.#credit(entry, part, first + index, parts.length);
  }

  /** `OPBD` or `PRCD` before, `CLBD` after; between both lies just what the entries moved. */
  balances(statement: Node, movedNanos: Nanos): StatementBalance[] {
    const found = listOf(statement['Bal']).flatMap((balance) => this.#balance(balance));
    const opening =
      found.find(({ code }) => code === 'OPBD') ?? found.find(({ code }) => code === 'PRCD');
    const closing = found.findLast(({ code }) => code === 'CLBD');
    if (opening !== undefined && closing !== undefined) {
      if (opening.amountNanos + movedNanos !== closing.amountNanos) {
        const message = 'its payments do not lead from the opening balance to the closing one.';
        this.faults.push(at(1, null, 'balance', message));
      }
    }
    return [
      ...(opening === undefined ? [] : [{ ...opening, kind: 'OPENING' as const }]),
      ...(closing === undefined ? [] : [{ ...closing, kind: 'CLOSING' as const }]),
    ].map(({ kind, onDay, amountNanos }) => ({ kind, onDay, amountNanos }));
  }

  #balance(balance: Node) {
    const code = wordOf(nodeOf(nodeOf(balance['Tp'])['CdOrPrtry'])['Cd']);
    if (!['OPBD', 'PRCD', 'CLBD'].includes(code)) return [];
    const onDay = dayOf(balance['Dt']);
    const text = /^(\d{1,9})(?:\.(\d{1,6}))?$/.exec(wordOf(balance['Amt']));
    const isOther = wordOf(nodeOf(balance['Amt'])['@Ccy']) !== this.#rules.currency;
    if (onDay === undefined || onDay > this.#rules.today || text === null || isOther) {
      const message = `the balance ${code} has no day, no amount, or another currency.`;
      this.faults.push(at(1, null, 'balance', message));
      return [];
    }
    const nanos = BigInt(`${text[1]}${(text[2] ?? '').padEnd(9, '0')}`);
    const isOwed = wordOf(balance['CdtDbtInd']) === 'DBIT';
    return [{ code, onDay, amountNanos: isOwed ? -nanos : nanos }];
  }

  #fault(line: number, code: string, message: string): undefined {
    this.faults.push(at(line, null, code, message));
    return undefined;
  }

  #money(amount: unknown, line: number): Nanos | undefined {
    const read = readMoney(wordOf(amount), 'point');
    const currency = wordOf(nodeOf(amount)['@Ccy']);
    if ('why' in read) return this.#fault(line, 'amount', `the amount ${read.why}`);
    if (read.nanos <= 0n) return this.#fault(line, 'amount', 'the amount is nothing.');
    if (currency === this.#rules.currency) return read.nanos;
    const message = `${currency.slice(0, 8)} is not ${this.#rules.currency}.`;
    return this.#fault(line, 'currency', message);
  }

  #said(entry: Node, detail: Node, { line, of }: { line: number; of: number }) {
    const bookedOn = dayOf(entry['BookgDt']);
    if (bookedOn === undefined) return this.#fault(line, 'date', 'no day of booking.');
    if (bookedOn > this.#rules.today) return this.#fault(line, 'date', 'is in the future.');
    const reference = referenceOf(entry, detail, of);
    if (reference !== null && reference.length > REFERENCE_MAX) {
      return this.#fault(line, 'max', `the reference is longer than ${REFERENCE_MAX} characters.`);
    }
    const { currency } = this.#rules;
    return { line, bookedOn, currency, reference, remittance: remittanceOf(entry, detail) };
  }

  #credit(entry: Node, detail: Node, line: number, of: number): void {
    const amount = amountIn(detail) ?? (of <= 1 ? entry['Amt'] : undefined);
    const amountNanos = this.#money(amount, line);
    const said = amountNanos === undefined ? undefined : this.#said(entry, detail, { line, of });
    if (said === undefined || amountNanos === undefined) return;
    const payment = { ...said, amountNanos, payer: partyOf(detail, 'Dbtr') };
    const isOut = wordOf(detail['CdtDbtInd']) === 'DBIT';
    // Money that comes back to us is no payment of anybody's order.
    if (!isOut && !isReturn(detail)) this.lines.push(payment);
    else this.others.push({ ...payment, direction: isOut ? 'OUT' : 'IN', isReversal: !isOut });
  }

  /** A batch that does not divide its sum, as banks book many fees, is one movement. */
  #other(
    entry: Node,
    parts: readonly Node[],
    {
      sum,
      first,
      isIn,
      isReversal,
    }: { sum: Nanos; first: number; isIn: boolean; isReversal: boolean },
  ): void {
    const amounts = parts.map((part) => nanosIn(part, this.#rules.currency));
    const isDivided =
      parts.length > 1 &&
      amounts.every((amount) => amount !== undefined) &&
      amounts.reduce((total: Nanos, amount) => total + (amount ?? 0n), 0n) === sum;
    const direction = isIn ? 'IN' : 'OUT';
    const taken = isDivided ? parts : parts.slice(0, 1);
    for (const [index, part] of taken.entries()) {
      const said = this.#said(entry, part, { line: first + index, of: taken.length });
      if (said === undefined) return;
      this.others.push({
        ...said,
        amountNanos: isDivided ? (amounts[index] ?? 0n) : sum,
        payer: partyOf(part, isIn ? 'Dbtr' : 'Cdtr'),
        direction,
        isReversal: isReversal || isReturn(part),
      });
    }
  }
}

const amountIn = (detail: Node): unknown =>
  detail['Amt'] ?? nodeOf(nodeOf(detail['AmtDtls'])['TxAmt'])['Amt'];

function nanosIn(detail: Node, currency: string): Nanos | undefined {
  const amount = amountIn(detail);
  const read = readMoney(wordOf(amount), 'point');
  return 'nanos' in read && wordOf(nodeOf(amount)['@Ccy']) === currency ? read.nanos : undefined;
}

/** Money that its receiver's bank gave back. */
const isReturn = (detail: Node): boolean => detail['RtrInf'] !== undefined;

const dayOf = (value: unknown): string | undefined => {
  const date = nodeOf(value);
  return readDay(wordOf(date['Dt'] ?? date['DtTm']), 'YYYY-MM-DD');
};

/** The bank's own for this payment; that of a batch tells its payments apart by nothing. */
function referenceOf(entry: Node, detail: Node, of: number): string | null {
  const refs = nodeOf(detail['Refs']);
  const own = [refs['AcctSvcrRef'], refs['TxId'], refs['InstrId']].map(wordOf);
  const found = own.find((reference) => reference !== '');
  const ofEntry = of <= 1 ? wordOf(entry['AcctSvcrRef']) : '';
  return found ?? (ofEntry === '' ? null : ofEntry);
}

/** Who is on the other side. */
function partyOf(detail: Node, side: 'Dbtr' | 'Cdtr'): string | null {
  const party = nodeOf(nodeOf(detail['RltdPties'])[side]);
  return plain(wordOf(party['Nm'] ?? nodeOf(party['Pty'])['Nm']));
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
