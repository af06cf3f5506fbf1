import type { ZoneTerms } from './request.ts';

/**
 * What this origin's localStorage keeps of a zone that is drawn over the page: its last settings, so
 * that the next page knows when to ask for an ad, and when ads were shown, for the zone's frequency.
 * No identifier of anybody. Where storage is refused nothing is remembered and nothing is capped.
 */
interface Memory {
  at: number;
  terms: ZoneTerms;
  shown: number[];
}

/** A publisher's change of the trigger is seen within this time; other settings come with the ad. */
const TERMS_FRESH_MS = 3_600_000;

export function recallTerms(zone: string): ZoneTerms | undefined {
  const memory = read(zone);
  return memory !== undefined && Date.now() - memory.at < TERMS_FRESH_MS ? memory.terms : undefined;
}

/** The server caps what an advertiser may show (per campaign, ad group, ad); the zone's cap is ours. */
export function isCapped(zone: string, { frequency }: ZoneTerms): boolean {
  return frequency !== undefined && shownWithin(zone, frequency).length >= frequency.impressions;
}

/** `isShown`: the ad is drawn now, which is when its impression counts. */
export function remember(zone: string, terms: ZoneTerms, isShown: boolean): void {
  const at = Date.now();
  const shown = shownWithin(zone, terms.frequency);
  if (isShown && terms.frequency !== undefined) shown.push(at);
  const memory: Memory = { at, terms, shown };
  try {
    localStorage.setItem(keyOf(zone), JSON.stringify(memory));
  } catch {
    // Refused or full: the ad is shown all the same, and the page hears nothing of it.
    return;
  }
}

const keyOf = (zone: string): string => `adp:${zone}`;

function shownWithin(zone: string, frequency: ZoneTerms['frequency']): number[] {
  const since = Date.now() - (frequency?.window_seconds ?? 0) * 1_000;
  return (read(zone)?.shown ?? []).filter((at) => at > since);
}

function read(zone: string): Memory | undefined {
  try {
    const memory = JSON.parse(localStorage.getItem(keyOf(zone)) ?? '') as Memory;
    return Array.isArray(memory.shown) && typeof memory.terms.type === 'string'
      ? memory
      : undefined;
  } catch {
    // Refused, empty, or written by somebody else: as if nothing were remembered.
    return undefined;
  }
}
