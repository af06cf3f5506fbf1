import type { IncomingMessage } from 'node:http';
import type { ConversionReport } from '../../activities/tracking/conversion-report.ts';
import { DomainError, ERRORS, invalid } from '../../domain/errors.ts';
import { NANOS_PER_UNIT, parseAmount } from '../../domain/money.ts';
import type { Reporter } from '../../domain/tracking/conversion-findings.ts';
import { signedText } from '../../domain/tracking/postback.ts';
import { parseUrl } from '../../domain/url.ts';
import { listedName, repeated } from '../http/repeated.ts';
import type { ReadViewer } from '../viewer.ts';
import { ONE_LINE } from '../../domain/control-characters.ts';

/** interface 4.14: what a report says, and who sent it. */
export type Params = Readonly<Record<string, unknown>>;

export const CLICK_NAMES = ['click_id', 'clickid', 'cid'] as const;
const CODE_NAMES = ['code', 'c'] as const;
const VALUE_NAMES = ['value', 'payout'] as const;
const TRANSACTION_NAMES = ['txid', 'transaction_id', 'order_id'] as const;
const READ_NAMES: readonly string[] = [
  ...CODE_NAMES,
  ...CLICK_NAMES,
  ...VALUE_NAMES,
  ...TRANSACTION_NAMES,
  'currency',
  'event',
  'type',
  'sig',
];
const VALUE_NANOS_MAX = 1_000_000n * NANOS_PER_UNIT;
const CODE_CHARS_MAX = 100;
const CLICK_ID_CHARS_MAX = 200;
const TRANSACTION_ID_CHARS_MAX = 200;
const EVENT_CHARS_MAX = 64;
/** As a legacy report is stored that says no type (db/queries/conversion-reports.ts). */
const LEGACY_TYPE = 'conversion';
const HOST_CHARS_MAX = 253;
const PARAMS_MAX = 1_000;

/** Of a query string; a name that stands twice has a list. */
export function queryParams(url: string): Params {
  const cut = url.indexOf('?');
  const params: Record<string, string | string[]> = Object.create(null) as Record<string, string>;
  if (cut < 0) return params;
  let count = 0;
  for (const [name, value] of new URLSearchParams(url.slice(cut + 1))) {
    count += 1;
    if (count > PARAMS_MAX) break;
    const before = params[name];
    if (before === undefined) params[name] = value;
    else if (typeof before === 'string') params[name] = [before, value];
    else before.push(value);
  }
  return params;
}

/** Unknown parameters are ignored: an advertiser's server sends what it has. */
export function readReport(params: Params, source: ConversionReport['source']): ConversionReport {
  refuseRepeated(params);
  const code = first(params, CODE_NAMES);
  // No tracking code is that long, so nothing has to be looked up.
  if (code !== undefined && code.length > CODE_CHARS_MAX) throw new DomainError('not_found');
  const isLegacy = code === undefined;
  const clickId = first(params, CLICK_NAMES);
  return {
    code: code === undefined ? undefined : printable(code),
    clickId: clickId === undefined ? undefined : printable(clickId).slice(0, CLICK_ID_CHARS_MAX),
    valueNanos: readValue(first(params, VALUE_NAMES)),
    currency: readCurrency(first(params, ['currency'])),
    transactionId: readShort(params, TRANSACTION_NAMES, TRANSACTION_ID_CHARS_MAX),
    eventType: isLegacy
      ? legacyType(readShort(params, ['type', 'event'], EVENT_CHARS_MAX))
      : readShort(params, ['event'], EVENT_CHARS_MAX),
    source,
    signature: source === 'pixel' ? undefined : signatureOf(params),
  };
}

/** Saying the type that stands for none says no more than saying none: both are one conversion of a click. */
const legacyType = (said: string | undefined): string | undefined =>
  said === LEGACY_TYPE ? undefined : said;

/** What is judged of the sender later: the page's own browser looks like the click's. */
export function reporterOf(readViewer: ReadViewer, req: IncomingMessage): Reporter {
  const { device, os, browser, ipPrefix, userAgent } = readViewer(req);
  const { origin, referer } = req.headers;
  // A sandboxed page's Origin is the word null.
  const page = origin === undefined || origin === 'null' ? referer : origin;
  const host = page === undefined ? undefined : parseUrl(page)?.hostname;
  return {
    device,
    os,
    browser,
    ipPrefix,
    userAgent,
    host: host === undefined || host === '' ? null : host.slice(0, HOST_CHARS_MAX),
  };
}

/** Over every parameter that came, also those that we do not know; of a list that is read, what is read of it. */
function signatureOf(params: Params): ConversionReport['signature'] {
  const sig = first(params, ['sig']);
  if (sig === undefined) return undefined;
  const texts = Object.entries(params).flatMap(([name, sent]) => {
    const value = Array.isArray(sent) && READ_NAMES.includes(name) ? first(params, [name]) : sent;
    return typeof value === 'string' || typeof value === 'number'
      ? [[wellFormed(name), wellFormed(String(value))] as const]
      : [];
  });
  return { text: signedText(Object.fromEntries(texts)), sig };
}

/** Of what is read, each at most once; what else a server sends may repeat as it likes. */
function refuseRepeated(params: Params): void {
  const listed = new Set(Object.keys(params).map(listedName));
  const isFilled = (value: unknown): boolean => value !== '' && value !== null;
  const faults = READ_NAMES.filter((name) => {
    const sent = params[name];
    return listed.has(name) || (Array.isArray(sent) && sent.filter(isFilled).length > 1);
  }).map(repeated);
  if (faults.length > 0) throw invalid(...faults);
}

/** The first of the names that is given; an empty text is not. */
function first(params: Params, names: readonly string[]): string | undefined {
  for (const name of names) {
    const sent = params[name];
    const value: unknown = Array.isArray(sent) ? sent.find((each) => each !== '') : sent;
    if (value === undefined || value === null || value === '') continue;
    if (typeof value === 'number' || typeof value === 'string') return String(value);
    throw malformed(`${name} must be text.`);
  }
  return undefined;
}

/** What is not a click_id of ours stays unattributed; it must only be text that can be kept. */
const printable = (text: string): string => text.replace(/[^\x20-\x7e]/g, '?');

/** What float arithmetic leaves behind an amount when a page writes its sum down; as a number it is rounded away. */
const LONG_DECIMAL = /^\d{1,10}\.\d{7,20}$/;

function readValue(text: string | undefined): bigint | undefined {
  if (text === undefined) return undefined;
  const nanos = parseAmount(LONG_DECIMAL.test(text) ? Number(text) : text);
  if (nanos === undefined || nanos > VALUE_NANOS_MAX) {
    throw malformed('value must be an amount from 0 to 1000000 with at most six decimals.');
  }
  return nanos;
}

function readCurrency(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  if (!/^[A-Za-z]{3}$/.test(text)) throw malformed('currency must be a three-letter code.');
  return text.toUpperCase();
}

function readShort(params: Params, names: readonly string[], charsMax: number): string | undefined {
  const text = first(params, names);
  if (text === undefined) return undefined;
  if (text.length > charsMax || !ONE_LINE.test(text)) {
    throw malformed(`${names[0] ?? ''} must be readable text of at most ${charsMax} characters.`);
  }
  return wellFormed(text);
}

/** Half a character, which JSON can write, is none that can be kept or encoded. */
const wellFormed = (text: string): string => text.replace(/\p{Surrogate}/gu, '\u{FFFD}');

export const malformed = (message: string): DomainError =>
  new DomainError('malformed_request', { message: `${ERRORS.malformed_request[1]} ${message}` });
