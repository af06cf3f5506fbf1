import { XMLParser } from 'fast-xml-parser';

interface Entry {
  day: string;
  direction: 'CRDT' | 'DBIT';
  cents: bigint;
  /** The bank's own. */
  reference: string;
  /** What was given with the order, or written on it. */
  endToEnd?: string;
  text?: string;
}

const money = (cents: bigint): string => `${cents / 100n}.${String(cents % 100n).padStart(2, '0')}`;
const centsOf = (text: string): bigint => {
  const [whole = '0', part = ''] = text.split('.');
  return BigInt(whole) * 100n + BigInt(part.padEnd(2, '0'));
};

/** The bank that our account is at: it books what comes, carries out our files, and says both in its own. */
export class TestBank {
  readonly iban: string;
  readonly opening = 5_000_000n;
  readonly entries: Entry[] = [];

  constructor(iban: string) {
    this.iban = iban;
  }

  get cents(): bigint {
    return this.#balanceAt('9999-12-31');
  }

  /** Somebody pays in. */
  credit(entry: { day: string; cents: bigint; text: string }): Entry {
    return this.#book({ ...entry, direction: 'CRDT' });
  }

  /** The bank sends by hand, as an operator has asked it to. */
  debit(entry: { day: string; cents: bigint; text: string }): Entry {
    return this.#book({ ...entry, direction: 'DBIT' });
  }

  /** Books the payment of a pain.001 on a day. */
  carryOut(file: string, day: string): Entry {
    const parsed = new XMLParser({ parseTagValue: false }).parse(file) as {
      Document: {
        CstmrCdtTrfInitn: { PmtInf: { DbtrAcct: { Id: { IBAN: string } }; CdtTrfTxInf: Payment } };
      };
    };
    const { DbtrAcct: from, CdtTrfTxInf: payment } = parsed.Document.CstmrCdtTrfInitn.PmtInf;
    if (from.Id.IBAN !== this.iban) throw new Error('a file of another account');
    const cents = centsOf(payment.Amt.InstdAmt);
    return this.#book({ day, direction: 'DBIT', cents, endToEnd: payment.PmtId.EndToEndId });
  }

  /** A payment comes back: nobody has that account. */
  sendBack({ cents, endToEnd = '' }: Entry, day: string): Entry {
    return this.#book({ day, direction: 'CRDT', cents, text: `RETURN ${endToEnd}` });
  }

  /** A camt.053 of a day. */
  statement(day: string): Buffer {
    const closing = `<Bal><Tp><CdOrPrtry><Cd>CLBD</Cd></CdOrPrtry></Tp><Amt Ccy="USD">${money(this.#balanceAt(day))}</Amt>
<CdtDbtInd>CRDT</CdtDbtInd><Dt><Dt>${day}</Dt></Dt></Bal>`;
    const booked = this.entries.filter((entry) => entry.day === day).map(entryOf);
    return this.#document('camt.053', 'BkToCstmrStmt', 'Stmt', closing + booked.join(''));
  }

  /** A camt.054 of one entry. */
  notice(entry: Entry): Buffer {
    return this.#document('camt.054', 'BkToCstmrDbtCdtNtfctn', 'Ntfctn', entryOf(entry));
  }

  #balanceAt(day: string): bigint {
    return this.entries
      .filter((entry) => entry.day <= day)
      .reduce(
        (sum, { direction, cents }) => sum + (direction === 'CRDT' ? cents : -cents),
        this.opening,
      );
  }

  #book(entry: Omit<Entry, 'reference'>): Entry {
    const made = { ...entry, reference: `BK${String(this.entries.length + 1).padStart(6, '0')}` };
    this.entries.push(made);
    return made;
  }

  #document(message: string, body: string, part: string, content: string): Buffer {
    return Buffer.from(`<Document xmlns="urn:iso:std:iso:20022:tech:xsd:${message}.001.08"><${body}><${part}>
<Acct><Id><IBAN>${this.iban}</IBAN></Id></Acct>${content}</${part}></${body}></Document>`);
  }
}

interface Payment {
  PmtId: { EndToEndId: string };
  Amt: { InstdAmt: string };
}

const entryOf = ({ day, direction, cents, reference, endToEnd, text }: Entry): string =>
  `<Ntry><Amt Ccy="USD">${money(cents)}</Amt><CdtDbtInd>${direction}</CdtDbtInd><Sts><Cd>BOOK</Cd></Sts>
<BookgDt><Dt>${day}</Dt></BookgDt><AcctSvcrRef>${reference}</AcctSvcrRef><NtryDtls><TxDtls>
${endToEnd === undefined ? '' : `<Refs><EndToEndId>${endToEnd}</EndToEndId></Refs>`}
${text === undefined ? '' : `<RmtInf><Ustrd>${text}</Ustrd></RmtInf>`}</TxDtls></NtryDtls></Ntry>`;
