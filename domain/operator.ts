/** What an operator may decide; ADMIN may decide everything (interface 5.2). */
export const OPERATOR_ROLES = ['ADMIN', 'REVIEWER', 'FINANCE', 'SUPPORT'] as const;
export type OperatorRole = (typeof OPERATOR_ROLES)[number];

/** Roles that move money or make operators: nobody is given one by one person's word; the database holds the same rule. */
export const governsPeople = (role: OperatorRole): boolean =>
  role === 'ADMIN' || role === 'FINANCE';
