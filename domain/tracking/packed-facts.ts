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

/** Which places of a line hold numbers. */
const numbersOf = (names: readonly string[]): readonly boolean[] =>
  names.map((name) => NUMBERS.has(name));
const TRACK_NUMBERS = numbersOf(TRACK);
const FACTS_NUMBERS = numbersOf(FACTS);
const TRACK_NAMES: ReadonlySet<string> = new Set(TRACK);
const FACTS_NAMES: ReadonlySet<string> = new Set<string>([...FACTS, 'track']);

const BETWEEN = '|';
const ABSENT = '';
/** Words that no text of ours is; one that is keeps its facts from being packed. */
const WORDS: ReadonlyMap<string, unknown> = new Map<string, unknown>([
  ['-', null],
  ['+t', true],
  ['+f', false],
  ['+e', ''],
]);
const WORD_CHARS_MAX = 2;

/** Text that JSON writes as it stands. */
const PLAIN = /^[ !#-[\]-~]*$/;

/** packFacts in JSON. Nearly all are two lines of plain text, which need no writer that looks at each name. */
export function packedJson(facts: EventFacts): string {
  const packed = packFacts(facts);
  const { t, f } = packed as PackedFacts;
  let names = 0;
  for (const _name in packed) names += 1;
  const isPlain =
    names === 2 && typeof t === 'string' && typeof f === 'string' && PLAIN.test(t + f);
  return isPlain ? `{"t":"${t}","f":"${f}"}` : JSON.stringify(packed);
}

/** Thousands a second: nothing is copied to be looked through. */
export function packFacts(facts: EventFacts): PackedFacts | EventFacts {
  const { track } = facts;
  const f = lineOf(valuesOfFacts(facts), FACTS_NUMBERS);
  const t = track === null ? null : lineOf(valuesOfTrack(track), TRACK_NUMBERS);
  if (f === null || (t === null && track !== null)) return facts;
  for (const name in track) if (!TRACK_NAMES.has(name)) return facts;
  const packed: Record<string, unknown> = t === null ? { f } : { t, f };
  for (const name in facts) {
    if (FACTS_NAMES.has(name)) continue;
    const value = (facts as unknown as Record<string, unknown>)[name];
    // Null is what is meant where neither is said.
    if (value === undefined || (value === null && NULL_WHEN_ABSENT.has(name))) continue;
    packed[name] = value;
  }
  return packed as unknown as PackedFacts;
}

/** Facts of either form as EventFacts has them; anything else as it is. */
export function unpackFacts(stored: unknown): unknown {
  if (typeof stored !== 'object' || stored === null) return stored;
  const packed = stored as Record<string, unknown>;
  const { t, f } = packed;
  if (typeof f !== 'string') return stored;
  const facts: Record<string, unknown> = factsIn(f);
  for (const name in packed) if (name !== 't' && name !== 'f') facts[name] = packed[name];
  facts['track'] = typeof t === 'string' ? trackIn(t) : null;
  return facts;
}

/** All four are written out, in the order of their lines: values that are asked by names in a list cost several times as much. */
const valuesOfFacts = (facts: EventFacts): unknown[] => [
  facts.seal,
  facts.protocol,
  facts.signature,
  facts.session,
  facts.clock,
  facts.userAgent,
  facts.uaHash,
  facts.ipHash,
  facts.viewerKey,
  facts.ipPrefix,
  facts.country,
  facts.device,
  facts.os,
  facts.browser,
  facts.prefetch,
  facts.datacenter,
  facts.webdriver,
  facts.fingerprint,
];

const valuesOfTrack = (track: TrackFacts): unknown[] => [
  track.requestId,
  track.bidId,
  track.advertiserId,
  track.campaignId,
  track.adGroupId,
  track.adId,
  track.creativeId,
  track.zoneId,
  track.issuedAt,
  track.protocol,
  track.channel,
  track.pricingModel,
  track.priceNanos,
  track.uaHash,
  track.ipHash,
  track.country,
  track.device,
  track.os,
  track.viewSeconds,
  track.pageId,
  track.fingerprint,
];

/**
 * Objects that get their names one by one become tables of names, several times as dear as these of one shape; a name
 * that is added as in `{ ...facts, fingerprint }` took 5 us, more than all else here.
 */
function factsIn(line: string) {
  const words = line.split(BETWEEN);
  const value = (at: number): unknown => valueOf(words[at]);
  const facts: { fingerprint?: unknown; [name: string]: unknown } = {
    track: null,
    seal: value(0),
    protocol: numberOf(words[1]),
    signature: value(2),
    session: value(3),
    clock: value(4),
    nonce: null,
    userAgent: value(5),
    uaHash: value(6),
    ipHash: value(7),
    viewerKey: value(8),
    ipPrefix: value(9),
    country: value(10),
    device: value(11),
    os: value(12),
    browser: value(13),
    prefetch: value(14),
    datacenter: value(15),
    webdriver: value(16),
    placement: null,
  };
  const fingerprint = value(17);
  if (fingerprint !== undefined) facts.fingerprint = fingerprint;
  return facts;
}

function trackIn(line: string) {
  const words = line.split(BETWEEN);
  const value = (at: number): unknown => valueOf(words[at]);
  const number = (at: number): unknown => numberOf(words[at]);
  return {
    requestId: value(0),
    bidId: value(1),
    advertiserId: number(2),
    campaignId: number(3),
    adGroupId: number(4),
    adId: number(5),
    creativeId: number(6),
    zoneId: number(7),
    issuedAt: number(8),
    protocol: number(9),
    channel: value(10),
    pricingModel: value(11),
    priceNanos: value(12),
    uaHash: value(13),
    ipHash: value(14),
    country: value(15),
    device: value(16),
    os: value(17),
    viewSeconds: number(18),
    pageId: number(19),
    fingerprint: value(20),
  };
}

const NULL_WHEN_ABSENT: ReadonlySet<string> = new Set(['nonce', 'placement']);

/** Null when a value is of no kind that a line holds. */
function lineOf(values: readonly unknown[], numbers: readonly boolean[]): string | null {
  let line = '';
  for (let at = 0; at < values.length; at += 1) {
    const word = wordOf(values[at], numbers[at] === true);
    if (word === null) return null;
    line += at === 0 ? word : BETWEEN + word;
  }
  return line;
}

function wordOf(value: unknown, isNumber: boolean): string | null {
  if (value === undefined) return ABSENT;
  if (value === null) return '-';
  if (typeof value === 'boolean') return value ? '+t' : '+f';
  if (isNumber) return Number.isSafeInteger(value) ? String(value as number) : null;
  if (typeof value !== 'string' || value.includes(BETWEEN) || isWord(value)) return null;
  return value === '' ? '+e' : value;
}

const isWord = (text: string): boolean => text.length <= WORD_CHARS_MAX && WORDS.has(text);

/** Undefined where the line says nothing, also where it ends early. */
function valueOf(word: string | undefined): unknown {
  if (word === undefined || word === ABSENT) return undefined;
  return isWord(word) ? WORDS.get(word) : word;
}

function numberOf(word: string | undefined): unknown {
  if (word === undefined || word === ABSENT) return undefined;
  return isWord(word) ? WORDS.get(word) : Number(word);
}
