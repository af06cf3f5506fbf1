import type * as yup from 'yup';
import type { MediaScreenRow } from '../../db/queries/inventory-screens.ts';
import type { MediaRow } from '../../db/tables/media.ts';
import { ASSET_SOURCES, ASSET_TYPES } from '../../domain/inventory.ts';
import {
  address,
  fractionOrNull,
  idOf,
  listOf,
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

const fields = {
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
};

/** The media of interface 2.1, with its file's name. `url` of an HTML5 creative is its page. */
export const mediaShape = record(fields, 'Media');

/** In its owner's library. */
export const ownMediaShape = record(
  {
    ...fields,
    /** The first five creatives that show it: while there is one, it is not deleted. */
    shown_by: listOf(record({ id: idOf(), name: words() }, 'ShowingCreative')),
  },
  'OwnMedia',
);

/** `sha256` is of the bytes that were uploaded, `bytes` of what is served. */
export const presentMedia = (
  row: MediaRow,
  addressOf: AddressOf,
): yup.InferType<typeof mediaShape> => presentRow(mediaShape, row, { url: addressOf(row.path) });

export const presentOwnMedia = (
  row: MediaScreenRow,
  addressOf: AddressOf,
): yup.InferType<typeof ownMediaShape> =>
  presentRow(ownMediaShape, row, { url: addressOf(row.path), shown_by: row.shownBy });
