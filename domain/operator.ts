/** What an operator may decide; ADMIN may decide everything (interface 5.2). */
export const OPERATOR_ROLES = ['ADMIN', 'REVIEWER', 'FINANCE', 'SUPPORT'] as const;
export type OperatorRole = (typeof OPERATOR_ROLES)[number];
