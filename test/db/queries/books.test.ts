import pg from 'pg';
import { createClickExpiryActivities } from '../../../activities/tracking/click-expiry.ts';
import { createSettlementActivities } from '../../../activities/tracking/settlement.ts';
import { runner } from '../../../db/postgres.ts';
import { type BookCheck, runBooks } from '../../../db/queries/books.ts';
import { APPLICATION, createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { payOut } from '../../support/payouts.ts';
import {
  activityDeps,
  append,
  eventOf,
  hex,
  verifiedClick,
  whenReadable,
} from '../../support/settlement.ts';
import { makeLine } from '../../support/make/line.ts';
import { UNIT } from '../../support/make/money.ts';

/**
 * Negative controls: a checker that cannot fail proves nothing. Each fault is planted past the
 * database's own guards, in a transaction without triggers and with its constraints dropped, that is
 * never committed.
 */
let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
  const deps = activityDeps(database);
  const { settleBatch } = createSettlementActivities(deps);
  const { sweepClicks } = createClickExpiryActivities(deps);
  const cpm = await makeLine(database, {
    dailyNanos: UNIT,
    totalNanos: UNIT,
    adGroupDailyNanos: UNIT,
  });
  const cpc = await makeLine(database, { pricingModel: 'CPC' });
  const cpa = await makeLine(database, { pricingModel: 'CPA' });
  const impression = eventOf(cpc, { track: { pricingModel: 'CPC' }, priceNanos: UNIT });
  const { rows } = await database.pool.query<{ id: string }>(
    `INSERT INTO conversions (dedupe_key, event_type, status) VALUES ($1, 'LEAD', 'ACCEPTED') RETURNING id`,
    [hex(4)],
  );
  const conversion = eventOf(cpa, {
    kind: 'conversion',
    track: { pricingModel: 'CPA' },
    facts: { conversionId: Number(rows[0]?.id) },
  });
  const view = {
    ...eventOf(cpc, { kind: 'view' }),
    facts: { ...impression.facts, viewable: true },
  };
  const refused = eventOf(cpm, { facts: { userAgent: 'bot' } });
  await append(database, eventOf(cpm), eventOf(cpm), refused, impression, view, conversion);
  await append(database, await verifiedClick(database, cpc, impression));
  await append(database, eventOf(cpc, { kind: 'click' }));
  await verifiedClick(database, cpc, eventOf(cpc), {
    status: 'verify_pending',
    clickedAfterMs: -600_000,
  });
  await sweepClicks({ shard: 0 });
  await whenReadable(database);
  await settleBatch({ shard: 0 });
  await payOut(database, cpm.publisherId);
});
afterAll(async () => {
  await database.close();
});

const books = async (): Promise<BookCheck[]> => await runBooks(runner(database.db));

test('runBooks · after a mixed batch · every invariant holds, each with a figure', async () => {
  const checks = await books();
  expect(checks.filter((check) => !check.ok)).toEqual([]);
  expect(checks.every((check) => check.figure === '0' && check.detail !== '')).toBe(true);
});

test('runBooks · on an empty platform · every invariant holds', async () => {
  const empty = await createTestDatabase();
  try {
    expect((await runBooks(runner(empty.db))).filter((check) => !check.ok)).toEqual([]);
  } finally {
    await empty.close();
  }
});

const aWithdrawal = (status: string) => `(SELECT id FROM withdrawals WHERE status = '${status}')`;
const anAccount = `(SELECT id FROM ledger_accounts WHERE code LIKE 'adv:%' ORDER BY id LIMIT 1)`;
const aTransfer = (type: string) => `(SELECT min(id) FROM ledger_transfers WHERE type = '${type}')`;
const anEvent = (where: string) => `(SELECT id FROM events WHERE ${where} ORDER BY id LIMIT 1)`;

