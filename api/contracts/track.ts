import * as yup from 'yup';
import { record, whole, words } from '../http/response-shapes.ts';
import {
  bare,
  digits,
  json,
  loose,
  type OpenRoute,
  page,
  pixel,
  privacyFields,
  refusal,
} from './open.ts';

/** Checked when `_v` is 2 or more, and then only by settlement: the answer is the same. */
const protocolFields = {
  _v: yup.string(),
  _d: yup.string(),
  _s: yup.string(),
  qa_k: yup.string(),
  _r: yup.string(),
  ...privacyFields,
};
/** `wd` of a document of ours in an automated browser, where no key is at hand. */
export const documentFields = { ...protocolFields, wd: yup.string() };

const notStored = bare('The event could not be made durable: ask again.');
const notHere = refusal('More than a track_id is in the path.');

/** interface 2.1: this endpoint alone leaves the timestamp out, refusing as well. */
const verifyRefusal = (description: string) =>
  json(
    description,
    record(
      {
        code: whole(),
        message: words(),
        data: yup
          .object({
            error: words(),
            errors: yup
              .array()
              .of(record({ field: words(), code: words(), message: words() }))
              .optional(),
            request_id: words(),
          })
          .noUnknown(true)
          .defined(),
      },
      'ClickVerifyRefusal',
    ),
  );

/** interface 4.14, relative to /track: what hot processes serve. */
export const TRACK_ROUTES: readonly OpenRoute[] = [
  {
    method: 'GET',
    path: '/impression/:track_id',
    contract: {
      summary: 'Report that an ad was shown',
      rule: 'interface 4.14',
      query: loose(protocolFields),
      raw: { 200: pixel(), 404: notHere, 503: notStored },
    },
  },
  {
    method: 'GET',
    path: '/view/:track_id',
    contract: {
      summary: 'Report whether an ad was viewable',
      rule: 'interface 4.14',
      query: loose({ ...documentFields, s: yup.string() }),
      raw: { 200: pixel(), 404: notHere, 503: notStored },
    },
  },
  {
    method: 'GET',
    path: '/click/:track_id',
    contract: {
      summary: 'Report a click and load the page that verifies it',
      rule: 'interface 4.14',
      query: loose({ _p: yup.string(), ...privacyFields }),
      raw: { 200: page('The interstitial page.'), 404: notHere, 503: notStored },
    },
  },
  {
    method: 'POST',
    path: '/click-verify',
    contract: {
      summary: 'Exchange the key of a click for its landing page, once',
      rule: 'interface 4.14, 2.1',
      body: loose({
        track_id: yup.string().required(),
        qa_k: yup.string().required(),
        _r: yup.string().nullable(),
        _s: yup.string().nullable(),
        device_data: loose({}).nullable().optional(),
        ...privacyFields,
      }),
      raw: {
        200: json(
          'Where to go; empty when the click has no page.',
          record(
            { code: whole(), message: words(), data: record({ url: words(), click_id: words() }) },
            'VerifiedClick',
          ),
        ),
        400: verifyRefusal('The body is no JSON object.'),
        409: verifyRefusal('The key is used, expired or not ours; the answer does not say which.'),
        413: verifyRefusal('The body is larger than 8 KiB.'),
        422: verifyRefusal('A field is missing or of the wrong type.'),
        503: verifyRefusal('The database is away: ask again.'),
      },
    },
  },
  {
    method: 'OPTIONS',
    path: '/click-verify',
    contract: {
      summary: 'Answer a page that asks whether it may verify a click',
      rule: 'interface 4.14',
      raw: { 204: bare('Any page may.') },
    },
  },
];

/** interface 2.1: flat, and refusals too; `conversion_id` is 0 when nothing was stored. */
const flat = (description: string) =>
  json(
    description,
    record({ code: whole(), msg: words(), conversion_id: whole().min(0) }, 'ConversionAnswer'),
  );

const conversionFields = {
  code: yup.string(),
  c: yup.string(),
  click_id: yup.string(),
  clickid: yup.string(),
  cid: yup.string(),
  value: digits().meta({ schema: { type: ['number', 'string'] } }),
  payout: digits().meta({ schema: { type: ['number', 'string'] } }),
  currency: yup.string(),
  txid: yup.string(),
  transaction_id: yup.string(),
  order_id: yup.string(),
  event: yup.string(),
  type: yup.string(),
  sig: yup.string(),
};

const reported = {
  200: flat('Stored now, or before: `msg` is then `duplicate`.'),
  400: flat('Neither a code nor a click_id, or a parameter is not of its kind.'),
  422: flat('A parameter stands twice, or as a list.'),
  401: flat('The tracker requires a signature, and it is missing or wrong.'),
  404: flat('No tracker has this code.'),
  500: flat('Something went wrong on our side.'),
  503: flat('The database is away: ask again.'),
};

const posted = {
  ...reported,
  413: flat('The body is larger than 16 KiB.'),
  415: flat('The body is of a type or charset that is not read.'),
};

const conversionRoute = (method: 'GET' | 'POST', path: string, summary: string): OpenRoute => ({
  method,
  path,
  contract: {
    summary,
    rule: 'interface 4.14',
    ...(method === 'GET'
      ? { query: loose(conversionFields), raw: reported }
      : { body: loose(conversionFields), raw: posted }),
  },
});

/** interface 4.14, relative to /track: conversions, which need the database. */
export const CONVERSION_ROUTES: readonly OpenRoute[] = [
  {
    method: 'GET',
    path: '/conversion.gif',
    contract: {
      summary: 'Report a conversion by an image; every refusal is the image, too',
      rule: 'interface 4.14',
      query: loose(conversionFields),
      raw: { 200: pixel(), 503: bare('Neither stored nor kept for later: ask again.') },
    },
  },
  conversionRoute('GET', '/conversion', 'Report a conversion'),
  conversionRoute('POST', '/conversion', 'Report a conversion, as JSON or a form'),
  conversionRoute('GET', '/postback', 'Report a conversion from server to server'),
  conversionRoute(
    'POST',
    '/postback',
    'Report a conversion from server to server, as JSON or a form',
  ),
];
