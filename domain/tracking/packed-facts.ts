import type { EventFacts, TrackFacts } from './facts.ts';

/**
 * Facts as the log keeps them: two lines of values in a fixed order instead of some forty names, less
 * than half the bytes, and nothing to parse but text. What is rare, or is somebody else's text (`_r`,
 * a player's word), keeps its name beside them, and so does every fact that is not listed here. Facts
 * that a line cannot hold stay as they are; both forms are read, also from the spools of older builds.
 * The order is for ever: a value that is added goes by its name.
 */
export interface PackedFacts extends Partial<EventFacts> {
  /** Of TrackFacts; absent when there is none. */
  t?: string;
  /** Of EventFacts. */
  f: string;
}

const TRACK = [
  'requestId',
  'bidId',
  'advertiserId',
  'campaignId',
  'adGroupId',
  'adId',
  'creativeId',
  'zoneId',
  'issuedAt',
  'protocol',
  'channel',
  'pricingModel',
  'priceNanos',
  'uaHash',
  'ipHash',
  'country',
  'device',
  'os',
  'viewSeconds',
  'pageId',
  'fingerprint',
] as const satisfies readonly (keyof TrackFacts)[];

const FACTS = [
  'seal',
  'protocol',
  'signature',
  'session',
  'clock',
  'userAgent',
  'uaHash',
  'ipHash',
  'viewerKey',
  'ipPrefix',
  'country',
  'device',
  'os',
  'browser',
  'prefetch',
  'datacenter',
  'webdriver',
  'fingerprint',
] as const satisfies readonly (keyof EventFacts)[];

/** All others are text. */
const NUMBERS: ReadonlySet<string> = new Set([
  'advertiserId',
  'campaignId',
  'adGroupId',
  'adId',
  'creativeId',
  'zoneId',
  'issuedAt',
  'protocol',
  'viewSeconds',
  'pageId',
]);

const BETWEEN = '|';
const ABSENT = '';
/** Words that no text of ours is; one that is keeps its facts from being packed. */
const WORDS: ReadonlyMap<string, unknown> = new Map<string, unknown>([
  ['-', null],
  ['+t', true],
  ['+f', false],
  ['+e', ''],
]);

export function packFacts(facts: EventFacts): PackedFacts | EventFacts {
  const { track, ...others } = facts;
  const f = lineOf(others, FACTS);
  const t = track === null ? null : lineOf(track, TRACK);
  if (f === null || (t === null && track !== null)) return facts;
  if (track !== null && Object.keys(track).some((name) => !TRACK_NAMES.has(name))) return facts;
  const packed: Record<string, unknown> = t === null ? { f } : { t, f };
  for (const [name, value] of Object.entries(others)) {
    if (FACTS_NAMES.has(name) || value === undefined) continue;
    // Null is what is meant where neither is said.
    if (!(value === null && NULL_WHEN_ABSENT.has(name))) packed[name] = value;
  }
  return packed as unknown as PackedFacts;
}

/** Facts of either form as EventFacts has them; anything else as it is. */
export function unpackFacts(stored: unknown): unknown {
  if (typeof stored !== 'object' || stored === null) return stored;
  const { t, f, ...named } = stored as Record<string, unknown>;
  if (typeof f !== 'string') return stored;
  return {
    nonce: null,
    placement: null,
    ...valuesOf(f, FACTS),
    ...named,
    track: typeof t === 'string' ? valuesOf(t, TRACK) : null,
  };
}

const TRACK_NAMES: ReadonlySet<string> = new Set(TRACK);
const FACTS_NAMES: ReadonlySet<string> = new Set(FACTS);
const NULL_WHEN_ABSENT: ReadonlySet<string> = new Set(['nonce', 'placement']);

/** Null when a value is of no kind that a line holds. */
function lineOf<Values extends object>(
  values: Values,
  names: readonly (keyof Values)[],
): string | null {
  let line = '';
  for (const [at, name] of names.entries()) {
    const word = wordOf(name as string, values[name]);
    if (word === null) return null;
    line += at === 0 ? word : BETWEEN + word;
  }
  return line;
}

function wordOf(name: string, value: unknown): string | null {
  if (value === undefined) return ABSENT;
  if (value === null) return '-';
  if (typeof value === 'boolean') return value ? '+t' : '+f';
  if (NUMBERS.has(name)) return Number.isSafeInteger(value) ? String(value as number) : null;
  if (typeof value !== 'string' || value.includes(BETWEEN) || WORDS.has(value)) return null;
  return value === '' ? '+e' : value;
}

function valuesOf(line: string, names: readonly string[]): Record<string, unknown> {
  const values: Record<string, unknown> = {};
  const words = line.split(BETWEEN);
  for (const [at, name] of names.entries()) {
    const word = words[at] ?? ABSENT;
    if (word === ABSENT) continue;
    const known = WORDS.get(word);
    if (known !== undefined) values[name] = known;
    else values[name] = NUMBERS.has(name) ? Number(word) : word;
  }
  return values;
}
