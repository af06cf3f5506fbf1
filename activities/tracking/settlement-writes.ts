import type { BudgetNotice } from '../../db/serving/snapshot-store.ts';
import type { SqlRunner } from '../../db/sql-runner.ts';
import type { BilledTotals } from '../../domain/ledger/postings.ts';
import { dayOf, type JudgedEvent } from '../../domain/tracking/batch.ts';
import type { EventFacts } from '../../domain/tracking/facts.ts';
import type { Mark } from '../../domain/tracking/marks.ts';
import { ROLLUPS, ROLLUP_TABLES, rollUp } from '../../domain/tracking/rollups.ts';
import type { SpendingRoom } from '../../domain/tracking/spending-room.ts';

/** The writes of one settlement batch, a set-based statement each, in one lock order. */

/** What the batch charges, per campaign and per publisher. */
export function totalsOf(judged: readonly JudgedEvent[]): BilledTotals {
  const spend = new Map<number, BilledTotals['spend'][number]>();
  const earnings = new Map<number, BilledTotals['earnings'][number]>();
  for (const { ad, zone, priceNanos, publisherNanos } of judged) {
    if (priceNanos === 0n || ad === null || zone === null) continue;
    const { advertiserId, campaignId } = ad;
    const { publisherId } = zone;
    const paid = spend.get(campaignId) ?? { advertiserId, campaignId, priceNanos: 0n, events: 0 };
    paid.priceNanos += priceNanos;
    paid.events += 1;
    spend.set(campaignId, paid);
    const earned = earnings.get(publisherId) ?? { publisherId, publisherNanos: 0n, events: 0 };
    earned.publisherNanos += publisherNanos;
    earned.events += 1;
    earnings.set(publisherId, earned);
  }
  return { spend: [...spend.values()], earnings: [...earnings.values()] };
}

const EVENT_COLUMNS = [
  'day',
  'id',
  'shard',
  'kind',
  'received_at',
  'request_id',
  'bid_id',
  'click_id',
  'conversion_id',
  'advertiser_id',
  'campaign_id',
  'adgroup_id',
  'ad_id',
  'creative_id',
  'publisher_id',
  'site_id',
  'zone_id',
  'country',
  'device',
  'os',
  'browser',
  'ip_prefix',
  'pricing_model',
  'billable',
  'status',
  'reason',
  'reasons',
  'price_nanos',
  'publisher_nanos',
  'batch_id',
] as const;

export async function insertEvents(
  sql: SqlRunner,
  judged: readonly JudgedEvent[],
  where: { shard: number; batchId: number | null },
): Promise<void> {
  const rows = judged.map((row) => eventRow(row, where));
  const columns = EVENT_COLUMNS.join(', ');
  await sql.query(
    `INSERT INTO events (${columns}) SELECT ${columns} FROM json_populate_recordset(NULL::events, $1::json)`,
    [JSON.stringify(rows)],
  );
}

function eventRow(
  row: JudgedEvent,
  { shard, batchId }: { shard: number; batchId: number | null },
): Record<(typeof EVENT_COLUMNS)[number], unknown> {
  const { event, verdict, track } = row;
  return {
    day: event.day,
    id: event.id,
    shard,
    kind: event.kind,
    received_at: new Date(event.receivedAtMs).toISOString(),
    request_id: track?.requestId ?? null,
    bid_id: track?.bidId ?? null,
    click_id: row.clickId,
    conversion_id: event.facts?.conversionId ?? null,
    ...inventoryColumns(row),
    ...traitColumns(event.facts),
    pricing_model: track?.pricingModel ?? null,
    billable: verdict.billable,
    status: verdict.status,
    reason: verdict.reason,
    reasons: verdict.reasons,
    price_nanos: row.priceNanos.toString(),
    publisher_nanos: row.publisherNanos.toString(),
    batch_id: verdict.billable ? batchId : null,
  };
}

