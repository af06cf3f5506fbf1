import type * as yup from 'yup';
import type { CreativeRevisionRow } from '../../db/queries/creative-revisions.ts';
import type { CreativeRow } from '../../db/queries/inventory-rows.ts';
import { mediaUrl } from '../../db/files/media-store.ts';
import { creativeDelivery } from '../../domain/lifecycle/delivery.ts';
import {
  addressOrNull,
  flag,
  idOf,
  idOrNullOf,
  oneOfOrNull,
  record,
  time,
  timeOrNull,
  whole,
  wholeOrNull,
  words,
  wordsOrNull,
} from '../http/response-shapes.ts';
import { idOrNull, presentStates, stateFields } from './inventory.ts';

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
    approved_revision: wholeOrNull(),
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
  row: CreativeRow,
  cdnUrl: string,
): yup.InferType<typeof creativeShape> {
  const delivery = creativeDelivery({
    status: row.status,
    auditStatus: row.audit_status,
    hasApprovedRevision: row.approved_revision !== null,
  });
  return {
    id: Number(row.id),
    name: row.name,
    creative_type: row.creative_type,
    type: row.type,
    ...presentContent(row, cdnUrl),
    revision: row.latest_revision,
    approved_revision: row.approved_revision,
    ...presentStates(row, delivery),
  };
}

export function presentCreativeRevision(
  row: CreativeRevisionRow,
  cdnUrl: string,
): yup.InferType<typeof creativeRevisionShape> {
  return {
    revision: row.revision,
    audit_status: row.audit_status,
    audit_reasons: row.audit_reasons ?? [],
    is_serving: row.is_serving,
    ...presentContent(row, cdnUrl),
    created_at: row.created_at.toISOString(),
    decided_by: row.decided_by,
    decided_at: row.decided_at?.toISOString() ?? null,
  };
}

type ContentRow = Pick<CreativeRow, keyof CreativeRow & keyof CreativeRevisionRow>;

function presentContent(row: ContentRow, cdnUrl: string) {
  const url = (path: string | null): string | null =>
    path === null ? null : mediaUrl(cdnUrl, path);
  return {
    size_id: idOrNull(row.size_id),
    width: row.width,
    height: row.height,
    image_media_id: idOrNull(row.image_media_id),
    image_media_id_2: idOrNull(row.image_media_id_2),
    video_media_id: idOrNull(row.video_media_id),
    icon_media_id: idOrNull(row.icon_media_id),
    html5_media_id: idOrNull(row.html5_media_id),
    image_url: url(row.image_path),
    image_url_2: url(row.image_path_2),
    video_url: url(row.video_path),
    icon_url: url(row.icon_path),
    html5_url: url(row.html5_path),
    html_code: row.html_code,
    vast_xml: row.vast_xml,
    vast_url: row.vast_url,
    click_url: row.click_url,
  };
}
