import type { Settings } from '../../domain/settings.ts';
import type { TrackSealer } from '../../domain/tracking/track-id.ts';

/** Entries that are read: of a page with many zones that refresh, the newest of each creative. */
const SEEN_MAX = 50;

/** A page's clock and the time that an impression is on its way. */
const MARGIN_SECONDS = 5;

const NONE: ReadonlySet<number> = new Set();

/**
 * Creatives whose next impression by this viewer would not count, by what the page says of itself:
 * `seen`, seconds and track_id of what it has shown, parted by commas. Only track_ids that were
 * sealed here say anything, so a page can keep nobody out but who was shown on it.
 */
export function recentlyShown(
  seen: string,
  { sealer, settings }: { sealer: TrackSealer; settings: Settings },
): ReadonlySet<number> {
  const window = settings['ad.impression_dedup_seconds'];
  if (seen === '' || window === 0) return NONE;
  const creatives = new Set<number>();
  for (const part of seen.split(',', SEEN_MAX)) {
    const cut = part.indexOf('.');
    const age = /^\d{1,6}$/.test(part.slice(0, cut)) ? Number(part.slice(0, cut)) : Infinity;
    if (age >= window + MARGIN_SECONDS) continue;
    const track = sealer.open(part.slice(cut + 1));
    if (track !== null) creatives.add(track.creativeId);
  }
  return creatives;
}
