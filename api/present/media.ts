import type * as yup from 'yup';
import type { MediaRow } from '../../db/tables/media.ts';
import { ASSET_SOURCES, ASSET_TYPES } from '../../domain/inventory.ts';
import {
  address,
  fractionOrNull,
  idOf,
  moving,
  oneOf,
  record,
  time,
  whole,
  wholeOrNull,
  words,
  wordsOrNull,
} from '../http/response-shapes.ts';
import { presentRow } from '../http/wire.ts';

/** Makes an address of a stored path. */
export type AddressOf = (path: string) => string;

/** The media of interface 2.1, with its file's name. `url` of an HTML5 creative is its page. */
export const mediaShape = record(
  {
    id: idOf(),
    type: oneOf(ASSET_TYPES),
    name: wordsOrNull(),
    /** Signed, for some minutes. */
    url: moving(address()),
    mime: words(),
    width: wholeOrNull(),
    height: wholeOrNull(),
    duration_s: fractionOrNull(),
    bytes: whole(),
    sha256: words(),
    source: oneOf(ASSET_SOURCES),
    created_at: time(),
  },
  'Media',
);

/** `sha256` is of the bytes that were uploaded, `bytes` of what is served. */
export const presentMedia = (
  row: MediaRow,
  addressOf: AddressOf,
): yup.InferType<typeof mediaShape> => presentRow(mediaShape, row, { url: addressOf(row.path) });
