import { parseUrl } from '../url.ts';
import type { VastMediaFile, VastSource } from './vast.ts';

/**
 * How a film that another server has is found: from wrapper to wrapper, as a player does. Whoever
 * asks the servers adds what each answered; this says what it was and whether another is asked.
 */
export const HOP_OUTCOMES = ['wrapper', 'film', 'empty', 'refused'] as const;
export type HopOutcome = (typeof HOP_OUTCOMES)[number];

/** Why a hop led to nothing. The first ones are those of the way out, by its own names. */
export const FILM_REFUSALS = [
  'BAD_ADDRESS',
  'PRIVATE_ADDRESS',
  'DNS_NXDOMAIN',
  'DNS_FAILED',
  'CONNECTION_FAILED',
  'TLS_FAILED',
  'TIMEOUT',
  'TOO_MANY_REDIRECTS',
  'REDIRECT_OFF_DOMAIN',
  'TOO_LARGE',
  'WRONG_TYPE',
  'NOT_FOUND',
  'BAD_STATUS',
  'NOT_XML',
  'NOT_VAST',
  'LOOP',
  'TOO_MANY_WRAPPERS',
] as const;
export type FilmRefusal = (typeof FILM_REFUSALS)[number];

export interface Film {
  durationSeconds: number;
  mediaFiles: readonly VastMediaFile[];
}

/** What one address answered. `detail`: the status, or what a document must be and is not. */
export type HopAnswer =
  | { outcome: 'wrapper'; next: string }
  | { outcome: 'film'; film: Film }
  | { outcome: 'empty' }
  | { outcome: 'refused'; refusal: FilmRefusal; detail: string | null };

export interface Hop {
  /** As the document before named it, with a player's macros unfilled. */
  address: string;
  outcome: HopOutcome;
  refusal: FilmRefusal | null;
  detail: string | null;
}

export interface FilmChain {
  hops: readonly Hop[];
  film: Film | null;
  /** What to ask next; null at the end. */
  next: string | null;
}

/** Players give up after five (VAST 4.2, 2.4.3.4); what we serve of such a creative is the first. */
export const WRAPPERS_MAX = 5;

export const beginChain = (address: string): FilmChain => ({
  hops: [],
  film: null,
  next: address,
});

/** The chain with what its `next` answered. A wrapper that leads where nobody goes ends it by name. */
export function growChain(
  { hops: before, next: address }: FilmChain,
  answer: HopAnswer,
): FilmChain {
  if (address === null) throw new Error('this chain has ended');
  const hops = [...before, hopOf(address, answer)];
  if (answer.outcome !== 'wrapper') {
    return { hops, film: answer.outcome === 'film' ? answer.film : null, next: null };
  }
  const refusal = refusalOf(hops, answer.next);
  if (refusal === null) return { hops, film: null, next: answer.next };
  const end = hopOf(answer.next, { outcome: 'refused', refusal, detail: null });
  return { hops: [...hops, end], film: null, next: null };
}

const hopOf = (address: string, answer: HopAnswer): Hop => ({
  address,
  outcome: answer.outcome,
  refusal: answer.outcome === 'refused' ? answer.refusal : null,
  detail: answer.outcome === 'refused' ? answer.detail : null,
});

function refusalOf(hops: readonly Hop[], next: string): FilmRefusal | null {
  const place = placeOf(next);
  if (hops.some(({ address }) => placeOf(address) === place)) return 'LOOP';
  return hops.length >= WRAPPERS_MAX ? 'TOO_MANY_WRAPPERS' : null;
}

/** What is asked for: a fragment is never sent, and a name may be written in any case. */
function placeOf(address: string): string {
  const url = parseUrl(address);
  if (url === null) return address;
  url.hash = '';
  return url.href;
}

/** What a document, read, is in a chain. */
export const answerOfSource = (source: VastSource): HopAnswer =>
  source.kind === 'wrapper'
    ? { outcome: 'wrapper', next: source.tagUrl }
    : {
        outcome: 'film',
        film: { durationSeconds: source.durationSeconds, mediaFiles: source.mediaFiles },
      };

/** Null: its body is the answer. */
export function answerOfStatus(status: number): HopAnswer | null {
  if (status === 204) return { outcome: 'empty' };
  if (status >= 200 && status < 300) return null;
  const refusal = status === 404 || status === 410 ? 'NOT_FOUND' : 'BAD_STATUS';
  return { outcome: 'refused', refusal, detail: String(status) };
}

/** `[NAME]`, as it stands in an address or with its brackets encoded. */
const MACRO = /(?:\[|%5B)(\w+)(?:\]|%5D)/gi;
const RANDOM_NAMES: ReadonlySet<string> = new Set(['CACHEBUSTING', 'CACHEBUSTER', 'RANDOM']);

/**
 * An address with those of a player's macros filled in that keep an old answer from being given
 * again. Who watches, and where, is nobody: every other macro stays as it is.
 */
export const fillPlayerMacros = (
  address: string,
  { random, now }: { random: number; now: Date },
): string =>
  address.replace(MACRO, (whole, written: string) => {
    const name = written.toUpperCase();
    if (RANDOM_NAMES.has(name)) return String(10_000_000 + Math.floor(random * 90_000_000));
    return name === 'TIMESTAMP' ? encodeURIComponent(now.toISOString()) : whole;
  });
