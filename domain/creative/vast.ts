/**
 * A video ad as a player reads it (VAST 2.0 and 4.2). Two builders write it, because
 * the versions differ in order, names and what they require; this file holds what they share.
 */
export type VastVersion = '2.0' | '4.2';

export interface VastMediaFile {
  url: string;
  mime: string;
  width: number;
  height: number;
  bitrateKbps: number | null;
  codec: string | null;
}

export interface VastBeacon {
  event: string;
  url: string;
  /** `HH:MM:SS` or `n%`, of `progress` alone. */
  offset: string | null;
}

/** What an advertiser's own document asks to be told; fired beside our own. */
export interface ThirdParty {
  impressions: readonly string[];
  errors: readonly string[];
  beacons: readonly VastBeacon[];
  clickTracking: readonly string[];
}

export const NOBODY: ThirdParty = { impressions: [], errors: [], beacons: [], clickTracking: [] };

/** What is played: files that we can name, or another ad server's document. */
export type VastSource =
  | {
      kind: 'inline';
      /** Of the file itself: players compute the quartiles from it. */
      durationSeconds: number;
      mediaFiles: readonly VastMediaFile[];
      thirdParty: ThirdParty;
    }
  | { kind: 'wrapper'; tagUrl: string; thirdParty: ThirdParty };

export interface VastCompanion {
  url: string;
  mime: string;
  width: number;
  height: number;
}

/** One won ad with everything that its document says. */
export interface VastAd {
  adId: number;
  creativeId: number;
  requestId: string;
  title: string;
  /** What it is called where it has no title, in the page's language. */
  adName: string;
  description: string;
  advertiser: string;
  source: VastSource;
  companion: VastCompanion | null;
  /** Seconds until a viewer may skip; null keeps them. */
  skipAfterSeconds: number | null;
  /** Address of the tracking host, and the id that every beacon of this ad carries. */
  trackUrl: string;
  trackId: string;
}

export const AD_SYSTEM = 'adplatform';

/** A view is what CPV bills: the end of the video, or this much of it (interface 6). */
export const VIEW_SECONDS = 30;

/** Whole seconds of server time that a view of this source takes; undefined when it is not known. */
export function viewSecondsOf(source: VastSource): number | undefined {
  if (source.kind === 'wrapper') return undefined;
  return Math.max(1, Math.floor(Math.min(VIEW_SECONDS, source.durationSeconds)));
}

/** Players that skip a macro send it as it is, which the tracking endpoints ignore. */
export const beaconsOf = ({ trackUrl, trackId }: Pick<VastAd, 'trackUrl' | 'trackId'>) => ({
  impression: `${trackUrl}/track/impression/${trackId}?cb=[CACHEBUSTING]`,
  error: `${trackUrl}/track/vast-error/${trackId}?code=[ERRORCODE]`,
  click: `${trackUrl}/track/click/${trackId}`,
  /** A click that another server's document measured: stored, never verified, so never billed. */
  measuredClick: `${trackUrl}/track/click/${trackId}?m=beacon`,
  view: (outcome: 'viewable' | 'notviewable' | 'undetermined') =>
    `${trackUrl}/track/view/${trackId}?s=${outcome}`,
  video: (event: string) => `${trackUrl}/track/video/${trackId}?e=${event}`,
});

/** In an answer without an ad there is no track_id; what players report of it is not an event. */
export const NO_AD_TRACK_ID = 'no-ad';

/** `00:00:45` or `00:00:45.120`: VAST wants a time of day. */
export function clockTime(seconds: number): string {
  const ms = Math.round(seconds * 1_000);
  const part = (value: number, digits: number): string => String(value).padStart(digits, '0');
  const whole = [ms / 3_600_000, (ms / 60_000) % 60, (ms / 1_000) % 60]
    .map((value) => part(Math.floor(value), 2))
    .join(':');
  return ms % 1_000 === 0 ? whole : `${whole}.${part(ms % 1_000, 3)}`;
}

/** `HH:MM:SS(.mmm)` to seconds; null for anything else. */
export function clockSeconds(text: string): number | null {
  const match = /^(\d{1,2}):([0-5]\d):([0-5]\d(?:\.\d{1,3})?)$/.exec(text.trim());
  if (match === null) return null;
  return Number(match[1]) * 3_600 + Number(match[2]) * 60 + Number(match[3]);
}
