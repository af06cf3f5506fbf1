import { usePreferences } from './preferences.tsx';

/** Amounts arrive exact, with at most six decimals; nothing here calculates with them. */
export function Money({ amount, currency = 'USD' }: { amount: number | null; currency?: string }) {
  const { language } = usePreferences();
  if (amount === null) return <span>—</span>;
  return <span className="number">{formatMoney(amount, language, currency)}</span>;
}

/** Two decimals, and up to six where a bid or an earning has them. */
export function formatMoney(amount: number, language: string, currency = 'USD'): string {
  return new Intl.NumberFormat(language, {
    style: 'currency',
    currency,
    currencyDisplay: 'narrowSymbol',
    minimumFractionDigits: 2,
    maximumFractionDigits: 6,
  }).format(amount);
}

/** A price that was worked out, such as one per thousand: two decimals say enough. */
export const formatRate = (amount: number, language: string, currency = 'USD'): string =>
  new Intl.NumberFormat(language, {
    style: 'currency',
    currency,
    currencyDisplay: 'narrowSymbol',
  }).format(amount);

export function Count({ value }: { value: number | null }) {
  const { language } = usePreferences();
  if (value === null) return <span>—</span>;
  return <span className="number">{new Intl.NumberFormat(language).format(value)}</span>;
}
