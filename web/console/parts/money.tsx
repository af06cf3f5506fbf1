import { CENTS, DECIMALS_MAX, numberFormat } from './formats.ts';
import { NONE } from './none.tsx';
import { usePreferences } from './preferences.tsx';

const NANO_DECIMALS = 9;

/** Amounts arrive exact, with at most six decimals; nothing here calculates with them. */
export function Money(props: {
  amount: number | null;
  currency?: string;
  /** At least so many, as others of its column have. */
  decimals?: number | undefined;
}) {
  const { amount, currency = 'USD', decimals } = props;
  const { language } = usePreferences();
  if (amount === null) return NONE;
  return <span className="number">{formatMoney(amount, language, currency, decimals)}</span>;
}

/** `decimals` at least, and up to six where a bid or an earning has them. */
export function formatMoney(
  amount: number,
  language: string,
  currency = 'USD',
  decimals = CENTS,
): string {
  return numberFormat(language, {
    style: 'currency',
    currency,
    currencyDisplay: 'narrowSymbol',
    minimumFractionDigits: decimals,
    maximumFractionDigits: DECIMALS_MAX,
  }).format(amount);
}

/** To the nano, of what must be nothing: the smallest difference shows. `amount` is exact decimal text. */
export const formatExact = (amount: string, language: string): string =>
  numberFormat(language, {
    style: 'currency',
    currency: 'USD',
    currencyDisplay: 'narrowSymbol',
    minimumFractionDigits: CENTS,
    maximumFractionDigits: NANO_DECIMALS,
  }).format(amount as `${number}`);

/** Of reports, which are compared and not paid: cents, and more only of what is below one. */
export function formatFigure(amount: number, language: string): string {
  return numberFormat(language, {
    style: 'currency',
    currency: 'USD',
    currencyDisplay: 'narrowSymbol',
    minimumFractionDigits: 2,
    maximumFractionDigits: Math.abs(amount) < 1 ? 4 : 2,
  }).format(amount);
}

export function Count({ value }: { value: number | null }) {
  const { language } = usePreferences();
  if (value === null) return NONE;
  return <span className="number">{numberFormat(language).format(value)}</span>;
}