/** Ids stand on the event only when they belong together. */
function inventoryColumns({ track, ad, zone }: JudgedEvent) {
  const known = ad === null || zone === null ? null : track;
  return {
    advertiser_id: ad?.advertiserId ?? null,
    campaign_id: ad?.campaignId ?? null,
    adgroup_id: ad?.adGroupId ?? null,
    ad_id: known?.adId ?? null,
    creative_id: known?.creativeId ?? null,
    publisher_id: zone?.publisherId ?? null,
    site_id: zone?.siteId ?? null,
    zone_id: known?.zoneId ?? null,
  };
}

function traitColumns(facts: EventFacts | null) {
  return {
    country: facts?.country ?? null,
    device: facts?.device ?? null,
    os: facts?.os ?? null,
    browser: facts?.browser ?? null,
    ip_prefix: facts?.ipPrefix ?? null,
  };
}

/** verified -> valid or invalid(reason), by the first event that speaks for the click. */
export async function settleClicks(sql: SqlRunner, judged: readonly JudgedEvent[]): Promise<void> {
  const rows = new Map<string, object>();
  for (const { event, verdict } of judged) {
    const id = event.facts?.clickEventId;
    if (event.kind !== 'click_verify' || id === undefined || rows.has(id)) continue;
    rows.set(id, { id, status: verdict.billable ? 'valid' : 'invalid', reason: verdict.reason });
  }
  if (rows.size === 0) return;
  await sql.query(
    `UPDATE clicks c SET status = v.status, reason = v.reason
     FROM json_to_recordset($1::json) AS v (id uuid, status text, reason text)
     WHERE c.id = v.id AND c.status = 'verified'`,
    [JSON.stringify([...rows.values()])],
  );
}

/** ACCEPTED -> BILLED when it was charged, else UNBILLED: refused, or another kind bills its campaign. */
export async function settleConversions(
  sql: SqlRunner,
  judged: readonly JudgedEvent[],
): Promise<void> {
  const rows = new Map<number, object>();
  for (const { event, verdict, priceNanos } of judged) {
    const id = event.facts?.conversionId;
    if (event.kind !== 'conversion' || id === undefined || rows.has(id)) continue;
    rows.set(id, { id, status: priceNanos > 0n ? 'BILLED' : 'UNBILLED', reason: verdict.reason });
  }
  if (rows.size === 0) return;
  await sql.query(
    `UPDATE conversions c SET status = v.status, reason = v.reason
     FROM json_to_recordset($1::json) AS v (id bigint, status text, reason text)
     WHERE c.id = v.id AND c.status = 'ACCEPTED'`,
    [JSON.stringify([...rows.values()])],
  );
}

export async function upsertMarks(sql: SqlRunner, marks: Mark[]): Promise<void> {
  if (marks.length === 0) return;
  const sorted = marks.toSorted((a, b) => compare(`${a.kind}|${a.key}`, `${b.kind}|${b.key}`));
  const instant = (ms: number): string => new Date(ms).toISOString();
  await sql.query(
    `INSERT INTO event_marks (kind, key, seen_at, count, expires_at)
     SELECT * FROM unnest($1::text[], $2::text[], $3::timestamptz[], $4::int[], $5::timestamptz[])
     ON CONFLICT (kind, key) DO UPDATE
       SET seen_at = EXCLUDED.seen_at, count = EXCLUDED.count, expires_at = EXCLUDED.expires_at`,
    [
      sorted.map((mark) => mark.kind),
      sorted.map((mark) => mark.key),
      sorted.map((mark) => instant(mark.seenAtMs)),
      sorted.map((mark) => mark.count),
      sorted.map((mark) => instant(mark.expiresAtMs)),
    ],
  );
}

/**
 * The cap stored beside the spend is what the constraint holds it to. A cap that was lowered below
 * what is spent already is kept at the spend: nothing more can be charged.
 */
