import type { AccountStatus } from '../../domain/lifecycle/account.ts';
import type { KycStatus } from '../../domain/lifecycle/profile.ts';
import type { SqlRunner } from '../sql-runner.ts';
import type { AccountKind } from './accounts.ts';
import { totalOf } from './page-total.ts';

/** One account as an operator sees it: with its balance and what is open. */
export interface AccountOverview {
  id: number;
  username: string;
  email: string;
  nickname: string | null;
  companyName: string | null;
  contactName: string | null;
  mobile: string | null;
  industry: string | null;
  siteUrl: string | null;
  status: AccountStatus;
  kycStatus: KycStatus;
  version: number;
  createdAt: Date;
  updatedAt: Date;
  /** Advertiser: what can be spent. Publisher: earned, not yet mature. */
  availableNanos: bigint;
  maturingNanos: bigint;
  withdrawableNanos: bigint;
  heldNanos: bigint;
  openTasks: number;
  openMoneyOrders: number;
}

export interface AccountFilter {
  kind: AccountKind;
  id?: number | undefined;
  /** LIKE pattern over username, e-mail address and company. */
  pattern?: string | undefined;
  status?: string | undefined;
  limit: number;
  offset: number;
}

type Figures = Pick<
  AccountOverview,
  | 'availableNanos'
  | 'maturingNanos'
  | 'withdrawableNanos'
  | 'heldNanos'
  | 'openTasks'
  | 'openMoneyOrders'
>;
type StoredFigures = Record<keyof Figures | 'id', string>;
type StoredAccount = Omit<AccountOverview, keyof Figures | 'id'> & { id: string };

const FILTER = `kind = $1 AND ($2::bigint IS NULL OR id = $2)
  AND ($3::text IS NULL OR username ILIKE $3 OR email ILIKE $3 OR company_name ILIKE $3)
  AND ($4::text IS NULL OR status = $4)`;

/** Newest first. The page is cut by ids, which an index of each filter holds: the other kind is not passed over. */
export async function listAccounts(
  sql: SqlRunner,
  filter: AccountFilter,
): Promise<{ items: AccountOverview[]; total: number }> {
  const bound = [filter.kind, filter.id ?? null, filter.pattern ?? null, filter.status ?? null];
  const { rows } = await sql.query<StoredAccount>(
    `SELECT a.id, a.username, a.email, a.nickname, a.company_name AS "companyName",
       a.contact_name AS "contactName", a.mobile, a.industry, a.site_url AS "siteUrl", a.status,
       a.kyc_status AS "kycStatus", a.version, a.created_at AS "createdAt", a.updated_at AS "updatedAt"
     FROM (SELECT id FROM accounts WHERE ${FILTER} ORDER BY id DESC LIMIT $5 OFFSET $6) page
     JOIN accounts a ON a.id = page.id ORDER BY a.id DESC`,
    [...bound, filter.limit, filter.offset],
  );
  const total = await totalOf(
    sql,
    { ...filter, rows: rows.length },
    { text: `SELECT count(*) AS total FROM accounts WHERE ${FILTER}`, values: bound },
  );
  const figures = await readFigures(
    sql,
    filter.kind,
    rows.map(({ id }) => id),
  );
  const items = rows.map((row) => ({
    ...row,
    id: Number(row.id),
    ...(figures.get(row.id) ?? NO_FIGURES),
  }));
  return { items, total };
}

const NO_FIGURES: Figures = {
  availableNanos: 0n,
  maturingNanos: 0n,
  withdrawableNanos: 0n,
  heldNanos: 0n,
  openTasks: 0,
  openMoneyOrders: 0,
};

/** Orders under way; the statuses are those of their partial indexes. */
const MONEY_ORDERS: Readonly<Record<AccountKind, string>> = {
  ADVERTISER: `SELECT advertiser_id AS id, count(*) AS orders FROM deposits
    WHERE advertiser_id = ANY($2::bigint[]) AND status IN ('PENDING', 'CONFIRMING', 'REVIEW')
    GROUP BY advertiser_id`,
  PUBLISHER: `SELECT publisher_id AS id, count(*) AS orders FROM withdrawals
    WHERE publisher_id = ANY($2::bigint[])
      AND status IN ('PENDING', 'RISK_HOLD', 'APPROVED', 'PROCESSING', 'UNKNOWN')
    GROUP BY publisher_id`,
};

/**
 * Sums are made for the page's accounts only, and these are named: joined to the page instead, the
 * planner takes each for as rich in rows as the average one, and reads whole tables once per account.
 */
async function readFigures(
  sql: SqlRunner,
  kind: AccountKind,
  ids: readonly string[],
): Promise<Map<string, Figures>> {
  if (ids.length === 0) return new Map();
  const { rows } = await sql.query<StoredFigures>(
    `SELECT a.id, COALESCE(l.available, 0)::text AS "availableNanos",
       COALESCE(l.maturing, 0)::text AS "maturingNanos",
       COALESCE(l.withdrawable, 0)::text AS "withdrawableNanos", COALESCE(l.held, 0)::text AS "heldNanos",
       COALESCE(t.tasks, 0) AS "openTasks", COALESCE(o.orders, 0) AS "openMoneyOrders"
     FROM unnest($2::bigint[]) a (id)
     LEFT JOIN (
       SELECT owner_id AS id, sum(balance_nanos) FILTER (WHERE code LIKE '%:available') AS available,
         sum(balance_nanos) FILTER (WHERE code LIKE '%:earned:%') AS maturing,
         sum(balance_nanos) FILTER (WHERE code LIKE '%:withdrawable') AS withdrawable,
         sum(balance_nanos) FILTER (WHERE code LIKE '%:hold') AS held
       FROM ledger_accounts WHERE owner_type = $1 AND owner_id = ANY($2::bigint[]) GROUP BY owner_id
     ) l ON l.id = a.id
     LEFT JOIN (SELECT account_id AS id, count(*) AS tasks FROM tasks
       WHERE account_id = ANY($2::bigint[]) AND status = 'open' GROUP BY account_id) t ON t.id = a.id
     LEFT JOIN (${MONEY_ORDERS[kind]}) o ON o.id = a.id`,
    [kind, ids],
  );
  return new Map(rows.map((row) => [row.id, figuresOf(row)]));
}

const figuresOf = (row: StoredFigures): Figures => ({
  availableNanos: BigInt(row.availableNanos),
  maturingNanos: BigInt(row.maturingNanos),
  withdrawableNanos: BigInt(row.withdrawableNanos),
  heldNanos: BigInt(row.heldNanos),
  openTasks: Number(row.openTasks),
  openMoneyOrders: Number(row.openMoneyOrders),
});
