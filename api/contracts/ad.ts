import * as yup from 'yup';
import { LIMIT_MAX } from '../../domain/auction/types.ts';
import { ZONE_TYPES } from '../../domain/zone-settings.ts';
import { adItemShape } from '../ad/item.ts';
import { listOf, oneOf, record, whole, words } from '../http/response-shapes.ts';
import { settingShapes } from '../present/zone.ts';
import {
  bare,
  digits,
  enveloped,
  json,
  loose,
  type OpenRoute,
  page,
  privacyFields,
  refusal,
} from './open.ts';

/** interface 2.12: which objects are there depends on the zone's type. */
const servedZoneShape = record(
  {
    id: whole(),
    code: words(),
    width: whole(),
    height: whole(),
    type: oneOf(ZONE_TYPES),
    refresh: whole(),
    trigger: settingShapes.trigger.optional(),
    frequency: settingShapes.frequency.optional(),
    popup: settingShapes.popup.optional(),
    couplet: settingShapes.couplet.optional(),
    rewarded: settingShapes.rewarded.optional(),
  },
  'ServedZone',
);

const adAnswerShape = enveloped(
  record({
    request_id: words(),
    zone: servedZoneShape,
    ads: listOf(adItemShape),
    labels: record({ lang: words(), ad: words(), close: words() }, 'AdLabels'),
    qa_k: words(),
    _rand: words(),
    _ts: whole(),
    _v: whole(),
  }),
  'AdAnswer',
);

/** Page context and privacy signals: read as text, and never a reason to refuse. */
const contextFields = {
  page_url: yup.string(),
  page_title: yup.string(),
  page_keywords: yup.string(),
  page_category: yup.string(),
  page_type: yup.string(),
  page_tags: yup.string(),
  page_lang: yup.string(),
  _d: yup.string(),
  seen: yup.string(),
  _r: yup.string(),
  ...privacyFields,
};
const termFields = {
  limit: yup.number().integer().min(1).max(LIMIT_MAX),
  _v: yup.number().integer().min(0).max(99),
};
const zoneFields = { zone_id: yup.string(), zone: yup.string() };

const answers = {
  200: json('The ads; an empty list when none is available.', adAnswerShape),
  404: refusal('No such zone.'),
  422: refusal('A parameter is not of its kind.'),
  500: refusal('Something went wrong on our side.'),
  503: refusal('The inventory is not loaded yet.'),
};

/** interface 4.13, relative to /ad. */
export const AD_ROUTES: readonly OpenRoute[] = [
  {
    method: 'GET',
    path: '/request',
    contract: {
      summary: 'Request ads for a zone, named by zone_id or zone',
      rule: 'interface 4.13, 2.11, 2.12',
      query: loose({ ...zoneFields, ...termFields, ...contextFields }),
      raw: answers,
    },
  },
  {
    method: 'POST',
    path: '/request',
    contract: {
      summary: 'Request ads for a zone; parameters in query or body, as JSON or a form',
      rule: 'interface 4.13, 2.11, 2.12',
      body: loose({ zone_id: digits(), zone: yup.string(), ...termFields, ...contextFields }),
      raw: {
        ...answers,
        400: refusal('The body is no JSON object.'),
        413: refusal('The body is larger than 32 KiB.'),
      },
    },
  },
  {
    method: 'OPTIONS',
    path: '/request',
    contract: {
      summary: 'Answer a page that asks whether it may request ads',
      rule: 'interface 4.13',
      raw: { 204: bare('Any page may.') },
    },
  },
  {
    method: 'GET',
    path: '/request/:zone_id',
    contract: {
      summary: 'Request ads for the zone in the path, by key, id or the digits of its key',
      rule: 'interface 4.13',
      query: loose({ ...termFields, ...contextFields }),
      raw: { ...answers, 400: refusal('The path is no text.') },
    },
  },
  {
    method: 'GET',
    path: '/render/:zone_id',
    contract: {
      summary: "Load a zone's ad as a document, for an iframe's src",
      rule: 'interface 4.13',
      query: loose({ ...termFields, ...contextFields }),
      raw: {
        200: page('The ad, or an empty page when none is available.'),
        400: refusal('The path is no text.'),
        404: page('An empty page: no such zone.'),
        422: page('An empty page: a parameter is not of its kind.'),
        500: page('An empty page: something went wrong on our side.'),
        503: page('An empty page: the inventory is not loaded yet.'),
      },
    },
  },
  {
    method: 'GET',
    path: '/render/ad/:track_id',
    contract: {
      summary: "Load the document of an ad that was won, for an iframe's src",
      rule: 'interface 4.13',
      query: loose({ again: yup.string(), _p: yup.string(), page_lang: yup.string() }),
      raw: {
        200: page('The ad.'),
        400: refusal('The path is no text.'),
        404: page('An empty page: no such ad, no longer, or not of this browser.'),
        500: page('An empty page: something went wrong on our side.'),
        503: page('An empty page: the inventory is not loaded yet.'),
      },
    },
  },
];
