import type { Place } from './seed-places.ts';
import { PLACES } from './seed-zones.ts';

/** How many come past which ad on which day, and how many of them click: what makes two weeks look like life. */
const VISITS = 3_000;
/** Sunday first: people read at work. */
const WEEK = [0.66, 1, 1.06, 1.08, 1.04, 0.96, 0.62] as const;
/** It grows by so much a day. */
const GROWTH = 0.012;
/** No day is as the one before. */
const SPREAD = 0.07;

export function visitsOn(day: Date, daysAgo: number, chance: () => number): number {
  const rhythm = WEEK[day.getUTCDay()] ?? 1;
  const noise = 1 + (chance() * 2 - 1) * SPREAD;
  return Math.round(VISITS * rhythm * noise * (1 - daysAgo * GROWTH));
}

/** What ran when, in days ago, and how large a part of its places it has; what is not named ran all the time. */
interface Run {
  from?: number;
  until?: number;
  weight?: number;
}
const RUNS: Readonly<Record<string, Run>> = {
  'Last coils of the year': { from: 13, until: 10, weight: 0.9 },
  'Summer regatta': { until: 5, weight: 1.4 },
  'Harbour club membership': { weight: 5 },
  'To the islands': { from: 11 },
  'Lighthouse week': { from: 8, weight: 1.5 },
  'Films for readers': { from: 9 },
  'Before you go': { from: 6 },
};

const weightOn = ({ campaignName }: Place, daysAgo: number): number => {
  const { from = Infinity, until = 0, weight = 1 } = RUNS[campaignName] ?? {};
  return daysAgo <= from && daysAgo >= until ? weight : 0;
};

/** Draws by a number in [0, 1): first how busy the zone is, then which of its campaigns. */
export function placesOn(places: readonly Place[], daysAgo: number): (drawn: number) => Place {
  const inZone = new Map<number, number>();
  for (const place of places) {
    inZone.set(place.zone.id, (inZone.get(place.zone.id) ?? 0) + weightOn(place, daysAgo));
  }
  const shares = places.map((place) => {
    const all = inZone.get(place.zone.id) ?? 0;
    const busy = PLACES[place.zoneName]?.share ?? 1;
    return all === 0 ? 0 : (busy * weightOn(place, daysAgo)) / all;
  });
  const total = shares.reduce((sum, share) => sum + share, 0);
  return (drawn) => {
    let left = drawn * total;
    const at = shares.findIndex((share) => (left -= share) < 0);
    const place = places[at] ?? places.at(-1);
    if (place === undefined) throw new Error('no ad of the demo has a place');
    return place;
  };
}

/** Of those who see an ad: what covers the page is clicked more often than what stands in it. */
const CLICK_SHARES: Readonly<Record<string, number>> = {
  BANNER: 0.007,
  NATIVE: 0.013,
  TEXT: 0.012,
  VIDEO: 0.01,
  RESPONSIVE: 0.009,
  INTERSTITIAL: 0.019,
  POPUP: 0.018,
  FLOAT: 0.012,
  COUPLET: 0.006,
  EXIT_INTENT: 0.02,
  REWARDED: 0.015,
};
/** Those that pay for clicks or sales only are made to be clicked. */
const PROMISING = 0.018;

export const clickShareOf = ({ zoneType, place }: Place): number =>
  place.pricingModel === 'CPM' ? (CLICK_SHARES[zoneType] ?? 0.008) : PROMISING;
