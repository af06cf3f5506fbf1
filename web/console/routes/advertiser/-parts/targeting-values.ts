import type { AdGroup, Campaign } from '../../../../client/routes.ts';
import { DEVICES, OSES } from '../../../../../domain/viewer.ts';
import { COUNTRIES } from '../../../../../domain/countries.ts';
import type { FREQUENCY_SCOPES } from '../../../../../domain/inventory.ts';
import type { Targeting } from '../../../parts/targeting-words.ts';

/** What may be adjusted for, and the values that the platform knows; others are kept as they are. */
export const DIMENSIONS = { device: DEVICES, geo: [...COUNTRIES], os: OSES } as const;
export type Dimension = keyof typeof DIMENSIONS;

/** A row of the form; empty until it is written. */
export interface Adjustment {
  value: string | null;
  percent: number | null;
}
type Scope = (typeof FREQUENCY_SCOPES)[number];

/** As the form holds it: a cap and adjustments are fields of their own, each refused at its place. */
export interface TargetingValues extends Omit<Targeting, 'frequency_cap' | 'bid_adjustments'> {
  frequency_cap: { impressions: number | null; window_seconds: number | null; per: Scope };
  bid_adjustments: Record<Dimension, Adjustment[]>;
}

export const targetingOf = (row: Campaign | AdGroup, per: Scope): TargetingValues => ({
  target_countries: row.target_countries,
  target_devices: row.target_devices,
  target_os: row.target_os,
  target_browsers: row.target_browsers,
  target_keywords: row.target_keywords,
  target_categories: row.target_categories,
  target_languages: row.target_languages,
  weekdays: row.weekdays,
  target_hours: row.target_hours,
  frequency_cap: row.frequency_cap ?? noCap(per),
  bid_adjustments: {
    device: adjustmentsIn(row, 'device'),
    geo: adjustmentsIn(row, 'geo'),
    os: adjustmentsIn(row, 'os'),
  },
});

const adjustmentsIn = (row: Targeting, dimension: Dimension): Adjustment[] =>
  Object.entries(row.bid_adjustments?.[dimension] ?? {}).map(([value, percent]) => ({
    value,
    percent,
  }));

/** Counted per record that it is set on, as the API does where nothing is said. */
const noCap = (per: Scope) => ({ impressions: null, window_seconds: null, per });

export const emptyTargeting = (per: Scope): TargetingValues => ({
  target_countries: null,
  target_devices: null,
  target_os: null,
  target_browsers: null,
  target_keywords: null,
  target_categories: null,
  target_languages: null,
  weekdays: null,
  target_hours: null,
  frequency_cap: noCap(per),
  bid_adjustments: { device: [], geo: [], os: [] },
});

/** What the API is sent: nothing written is null. */
export function askOfTargeting<Values extends TargetingValues>({
  frequency_cap: cap,
  bid_adjustments: adjustments,
  ...rest
}: Values) {
  return { ...rest, frequency_cap: capOf(cap), bid_adjustments: adjustmentsOf(adjustments) };
}

/** As it would be said while it is written: rows that are not complete are none yet. */
export const givenTargeting = (values: TargetingValues): Targeting =>
  askOfTargeting({
    ...values,
    bid_adjustments: {
      device: values.bid_adjustments.device.filter(isComplete),
      geo: values.bid_adjustments.geo.filter(isComplete),
      os: values.bid_adjustments.os.filter(isComplete),
    },
  });

const isComplete = ({ value, percent }: Adjustment): boolean => value !== null && percent !== null;

function capOf({ impressions, window_seconds: seconds, per }: TargetingValues['frequency_cap']) {
  if (impressions === null || seconds === null) return null;
  return { impressions, window_seconds: seconds, per };
}

function adjustmentsOf(rows: TargetingValues['bid_adjustments']) {
  const given = Object.entries(rows)
    .filter(([, each]) => each.length > 0)
    .map(([dimension, each]) => [
      dimension,
      Object.fromEntries(each.map(({ value, percent }) => [value, percent])),
    ]);
  return given.length === 0 ? null : Object.fromEntries(given);
}
