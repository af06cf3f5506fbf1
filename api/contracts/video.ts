import * as yup from 'yup';
import { LIMIT_MAX } from '../../domain/auction/types.ts';
import { bare, loose, type OpenRoute, pixel, privacyFields, refusal } from './open.ts';
import { documentFields } from './track.ts';

const document = (description: string) => ({ description, type: 'application/xml' });

/** Relative to /ad. */
export const VAST_ROUTES: readonly OpenRoute[] = [
  {
    method: 'GET',
    path: '/render/vast/:zone_id',
    contract: {
      summary: "Load a zone's ads as VAST 4.2 or 2.0, for a video player",
      rule: 'interface 4.13',
      query: loose({
        version: yup.string(),
        v: yup.string(),
        vast: yup.string(),
        limit: yup.number().integer().min(1).max(LIMIT_MAX),
      }),
      raw: {
        200: document('The ads; an empty document when none is available.'),
        // Of the path the router says so in the envelope, of the version we in an empty document.
        400: { description: 'No such version, or the path is no text.' },
        404: document('An empty document: no such zone.'),
        422: document('An empty document: a parameter is not of its kind.'),
        500: document('An empty document: something went wrong on our side.'),
        503: document('An empty document: the inventory is not loaded yet.'),
      },
    },
  },
];

const notStored = bare('The event could not be made durable: ask again.');
const notHere = refusal('More than a track_id is in the path.');

/** Relative to /track. */
export const VIDEO_ROUTES: readonly OpenRoute[] = [
  {
    method: 'GET',
    path: '/video/:track_id',
    contract: {
      summary: 'Report the progress of a video; `e` is the player’s name of what happened',
      rule: 'interface 4.14, 6',
      query: loose({ e: yup.string(), ...documentFields }),
      raw: { 200: pixel(), 404: notHere, 503: notStored },
    },
  },
  {
    method: 'GET',
    path: '/vast-error/:track_id',
    contract: {
      summary: 'Report that a player could not show an ad',
      rule: 'interface 4.14',
      query: loose({ code: yup.string(), c: yup.string(), ...privacyFields }),
      raw: { 200: pixel(), 404: notHere, 503: notStored },
    },
  },
];
