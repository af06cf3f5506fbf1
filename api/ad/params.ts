import type { IncomingMessage } from 'node:http';
import { LIMIT_MAX } from '../../domain/auction/types.ts';
import { DomainError, type FieldError, invalid } from '../../domain/errors.ts';
import type { PageTexts } from '../../domain/page-context.ts';
import { PRIVACY_PARAMS } from '../../domain/privacy-signals.ts';
import { isRestricted, signalsOf } from '../privacy.ts';
import { readBytes } from '../http/read-bytes.ts';
import { listedName, repeated } from '../http/repeated.ts';
import type { Soon } from './soon.ts';

/** An ad request as it was asked (interface 4.13). */
export interface AdParams {
  zoneRef: string;
  limit: number;
  version: number;
  /** As the page says it; empty where it says nothing (interface 4.13). */
  page: PageTexts;
  /** `_d` with its `_r`: what the device is, under a keystream; null when it does not say. */
  device: { obfuscated: string; nonce: string } | null;
  /** What the page has shown and when (seen.ts); empty when it says nothing. */
  seen: string;
  /** No counters, no traits beyond the request itself. */
  isRestricted: boolean;
}

/** An ad request's body is a handful of short texts, and `seen`: fifty track_ids are 9 KB. */
const BODY_BYTES_MAX = 32_768;
const VERSION_MAX = 99;
/** Of each text about the page; what is longer is cut. */
const PAGE_CHARS_MAX = 2_048;
const TEXT_PARAMS = [
  'page_url',
  'page_title',
  'page_keywords',
  'page_category',
  'page_type',
  'page_tags',
  'page_lang',
  '_d',
  '_r',
  'seen',
  ...PRIVACY_PARAMS,
];

/** `version` and its other names are a video player's (vast.ts). What else a query holds is not read. */
const KNOWN_PARAMS: ReadonlySet<string> = new Set(
  ['zone_id', 'zone', 'limit', '_v', 'version', 'v', 'vast'].concat(TEXT_PARAMS),
);

type Values = ReadonlyMap<string, unknown>;

/** Query and body together; the path wins for the zone. Raises validation_failed, malformed_request, too_large. */
export function readParams(req: IncomingMessage, zoneInPath: string | undefined): Soon<AdParams> {
  const errors: FieldError[] = [];
  const values = queryOf(req, errors);
  if (req.method !== 'POST') return paramsOf(values, { req, zoneInPath, errors });
  return readBody(req).then((body) => {
    const said = new Map<string, unknown>();
    for (const [name, value] of body) put(said, [name, value], errors);
    for (const [name, value] of said) values.set(name, value);
    return paramsOf(values, { req, zoneInPath, errors });
  });
}

function paramsOf(
  values: Values,
  {
    req,
    zoneInPath,
    errors,
  }: { req: IncomingMessage; zoneInPath: string | undefined; errors: FieldError[] },
): AdParams {
  const params: AdParams = {
    zoneRef: zoneInPath ?? zoneRefOf(values, errors),
    limit: integerOf(values, { name: 'limit', fallback: 1, min: 1, max: LIMIT_MAX }, errors),
    version: integerOf(values, { name: '_v', fallback: 1, min: 0, max: VERSION_MAX }, errors),
    page: pageOf(values, req.headers.referer),
    device: deviceOf(values),
    seen: textOf(values.get('seen')) ?? '',
    isRestricted: isRestricted(signalsOf(values), req.headers),
  };
  // What a query holds is text.
  for (const name of req.method === 'POST' ? TEXT_PARAMS : []) {
    const value = values.get(name);
    if (value !== undefined && value !== null && textOf(value) === undefined) {
      errors.push({ field: name, code: 'type', message: 'Must be text.' });
    }
  }
  if (errors.length > 0) throw invalid(...errors);
  return params;
}

/** From the first `?` on: an address of a page that stands in it as it is may hold more of them. */
export function queryIn({ url = '' }: IncomingMessage): URLSearchParams {
  const cut = url.indexOf('?');
  return new URLSearchParams(cut < 0 ? '' : url.slice(cut + 1));
}