const THIS_MONTH = `SELECT date_trunc('month', now() AT TIME ZONE 'UTC')::date`;
/** Five nanos less the second time. */
const CLOSED_TWICE = `WITH s AS (
    INSERT INTO bank_statements (id, account, format, sha256, line_count, added_count, outgoing_count, operator_id)
    VALUES (900001, 'DE01', 'CAMT053', 'x', 0, 0, 0, 1) RETURNING id)
  INSERT INTO bank_statement_balances (statement_id, kind, on_day, amount_nanos)
  SELECT id, 'CLOSING', day::date, nanos FROM s, (VALUES ('2026-01-05', 10), ('2026-01-07', 5)) AS b (day, nanos)`;

const ASKED_FOR = `INSERT INTO balance_refunds (id, advertiser_id, amount_nanos, reason, maker_id)
  SELECT 900001, min(id), 5, 'Not held', 1 FROM accounts`;
const PART_OF_NOTHING_HELD = `INSERT INTO deposit_refunds
    (id, receipt_id, balance_refund_id, amount_nanos, closes_order, state)
  SELECT 900001, max(id), 900001, 6, false, 'ASKED' FROM deposit_receipts`;
const PAID_IN = `INSERT INTO deposit_receipts
    (deposit_id, amount_nanos, provider, provider_reference, received_at, state)
  VALUES (1, 5, 'BANK', 'five', now(), 'CREDITED')`;

