import { ref, text } from '../schema/column.ts';
import { readRows, type RowOf, select } from '../schema/selection.ts';
import type { SqlRunner } from '../sql-runner.ts';

export const SEARCHED_TYPES = [
  'advertiser',
  'publisher',
  'campaign',
  'creative',
  'site',
  'zone',
  'deposit',
  'withdrawal',
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
  accountId: ref().of('x.account_id'),
});
export type SearchHit = RowOf<typeof HIT>;

interface Searched {
  from: string;
  title: string;
  subtitle: string;
  accountId: string;
  /** Beside the id: $2 is a LIKE pattern, $3 the words as they are. */
  matches: string;
}

const account = (kind: 'ADVERTISER' | 'PUBLISHER'): Searched => ({
  from: `(SELECT * FROM accounts WHERE kind = '${kind}') t`,
  title: 'COALESCE(t.company_name, t.nickname, t.username)',
  subtitle: 't.email',
  accountId: 't.id',
  matches: '(t.username ILIKE $2 OR t.email ILIKE $2 OR t.company_name ILIKE $2)',
});

const SEARCHED: Readonly<Record<SearchedType, Searched>> = {
  advertiser: account('ADVERTISER'),
  publisher: account('PUBLISHER'),
  campaign: {
    from: 'campaigns t',
    title: 't.name',
    subtitle: 't.landing_url',
    accountId: 't.advertiser_id',
    matches: 't.name ILIKE $2',
  },
  creative: {
    from: 'creatives t',
    title: 't.name',
    subtitle: 't.creative_type',
    accountId: 't.advertiser_id',
    matches: 't.name ILIKE $2',
  },
  site: {
    from: 'sites t',
    title: 't.name',
    subtitle: `CASE t.media_type WHEN 'WEB' THEN t.domain ELSE t.app_package END`,
    accountId: 't.publisher_id',
    matches: '(t.name ILIKE $2 OR t.domain ILIKE $2)',
  },
  zone: {
    from: 'zones t',
    title: 't.name',
    subtitle: 't.zone_key',
    accountId: 't.publisher_id',
    matches: '(t.name ILIKE $2 OR t.zone_key ILIKE $2)',
  },
  deposit: {
    from: 'deposits t',
    title: 't.reference',
    subtitle: 't.payment_method',
    accountId: 't.advertiser_id',
    matches: 't.reference = upper($3)',
  },
  withdrawal: {
    from: 'withdrawals t',
    title: `'WD-' || t.id`,
    subtitle: 't.account_masked',
    accountId: 't.publisher_id',
    // Their reference says the id, and nothing else of them is open.
    matches: 'false',
  },
};

export interface SearchAsk {
  types: readonly SearchedType[];
  /** Null: the words are no number. */
  id: number | null;
  /** Null: too short to be looked for. */
  pattern: string | null;
  words: string;
}

/** Of each type the newest few that have this id, or these words in what they are called by. */
export async function searchEverything(sql: SqlRunner, ask: SearchAsk): Promise<SearchHit[]> {
  if (ask.types.length === 0) return [];
  const parts = ask.types.map((type) => {
    const { from, title, subtitle, accountId, matches } = SEARCHED[type];
    return `(SELECT '${type}' AS type, t.id, ${title} AS title, ${subtitle} AS subtitle, t.status,
        ${accountId} AS account_id
      FROM ${from} WHERE t.id = $1::bigint OR ($2::text IS NOT NULL AND $3::text <> '' AND ${matches})
      ORDER BY t.id DESC LIMIT ${EACH_MAX})`;
  });
  return await readRows(sql, HIT, `SELECT ${HIT.list} FROM (${parts.join(' UNION ALL ')}) x`, [
    ask.id,
    ask.pattern,
    ask.words,
  ]);
}
