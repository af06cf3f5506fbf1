import type { Site, Zone } from '../../client/routes.ts';
import { ownerLifecycle, siteAuditLifecycle } from '../../../domain/lifecycle/review.ts';

/** Why a publisher may not do something with a site or zone now: a key of its words, or null. */
type Placement = Pick<Site | Zone, 'status' | 'audit_status'>;

export const mayToggle = ({ status }: Placement): 'archived' | null =>
  ownerLifecycle.moves.toggle[status] === undefined ? 'archived' : null;

export const mayArchive = ({ status }: Placement): 'archived' | null =>
  ownerLifecycle.moves.archive[status] === undefined ? 'archived' : null;

/** Only what was sent back, or never sent, can be submitted. */
export function maySubmit(
  thing: Placement,
): 'archived' | 'inReview' | 'isApproved' | 'suspended' | null {
  if (thing.status === 'ARCHIVED') return 'archived';
  if (siteAuditLifecycle.moves.submit[thing.audit_status] !== undefined) return null;
  if (thing.audit_status === 'PENDING') return 'inReview';
  return thing.audit_status === 'SUSPENDED' ? 'suspended' : 'isApproved';
}

/** Zones are made in approved sites alone. */
export const mayHaveZones = (site: Placement): 'archived' | 'notApproved' | null => {
  if (site.status === 'ARCHIVED') return 'archived';
  return site.audit_status === 'APPROVED' ? null : 'notApproved';
};