const FAULTS: Record<string, string[]> = {
  balances_sum_to_zero: [
    `UPDATE ledger_accounts SET balance_nanos = balance_nanos + 1 WHERE id = ${anAccount}`,
  ],
  balances_equal_transfers: [
    `UPDATE ledger_accounts SET balance_nanos = balance_nanos + CASE code WHEN 'w:bank' THEN -5 ELSE 5 END
     WHERE code = 'w:bank' OR id = ${anAccount}`,
  ],
  balances_after_form_a_chain: [
    `UPDATE ledger_transfers SET credit_balance_after_nanos = credit_balance_after_nanos + 1
     WHERE id = ${aTransfer('PLATFORM_FEE')}`,
  ],
  no_account_below_its_floor: [
    `UPDATE ledger_accounts SET balance_nanos = -1 WHERE id = ${anAccount}`,
  ],
  clearing_is_zero: [`UPDATE ledger_accounts SET balance_nanos = 7 WHERE code LIKE 'clearing:%'`],
  spend_equals_events: [
    `UPDATE events SET price_nanos = price_nanos + 1 WHERE id = ${anEvent(`billable`)}`,
  ],
  earnings_equal_events: [
    `UPDATE events SET publisher_nanos = publisher_nanos - 1 WHERE id = ${anEvent('publisher_nanos > 0')}`,
  ],
  spend_equals_earnings_and_fee: [
    `UPDATE ledger_transfers SET amount_nanos = amount_nanos + 1 WHERE id = ${aTransfer('PLATFORM_FEE')}`,
  ],
  // The same sum, booked to another campaign: only the comparison per batch can see it.
  every_batch_equals_its_events: [
    `UPDATE ledger_transfers SET subject_id = subject_id + 1000 WHERE id = ${aTransfer('SPEND')}`,
  ],
  refused_events_cost_nothing: [
    `UPDATE events SET reasons = '["BOT_UA"]' WHERE id = ${anEvent('billable')}`,
  ],
  no_spend_over_a_cap: [
    `UPDATE campaign_totals SET cap_nanos = spent_nanos - 1 WHERE cap_nanos IS NOT NULL`,
  ],
  budgets_equal_events: [
    `UPDATE budget_days SET spent_nanos = spent_nanos + 1 WHERE scope = 'adgroup'`,
  ],
  inbox_behind_the_cursor_is_settled: [`DELETE FROM events WHERE id = ${anEvent('NOT billable')}`],
  nothing_before_the_cursor_is_judged: [`UPDATE settlement_cursors SET seq = 0, xid = '0'`],
  every_event_once: [
    `INSERT INTO events (day, id, shard, kind, received_at, billable, status)
     SELECT day - 1, id, shard, kind, received_at, false, status FROM events WHERE id = ${anEvent('NOT billable')}`,
  ],
  a_bid_counts_once_per_kind: [
    `UPDATE events SET bid_id = 'same' WHERE billable AND kind = 'impression'`,
  ],
  conversions_bill_once: [`UPDATE conversions SET status = 'UNBILLED'`],
  undecided_conversions_cost_nothing: [`UPDATE conversions SET status = 'REJECTED'`],
  settled_clicks_have_rows: [`DELETE FROM clicks WHERE status = 'verify_pending'`],
  clicks_have_one_outcome: [`UPDATE clicks SET status = 'valid' WHERE status = 'expired'`],
  holds_equal_open_withdrawals: [
    `UPDATE withdrawals SET status = 'REJECTED' WHERE id = ${aWithdrawal('PENDING')}`,
  ],
  // The amounts sum up as before: only the comparison per withdrawal can see it.
  withdrawals_equal_their_transfers: [
    `UPDATE ledger_transfers SET subject_id = ${aWithdrawal('PENDING')}
     WHERE type = 'WITHDRAWAL_RELEASE' AND subject_id = ${aWithdrawal('CANCELLED')}`,
  ],
  payouts_equal_their_withdrawals: [`UPDATE payouts SET state = 'UNKNOWN'`],
  signed_payouts_equal_their_payments: [
    `UPDATE payouts SET paying_wallet = '1:0x00' WHERE state = 'SETTLED'`,
  ],
  bank_statements_lead_to_their_balances: [CLOSED_TWICE],
  bank_agrees_with_books: [
    CLOSED_TWICE,
    `INSERT INTO bank_statement_lines (statement_id, account, line, booked_on, amount_nanos, currency, reference,
       direction, identity, created_at)
     VALUES (900001, 'DE01', 1, '2026-01-06', 5, 'USD', 'taken', 'OUT', 'X-1', now() - interval '3 days')`,
  ],
  matured_equals_its_days: [`UPDATE earnings_matured SET matured_nanos = matured_nanos + 1`],
  nothing_matures_unearned: [
    `UPDATE ledger_transfers SET created_at = created_at - interval '3 days' WHERE type = 'EARNING'`,
  ],
  corrections_equal_transfers: [
    `INSERT INTO event_corrections (day, event_id, reversal_id, billable, reason, price_delta_nanos,
       publisher_delta_nanos, batch_id)
     SELECT day, id, 1, false, 'X', -price_nanos, -publisher_nanos, 1 FROM events WHERE price_nanos > 0 LIMIT 1`,
  ],
  only_approved_corrections: [
    `INSERT INTO event_corrections (day, event_id, reversal_id, billable, reason, price_delta_nanos,
       publisher_delta_nanos, batch_id) VALUES (current_date, gen_random_uuid(), 1, false, 'X', 0, 0, 1)`,
  ],
  reversals_equal_their_corrections: [
    `INSERT INTO reversals (source, scope, reason, note, maker_id, reversed_events)
     VALUES ('BATCH', '{}', 'BILLING_ERROR', 'Never done', 1, 1)`,
  ],
  debts_are_paid_first: [
    `UPDATE ledger_accounts SET balance_nanos = -1 WHERE kind = 'publisher_debt'`,
  ],
  maturing_equals_earned_accounts: [`UPDATE earnings_matured SET reversed_nanos = 1`],
  suspense_equals_waiting_receipts: [
    `INSERT INTO deposit_receipts (deposit_id, amount_nanos, provider, provider_reference, received_at)
     VALUES (1, 5, 'BANK', 'lost', now())`,
  ],
  // Told as sent back, and nobody has sent it.
  refunds_are_what_their_receipts_say: [
    `INSERT INTO deposit_receipts (deposit_id, amount_nanos, provider, provider_reference, received_at, state)
     VALUES (1, 5, 'BANK', 'gone', now(), 'REFUNDED')`,
    `INSERT INTO deposit_refunds (id, receipt_id, amount_nanos, closes_order)
     SELECT max(id), max(id), 5, false FROM deposit_receipts`,
  ],
  // Told as taken back, and its money is in the books still.
  taken_back_receipts_equal_their_transfers: [
    `INSERT INTO deposit_receipts (deposit_id, amount_nanos, provider, provider_reference, received_at, state)
     VALUES (1, 5, 'BANK', 'taken', now(), 'TAKEN_BACK')`,
  ],
  refund_holds_equal_open_refunds: [PAID_IN, ASKED_FOR, PART_OF_NOTHING_HELD],
  // Told as kept, and what was asked for was never given back.
  balance_refunds_equal_their_transfers: [
    ASKED_FOR,
    `UPDATE balance_refunds SET status = 'KEPT', ended_at = now()`,
  ],
  refunds_within_receipts: [PAID_IN, ASKED_FOR, PART_OF_NOTHING_HELD],
  rollup_ad_hours_equals_events: [
    `UPDATE rollup_ad_hours SET removed = removed + 1 WHERE removed > 0`,
  ],
  rollup_ad_traits_equals_events: [`UPDATE rollup_ad_traits SET country = 'FR'`],
  rollup_zone_hours_equals_events: [`DELETE FROM rollup_zone_hours WHERE clicks > 0`],
  rollup_zone_traits_equals_events: [
    `UPDATE rollup_zone_traits SET revenue_nanos = revenue_nanos + 1`,
  ],
  // This month as if it were done: nobody has a statement or invoice of it.
  statements_equal_the_ledger: [`INSERT INTO document_months (month) ${THIS_MONTH}`],
  invoices_equal_the_ledger: [`INSERT INTO document_months (month) ${THIS_MONTH}`],
  statements_form_a_chain: [
    `INSERT INTO documents (kind, account_id, year, sequence, month, currency, opening_nanos, total_nanos, closing_nanos, issued_at)
     SELECT 'STATEMENT', min(id), 2020, 1, '2020-01-01', 'USD', 1, 0, 1, now() FROM accounts`,
  ],
  receipts_equal_the_ledger: [
    `INSERT INTO documents (kind, account_id, year, sequence, batch_id, currency, total_nanos, issued_at)
     SELECT 'PAYOUT_RECEIPT', l.owner_id, 2020, 1, t.batch_id, 'USD', t.amount_nanos + 1, now()
     FROM ledger_transfers t JOIN ledger_accounts l ON l.id = t.debit_id WHERE t.type = 'WITHDRAWAL' LIMIT 1`,
  ],
  document_numbers_have_no_gaps: [
    `INSERT INTO document_numbers (kind, year, last) VALUES ('INVOICE', 2020, 1)`,
  ],
};

