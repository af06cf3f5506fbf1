import { delimiterOf, splitCsv } from '../../../../../../domain/bank-statement/csv.ts';
import type { StatementQuery } from '../../../../queries/operator/statement.ts';

/** Which column says what; each is named as the API names it. */
export interface MappingValues {
  account: string;
  date_column: string;
  amount_column: string;
  currency_column: string;
  reference_column: string;
  payer_column: string;
  text_column: string;
  decimal: 'auto' | 'point' | 'comma';
  day_format: NonNullable<StatementQuery['day_format']>;
}

const HEAD_BYTES = 16_384;

/** The heads of a file's columns; whatever else is wrong with it the API says. */
export async function headsOf(file: File): Promise<string[]> {
  const text = await file.slice(0, HEAD_BYTES).text();
  const head = /^[^\r\n]*/.exec(text.replace(/^\ufeff/, ''))?.[0] ?? '';
  const records = splitCsv(head, delimiterOf(head));
  return Array.isArray(records) ? (records[0]?.cells.map((cell) => cell.trim()) ?? []) : [];
}

/** What banks call them. */
const GUESSES = {
  date_column: /book|date|datum|valut|日期/i,
  amount_column: /amount|betrag|credit|金额/i,
  currency_column: /curr|währung|币/i,
  reference_column: /reference|transaction id|kundenref|流水/i,
  payer_column: /payer|name|debtor|auftraggeber|付款人/i,
  text_column: /text|purpose|remit|detail|description|zweck|附言|摘要/i,
} as const;

export function guessed(heads: readonly string[]): MappingValues {
  const of = (name: keyof typeof GUESSES): string =>
    heads.find((head) => GUESSES[name].test(head)) ?? '';
  return {
    account: '',
    date_column: of('date_column'),
    amount_column: of('amount_column'),
    currency_column: of('currency_column'),
    reference_column: of('reference_column'),
    payer_column: of('payer_column'),
    text_column: of('text_column'),
    decimal: 'auto',
    day_format: 'YYYY-MM-DD',
  };
}

/** What is not in the file is not asked for. */
export function askOf({ decimal, ...values }: MappingValues): StatementQuery {
  const named = Object.entries(values).filter(([, value]) => value !== '');
  return {
    ...(Object.fromEntries(named) as unknown as StatementQuery),
    ...(decimal === 'auto' ? {} : { decimal }),
  };
}
