import { type Fitting, fitsFormat, fitsSize, isSoldInto } from './auction/formats.ts';

/** Zones that are open now and alike in what decides this, and how many they are. */
export interface OpenZones {
  type: string;
  width: number;
  height: number;
  /** `CPC,CPM`: what they sell by. */
  pricingTypes: string;
  floorPriceCpcNanos: bigint;
  floorPriceCpmNanos: bigint;
  zones: number;
}

/** What a campaign has to show, and how it pays. */
export interface Shown {
  adType: string;
  pricingModel: string;
  bidNanos: bigint;
  creatives: readonly Fitting['creative'][];
}

/** How many zones each rule of the auction leaves, in its order (interface 4.2). */
export interface ZoneReach {
  open: number;
  ofKind: number;
  ofSize: number;
  ofPricing: number;
  /** Null where the price of an impression is learned and not bid. */
  atPrice: number | null;
  /** Sizes that no creative has, of zones that would take it else: the most first. */
  missingSizes: { width: number; height: number; zones: number }[];
}

const MISSING_MOST = 5;
/** These bid in the unit in which a floor is set; others are compared by what they are expected to bring. */
const FLOORS: Readonly<Record<string, (zone: OpenZones) => bigint>> = {
  CPC: ({ floorPriceCpcNanos }) => floorPriceCpcNanos,
  CPM: ({ floorPriceCpmNanos }) => floorPriceCpmNanos,
};

/**
 * Which of the zones that are open now could show a campaign; viewers, hours and money aside. One without creatives is
 * held to its own kind alone.
 */
export function zoneReach(shown: Shown, open: readonly OpenZones[]): ZoneReach {
  const candidates = shown.creatives.map((creative): Fitting => ({ campaign: shown, creative }));
  const hasNone = candidates.length === 0;
  const ofKind = open.filter(({ type }) =>
    hasNone ? isSoldInto(shown.adType, type) : candidates.some((each) => fitsFormat(each, type)),
  );
  const fits = (zone: OpenZones): boolean =>
    hasNone || candidates.some((each) => fitsFormat(each, zone.type) && fitsSize(each, zone));
  const sells = ({ pricingTypes }: OpenZones): boolean =>
    pricingTypes.split(',').some((model) => model.trim() === shown.pricingModel);
  const ofSize = ofKind.filter(fits);
  const ofPricing = ofSize.filter(sells);
  const floorOf = FLOORS[shown.pricingModel];
  return {
    open: countOf(open),
    ofKind: countOf(ofKind),
    ofSize: countOf(ofSize),
    ofPricing: countOf(ofPricing),
    atPrice:
      floorOf === undefined
        ? null
        : countOf(ofPricing.filter((zone) => floorOf(zone) <= shown.bidNanos)),
    missingSizes: sizesOf(ofKind.filter((zone) => !fits(zone) && sells(zone))),
  };
}

const countOf = (groups: readonly OpenZones[]): number =>
  groups.reduce((sum, { zones }) => sum + zones, 0);

function sizesOf(groups: readonly OpenZones[]): ZoneReach['missingSizes'] {
  const bySize = new Map<string, { width: number; height: number; zones: number }>();
  for (const { width, height, zones } of groups) {
    const key = `${width}x${height}`;
    const known = bySize.get(key);
    bySize.set(key, { width, height, zones: (known?.zones ?? 0) + zones });
  }
  return [...bySize.values()]
    .toSorted((one, other) => other.zones - one.zones)
    .slice(0, MISSING_MOST);
}
