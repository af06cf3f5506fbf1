import { auditLifecycle, ownerLifecycle } from '../../../domain/lifecycle/review.ts';
import type { Ad } from '../../client/routes.ts';

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
