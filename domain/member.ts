/** What a person of an account may do; ADMIN may do everything, and its owner is one (interface 5.6). */
export const MEMBER_ROLES = ['ADMIN', 'EDITOR', 'FINANCE', 'VIEWER'] as const;
export type MemberRole = (typeof MEMBER_ROLES)[number];
