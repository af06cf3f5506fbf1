import { nanos, ref, text } from '../schema/column.ts';
import { columnsOf, readRow, readRows, type RowOf, select } from '../schema/selection.ts';
import { accounts } from '../tables/account.ts';
import type { SqlRunner } from '../sql-runner.ts';
import type { AccountKind } from './accounts.ts';
import { totalOf } from './page-total.ts';

/** Of who has held its papers last, as the audit log has it; null while nobody holds them. */
const ofHold = (
  what: string,
): string => `(SELECT ${what} FROM audit_log e JOIN operators o ON o.id = e.actor_id
  WHERE a.legal_hold_at IS NOT NULL AND e.subject_type = lower(a.kind) AND e.subject_id = a.id AND e.action = 'kyc.hold'
  ORDER BY e.id DESC LIMIT 1)`;
const ACCOUNT = select({
  ...columnsOf(accounts, 'a', [
    'id',
    'username',
    'email',
    'emailConfirmedAt',
    'nickname',
    'companyName',
    'contactName',
    'mobile',
    'industry',
    'billingAddress',
    'taxId',
    'siteUrl',
    'status',
    'kycStatus',
    'legalHoldAt',
    'version',
    'createdAt',
    'updatedAt',
  ]),
  legalHoldBy: text().orNull().of(ofHold('o.username')),
  legalHoldReason: text().orNull().of(ofHold(`e.detail ->> 'reason'`)),
});

const PERSON = select(
  columnsOf(accounts, 'a', [
    'id',
    'kind',
    'username',
    'email',
    'nickname',
    'companyName',
    'contactName',
    'status',
    'kycStatus',
    'createdAt',
  ]),
);
export type AccountPerson = RowOf<typeof PERSON>;

/**
 * What an account calls itself, beside a row that names it by this expression; null where that is null. A
 * list that shows whose each row is asks for nobody's account by itself.
 */
export const nameOfAccount = (id: string) =>
  text()
    .orNull()
    .of(
      `(SELECT COALESCE(whose.company_name, whose.username) FROM accounts whose WHERE whose.id = ${id})`,
    );

/** Whose thing an operator looks at. */
export async function readAccountPerson(
  sql: SqlRunner,
  id: number,
): Promise<AccountPerson | undefined> {
  return await readRow(sql, PERSON, `SELECT ${PERSON.list} FROM accounts a WHERE a.id = $1`, [id]);
}

const FIGURES = select({
  id: ref().of('a.id'),
  /** Advertiser: what can be spent. Publisher: earned, not yet mature. */
  availableNanos: nanos().of('COALESCE(l.available, 0)'),
  maturingNanos: nanos().of('COALESCE(l.maturing, 0)'),
  withdrawableNanos: nanos().of('COALESCE(l.withdrawable, 0)'),
  heldNanos: nanos().of('COALESCE(l.held, 0)'),
  openTasks: ref().of('COALESCE(t.tasks, 0)'),
  openMoneyOrders: ref().of('COALESCE(o.orders, 0)'),
});
type Figures = RowOf<typeof FIGURES>;

/** One account as an operator sees it: with its balance and what is open. */
export type AccountOverview = RowOf<typeof ACCOUNT> & Figures;

export interface AccountFilter {
  kind: AccountKind;
  id?: number | undefined;
  /** LIKE pattern over username, e-mail address, company, contact and nickname. */
  pattern?: string | undefined;
  status?: string | undefined;
  limit: number;
  offset: number;
}

const FILTER = `kind = $1 AND ($2::bigint IS NULL OR id = $2)
  AND ($3::text IS NULL OR username ILIKE $3 OR email ILIKE $3 OR company_name ILIKE $3
    OR contact_name ILIKE $3 OR nickname ILIKE $3)
  AND ($4::text IS NULL OR status = $4)`;

/** Newest first. The page is cut by ids, which an index of each filter holds: the other kind is not passed over. */
export async function listAccounts(
  sql: SqlRunner,
  filter: AccountFilter,
): Promise<{ items: AccountOverview[]; total: number }> {
  const bound = [filter.kind, filter.id ?? null, filter.pattern ?? null, filter.status ?? null];
  const rows = await readRows(
    sql,
    ACCOUNT,
    `SELECT ${ACCOUNT.list}
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
  const items = rows.map((row) => {
    const sums = figures.get(row.id);
    if (sums === undefined) throw new Error(`account ${row.id} has no figures`);
    return { ...row, ...sums };
  });
  return { items, total };
}

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
  ids: readonly number[],
): Promise<Map<number, Figures>> {
  if (ids.length === 0) return new Map();
  const rows = await readRows(
    sql,
    FIGURES,
    `SELECT ${FIGURES.list}
     FROM unnest($2::bigint[]) a (id)
     LEFT JOIN (
       SELECT owner_id AS id, sum(balance_nanos) FILTER (WHERE code LIKE '%:available') AS available,
         sum(balance_nanos) FILTER (WHERE code LIKE '%:earned:%') AS maturing,
         sum(balance_nanos) FILTER (WHERE code LIKE '%:withdrawable') AS withdrawable,
         sum(balance_nanos) FILTER (WHERE kind IN ('publisher_hold', 'advertiser_refund_hold')) AS held
       FROM ledger_accounts WHERE owner_type = $1 AND owner_id = ANY($2::bigint[]) GROUP BY owner_id
     ) l ON l.id = a.id
     LEFT JOIN (SELECT account_id AS id, count(*) AS tasks FROM tasks
       WHERE account_id = ANY($2::bigint[]) AND status = 'open' GROUP BY account_id) t ON t.id = a.id
     LEFT JOIN (${MONEY_ORDERS[kind]}) o ON o.id = a.id`,
    [kind, ids],
  );
  return new Map(rows.map((row) => [row.id, row]));
}
