import { formatAmount, type Nanos, NANOS_PER_UNIT } from './money.ts';
import { csvLine } from './report-text.ts';

/** What an account is told of its money, and the letters that its number begins with. */
const DOCUMENT_PREFIX = {
  STATEMENT: 'ST',
  INVOICE: 'INV',
  CREDIT_NOTE: 'CN',
  DEPOSIT_RECEIPT: 'DR',
  PAYOUT_RECEIPT: 'PR',
  REFUND_RECEIPT: 'RR',
} as const;
export type DocumentKind = keyof typeof DOCUMENT_PREFIX;
export const DOCUMENT_KINDS = Object.keys(DOCUMENT_PREFIX) as DocumentKind[];
export const DOCUMENT_FORMATS = ['CSV', 'PDF', 'MANIFEST'] as const;
export type DocumentFormat = (typeof DOCUMENT_FORMATS)[number];

/** `INV-2026-000042`. */
export const documentNumber = (kind: DocumentKind, year: number, sequence: number): string =>
  `${DOCUMENT_PREFIX[kind]}-${year}-${String(sequence).padStart(6, '0')}`;

/** One kind of move about one thing, summed up over the document's time; signed from the account's side. */
export interface DocumentLine {
  type: string;
  subject: string | null;
  /** Of a campaign its name, of a top-up its reference, as they were when the document was issued. */
  name?: string | null;
  transfers: number;
  amountNanos: Nanos;
}

/** What an invoice asks for, and what a credit note gives back: moves of a month, and how they stand on it. */
const BILLED = {
  INVOICE: { types: ['SPEND', 'SPEND_RESTORED'], sign: -1n },
  CREDIT_NOTE: { types: ['SPEND_REVERSED'], sign: 1n },
} as const;
export type BillingKind = keyof typeof BILLED;
export const BILLING_KINDS = Object.keys(BILLED) as BillingKind[];

/** Those of a statement's lines that are billed by a document of their own. */
export function billedLines(kind: BillingKind, lines: readonly DocumentLine[]): DocumentLine[] {
  const { types, sign } = BILLED[kind];
  return lines
    .filter(({ type }) => types.some((each) => each === type))
    .map((line) => ({ ...line, amountNanos: sign * line.amountNanos }));
}

/** As it was when the document was issued; what is not known is left out. */
export interface Issuer {
  name: string;
  address: string;
  taxId: string;
}

/** Whom it is issued to, likewise. */
export interface Recipient {
  realm: 'ADVERTISER' | 'PUBLISHER';
  name: string;
  address: string;
  taxId: string;
}

/** How a part of a balance went back, as whoever sent it knows it. */
export interface SentBack {
  method: string;
  /** The reference of the order that it was paid in by. */
  order: string;
  /** At its provider, or the bank. */
  reference: string;
  /** In the payer's currency; null: in the ledger's. */
  pay: { amountNanos: Nanos; currency: string } | null;
}

export interface DocumentContent {
  issuer: Issuer;
  number: string;
  kind: DocumentKind;
  account: { id: number } & Recipient;
  /** `YYYY-MM`, a month of UTC; null for a receipt. */
  month: string | null;
  /** Batch of the ledger that a receipt is of. */
  batchId: number | null;
  /** Of a payout's credit note, and of a refund: the number of the receipt whose money it takes back. */
  corrects: string | null;
  /** Of a refund's receipt. */
  sentBack: SentBack | null;
  currency: string;
  openingNanos: Nanos | null;
  totalNanos: Nanos;
  closingNanos: Nanos | null;
  issuedAt: string;
  lines: readonly DocumentLine[];
}

/** The facts of a refund, by the names of the CSV. */
export const sentBackFacts = (sentBack: SentBack | null) => ({
  sent_by: sentBack?.method ?? null,
  sent_reference: sentBack?.reference ?? null,
  sent_amount: sentBack?.pay
    ? `${formatAmount(sentBack.pay.amountNanos)} ${sentBack.pay.currency}`
    : null,
  deposit_reference: sentBack?.order ?? null,
});

const CENT = NANOS_PER_UNIT / 100n;

/** What a sum comes to in hundredths, half away from zero; the difference is shown and never booked. */
function roundedToCents(exact: Nanos): Nanos {
  const sign = exact < 0n ? -1n : 1n;
  return sign * (((exact * sign + CENT / 2n) / CENT) * CENT);
}

/** What a paper shows: hundredths that add up from line to line, whatever was rounded on the way. */
export interface DocumentCents {
  lines: readonly Nanos[];
  /** What the lines' own rounding leaves: a line of its own where it is not zero. */
  rounding: Nanos;
  opening: Nanos | null;
  total: Nanos;
  closing: Nanos | null;
}

/** A statement's balances are each rounded by themselves, so that one begins with what the one before ended with. */
export function documentCents(
  content: Pick<DocumentContent, 'lines' | 'openingNanos' | 'totalNanos' | 'closingNanos'>,
): DocumentCents {
  const { openingNanos, totalNanos, closingNanos } = content;
  const lines = content.lines.map(({ amountNanos }) => roundedToCents(amountNanos));
  const opening = openingNanos === null ? null : roundedToCents(openingNanos);
  const closing = closingNanos === null ? null : roundedToCents(closingNanos);
  const total =
    opening === null || closing === null ? roundedToCents(totalNanos) : closing - opening;
  const rounding = total - lines.reduce((sum, line) => sum + line, 0n);
  return { lines, rounding, opening, total, closing };
}

/**
 * The document as lines of CSV: a section, what it says, and an exact amount in units. The sums are exact to the
 * nano; what they come to in hundredths stands below them with the difference.
 */
export function documentCsv(content: DocumentContent): string {
  const { account, lines, openingNanos, totalNanos, closingNanos } = content;
  const rounded = roundedToCents(closingNanos ?? totalNanos);
  const { issuer } = content;
  const facts: [string, string | number | null][] = [
    ['issuer', issuer.name],
    ['issuer_address', issuer.address],
    ['issuer_tax_id', issuer.taxId],
    ['number', content.number],
    ['kind', content.kind],
    ['account', account.id],
    ['realm', account.realm],
    ['name', account.name],
    ['address', account.address],
    ['tax_id', account.taxId],
    ['month', content.month],
    ['ledger_batch', content.batchId],
    ['corrects', content.corrects],
    ...Object.entries(sentBackFacts(content.sentBack)),
    ['currency', content.currency],
    ['issued_at', content.issuedAt],
  ];
  const sums: [string, Nanos | null][] = [
    ['opening', openingNanos],
    [openingNanos === null ? 'total' : 'movements', totalNanos],
    ['closing', closingNanos],
    ['rounded_to_cents', rounded],
    ['rounding_difference', rounded - (closingNanos ?? totalNanos)],
  ];
  return [
    csvLine(['section', 'name', 'subject', 'transfers', 'value']),
    ...facts
      .filter(([, value]) => value !== null && value !== '')
      .map(([name, value]) => csvLine(['document', name, '', '', value])),
    ...lines.map((line) =>
      amountLine(['movement', line.type, line.subject, line.transfers], line.amountNanos),
    ),
    ...sums.flatMap(([name, value]) =>
      value === null ? [] : [amountLine(['sum', name, '', ''], value)],
    ),
  ].join('');
}

/** A line that ends with an amount: a negative one is a figure and no formula, so no apostrophe stands before it. */
const amountLine = (cells: Parameters<typeof csvLine>[0], amountNanos: Nanos): string =>
  `${csvLine(cells).trimEnd()},${formatAmount(amountNanos)}\r\n`;
