import type * as yup from 'yup';
import { mediaUrl } from '../../db/files/media-store.ts';
import type {
  CreativeContentRow,
  CreativeRevisionScreenRow,
} from '../../db/queries/creative-revisions.ts';
import type { CreativeScreenRow } from '../../db/queries/inventory-screens.ts';
import { creativeDelivery } from '../../domain/lifecycle/delivery.ts';
import {
  addressOrNull,
  flag,
  idOf,
  idOrNullOf,
  moving,
  oneOfOrNull,
  record,
  time,
  timeOrNull,
  whole,
  wholeOrNull,
  words,
  wordsOrNull,
} from '../http/response-shapes.ts';
import { presentRow } from '../http/wire.ts';
import { presentReview, stateFields } from './inventory.ts';

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
  image_url: addressOrNull(),
  image_url_2: addressOrNull(),
  video_url: addressOrNull(),
  icon_url: addressOrNull(),
  html5_url: addressOrNull(),
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
  {
    revision: whole(),
    audit_status: stateFields.audit_status,
    audit_reasons: stateFields.audit_reasons,
    is_serving: flag(),
    ...contentFields,
    created_at: time(),
    decided_by: oneOfOrNull(['AUTO', 'OPERATOR']),
    decided_at: timeOrNull(),
  },
  'CreativeRevision',
);

export function presentCreative(
  row: CreativeScreenRow,
  cdnUrl: string,
): yup.InferType<typeof creativeShape> {
  const hasApprovedRevision = row.approvedRevision !== null;
  return presentRow(creativeShape, row, {
    revision: row.latestRevision,
    ...fileUrls(row, cdnUrl),
    ...presentReview(row, creativeDelivery({ ...row, hasApprovedRevision })),
  });
}

export function presentCreativeRevision(
  row: CreativeRevisionScreenRow,
  cdnUrl: string,
): yup.InferType<typeof creativeRevisionShape> {
  const reasons = { audit_reasons: row.auditReasons ?? [] };
  return presentRow(creativeRevisionShape, row, { ...reasons, ...fileUrls(row, cdnUrl) });
}

function fileUrls(row: CreativeContentRow, cdnUrl: string) {
  const url = (path: string | null): string | null =>
    path === null ? null : mediaUrl(cdnUrl, path);
  return {
    image_url: url(row.imagePath),
    image_url_2: url(row.imagePath2),
    video_url: url(row.videoPath),
    icon_url: url(row.iconPath),
    html5_url: url(row.html5Path),
  };
}
