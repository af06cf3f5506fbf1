import { OPEN_DEPOSIT_STATUSES } from '../../domain/lifecycle/deposit.ts';
import { ref, text } from '../schema/column.ts';
import { readRows, type RowOf, select } from '../schema/selection.ts';
import type { SqlRunner } from '../sql-runner.ts';

export const SEARCHED_TYPES = [
  'advertiser',
  'publisher',
  'campaign',
  'adgroup',
  'ad',
  'creative',
  'site',
  'zone',
  'task',
  'deposit',
  'withdrawal',
  'deposit_flow',
  'withdrawal_flow',
  'statement',
  'ledger_account',
  'operator',
] as const;
export type SearchedType = (typeof SEARCHED_TYPES)[number];

/** So that one type with many finds leaves room for the others. */
const EACH_MAX = 5;

const HIT = select({
  type: text<SearchedType>().of('x.type'),
  id: ref().of('x.id'),
  title: text().of('x.title'),
  subtitle: text().orNull().of('x.subtitle'),
  status: text().of('x.status'),
  accountId: ref().orNull().of('x.account_id'),
});
export type SearchHit = RowOf<typeof HIT>;

interface Searched {
  from: string;
  title: string;
  subtitle: string;
  status?: string;
  accountId: string;
  /** The number that people call it by, where that is not its id. */
  number?: string;
  /** Beside its number: $2 is a LIKE pattern, $3 the words as they are. */
  matches: string;
}

/** However it is written, as the indexes of references have it. */
const isReference = (column: string): string =>
  `bank_reference_key(${column}) = bank_reference_key($3)`;
/** Found first, by an index of their own: beside other conditions a subquery would be tried row by row. */
const isAmong = (column: string, ids: string): string => `${column} = ANY (ARRAY(${ids}))`;

const account = (kind: 'ADVERTISER' | 'PUBLISHER', more = ''): Searched => ({
  from: `(SELECT * FROM accounts WHERE kind = '${kind}') t`,
  title: 'COALESCE(t.company_name, t.nickname, t.username)',
  subtitle: `concat_ws(' · ', t.contact_name, t.email)`,
  accountId: 't.id',
  matches: `(t.username ILIKE $2 OR t.email ILIKE $2 OR t.company_name ILIKE $2
    OR t.contact_name ILIKE $2 OR t.nickname ILIKE $2${more})`,
});

/** By its own reference, and by what proves that it was paid or given back. */
const depositsBy = `SELECT d.id FROM deposits d WHERE d.reference = upper($3)
  UNION SELECT r.deposit_id FROM deposit_receipts r WHERE ${isReference('r.provider_reference')}
  UNION SELECT r.deposit_id FROM deposit_refunds b JOIN deposit_receipts r ON r.id = b.receipt_id
    WHERE b.reference IS NOT NULL AND ${isReference('b.reference')}
  UNION SELECT p.deposit_id FROM deposit_payments p
    WHERE p.address IS NOT NULL AND lower(p.address) = lower($3)`;

/** Of whoever is called so, what still waits for its money: a payment at the bank names its payer more often than its order. */
const depositsOf = `SELECT d.id FROM deposits d
  WHERE d.status IN (${OPEN_DEPOSIT_STATUSES.map((status) => `'${status}'`).join(', ')})
    AND d.advertiser_id = ANY (ARRAY(SELECT a.id FROM accounts a WHERE a.kind = 'ADVERTISER'
      AND (a.company_name ILIKE $2 OR a.contact_name ILIKE $2 OR a.username ILIKE $2) ORDER BY a.id DESC LIMIT ${EACH_MAX}))
  ORDER BY d.id DESC LIMIT ${EACH_MAX}`;

/** By what the bank or the provider calls it, and what was signed for it. */
const withdrawalsBy = `SELECT w.id FROM withdrawals w
    WHERE w.provider_reference IS NOT NULL AND ${isReference('w.provider_reference')}
  UNION SELECT o.withdrawal_id FROM payouts o WHERE o.external_ref = $3
  UNION SELECT c.withdrawal_id FROM chain_payments c WHERE c.hash = lower($3)`;

/** How money is under way: what it is about, and how far it has come. */
const flow = (type: 'deposit' | 'withdrawal', ids: string): Searched => ({
  from: `(SELECT * FROM operations WHERE subject_type = '${type}') t`,
  title: `'#' || t.subject_id`,
  subtitle: 't.phase',
  accountId: 't.account_id',
  number: 't.subject_id',
  matches: isAmong('t.subject_id', ids),
});

const ofAdvertiser = (from: string, subtitle: string): Searched => ({
  from: `${from} t`,
  title: 't.name',
  subtitle,
  accountId: 't.advertiser_id',
  matches: 't.name ILIKE $2',
});

