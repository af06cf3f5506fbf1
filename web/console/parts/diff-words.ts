import { common } from '../texts/common.ts';
import { diffTexts } from '../texts/diff.ts';
import { fieldValues } from '../texts/field-values.ts';
import { states } from '../texts/states.ts';
import { formatMoney } from './money.tsx';
import { usePreferences } from './preferences.tsx';
import { useTargetingWords } from './targeting-words.ts';
import { type Tree, useTexts, wordOf } from './texts.ts';
import { formatDay } from './time.tsx';

const STATES: ReadonlySet<string> = new Set(['status', 'audit_status', 'verify_status']);
const DAYS: ReadonlySet<string> = new Set(['start_date', 'end_date']);
const AMOUNTS: ReadonlySet<string> = new Set([
  'bid',
  'price',
  'daily_budget',
  'total_budget',
  'conversion_value',
  'floor_price_cpc',
  'floor_price_cpm',
]);

/** A field's value as its page says it: a state in words, an amount in its currency, a day as a day. */
export function useValueWords(): (field: string, value: unknown) => string {
  const inWords = useTargetingWords();
  const c = useTexts(common);
  const s = useTexts(states);
  const d = useTexts(diffTexts);
  const values: Readonly<Record<string, Tree>> = useTexts(fieldValues);
  const { language } = usePreferences();
  return (field, value) => {
    if (typeof value === 'boolean') return value ? c.yes : c.no;
    if (typeof value === 'number' && /_id(_\d)?$/.test(field)) return d.numbered(value);
    if (typeof value === 'number' && AMOUNTS.has(field)) return formatMoney(value, language);
    if (typeof value === 'string' && STATES.has(field)) return wordOf(s, value);
    if (typeof value === 'string' && DAYS.has(field)) return formatDay(value, language);
    if (typeof value === 'string' && Object.hasOwn(values, field)) {
      return wordOf(values[field] ?? {}, value);
    }
    return inWords(field, value) ?? shown(value);
  };
}

export function shown(value: unknown): string {
  if (value === null || value === undefined || value === '') return '—';
  if (Array.isArray(value)) return value.map(shown).join(', ');
  return typeof value === 'string' ? value : JSON.stringify(value);
}
