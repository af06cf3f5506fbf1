import { type Nanos, parseAmount } from '../money.ts';

/** Figures and days as banks write them. Each answers the value, or why it is none. */
export const DECIMALS = ['point', 'comma'] as const;
export type Decimal = (typeof DECIMALS)[number];

export const DAY_FORMATS = ['YYYY-MM-DD', 'DD.MM.YYYY', 'DD/MM/YYYY', 'MM/DD/YYYY'] as const;
export type DayFormat = (typeof DAY_FORMATS)[number];

/** A cell that a spreadsheet would run. */
export const isFormula = (cell: string): boolean => /^[=+\-@\t\r]/.test(cell);

const GROUPED = {
  point: /^\d{1,3}(?:,\d{3})+(?:\.\d{1,6})?$|^\d+(?:\.\d{1,6})?$/,
  comma: /^\d{1,3}(?:\.\d{3})+(?:,\d{1,6})?$|^\d+(?:,\d{1,6})?$/,
} as const;

export function readMoney(cell: string, decimal?: Decimal): { nanos: Nanos } | { why: string } {
  const text = cell.replace(/[\s\u00a0\u202f'’]/g, '').replace(/^\+/, '');
  const isNegative = text.startsWith('-') || text.endsWith('-');
  const digits = text.replace(/^-|-$/g, '');
  const mark = decimal ?? markOf(digits);
  if (mark === undefined) {
    return { why: 'may have thousands or decimals; say which decimal mark the file has.' };
  }
  if (!GROUPED[mark].test(digits)) return { why: 'is no amount of at most six decimals.' };
  const plain =
    mark === 'point' ? digits.replaceAll(',', '') : digits.replaceAll('.', '').replaceAll(',', '.');
  const nanos = parseAmount(plain);
  if (nanos === undefined) return { why: 'is beyond what one payment may be.' };
  return { nanos: isNegative ? -nanos : nanos };
}

/** Undefined: `1,234` is one thousand or one and a bit. */
function markOf(digits: string): Decimal | undefined {
  const last = Math.max(digits.lastIndexOf(','), digits.lastIndexOf('.'));
  if (last < 0) return 'point';
  const isComma = digits[last] === ',';
  const hasBoth = digits.includes(',') && digits.includes('.');
  if (!hasBoth && digits.length - last === 4) return undefined;
  return isComma ? 'comma' : 'point';
}

const DAY_PARTS: Readonly<Record<DayFormat, RegExp>> = {
  'YYYY-MM-DD': /^(?<y>\d{4})-(?<m>\d{2})-(?<d>\d{2})(?:[T ].*)?$/,
  'DD.MM.YYYY': /^(?<d>\d{1,2})\.(?<m>\d{1,2})\.(?<y>\d{4})$/,
  'DD/MM/YYYY': /^(?<d>\d{1,2})\/(?<m>\d{1,2})\/(?<y>\d{4})$/,
  'MM/DD/YYYY': /^(?<m>\d{1,2})\/(?<d>\d{1,2})\/(?<y>\d{4})$/,
};

/** `YYYY-MM-DD`; undefined when it is no day in this format. */
export function readDay(cell: string, format: DayFormat): string | undefined {
  const { y = '', m = '', d = '' } = DAY_PARTS[format].exec(cell.trim())?.groups ?? {};
  const day = `${y}-${m.padStart(2, '0')}-${d.padStart(2, '0')}`;
  const parsed = new Date(`${day}T00:00:00Z`);
  if (Number.isNaN(parsed.getTime()) || !parsed.toISOString().startsWith(day)) return undefined;
  return day;
}
