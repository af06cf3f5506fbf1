import { type Nanos, parseAmount } from '../money.ts';
import type { Settings } from '../settings.ts';
import type { AuctionZone } from './types.ts';

/**
 * What the platform asks at the least, whatever a zone says (interface 4.13): alone in an auction
 * without a floor, an ad would pay one nano and its publisher earn nothing.
 */
export interface Reserve {
  readonly cpcNanos: Nanos;
  readonly cpmNanos: Nanos;
}

export const reserveOf = (settings: Settings): Reserve => ({
  cpcNanos: parseAmount(settings['auction.floor_cpc']) ?? 0n,
  cpmNanos: parseAmount(settings['auction.floor_cpm']) ?? 0n,
});

/** The zone as auctions see it: its own floors where they are higher. */
export const withReserve = <Zone extends AuctionZone>(zone: Zone, reserve: Reserve): Zone => ({
  ...zone,
  floorCpcNanos: higher(zone.floorCpcNanos, reserve.cpcNanos),
  floorCpmNanos: higher(zone.floorCpmNanos, reserve.cpmNanos),
});

const higher = (left: Nanos, right: Nanos): Nanos => (left > right ? left : right);
