import { OPERATOR_ROUTES } from '../../client/operator-routes.ts';

/** Null, or why an operator may not do something now. */
type Role = 'ADMIN' | 'REVIEWER' | 'FINANCE' | 'SUPPORT';

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

/** The codes of what forbids an approval; each claim of a task looks at them anew. */
export const blockersOf = (
  decision: string,
  findings: readonly { code: string; severity: string }[],
): string[] =>
  decision === 'approve'
    ? findings.filter(({ severity }) => severity === 'blocker').map(({ code }) => code)
    : [];

/** Money is decided by FINANCE alone. */
export const hasRole = (role: string, needed: string): boolean =>
  role === needed || (role === 'ADMIN' && needed !== 'FINANCE');

/** What each page asks first: whoever may not ask it does not open the page. */
const PAGE_ROUTES = {
  deposits: 'GET /api/admin/deposits',
  statements: 'GET /api/admin/bank-statements',
  withdrawals: 'GET /api/admin/withdrawals',
  refunds: 'GET /api/admin/balance-refunds',
  reversals: 'GET /api/admin/reversals',
  approvals: 'GET /api/admin/approvals',
  terms: 'GET /api/admin/money-terms',
  ledger: 'GET /api/admin/ledger/accounts',
  books: 'GET /api/admin/books',
  accounts: 'GET /api/admin/advertisers',
  inventory: 'GET /api/admin/inventory/item',
  operations: 'GET /api/admin/operations',
  reports: 'GET /api/admin/statistics/report',
  events: 'GET /api/admin/events',
  held: 'GET /api/admin/held-conversions',
  unbilled: 'GET /api/admin/unbilled-events',
  recoveries: 'GET /api/admin/factor-recoveries',
  operators: 'GET /api/admin/operators',
  settings: 'GET /api/admin/settings',
  audit: 'GET /api/admin/audit-log',
  health: 'GET /api/admin/health',
} as const satisfies Record<string, keyof typeof OPERATOR_ROUTES>;

export type PageName = keyof typeof PAGE_ROUTES;

/** The roles that open a page; ADMIN opens each. */
export const rolesOf = (page: PageName): readonly Role[] => OPERATOR_ROUTES[PAGE_ROUTES[page]];

export const mayOpen = (role: string, page: PageName): boolean =>
  rolesOf(page).some((each) => each === role);

const UNSEAL = 'POST /api/admin/codec/pass' satisfies keyof typeof OPERATOR_ROUTES;

/** Null, or the roles that may read what flows were given. */
export const maySeeSealed = (role: string): readonly Role[] | null =>
  OPERATOR_ROUTES[UNSEAL].some((each) => each === role) ? null : OPERATOR_ROUTES[UNSEAL];

/** Pages of an address's first word that share one right. */
const SHARED: Readonly<Record<string, PageName>> = {
  advertisers: 'accounts',
  publishers: 'accounts',
};

const isPage = (name: string): name is PageName => name in PAGE_ROUTES;

/** Of an address such as `/operator/deposits/4?page=2`; the desk, its tasks and one's own pages are everybody's. */
export function mayOpenAt(role: string, address: string): boolean {
  const folder = address.split(/[/?]/)[2] ?? '';
  const page = SHARED[folder] ?? folder;
  return !isPage(page) || mayOpen(role, page);
}
