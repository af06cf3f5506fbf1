import type { OperatorRole } from './operator.ts';

/** What a person of an account may do; ADMIN may do everything, and its owner is one (interface 5.6). */
export const MEMBER_ROLES = ['ADMIN', 'EDITOR', 'FINANCE', 'VIEWER'] as const;
export type MemberRole = (typeof MEMBER_ROLES)[number];

/** Of whoever may log in. */
export type PersonRole = MemberRole | OperatorRole;

/** interface 8. */
export const MEMBERS_MAX = 100;
export const INVITATIONS_PER_DAY = 100;
/** Letters to one address may not follow each other faster: whoever gets them did not ask. */
export const INVITATION_WAIT_MS = 600_000;
export const INVITATION_LIVES_MS = 7 * 86_400_000;
