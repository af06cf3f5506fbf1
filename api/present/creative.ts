import type * as yup from 'yup';
import type {
  CreativeContentRow,
  CreativeRevisionScreenRow,
} from '../../db/queries/creative-revisions.ts';
import type { CreativeScreenRow } from '../../db/queries/inventory-screens.ts';
import { creativeDelivery } from '../../domain/lifecycle/delivery.ts';
import {
  addressOrNull,
  idOf,
  idOrNullOf,
  moving,
  record,
  whole,
  wholeOrNull,
  words,
  wordsOrNull,
} from '../http/response-shapes.ts';
import { presentRow } from '../http/wire.ts';
import { presentReview, revisionFields, stateFields } from './inventory.ts';
import type { AddressOf } from './media.ts';

/** interface 2.5: what a revision shows, with the usable URLs that the server resolved. */
const contentFields = {
  size_id: idOrNullOf(),
  width: wholeOrNull(),
  height: wholeOrNull(),
  image_media_id: idOrNullOf(),
  image_media_id_2: idOrNullOf(),
  video_media_id: idOrNullOf(),
  icon_media_id: idOrNullOf(),
  html5_media_id: idOrNullOf(),
  image_url: moving(addressOrNull()),
  image_url_2: moving(addressOrNull()),
  video_url: moving(addressOrNull()),
  icon_url: moving(addressOrNull()),
  html5_url: moving(addressOrNull()),
  html_code: wordsOrNull(),
  vast_xml: wordsOrNull(),
  vast_url: wordsOrNull(),
  click_url: wordsOrNull(),
};

/** The latest revision, and which one serves. */
export const creativeShape = record(
  {
    id: idOf(),
    name: words(),
    creative_type: words(),
    type: words(),
    ...contentFields,
    revision: whole(),
    approved_revision: moving(wholeOrNull()),
    ...stateFields,
  },
  'Creative',
);

/** interface 2.5: one version of a creative and what its review said. */
export const creativeRevisionShape = record(
  { ...revisionFields, ...contentFields },
  'CreativeRevision',
);

export function presentCreative(
  row: CreativeScreenRow,
  addressOf: AddressOf,
): yup.InferType<typeof creativeShape> {
  const hasApprovedRevision = row.approvedRevision !== null;
  return presentRow(creativeShape, row, {
    revision: row.latestRevision,
    ...fileUrls(row, addressOf),
    ...presentReview(row, creativeDelivery({ ...row, hasApprovedRevision })),
  });
}

export function presentCreativeRevision(
  row: CreativeRevisionScreenRow,
  addressOf: AddressOf,
): yup.InferType<typeof creativeRevisionShape> {
  const reasons = { audit_reasons: row.auditReasons ?? [] };
  return presentRow(creativeRevisionShape, row, { ...reasons, ...fileUrls(row, addressOf) });
}

function fileUrls(row: CreativeContentRow, addressOf: AddressOf) {
  const url = (path: string | null): string | null => (path === null ? null : addressOf(path));
  return {
    image_url: url(row.imagePath),
    image_url_2: url(row.imagePath2),
    video_url: url(row.videoPath),
    icon_url: url(row.iconPath),
    html5_url: url(row.html5Path),
  };
}
