import { BROWSERS, DEVICES, OSES } from '../viewer.ts';
import { compilePageTargeting } from './page-targeting.ts';
import type { AuctionViewer, NoBidReason, Targeting } from './types.ts';

/** Every bit set: no restriction. */
export const ALL = -1;

/** Lists as they are stored; null and the empty list restrict nothing. */
export interface TargetingLists {
  countries: readonly unknown[] | null;
  devices: readonly unknown[] | null;
  os: readonly unknown[] | null;
  browsers: readonly unknown[] | null;
  hours: readonly unknown[] | null;
  weekdays: readonly unknown[] | null;
  keywords?: readonly unknown[] | null;
  categories?: readonly unknown[] | null;
  languages?: readonly unknown[] | null;
}

/** One object for all that ask nothing, as most do. */
const EVERYBODY: Targeting = {
  countries: null,
  devices: ALL,
  os: ALL,
  browsers: ALL,
  hours: ALL,
  weekdays: ALL,
  page: null,
};

/** Lists to masks, once when the inventory is loaded. A list of unknown values only matches nobody. */
export function compileTargeting(lists: TargetingLists): Targeting {
  if (Object.values(lists).every((list) => (list?.length ?? 0) === 0)) return EVERYBODY;
  return {
    countries: countrySet(lists.countries),
    devices: maskOfNames(lists.devices, DEVICES),
    os: maskOfNames(lists.os, OSES),
    browsers: maskOfNames(lists.browsers, BROWSERS),
    hours: maskOfNumbers(lists.hours, 24),
    weekdays: maskOfNumbers(lists.weekdays, 7),
    page: compilePageTargeting({
      keywords: lists.keywords,
      categories: lists.categories,
      languages: lists.languages,
    }),
  };
}

/** The first dimension that does not match; undefined when all do. */
export function targetingRefusal(
  targeting: Targeting,
  viewer: AuctionViewer,
): NoBidReason | undefined {
  const { countries } = targeting;
  if (countries !== null && (viewer.country === null || !countries.has(viewer.country))) {
    return 'TARGET_COUNTRY';
  }
  if (!hasBit(targeting.devices, DEVICES.indexOf(viewer.device))) return 'TARGET_DEVICE';
  if (!hasBit(targeting.os, OSES.indexOf(viewer.os))) return 'TARGET_OS';
  if (!hasBit(targeting.browsers, BROWSERS.indexOf(viewer.browser))) return 'TARGET_BROWSER';
  return undefined;
}

/** Daypart and weekday in the platform's time zone, UTC (interface 2.3). */
export function inDaypart(targeting: Targeting, now: Date): boolean {
  return hasBit(targeting.hours, now.getUTCHours()) && hasBit(targeting.weekdays, now.getUTCDay());
}

export const hasBit = (mask: number, bit: number): boolean => ((mask >> bit) & 1) === 1;

function countrySet(list: readonly unknown[] | null): ReadonlySet<string> | null {
  if (list === null || list.length === 0) return null;
  return new Set(list.filter((item) => typeof item === 'string').map((item) => item.toUpperCase()));
}

function maskOfNames(list: readonly unknown[] | null, names: readonly string[]): number {
  if (list === null || list.length === 0) return ALL;
  let mask = 0;
  for (const item of list) {
    const bit = typeof item === 'string' ? names.indexOf(item.toUpperCase()) : -1;
    if (bit >= 0) mask |= 1 << bit;
  }
  return mask;
}

/** Modulo: a weekday list may count Sunday as 0 or, as ISO 8601 does, as 7. */
function maskOfNumbers(list: readonly unknown[] | null, size: number): number {
  if (list === null || list.length === 0) return ALL;
  let mask = 0;
  for (const item of list) {
    const number = Number(item);
    if (Number.isInteger(number) && number >= 0 && number <= size) mask |= 1 << (number % size);
  }
  return mask;
}
