import { EVENT_LOG_INVARIANTS } from '../events/event-books.ts';
import { formatAmount } from '../../domain/money.ts';
import type { SqlRunner } from '../sql-runner.ts';
import { BANK_INVARIANTS } from './bank-position.ts';
import { PAYOUT_INVARIANTS } from './payout-books.ts';
import { CORRECTION_INVARIANTS } from './correction-books.ts';
import { REFUND_INVARIANTS } from './refund-books.ts';
import { DOCUMENT_INVARIANTS } from './document-books.ts';
import { KYC_INVARIANTS } from './kyc.ts';
import { ROLLUP_KEY_SOURCE, ROLLUP_TABLES, ROLLUPS, type RollupTable } from './rollups.ts';

/** One invariant of the books. `figure` is what is wrong, in nanos or rows: 0 when it holds. */
export interface BookCheck {
  name: string;
  ok: boolean;
  figure: string;
  /** The figure as money, exact; null where it counts rows. */
  amount: string | null;
  detail: string;
}

interface Invariant {
  name: string;
  /** What the figure says, for who reads it. */
  detail: string;
  /** Its figure is of nanos. */
  isMoney?: boolean;
  /** One statement, hence one snapshot; answers one row with one column, `figure`. */
  sql: string;
}

/** Every invariant with its figure, each in a snapshot of its own, while the platform runs. */
export async function runBooks(sql: SqlRunner): Promise<BookCheck[]> {
  const checks: BookCheck[] = [];
  for (const invariant of INVARIANTS) checks.push(await look(sql, invariant));
  return checks;
}

/** One of BOOK_NAMES; raises for any other. */
export async function runBook(sql: SqlRunner, name: string): Promise<BookCheck> {
  const invariant = INVARIANTS.find((each) => each.name === name);
  if (invariant === undefined) throw new Error(`no invariant is called ${name}`);
  return await look(sql, invariant);
}

async function look(sql: SqlRunner, invariant: Invariant): Promise<BookCheck> {
  const { name, detail, isMoney, sql: statement } = invariant;
  const { rows } = await sql.query<{ figure: string | number | null }>(statement);
  const found = rows[0]?.figure ?? undefined;
  const figure = String(found ?? 'no answer');
  const amount = isMoney === true && found !== undefined ? formatAmount(BigInt(figure)) : null;
  return { name, ok: figure === '0', figure, amount, detail };
}

const sumsOf = (type: string): string =>
  `SELECT COALESCE(sum(amount_nanos), 0) FROM ledger_transfers WHERE type = '${type}'`;

const LEDGER: Invariant[] = [
  {
    name: 'balances_sum_to_zero',
    detail: 'Sum of all balances, of the currency that is worst.',
    isMoney: true,
    sql: `SELECT COALESCE(max(abs(total)), 0)::text AS figure
          FROM (SELECT sum(balance_nanos) AS total FROM ledger_accounts GROUP BY currency) AS t`,
  },
  {
    name: 'balances_equal_transfers',
    detail: 'Accounts whose balance is not the sum of their transfers.',
    sql: `SELECT count(*)::text AS figure FROM ledger_accounts a
          LEFT JOIN (SELECT account_id, sum(amount) AS total FROM (
              SELECT credit_id AS account_id, amount_nanos AS amount FROM ledger_transfers
              UNION ALL SELECT debit_id, -amount_nanos FROM ledger_transfers) AS sides
            GROUP BY account_id) AS t ON t.account_id = a.id
          WHERE a.balance_nanos <> COALESCE(t.total, 0)`,
  },
  {
    // Lists of transactions show these balances, and add nothing up.
    name: 'balances_after_form_a_chain',
    detail: 'Transfers that do not begin at the balance that the account’s last one left.',
    sql: `SELECT count(*)::text AS figure FROM (
            SELECT after - moved - lag(after, 1, 0) OVER (PARTITION BY account_id ORDER BY id) AS gap
            FROM (SELECT id, credit_id AS account_id, amount_nanos AS moved,
                credit_balance_after_nanos AS after FROM ledger_transfers
              UNION ALL SELECT id, debit_id, -amount_nanos, debit_balance_after_nanos
              FROM ledger_transfers) AS sides) AS links
          WHERE gap IS DISTINCT FROM 0`,
  },
  {
    name: 'no_account_below_its_floor',
    detail: 'Accounts below their floor.',
    sql: `SELECT count(*)::text AS figure FROM ledger_accounts WHERE balance_nanos < floor_nanos`,
  },
  {
    name: 'clearing_is_zero',
    detail: 'What clearing accounts hold.',
    isMoney: true,
    sql: `SELECT COALESCE(sum(abs(balance_nanos)), 0)::text AS figure
          FROM ledger_accounts WHERE code LIKE 'clearing:%'`,
  },
];

