/** Null, or why an operator may not do something now. */
export type Role = 'ADMIN' | 'REVIEWER' | 'FINANCE' | 'SUPPORT';

interface Me {
  id: number;
  role: string;
}

interface Decidable {
  status: string;
  required_role: string;
  maker_id: number | null;
  lease?: { operator_id: number; username: string; until: string } | null;
}

export type Refusal =
  | { why: 'role'; role: string }
  | { why: 'ended'; status: string }
  | { why: 'four_eyes' }
  | { why: 'lease'; username: string; until: string };

/** interface 5.2: by role, four eyes, and whoever works on it. */
export function mayDecide(me: Me, task: Decidable): Refusal | null {
  if (task.status !== 'open') return { why: 'ended', status: task.status };
  if (!hasRole(me.role, task.required_role)) return { why: 'role', role: task.required_role };
  if (task.maker_id === me.id) return { why: 'four_eyes' };
  const { lease } = task;
  if (lease !== undefined && lease !== null && lease.operator_id !== me.id) {
    return { why: 'lease', username: lease.username, until: lease.until };
  }
  return null;
}

/** Whether opening it should tell others that one works on it. */
export const mayClaim = (me: Me, task: Decidable): boolean => {
  const refusal = mayDecide(me, task);
  return refusal === null;
};

export const hasRole = (role: string, needed: string): boolean =>
  role === 'ADMIN' || role === needed;

/** Who may open each page beside ADMIN; empty is ADMIN alone. */
export const PAGE_ROLES = {
  deposits: ['FINANCE'],
  withdrawals: ['FINANCE'],
  ledger: ['FINANCE'],
  books: ['FINANCE'],
  accounts: ['FINANCE', 'SUPPORT'],
  operations: ['REVIEWER', 'FINANCE', 'SUPPORT'],
  events: ['SUPPORT'],
  settings: [],
  audit: [],
  health: ['REVIEWER', 'FINANCE', 'SUPPORT'],
} as const satisfies Record<string, readonly Role[]>;

export const mayOpen = (role: string, page: keyof typeof PAGE_ROLES): boolean =>
  role === 'ADMIN' || (PAGE_ROLES[page] as readonly string[]).includes(role);
