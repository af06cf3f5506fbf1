/**
 * What this page has been given, in memory and no longer than the page lives. An impression of a creative
 * counts once per viewer in a window of time that only the server knows: each request says what was
 * drawn how long ago, or may still be drawn, and the server leaves out what would not count.
 */
interface Given {
  unit: string;
  bidId: string;
  creative: number;
  trackId: string;
  /** When it was given, then when it was drawn. */
  at: number;
  isDrawn: boolean;
}

/** Seconds in which a bid may be drawn: its price is of its time. */
export const TTL_SECONDS = 240;
/** How much a request may say. */
const SEEN_MAX = 50;

let given: Given[] = [];

interface Unit {
  bidId: string;
  adUnitCode?: string;
}

/** A unit that asks anew draws none of its bids of before: their creatives are free again. */
export function forgetUndrawn(units: readonly Unit[]): void {
  const asking = new Set(units.map(({ adUnitCode = '' }) => adUnitCode));
  const since = Date.now() - TTL_SECONDS * 1_000;
  given = given.filter(({ isDrawn, unit, at }) => isDrawn || (at > since && !asking.has(unit)));
}

export function noteGiven(ad: { id: string; creative_id: number }, unit: Unit): void {
  const { bidId, adUnitCode = '' } = unit;
  const { id: trackId, creative_id: creative } = ad;
  // The newest of a creative says all there is to say of it.
  given = given.filter((one) => one.creative !== creative).slice(1 - SEEN_MAX);
  given.push({ unit: adUnitCode, bidId, creative, trackId, at: Date.now(), isDrawn: false });
}

export function noteDrawn(bidId: string): void {
  for (const one of given) {
    if (one.bidId === bidId) Object.assign(one, { at: Date.now(), isDrawn: true });
  }
}

/** `seen` of a request: seconds and track_id of each. */
export const seenList = (): string =>
  given
    .map(({ trackId, at, isDrawn }) => {
      const age = isDrawn ? Math.floor((Date.now() - at) / 1_000) : 0;
      return `${age}.${trackId}`;
    })
    .join();

export const wasGivenSince = (creative: number, since: number): boolean =>
  given.some((one) => one.creative === creative && one.at >= since);
