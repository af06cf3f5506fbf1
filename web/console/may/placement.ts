import type { Site, Zone } from '../../client/routes.ts';
import { ownerLifecycle, siteAuditLifecycle } from '../../../domain/lifecycle/review.ts';

/** Why a publisher may not do something with a site or zone now: a key of its words, or null. */
type Placement = Pick<Site | Zone, 'status' | 'audit_status'>;

export const mayToggle = ({ status }: Placement): 'archived' | null =>
  ownerLifecycle.moves.toggle[status] === undefined ? 'archived' : null;

export function mayArchive(thing: Placement): 'archived' | 'suspended' | null {
  if (ownerLifecycle.moves.archive[thing.status] === undefined) return 'archived';
  return thing.audit_status === 'SUSPENDED' ? 'suspended' : null;
}

/** Only what was sent back, or never sent, can be submitted. */
export function maySubmit(
  thing: Placement,
): 'archived' | 'inReview' | 'isApproved' | 'suspended' | null {
  if (thing.status === 'ARCHIVED') return 'archived';
  if (siteAuditLifecycle.moves.submit[thing.audit_status] !== undefined) return null;
  if (thing.audit_status === 'PENDING') return 'inReview';
  return thing.audit_status === 'SUSPENDED' ? 'suspended' : 'isApproved';
}
