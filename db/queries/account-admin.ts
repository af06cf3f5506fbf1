import type { AccountStatus } from '../../domain/lifecycle/account.ts';
import type { KycStatus } from '../../domain/lifecycle/profile.ts';
import type { SqlRunner } from '../sql-runner.ts';
import type { AccountKind } from './accounts.ts';

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

const NANOS_COLUMNS = [
  'availableNanos',
  'maturingNanos',
  'withdrawableNanos',
  'heldNanos',
] as const;
type NanosColumn = (typeof NANOS_COLUMNS)[number];
type StoredOverview = Omit<AccountOverview, NanosColumn | 'id'> &
  Record<NanosColumn, string> & { id: string; total: string };

const FILTER = `kind = $1 AND ($2::bigint IS NULL OR id = $2)
  AND ($3::text IS NULL OR username ILIKE $3 OR email ILIKE $3 OR company_name ILIKE $3)
  AND ($4::text IS NULL OR status = $4)`;

/** Newest first; sums are made for the page's rows only. */
export async function listAccounts(
  sql: SqlRunner,
  filter: AccountFilter,
): Promise<{ items: AccountOverview[]; total: number }> {
  const bound = [filter.kind, filter.id ?? null, filter.pattern ?? null, filter.status ?? null];
  const counted = await sql.query<{ total: string }>(
    `SELECT count(*) AS total FROM accounts WHERE ${FILTER}`,
    bound,
  );
  const { rows } = await sql.query<StoredOverview>(
    `SELECT a.id, a.username, a.email, a.nickname, a.company_name AS "companyName",
            a.contact_name AS "contactName", a.mobile, a.industry, a.site_url AS "siteUrl", a.status,
            a.kyc_status AS "kycStatus", a.version, a.created_at AS "createdAt", a.updated_at AS "updatedAt",
            l.available AS "availableNanos", l.maturing AS "maturingNanos",
            l.withdrawable AS "withdrawableNanos", l.held AS "heldNanos",
            (SELECT count(*)::int FROM tasks t WHERE t.account_id = a.id AND t.status = 'open') AS "openTasks",
            CASE a.kind
              WHEN 'ADVERTISER' THEN (SELECT count(*)::int FROM deposits d WHERE d.advertiser_id = a.id
                AND d.status IN ('PENDING', 'CONFIRMING', 'REVIEW'))
              ELSE (SELECT count(*)::int FROM withdrawals w WHERE w.publisher_id = a.id
                AND w.status IN ('PENDING', 'RISK_HOLD', 'APPROVED', 'PROCESSING', 'UNKNOWN'))
            END AS "openMoneyOrders"
     FROM (SELECT * FROM accounts WHERE ${FILTER} ORDER BY id DESC LIMIT $5 OFFSET $6) a
     CROSS JOIN LATERAL (
       SELECT COALESCE(sum(balance_nanos) FILTER (WHERE code LIKE '%:available'), 0)::text AS available,
              COALESCE(sum(balance_nanos) FILTER (WHERE code LIKE '%:earned:%'), 0)::text AS maturing,
              COALESCE(sum(balance_nanos) FILTER (WHERE code LIKE '%:withdrawable'), 0)::text AS withdrawable,
              COALESCE(sum(balance_nanos) FILTER (WHERE code LIKE '%:hold'), 0)::text AS held
       FROM ledger_accounts WHERE owner_type = a.kind AND owner_id = a.id
     ) l
     ORDER BY a.id DESC`,
    [...bound, filter.limit, filter.offset],
  );
  return { items: rows.map(overviewOf), total: Number(counted.rows[0]?.total ?? 0) };
}

function overviewOf(row: StoredOverview): AccountOverview {
  return {
    ...row,
    id: Number(row.id),
    availableNanos: BigInt(row.availableNanos),
    maturingNanos: BigInt(row.maturingNanos),
    withdrawableNanos: BigInt(row.withdrawableNanos),
    heldNanos: BigInt(row.heldNanos),
  };
}
