import { auditLifecycle, ownerLifecycle } from '../../../domain/lifecycle/review.ts';
import { missingSource } from '../../../domain/creative/sources.ts';
import type { CreativeType } from '../../../domain/inventory.ts';
import type { Ad, Creative } from '../../client/routes.ts';

/** Why an advertiser may not do something with a campaign, ad group, ad or creative now, or null. */
type Bought = Pick<Ad, 'status' | 'audit_status'>;

export const mayToggle = ({ status }: Bought): 'archived' | null =>
  ownerLifecycle.moves.toggle[status] === undefined ? 'archived' : null;

export const mayArchive = ({ status }: Bought): 'archived' | null =>
  ownerLifecycle.moves.archive[status] === undefined ? 'archived' : null;

/** Only a draft, or what was sent back, can be submitted. */
export function maySubmit({
  status,
  audit_status: audit,
}: Bought): 'archived' | 'inReview' | 'isApproved' | 'suspended' | null {
  if (status === 'ARCHIVED') return 'archived';
  if (audit === 'SUSPENDED') return 'suspended';
  if (auditLifecycle.moves.submit[audit] !== undefined) return null;
  return audit === 'PENDING' ? 'inReview' : 'isApproved';
}

/** The fields of which a creative lacks one, so that there is nothing to be looked at (interface 2.5). */
export const missingOf = (row: Creative): readonly string[] =>
  missingSource(row.creative_type as CreativeType, {
    imageMediaId: row.image_media_id,
    imageMediaId2: row.image_media_id_2,
    videoMediaId: row.video_media_id,
    html5MediaId: row.html5_media_id,
    htmlCode: row.html_code,
    vastXml: row.vast_xml,
    vastUrl: row.vast_url,
  }).map(({ field }) => field);

export const maySubmitCreative = (row: Creative): ReturnType<typeof maySubmit> | 'noSource' =>
  maySubmit(row) ?? (missingOf(row).length > 0 ? 'noSource' : null);