function queryOf(req: IncomingMessage, errors: FieldError[]): Map<string, unknown> {
  const url = req.url ?? '';
  const cut = url.indexOf('?');
  const values = new Map<string, unknown>();
  if (cut < 0) return values;
  const query = url.slice(cut + 1);
  if (/[%+]/.test(query)) {
    for (const pair of new URLSearchParams(query)) put(values, pair, errors);
    return values;
  }
  // Nothing to decode, as in most requests.
  for (const pair of query.split('&')) {
    if (pair === '') continue;
    const equals = pair.indexOf('=');
    if (equals < 0) put(values, [pair, ''], errors);
    else put(values, [pair.slice(0, equals), pair.slice(equals + 1)], errors);
  }
  return values;
}

/** The first that says something counts; a second one of a parameter that we read is a fault. */
function put(
  values: Map<string, unknown>,
  [name, value]: readonly [string, unknown],
  errors: FieldError[],
): void {
  const listed = listedName(name);
  if (listed !== undefined && KNOWN_PARAMS.has(listed)) errors.push(repeated(listed));
  const before = values.get(name);
  if (before === undefined || before === '') values.set(name, value);
  else if (value !== '' && KNOWN_PARAMS.has(name)) errors.push(repeated(name));
}

/** Page context, numbers of a JSON body and text of a query are read alike. */
function textOf(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : undefined;
}

function zoneRefOf(values: Values, errors: FieldError[]): string {
  for (const name of ['zone_id', 'zone']) {
    const value = values.get(name);
    if (value === undefined || value === null || value === '') continue;
    const text = typeof value === 'boolean' ? undefined : textOf(value);
    if (text !== undefined) return text.trim();
    errors.push({ field: name, code: 'type', message: 'Must be a zone id or zone key.' });
    return '';
  }
  errors.push({ field: 'zone_id', code: 'required', message: 'zone_id or zone is required.' });
  return '';
}

function integerOf(
  values: Values,
  rule: { name: string; fallback: number; min: number; max: number },
  errors: FieldError[],
): number {
  const value = values.get(rule.name);
  if (value === undefined || value === null || value === '') return rule.fallback;
  const text = typeof value === 'boolean' ? undefined : textOf(value);
  const number = text !== undefined && /^-?\d{1,9}$/.test(text) ? Number(text) : undefined;
  if (number === undefined) {
    errors.push({ field: rule.name, code: 'type', message: 'Must be a whole number.' });
  } else if (number < rule.min || number > rule.max) {
    const message = `Must be from ${rule.min} to ${rule.max}.`;
    errors.push({ field: rule.name, code: number < rule.min ? 'min' : 'max', message });
  } else {
    return number;
  }
  return rule.fallback;
}

/** `page_url`, else the Referer: of a frame's document that is the page around it. */
function pageOf(values: Values, referer: string | undefined): PageTexts {
  const said = (name: string): string => (textOf(values.get(name)) ?? '').slice(0, PAGE_CHARS_MAX);
  const url = said('page_url');
  return {
    url: url === '' ? (referer ?? '').slice(0, PAGE_CHARS_MAX) : url,
    title: said('page_title'),
    keywords: said('page_keywords'),
    category: said('page_category'),
    type: said('page_type'),
    tags: said('page_tags'),
    lang: said('page_lang'),
  };
}

function deviceOf(values: Values): AdParams['device'] {
  const [obfuscated = '', nonce = ''] = ['_d', '_r'].map((name) => textOf(values.get(name)));
  return obfuscated === '' || nonce === '' ? null : { obfuscated, nonce };
}

/** JSON whatever its type says (a page may send text/plain to spare the preflight), or a form. */
async function readBody(req: IncomingMessage): Promise<[string, unknown][]> {
  if (Number(req.headers['content-length'] ?? 0) > BODY_BYTES_MAX) {
    throw new DomainError('too_large');
  }
  const bytes = await readBytes(req, BODY_BYTES_MAX);
  const text = bytes.toString('utf8');
  if (text === '') return [];
  const type = (req.headers['content-type'] ?? '').toLowerCase();
  if (type.startsWith('application/x-www-form-urlencoded')) return [...new URLSearchParams(text)];
  return Object.entries(parseObject(text));
}

function parseObject(text: string): object {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new DomainError('malformed_request', { cause: error });
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new DomainError('malformed_request', { message: 'A JSON object is expected.' });
  }
  return value;
}