export async function addSpent(sql: SqlRunner, room: SpendingRoom): Promise<void> {
  const days = room
    .takenDays()
    .toSorted((a, b) => compare(`${a.scope}|${a.id}|${a.day}`, `${b.scope}|${b.id}|${b.day}`));
  if (days.length === 0) return;
  await sql.query(
    `INSERT INTO budget_days AS b (scope, scope_id, day, cap_nanos, spent_nanos)
     SELECT * FROM unnest($1::text[], $2::bigint[], $3::date[], $4::bigint[], $5::bigint[])
     ON CONFLICT (scope, scope_id, day) DO UPDATE
       SET spent_nanos = b.spent_nanos + EXCLUDED.spent_nanos,
           cap_nanos = CASE WHEN EXCLUDED.cap_nanos IS NOT NULL
                       THEN GREATEST(EXCLUDED.cap_nanos, b.spent_nanos) END`,
    [
      days.map((row) => row.scope),
      days.map((row) => row.id),
      days.map((row) => row.day),
      days.map((row) => row.capNanos?.toString() ?? null),
      days.map((row) => row.takenNanos.toString()),
    ],
  );
  const totals = room.takenTotals().toSorted((a, b) => a.campaignId - b.campaignId);
  await sql.query(
    `INSERT INTO campaign_totals AS t (campaign_id, cap_nanos, spent_nanos)
     SELECT * FROM unnest($1::bigint[], $2::bigint[], $3::bigint[])
     ON CONFLICT (campaign_id) DO UPDATE
       SET spent_nanos = t.spent_nanos + EXCLUDED.spent_nanos,
           cap_nanos = CASE WHEN EXCLUDED.cap_nanos IS NOT NULL
                       THEN GREATEST(EXCLUDED.cap_nanos, t.spent_nanos) END`,
    [
      totals.map((row) => row.campaignId),
      totals.map((row) => row.capNanos?.toString() ?? null),
      totals.map((row) => row.takenNanos.toString()),
    ],
  );
}

export async function addRollups(sql: SqlRunner, judged: readonly JudgedEvent[]): Promise<void> {
  const sums = rollUp(judged);
  for (const table of ROLLUP_TABLES) {
    const { keys, money } = ROLLUPS[table];
    const counts = ['impressions', 'viewable', 'clicks', 'conversions', 'views', 'removed', money];
    const columns = [...keys, ...counts].join(', ');
    const rows = sums[table].map(({ key, nanos, ...sum }) => ({
      ...Object.fromEntries(keys.map((name, index) => [name, key[index]])),
      impressions: sum.impressions,
      viewable: sum.viewable,
      clicks: sum.clicks,
      conversions: sum.conversions,
      views: sum.views,
      removed: sum.removed,
      [money]: nanos.toString(),
    }));
    if (rows.length === 0) continue;
    await sql.query(
      `INSERT INTO ${table} AS t (${columns})
       SELECT ${columns} FROM json_populate_recordset(NULL::${table}, $1::json)
       ON CONFLICT (${keys.join(', ')}) DO UPDATE
         SET ${counts.map((name) => `${name} = t.${name} + EXCLUDED.${name}`).join(', ')}`,
      [JSON.stringify(rows)],
    );
  }
}

/** What serving must know: of every campaign that was charged or refused for want of money. */
export function budgetNotice(
  judged: readonly JudgedEvent[],
  room: SpendingRoom,
): BudgetNotice | null {
  const touched = judged.filter(
    ({ priceNanos, verdict }) =>
      priceNanos > 0n ||
      verdict.reasons.includes('BUDGET_EXCEEDED') ||
      verdict.reasons.includes('BALANCE_EXHAUSTED'),
  );
  if (touched.length === 0) return null;
  const day = touched
    .map(({ event }) => dayOf(event.receivedAtMs))
    .reduce((a, b) => (a > b ? a : b));
  const notice: BudgetNotice = { day, available: {}, campaigns: {}, adgroups: {} };
  for (const { ad } of touched) {
    if (ad === null) continue;
    notice.available[ad.advertiserId] = room.balance(ad.advertiserId).toString();
    notice.adgroups[ad.adGroupId] = room.spentOn('adgroup', ad.adGroupId, day).toString();
    notice.campaigns[ad.campaignId] = {
      today: room.spentOn('campaign', ad.campaignId, day).toString(),
      total: room.spentTotal(ad.campaignId).toString(),
    };
  }
  return notice;
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