const EVENTS_AND_LEDGER: Invariant[] = [
  {
    name: 'spend_equals_events',
    detail: 'Prices of billable events minus SPEND transfers.',
    isMoney: true,
    sql: `SELECT ((SELECT COALESCE(sum(price_nanos), 0) FROM events WHERE billable)
                - (${sumsOf('SPEND')}))::text AS figure`,
  },
  {
    name: 'earnings_equal_events',
    detail: 'Publisher shares of billable events minus EARNING transfers.',
    isMoney: true,
    sql: `SELECT ((SELECT COALESCE(sum(publisher_nanos), 0) FROM events WHERE billable)
                - (${sumsOf('EARNING')}))::text AS figure`,
  },
  {
    name: 'spend_equals_earnings_and_fee',
    detail: 'SPEND minus EARNING minus PLATFORM_FEE.',
    isMoney: true,
    sql: `SELECT ((${sumsOf('SPEND')}) - (${sumsOf('EARNING')}) - (${sumsOf('PLATFORM_FEE')}))::text AS figure`,
  },
  {
    name: 'every_batch_equals_its_events',
    detail: 'Billing batches whose campaign or publisher sums differ from their events.',
    sql: `WITH posted AS (
            SELECT batch_id, type, subject_id, sum(amount_nanos) AS nanos, sum(event_count) AS events
            FROM ledger_transfers WHERE type IN ('SPEND', 'EARNING') GROUP BY 1, 2, 3
          ), judged AS (
            SELECT batch_id, 'SPEND' AS type, campaign_id AS subject_id, sum(price_nanos) AS nanos, count(*) AS events
            FROM events WHERE billable AND price_nanos > 0 GROUP BY 1, 3
            UNION ALL
            SELECT batch_id, 'EARNING', publisher_id, sum(publisher_nanos), count(*)
            FROM events WHERE billable AND price_nanos > 0 GROUP BY 1, 3 HAVING sum(publisher_nanos) > 0
          )
          SELECT count(DISTINCT batch_id)::text AS figure
          FROM posted p FULL JOIN judged j USING (batch_id, type, subject_id)
          WHERE p.nanos IS DISTINCT FROM j.nanos OR p.events IS DISTINCT FROM j.events`,
  },
  {
    name: 'refused_events_cost_nothing',
    detail: 'Events with a reason, or of a kind that never bills, that are billable or priced.',
    sql: `SELECT count(*)::text AS figure FROM events
          WHERE (billable OR price_nanos <> 0)
            AND (reason IS NOT NULL OR reasons <> '[]'::jsonb OR kind NOT IN ('impression', 'click_verify', 'conversion', 'video_view'))`,
  },
];

const CAPS: Invariant[] = [
  {
    name: 'no_spend_over_a_cap',
    detail: 'Campaign days, ad group days and campaign totals above their cap.',
    sql: `SELECT ((SELECT count(*) FROM budget_days WHERE spent_nanos > cap_nanos)
                + (SELECT count(*) FROM campaign_totals WHERE spent_nanos > cap_nanos))::text AS figure`,
  },
  {
    name: 'budgets_equal_events',
    detail: 'Budget rows whose spend is not the sum of their events.',
    sql: `WITH judged AS (
            SELECT scope, scope_id, day, sum(price_nanos) AS nanos FROM (
              SELECT 'campaign' AS scope, campaign_id AS scope_id, (received_at AT TIME ZONE 'UTC')::date AS day, price_nanos
              FROM events WHERE billable AND price_nanos > 0
              UNION ALL
              SELECT 'adgroup', adgroup_id, (received_at AT TIME ZONE 'UTC')::date, price_nanos
              FROM events WHERE billable AND price_nanos > 0) AS e GROUP BY 1, 2, 3
          ), totals AS (
            SELECT campaign_id, sum(price_nanos) AS nanos FROM events WHERE billable AND price_nanos > 0 GROUP BY 1
          )
          SELECT ((SELECT count(*) FROM budget_days b FULL JOIN judged j USING (scope, scope_id, day)
                   WHERE COALESCE(b.spent_nanos, 0) <> COALESCE(j.nanos, 0))
                + (SELECT count(*) FROM campaign_totals c FULL JOIN totals t USING (campaign_id)
                   WHERE COALESCE(c.spent_nanos, 0) <> COALESCE(t.nanos, 0)))::text AS figure`,
  },
];