/** Papers take files: test/activities/accounts/identity-erasure.test.ts. */
const PLANTED_WITH_PAPERS = ['papers_are_erased_in_time', 'erased_papers_are_gone'];

test('every invariant · has a planted fault', async () => {
  const names = (await books()).map((check) => check.name);
  expect(new Set(names)).toEqual(new Set([...Object.keys(FAULTS), ...PLANTED_WITH_PAPERS]));
});

test.each(Object.entries(FAULTS))(
  '%s · its fault is planted · the checker tells',
  async (name, faults) => {
    const client = new pg.Client(database.ownerUrl);
    await client.connect();
    try {
      await client.query('BEGIN');
      await client.query('SET LOCAL session_replication_role = replica');
      await client.query('ALTER TABLE ledger_accounts DROP CONSTRAINT no_overdraft');
      await client.query('ALTER TABLE campaign_totals DROP CONSTRAINT never_over_total');
      for (const fault of faults) {
        const { rowCount } = await client.query(fault);
        expect(rowCount).toBeGreaterThan(0);
      }
      // What the application sees, which is not the owner.
      await client.query(`SET LOCAL ROLE ${APPLICATION.name}`);
      const check = (await runBooks(client)).find((each) => each.name === name);
      expect(check).toMatchObject({ ok: false });
      expect(check?.figure).not.toBe('0');
    } finally {
      // Nothing was committed: the next fault finds the books right.
      await client.end();
    }
  },
);
