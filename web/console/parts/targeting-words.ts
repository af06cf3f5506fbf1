import type { Campaign } from '../../client/routes.ts';
import { targetingTexts } from '../texts/targeting.ts';
import { countryName } from './countries.ts';
import { durationIn } from './duration.ts';
import { type Language, usePreferences } from './preferences.tsx';
import { marksIn, type Same, useTexts, wordOf } from './texts.ts';

/** In the order in which they are said. */
export const TARGETING = [
  'target_countries',
  'target_devices',
  'target_os',
  'target_browsers',
  'target_keywords',
  'target_categories',
  'target_languages',
  'weekdays',
  'target_hours',
  'frequency_cap',
  'bid_adjustments',
] as const;
type Field = (typeof TARGETING)[number];
export type Targeting = Pick<Campaign, Field>;

type Words = Same<(typeof targetingTexts)['en']>;
type Said<Value> = (value: NonNullable<Value>, words: Words, language: Language) => string;

const listed: Said<string[] | null> = (values, _t, language) =>
  values.join(marksIn(language).comma);

const SAY: { readonly [Name in Field]: Said<Targeting[Name]> } = {
  target_countries: (codes, _t, language) =>
    codes.map((code) => countryName(code, language)).join(marksIn(language).comma),
  target_devices: (values, t, language) =>
    values.map((each) => wordOf(t.deviceNames, each)).join(marksIn(language).comma),
  target_os: (values, t, language) =>
    values.map((each) => wordOf(t.systemNames, each)).join(marksIn(language).comma),
  target_browsers: (values, t, language) =>
    values.map((each) => wordOf(t.browserNames, each)).join(marksIn(language).comma),
  target_keywords: listed,
  target_categories: listed,
  target_languages: listed,
  weekdays: (days, _t, language) =>
    runsOf(days)
      .map(([first, last]) =>
        [...new Set([first, last])].map((day) => weekdayName(day, language)).join(' – '),
      )
      .join(marksIn(language).comma),
  target_hours: (hours, t, language) =>
    t.hours(
      aroundMidnight(runsOf(hours))
        .map(([first, last]) => `${clock(first)} – ${clock(last + 1)}`)
        .join(marksIn(language).comma),
    ),
  frequency_cap: ({ impressions, window_seconds: seconds, per }, t, language) =>
    t.cap(impressions, durationIn(seconds, language), wordOf(t.scopes, per)),
  bid_adjustments: ({ device, geo, os }, t, language) =>
    [
      ...percents(device, (value) => wordOf(t.deviceNames, value), language),
      ...percents(geo, (value) => countryName(value, language), language),
      ...percents(os, (value) => wordOf(t.systemNames, value), language),
    ].join(marksIn(language).comma),
};

const isTargeting = (field: string): field is Field => Object.hasOwn(SAY, field);

/** What a targeting field is set to, in words; undefined where it is none of these, or nothing is set. */
export function useTargetingWords(): (field: string, value: unknown) => string | undefined {
  const t = useTexts(targetingTexts);
  const { language } = usePreferences();
  return (field, value) =>
    isTargeting(field) && value !== null && value !== undefined
      ? (SAY[field] as Said<unknown>)(value, t, language)
      : undefined;
}

/** ISO: 1 is Monday, as the first of January 2024 was. */
export const weekdayName = (day: number, language: Language): string =>
  new Intl.DateTimeFormat(language, { weekday: 'short', timeZone: 'UTC' }).format(
    Date.UTC(2024, 0, day),
  );

/** `8` → `08:00`. */
export const clock = (hour: number): string => `${String(hour).padStart(2, '0')}:00`;

type Run = readonly [first: number, last: number];

/** Sorted numbers as runs without a gap. */
function runsOf(numbers: readonly number[]): Run[] {
  const runs: Run[] = [];
  for (const each of numbers) {
    const [first, last] = runs.at(-1) ?? [each, each - 2];
    if (each === last + 1) runs.splice(-1, 1, [first, each]);
    else runs.push([each, each]);
  }
  return runs;
}

/** Hours before midnight go on after it. */
function aroundMidnight(runs: readonly Run[]): readonly Run[] {
  const [morning] = runs;
  const night = runs.at(-1);
  if (runs.length < 2 || morning?.[0] !== 0 || night?.[1] !== 23) return runs;
  return [...runs.slice(1, -1), [night[0], morning[1]]];
}

const percents = (
  entries: Readonly<Record<string, number>> | undefined,
  nameOf: (value: string) => string,
  language: Language,
): string[] =>
  Object.entries(entries ?? {}).map(
    ([value, percent]) => `${nameOf(value)} ${percentIn(percent, language)}`,
  );

const percentIn = (percent: number, language: Language): string =>
  new Intl.NumberFormat(language, {
    style: 'percent',
    signDisplay: 'exceptZero',
    maximumFractionDigits: 6,
  }).format(percent / 100);
