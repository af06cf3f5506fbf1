import * as yup from 'yup';
import { normaliseBidAdjustments } from '../../domain/auction/bid-adjustments.ts';
import { COUNTRIES } from '../../domain/countries.ts';
import { FREQUENCY_SCOPES } from '../../domain/inventory.ts';
import { parseAmount } from '../../domain/money.ts';
import { LANGUAGE_TAG, PAGE_WORD_CHARS_MAX } from '../../domain/page-context.ts';
import { BROWSERS, DEVICES, OSES } from '../../domain/viewer.ts';
import type { TargetingFields } from '../../db/tables/campaign.ts';
import { readable, day } from '../http/fields.ts';

const VALUES_MAX = 300;
const PAGE_WORDS_MAX = 100;
/** As a page's own words are taken apart (domain/page-context.ts). */
const WORD = /^[^\p{C},;，、]*[\p{L}\p{N}][^\p{C},;，、]*$/u;
const FREQUENCY_IMPRESSIONS_MAX = 10_000;
const FREQUENCY_WINDOW_SECONDS_MAX = 30 * 86_400;

/** Upper or lower case is the sender's choice; what is stored is upper case (interface 2.4). */
const words = (allowed: ReadonlySet<string>, what: string) =>
  yup
    .array()
    .of(
      yup
        .string()
        .required()
        .test('one_of', `must be ${what}`, (value) => allowed.has(value.trim().toUpperCase())),
    )
    .max(VALUES_MAX)
    .nullable();

/** Words of pages, whoever wrote them in which case. */
const pageWords = (pattern: RegExp, what: string) =>
  yup
    .array()
    .of(
      readable()
        .required()
        .max(PAGE_WORD_CHARS_MAX)
        .test('word', `must be ${what}`, (value) => pattern.test(value.trim().toLowerCase())),
    )
    .max(PAGE_WORDS_MAX)
    .nullable();

const numbers = (min: number, max: number) =>
  yup.array().of(yup.number().integer().min(min).max(max).required()).max(VALUES_MAX).nullable();

/** Empty means unlimited (interface 2.3). */
const dayOrEmpty = () =>
  yup
    .string()
    .nullable()
    .test('day', 'must be a date as YYYY-MM-DD', (value) =>
      value === undefined || value === null || value === '' ? true : day().isValidSync(value),
    );

const bidAdjustments = () =>
  yup
    .mixed()
    .nullable()
    .test('bid_adjustments', 'is not valid', (value, context) => {
      const result = normaliseBidAdjustments(value);
      if (result.ok) return true;
      const faults = result.errors.map(({ field, code, message }) =>
        context.createError({ path: field, type: code, message }),
      );
      return new yup.ValidationError(faults, value, context.path);
    });

const frequencyCap = () =>
  yup
    .object({
      impressions: yup.number().integer().min(1).max(FREQUENCY_IMPRESSIONS_MAX).required(),
      window_seconds: yup.number().integer().min(60).max(FREQUENCY_WINDOW_SECONDS_MAX).required(),
      per: yup.string().oneOf(FREQUENCY_SCOPES).optional(),
    })
    .noUnknown(true)
    .nullable()
    .default(undefined);

/** Wire fields that a campaign and an ad group have in common (interface 2.3). */
export const targetingFields = {
  start_date: dayOrEmpty(),
  end_date: dayOrEmpty(),
  target_countries: words(COUNTRIES, 'an ISO 3166-1 alpha-2 country'),
  target_devices: words(new Set(DEVICES), `one of ${DEVICES.join(', ')}`),
  target_os: words(new Set(OSES), `one of ${OSES.join(', ')}`),
  target_browsers: words(new Set(BROWSERS), `one of ${BROWSERS.join(', ')}`),
  /** What the page says of itself (interface 4.13); a page that says nothing is not met. */
  target_keywords: pageWords(WORD, 'a word or a few, without a comma'),
  target_categories: pageWords(WORD, 'a word or a few, without a comma'),
  target_languages: pageWords(LANGUAGE_TAG, 'a language such as en or zh-CN'),
  /** Hours of the day in the platform time zone. */
  target_hours: numbers(0, 23),
  /** ISO weekdays: 1 is Monday, 7 is Sunday. */
  weekdays: numbers(1, 7),
  bid_adjustments: bidAdjustments(),
  frequency_cap: frequencyCap(),
};

const targetingSchema = yup.object(targetingFields);
export type TargetingBody = Partial<yup.InferType<typeof targetingSchema>>;

/** What is stored: upper case, each value once, an empty list or date as null. */
export function readTargeting(
  body: TargetingBody,
  scope: (typeof FREQUENCY_SCOPES)[number],
): Required<TargetingFields> {
  const adjustments = normaliseBidAdjustments(body.bid_adjustments);
  return {
    startDate: emptyToNull(body.start_date),
    endDate: emptyToNull(body.end_date),
    targetCountries: upperCase(body.target_countries),
    targetDevices: upperCase(body.target_devices),
    targetOs: upperCase(body.target_os),
    targetBrowsers: upperCase(body.target_browsers),
    targetKeywords: lowerCase(body.target_keywords),
    targetCategories: lowerCase(body.target_categories),
    targetLanguages: lowerCase(body.target_languages),
    targetHours: sorted(body.target_hours),
    weekdays: sorted(body.weekdays),
    bidAdjustments:
      body.bid_adjustments === undefined || !adjustments.ok ? undefined : adjustments.adjustments,
    frequencyCap:
      body.frequency_cap === undefined || body.frequency_cap === null
        ? body.frequency_cap
        : { ...body.frequency_cap, per: body.frequency_cap.per ?? scope },
  };
}

export const emptyToNull = (value: string | null | undefined): string | null | undefined =>
  value === '' ? null : value;

/** Wire money that the schema has accepted; null and undefined pass through. */
export function nanosOf<Absent extends null | undefined>(value: number | Absent): bigint | Absent {
  if (typeof value !== 'number') return value;
  const nanos = parseAmount(value);
  if (nanos === undefined) throw new Error('an amount passed validation but cannot be parsed');
  return nanos;
}

type Values<Item> = Item[] | null | undefined;

const upperCase = (values: Values<string>): Values<string> =>
  once(values, (value) => value.trim().toUpperCase());

/** As pages' own words are compared: one space between, in lower case. */
const lowerCase = (values: Values<string>): Values<string> =>
  once(values, (value) => value.trim().replace(/\s+/gu, ' ').toLowerCase());

function once(values: Values<string>, write: (value: string) => string): Values<string> {
  if (values === undefined || values === null) return values;
  const unique = new Set(values.map(write));
  return unique.size === 0 ? null : [...unique];
}

function sorted(values: Values<number>): Values<number> {
  if (values === undefined || values === null) return values;
  const unique = [...new Set(values)].toSorted((a, b) => a - b);
  return unique.length === 0 ? null : unique;
}
