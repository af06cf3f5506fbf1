import * as yup from 'yup';
import { flag, listOf, mapOf, oneOf, record, whole, words } from '../http/response-shapes.ts';
import { bare, json, type OpenRoute, refusal } from './open.ts';

const readiness = record(
  {
    ready: flag(),
    parts: mapOf(
      record({
        ok: flag(),
        detail: yup.mixed().meta({ schema: { type: ['string', 'number'] } }),
      }),
    ),
  },
  'Readiness',
);

/** Relative to /health. */
export const HEALTH_ROUTES: readonly OpenRoute[] = [
  {
    method: 'GET',
    path: '/live',
    contract: {
      summary: 'Say that this process answers',
      rule: 'interface 0',
      raw: { 200: json('It does.', record({ status: oneOf(['ok']) })) },
    },
  },
  {
    method: 'GET',
    path: '/ready',
    contract: {
      summary: 'Report whether this process can do its work, and which part is away',
      rule: 'interface 0',
      raw: {
        200: json('It can.', readiness),
        503: json('It cannot: a part is away.', readiness),
      },
    },
  },
];

/** Relative to /payments. What a body holds is the provider's own. */
export const PAYMENT_ROUTES: readonly OpenRoute[] = [
  {
    method: 'POST',
    path: '/:method/notices',
    contract: {
      summary: 'Take the notification of a payment provider, as its own documents have it',
      rule: 'interface 4.6',
      raw: {
        200: bare('It is stored, and the provider is asked about the order.'),
        400: bare('It was not taken.'),
        401: bare('It was not taken.'),
        404: refusal('No provider of this name.'),
        413: refusal('It is longer than any notification.'),
        429: refusal('Too many from this address.'),
      },
    },
  },
];

const script = (description: string) => ({ description, type: 'text/javascript' });

/** Relative to the root. */
const pageScript = (
  file: string,
  { summary, rule }: Record<'summary' | 'rule', string>,
): OpenRoute => ({
  method: 'GET',
  path: `/${file}`,
  contract: {
    summary,
    rule,
    raw: {
      200: script('The script.'),
      206: script('The part that `Range` asks for.'),
      304: bare('Not changed since the ETag or date that was sent.'),
      400: bare('A header is not of its form.'),
      404: bare('It was not built.'),
      412: bare('A precondition does not hold.'),
      416: bare('`Range` begins behind the end.'),
    },
  },
});

export const SDK_ROUTES: readonly OpenRoute[] = [
  pageScript('sdk.js', { summary: 'Load the page SDK', rule: 'interface 1, 4.13' }),
  pageScript('prebid-adapter.js', {
    summary: 'Load the bidder for Prebid.js',
    rule: 'interface 4.10, 4.13',
  }),
];

/** IAB sellers.json 1.0; a confidential seller has neither name nor domain. */
const sellers = record(
  {
    version: oneOf(['1.0']),
    sellers: listOf(
      record({
        seller_id: words(),
        seller_type: oneOf(['PUBLISHER']),
        is_confidential: whole().min(0).max(1),
        name: yup.string(),
        domain: yup.string(),
      }),
    ),
  },
  'Sellers',
);

/** Relative to the root. */
export const SELLER_ROUTES: readonly OpenRoute[] = [
  {
    method: 'GET',
    path: '/sellers.json',
    contract: {
      summary: 'List for buyers whom this platform sells for',
      rule: 'interface 4.9',
      raw: {
        200: json('IAB sellers.json 1.0.', sellers),
        500: refusal('Something went wrong on our side.'),
        503: refusal('The database is away.'),
      },
    },
  },
  {
    method: 'GET',
    path: '/ads.txt',
    contract: {
      summary: 'Show publishers what their own ads.txt has to say',
      rule: 'interface 4.9',
      raw: { 200: { description: 'ads.txt 1.1, with help as comments.', type: 'text/plain' } },
    },
  },
];

const documentKeys = record(
  {
    keys: listOf(
      record({
        kty: oneOf(['OKP']),
        crv: oneOf(['Ed25519']),
        use: oneOf(['sig']),
        alg: oneOf(['EdDSA']),
        kid: words(),
        x: words(),
      }),
    ),
  },
  'DocumentKeys',
);

/** Relative to the root. */
export const DOCUMENT_KEY_ROUTES: readonly OpenRoute[] = [
  {
    method: 'GET',
    path: '/document-keys.json',
    contract: {
      summary: 'Show the public keys that documents of accounts are verified by',
      rule: 'interface 5.22',
      raw: { 200: json('A JWK Set (RFC 7517).', documentKeys) },
    },
  },
];
