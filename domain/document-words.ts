import { formatAmount, type Nanos } from './money.ts';
import type { TransferType } from './ledger/postings.ts';

/** What moved, as the consoles call it. Of other moves no owner sees any: they lie within one's own accounts. */
export const MOVEMENT_WORDS = {
  DEPOSIT: 'Top-up',
  DEPOSIT_REFUND: 'Top-up sent back',
  RECEIPT_TAKEN_BACK: 'Top-up that did not arrive after all',
  SPEND: 'Spend',
  SPEND_REVERSED: 'Credited back',
  SPEND_RESTORED: 'Billed after an appeal',
  BALANCE_REFUND: 'Unused balance sent back',
  EARNING: 'Earnings',
  EARNING_REVERSED: 'Earnings taken back',
  EARNING_RESTORED: 'Earnings after an appeal',
  WITHDRAWAL: 'Paid out',
  WITHDRAWAL_FEE: 'Fee of the payout',
  WITHDRAWAL_TAX: 'Tax withheld',
  WITHDRAWAL_RETURNED: 'Payout sent back by the bank',
  WITHDRAWAL_TAX_RETURNED: 'Tax given back',
} as const satisfies Partial<Record<TransferType, string>>;

export const movementWords = (type: string): string =>
  (MOVEMENT_WORDS as Readonly<Record<string, string>>)[type] ?? sentence(type);

/** `campaign:12` → `Autumn sale (campaign 12)`, or without its name `Campaign 12`. */
export function subjectWords(subject: string, name: string | null = null): string {
  const [type, id] = subject.split(':');
  // Earnings are about whom the paper is for.
  if (type === 'publisher') return '';
  if (type === 'deposit' && name !== null) return `Top-up ${name}`;
  const words = sentence(
    type === 'withdrawal' ? `payout ${id ?? ''}` : subject.replaceAll(':', ' '),
  );
  return name === null ? words : `${name} (${words.toLowerCase()})`;
}

const MONTH = new Intl.DateTimeFormat('en-GB', { month: 'long', year: 'numeric', timeZone: 'UTC' });

/** `2026-10` → `1 to 31 October 2026 (UTC)`. */
export function periodWords(month: string): string {
  const [year = 0, number = 0] = month.split('-').map(Number);
  const last = new Date(Date.UTC(year, number, 0));
  return `1 to ${last.getUTCDate()} ${MONTH.format(last)} (UTC)`;
}

const sentence = (text: string): string => {
  const words = text.toLowerCase().replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
};

/** As the consoles show money in English, `-$1,234.50`, but to the last nano. */
export function amountWords(amountNanos: Nanos, currency: string): string {
  const exact = formatAmount(amountNanos) as Intl.StringNumericLiteral;
  return new Intl.NumberFormat('en', {
    style: 'currency',
    currency,
    currencyDisplay: 'narrowSymbol',
    minimumFractionDigits: 2,
    maximumFractionDigits: 9,
  }).format(exact);
}