const ONCE: Invariant[] = [
  {
    name: 'every_event_once',
    detail: 'Event ids that were judged more than once.',
    sql: `SELECT count(*)::text AS figure FROM (SELECT id FROM events GROUP BY id HAVING count(*) > 1) AS twice`,
  },
  {
    name: 'a_bid_counts_once_per_kind',
    detail: 'Bids with more than one counted impression, click or view.',
    sql: `SELECT count(*)::text AS figure FROM (
            SELECT 1 FROM events WHERE billable AND kind IN ('impression', 'click_verify', 'video_view')
            GROUP BY kind, bid_id HAVING count(*) > 1) AS twice`,
  },
  {
    name: 'conversions_bill_once',
    detail:
      'BILLED conversions without exactly one charge, and charges without a BILLED conversion.',
    sql: `SELECT count(*)::text AS figure
          FROM (SELECT id FROM conversions WHERE status = 'BILLED') AS c
          FULL JOIN (SELECT conversion_id AS id, count(*) AS times FROM events
                     WHERE kind = 'conversion' AND billable AND price_nanos > 0 GROUP BY 1) AS e USING (id)
          WHERE c.id IS NULL OR e.times IS DISTINCT FROM 1`,
  },
  {
    name: 'undecided_conversions_cost_nothing',
    detail: 'Charges of conversions that wait, were rejected, or belong to no click.',
    sql: `SELECT count(*)::text AS figure FROM conversions c JOIN events e ON e.conversion_id = c.id
          WHERE e.kind = 'conversion' AND e.billable AND e.price_nanos > 0
            AND c.status IN ('RECEIVED', 'PENDING', 'REJECTED', 'UNATTRIBUTED', 'EXPIRED')`,
  },
  {
    name: 'settled_clicks_have_rows',
    detail: 'Settled clicks that no verification, expiry or conversion could find.',
    sql: `SELECT count(*)::text AS figure FROM events e
          WHERE e.kind = 'click' AND e.click_id IS NOT NULL AND e.ad_id IS NOT NULL
            AND NOT EXISTS (SELECT FROM clicks c WHERE c.id = e.id)`,
  },
  {
    name: 'clicks_have_one_outcome',
    detail: 'Clicks both counted and expired, or whose status is not what their events say.',
    sql: `WITH outcomes AS (
            SELECT click_id, bool_or(kind = 'click_expired') AS expired,
                   bool_or(kind = 'click_verify' AND billable) AS counted
            FROM events WHERE click_id IS NOT NULL AND kind IN ('click_expired', 'click_verify') GROUP BY 1
          )
          SELECT count(*)::text AS figure FROM clicks c FULL JOIN outcomes o USING (click_id)
          WHERE (o.expired AND o.counted) OR (o.counted AND c.status IS DISTINCT FROM 'valid')
             OR (o.expired AND c.status IS DISTINCT FROM 'expired')
             OR (c.status = 'valid' AND o.counted IS NOT TRUE)`,
  },
];

/** A rollup row that is all zero equals one that is not there. */
function rollupInvariant(table: RollupTable): Invariant {
  const { keys, money } = ROLLUPS[table];
  const source = money === 'spend_nanos' ? 'price_nanos' : 'publisher_nanos';
  const counts = {
    impressions: `count(*) FILTER (WHERE billable AND kind = 'impression')`,
    viewable: `count(*) FILTER (WHERE status = 'viewable')`,
    clicks: `count(*) FILTER (WHERE billable AND kind = 'click_verify')`,
    conversions: `count(*) FILTER (WHERE billable AND kind = 'conversion')`,
    views: `count(*) FILTER (WHERE billable AND kind = 'video_view')`,
    removed: `count(*) FILTER (WHERE NOT billable AND kind IN ('impression', 'click_verify', 'conversion'))`,
    [money]: `COALESCE(sum(${source}) FILTER (WHERE billable), 0)`,
  };
  const names = Object.keys(counts);
  return {
    name: `${table}_equals_events`,
    detail: `Rows of ${table} that differ from a recomputation.`,
    sql: `WITH fresh AS (
            SELECT ${keys.map((key) => `${ROLLUP_KEY_SOURCE[key] ?? key} AS ${key}`).join(', ')},
                   ${Object.entries(counts)
                     .map(([name, expression]) => `${expression} AS ${name}`)
                     .join(', ')}
            FROM corrected_events WHERE advertiser_id IS NOT NULL GROUP BY ${keys.map((_, at) => at + 1).join(', ')}
          )
          SELECT count(*)::text AS figure FROM ${table} r FULL JOIN fresh f USING (${keys.join(', ')})
          WHERE ${names.map((name) => `COALESCE(r.${name}, 0) <> COALESCE(f.${name}, 0)`).join(' OR ')}`,
  };
}

const INVARIANTS: readonly Invariant[] = [
  ...LEDGER,
  ...EVENTS_AND_LEDGER,
  ...CAPS,
  ...EVENT_LOG_INVARIANTS,
  ...ONCE,
  ...PAYOUT_INVARIANTS,
  ...REFUND_INVARIANTS,
  ...BANK_INVARIANTS,
  ...CORRECTION_INVARIANTS,
  ...DOCUMENT_INVARIANTS,
  ...KYC_INVARIANTS,
  ...ROLLUP_TABLES.map(rollupInvariant),
];
export const BOOK_NAMES: readonly string[] = INVARIANTS.map(({ name }) => name);
