import { numberFormat } from '../../../../parts/formats.ts';
import { formatMoney } from '../../../../parts/money.tsx';
import { usePreferences } from '../../../../parts/preferences.tsx';
import { useTexts } from '../../../../parts/texts.ts';
import { platform } from '../../../../texts/platform.ts';

/** What a setting's number counts, by its key; the others count things. */
const UNITS = [
  [/^auction\.floor_|^(deposit|payout)\.minimum\.|\.second_approval_above$/, 'dollar'],
  [/^deposit\.cny_per_unit$/, 'yuan'],
  [/\.fee_cents\./, 'cent'],
  [/_ppm(\.|$)/, 'ppm'],
  [/_seconds$/, 'second'],
  [/_hours$/, 'hour'],
  [/_days$/, 'day'],
] as const;
type Unit = (typeof UNITS)[number][1] | null;

/** What is kept in small whole parts is typed as people say it: how many there are, and decimals that they make. */
export function partsOf(key: string): { parts: number; decimals: number } {
  if (unitOf(key) === 'ppm') return { parts: 10_000, decimals: 4 };
  if (unitOf(key) === 'cent') return { parts: 100, decimals: 2 };
  // A price has cents and less, a rate of exchange too; everything else that is counted is whole.
  return { parts: 1, decimals: /^auction\.|_per_unit$/.test(key) ? 6 : 0 };
}

export const unitOf = (key: string): Unit => UNITS.find(([keys]) => keys.test(key))?.[1] ?? null;

/** As an approval keeps it: a number as text. */
export const numberIn = (value: string): number | string =>
  /^\d+(\.\d+)?$/.test(value) ? Number(value) : value;

/** A setting's value in words: money as money, parts per million as a percentage, times in their largest whole unit. */
export function useShownValue(): (key: string, value: unknown) => string {
  const t = useTexts(platform);
  const { language } = usePreferences();
  return (key, value) => {
    if (typeof value === 'number') return shownNumber(unitOf(key), value, language);
    if (typeof value === 'boolean') return value ? t.on : t.off;
    if (value === 'human' || value === 'auto_when_clean') return t[value];
    return String(value) === '' ? '—' : String(value);
  };
}

function shownNumber(unit: Unit, value: number, language: string): string {
  switch (unit) {
    case 'dollar':
      return formatMoney(value, language);
    case 'yuan':
      return formatMoney(value, language, 'CNY');
    case 'cent':
      return formatMoney(value / 100, language);
    case 'ppm':
      return numberFormat(language, { style: 'percent', maximumFractionDigits: 4 }).format(
        value / 1_000_000,
      );
    case 'second':
    case 'hour':
    case 'day':
      return shownTime(unit, value, language);
    case null:
      return numberFormat(language, { maximumFractionDigits: 6 }).format(value);
  }
}

const LARGER = { second: ['minute', 60], minute: ['hour', 60], hour: ['day', 24] } as const;

function shownTime(
  unit: 'second' | 'minute' | 'hour' | 'day',
  value: number,
  language: string,
): string {
  if (unit !== 'day') {
    const [larger, times] = LARGER[unit];
    if (value > 0 && value % times === 0) return shownTime(larger, value / times, language);
  }
  return numberFormat(language, { style: 'unit', unit, unitDisplay: 'long' }).format(value);
}
