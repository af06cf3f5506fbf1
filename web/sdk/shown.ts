import type { AdItem, Answer } from './request.ts';

/**
 * What this page has shown, in memory and no longer than the page lives. An impression of a creative
 * counts once per viewer in a window of time that only the server knows: each ad request says what
 * was shown how long ago, and the server leaves out what would not count.
 */
interface Shown {
  zone: string;
  ad: AdItem;
  answer: Answer;
  at: number;
  element: HTMLElement;
}

/** How much an ad request may say. */
const SEEN_MAX = 50;
const AGAIN_MS = 300_000;

let shown: Shown[] = [];

export function noteShown(fresh: Omit<Shown, 'at'>): void {
  // The newest of a creative says all there is to say of it.
  shown = shown.filter((one) => one.ad.creative_id !== fresh.ad.creative_id).slice(1 - SEEN_MAX);
  shown.push({ ...fresh, at: Date.now() });
}

/** `seen` of an ad request: seconds and track_id of each. */
export const seenList = (): string =>
  shown.map(({ ad, at }) => `${Math.floor((Date.now() - at) / 1_000)}.${ad.id}`).join(',');

/** Zones that asked at the same time may have been answered the same creative. */
export const wasShownSince = (ad: AdItem, since: number): boolean =>
  shown.some((one) => one.ad.creative_id === ad.creative_id && one.at >= since);

/**
 * The zone's last ad, where its element is gone, as after a navigation within a single-page app: it may
 * be drawn once more, and nothing of it is reported again.
 */
export function lastShown(zone: string): Shown | undefined {
  const last = shown.filter((one) => one.zone === zone).at(-1);
  if (last === undefined || last.element.isConnected) return undefined;
  return Date.now() - last.at < AGAIN_MS ? last : undefined;
}
