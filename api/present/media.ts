import type * as yup from 'yup';
import type { MediaRow } from '../../db/queries/inventory-rows.ts';
import { mediaUrl } from '../../db/files/media-store.ts';
import {
  address,
  fractionOrNull,
  idOf,
  oneOf,
  record,
  time,
  whole,
  wholeOrNull,
  words,
  wordsOrNull,
} from '../http/response-shapes.ts';

export const MEDIA_TYPES = ['IMAGE', 'VIDEO', 'HTML5'] as const;
export const MEDIA_SOURCES = ['UPLOAD', 'AI'] as const;

/** The media of interface 2.1, with its file's name. `url` of an HTML5 creative is its page. */
export const mediaShape = record(
  {
    id: idOf(),
    type: oneOf(MEDIA_TYPES),
    name: wordsOrNull(),
    url: address(),
    mime: words(),
    width: wholeOrNull(),
    height: wholeOrNull(),
    duration_s: fractionOrNull(),
    bytes: whole(),
    sha256: words(),
    source: oneOf(MEDIA_SOURCES),
    created_at: time(),
  },
  'Media',
);

/** `sha256` is of the bytes that were uploaded, `bytes` of what is served. */
export function presentMedia(row: MediaRow, cdnUrl: string): yup.InferType<typeof mediaShape> {
  return {
    id: Number(row.id),
    type: row.type,
    name: row.name,
    url: mediaUrl(cdnUrl, row.path),
    mime: row.mime,
    width: row.width,
    height: row.height,
    duration_s: row.duration_s === null ? null : Number(row.duration_s),
    bytes: Number(row.bytes),
    sha256: row.sha256,
    source: row.source,
    created_at: row.created_at.toISOString(),
  };
}