const SEARCHED: Readonly<Record<SearchedType, Searched>> = {
  advertiser: account('ADVERTISER'),
  // Also by what it publishes, said whole: a part of it finds the sites.
  publisher: account(
    'PUBLISHER',
    ` OR ${isAmong(
      't.id',
      `SELECT s.publisher_id FROM sites s
       WHERE s.media_type = 'WEB' AND s.status <> 'ARCHIVED' AND lower(s.domain) = lower($3)
       UNION SELECT s.publisher_id FROM sites s
       WHERE s.app_package IS NOT NULL AND s.status <> 'ARCHIVED' AND s.app_package = $3`,
    )}`,
  ),
  campaign: ofAdvertiser('campaigns', 't.landing_url'),
  adgroup: ofAdvertiser('ad_groups', 'NULL'),
  ad: ofAdvertiser('ads', 'NULL'),
  creative: ofAdvertiser('creatives', 't.creative_type'),
  site: {
    from: 'sites t',
    title: 't.name',
    subtitle: `CASE t.media_type WHEN 'WEB' THEN t.domain ELSE t.app_package END`,
    accountId: 't.publisher_id',
    matches: '(t.name ILIKE $2 OR t.domain ILIKE $2 OR t.app_package ILIKE $2)',
  },
  zone: {
    from: 'zones t',
    title: 't.name',
    subtitle: 't.zone_key',
    accountId: 't.publisher_id',
    matches: '(t.name ILIKE $2 OR t.zone_key ILIKE $2)',
  },
  task: {
    from: '(SELECT * FROM tasks WHERE kind = ANY ($4::text[])) t',
    title: 't.summary',
    subtitle: 't.kind',
    accountId: 't.account_id',
    // Its words are those of what it is about.
    matches: 'false',
  },
  deposit: {
    from: 'deposits t',
    title: 't.reference',
    subtitle: `(SELECT concat_ws(' · ', COALESCE(a.company_name, a.username),
      to_char(t.amount_nanos / 1e9, 'FM999999999990.00') || ' ' || t.currency, t.payment_method)
      FROM accounts a WHERE a.id = t.advertiser_id)`,
    accountId: 't.advertiser_id',
    matches: isAmong('t.id', `${depositsBy} UNION (${depositsOf})`),
  },
  withdrawal: {
    from: 'withdrawals t',
    title: `'WD-' || t.id`,
    subtitle: 't.account_masked',
    accountId: 't.publisher_id',
    matches: isAmong('t.id', withdrawalsBy),
  },
  deposit_flow: flow('deposit', depositsBy),
  withdrawal_flow: flow('withdrawal', withdrawalsBy),
  statement: {
    from: 'bank_statements t',
    title: 'COALESCE(t.file_name, t.account)',
    subtitle: 't.account',
    status: 't.format',
    accountId: 'NULL::bigint',
    matches: isAmong(
      't.id',
      `SELECT l.statement_id FROM bank_statement_lines l WHERE ${isReference('l.reference')}`,
    ),
  },
  ledger_account: {
    from: 'ledger_accounts t',
    title: 't.code',
    subtitle: `(SELECT COALESCE(a.company_name, a.username) FROM accounts a WHERE a.id = t.owner_id)`,
    status: `COALESCE(t.kind, '')`,
    accountId: 't.owner_id',
    matches: `(t.code ILIKE $2 OR t.owner_type IN ('ADVERTISER', 'PUBLISHER') AND ${isAmong(
      't.owner_id',
      `SELECT a.id FROM accounts a WHERE a.username ILIKE $2 OR a.email ILIKE $2
         OR a.company_name ILIKE $2 ORDER BY a.id DESC LIMIT ${EACH_MAX}`,
    )})`,
  },
  operator: {
    from: 'operators t',
    title: 't.username',
    subtitle: 't.role',
    accountId: 'NULL::bigint',
    matches: '(t.username ILIKE $2 OR t.email ILIKE $2 OR t.nickname ILIKE $2)',
  },
};

export interface SearchAsk {
  types: readonly SearchedType[];
  /** Null: the words are no number. */
  number: number | null;
  /** Null: too short to be looked for. */
  pattern: string | null;
  words: string;
  /** Of tasks, none of another kind. */
  taskKinds: readonly string[];
}

/** Of each type the newest few that have this number, or these words in what they are called by. */
export async function searchEverything(sql: SqlRunner, ask: SearchAsk): Promise<SearchHit[]> {
  if (ask.types.length === 0) return [];
  const parts = ask.types.map((type) => {
    const { from, title, subtitle, accountId, matches, ...more } = SEARCHED[type];
    return `(SELECT '${type}' AS type, t.id, ${title} AS title, ${subtitle} AS subtitle,
        ${more.status ?? 't.status'} AS status, ${accountId} AS account_id
      FROM ${from} WHERE ${more.number ?? 't.id'} = $1::bigint
        OR ($2::text IS NOT NULL AND $3::text <> '' AND ${matches})
      ORDER BY t.id DESC LIMIT ${EACH_MAX})`;
  });
  return await readRows(
    sql,
    HIT,
    // Also where no tasks are looked for, which alone name their kinds.
    `SELECT ${HIT.list} FROM (${parts.join(' UNION ALL ')}) x WHERE $4::text[] IS NOT NULL`,
    [ask.number, ask.pattern, ask.words, ask.taskKinds],
  );
}
