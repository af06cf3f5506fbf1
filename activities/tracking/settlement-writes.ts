import { copyRows } from '../../db/copy-rows.ts';
import { addRows, insertRows, type JsonRow } from '../../db/schema/insert.ts';
import { moveSql } from '../../db/schema/move.ts';
import type { BudgetNotice, SettledUntil } from '../../db/serving/snapshot-store.ts';
import type { SqlRunner } from '../../db/sql-runner.ts';
import { budgetDays } from '../../db/tables/budget-day.ts';
import { campaignTotals } from '../../db/tables/campaign-total.ts';
import { clicks } from '../../db/tables/click.ts';
import { conversions } from '../../db/tables/conversion.ts';
import { eventMarks, markKeyOf } from '../../db/tables/event-mark.ts';
import { events } from '../../db/tables/event.ts';
import { rollupAdHours } from '../../db/tables/rollup-ad-hour.ts';
import { rollupAdTraits } from '../../db/tables/rollup-ad-trait.ts';
import { rollupZoneHours } from '../../db/tables/rollup-zone-hour.ts';
import { rollupZoneTraits } from '../../db/tables/rollup-zone-trait.ts';
import type { BilledTotals } from '../../domain/ledger/postings.ts';
import { dayOf, type JudgedEvent } from '../../domain/tracking/batch.ts';
import type { Nanos } from '../../domain/money.ts';
import type { EventFacts, Reason } from '../../domain/tracking/facts.ts';
import type { ViewerMark } from '../../domain/tracking/marks.ts';
import { rollUp } from '../../domain/tracking/rollups.ts';
import type { SpendingRoom } from '../../domain/tracking/spending-room.ts';

/** The writes of one settlement batch, a set-based statement each; rows that others write too by their keys. */

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

export async function insertEvents(
  into: Parameters<typeof copyRows>[0],
  judged: readonly JudgedEvent[],
  where: { shard: number; batchId: number | null },
): Promise<void> {
  await copyRows(into, events, eventRows(judged, where));
}

function* eventRows(
  judged: readonly JudgedEvent[],
  where: { shard: number; batchId: number | null },
): Generator<JsonRow<typeof events>> {
  for (const row of judged) yield eventRow(row, where);
}

function eventRow(
  row: JudgedEvent,
  { shard, batchId }: { shard: number; batchId: number | null },
): JsonRow<typeof events> {
  const { event, verdict, track } = row;
  return {
    day: event.day,
    id: event.id,
    shard,
    kind: event.kind,
    receivedAt: event.receivedAtMs,
    requestId: track?.requestId ?? null,
    bidId: track?.bidId ?? null,
    clickId: row.clickId,
    conversionId: event.facts?.conversionId ?? null,
    ...inventoryOf(row),
    ...traitsOf(event.facts),
    pageId: track?.pageId ?? event.facts?.pageId ?? null,
    pricingModel: track?.pricingModel ?? null,
    billable: verdict.billable,
    status: verdict.status,
    reason: verdict.reason,
    reasons: verdict.reasons,
    priceNanos: row.priceNanos,
    publisherNanos: row.publisherNanos,
    batchId: verdict.billable ? batchId : null,
  };
}

/** Ids are kept on the event only when they belong together. */
function inventoryOf({ track, ad, zone }: JudgedEvent) {
  const known = ad === null || zone === null ? null : track;
  return {
    advertiserId: ad?.advertiserId ?? null,
    campaignId: ad?.campaignId ?? null,
    adGroupId: ad?.adGroupId ?? null,
    adId: known?.adId ?? null,
    creativeId: known?.creativeId ?? null,
    publisherId: zone?.publisherId ?? null,
    siteId: zone?.siteId ?? null,
    zoneId: known?.zoneId ?? null,
  };
}

function traitsOf(facts: EventFacts | null) {
  return {
    country: facts?.country ?? null,
    device: facts?.device ?? null,
    os: facts?.os ?? null,
    browser: facts?.browser ?? null,
    ipPrefix: facts?.ipPrefix ?? null,
  };
}

/** verified -> valid or invalid(reason), by the first event of the batch that verifies the click. */
export async function settleClicks(sql: SqlRunner, judged: readonly JudgedEvent[]): Promise<void> {
  const seen = new Set<string>();
  const outcomes = judged.flatMap(({ event, verdict: { billable, reason } }) => {
    const id = event.facts?.clickEventId;
    if (event.kind !== 'click_verify' || id === undefined || seen.has(id)) return [];
    seen.add(id);
    return [{ id, reason, isCounted: billable }];
  });
  const moves = {
    counted: moveSql(clicks, 'status', 'accept', 't'),
    refused: moveSql(clicks, 'status', 'refuse', 't'),
  };
  await moveJudged(sql, clicks, moves, outcomes);
}

/** ACCEPTED -> BILLED when it was charged, else UNBILLED: refused, or another kind bills its campaign. */
export async function settleConversions(
  sql: SqlRunner,
  judged: readonly JudgedEvent[],
): Promise<void> {
  const seen = new Set<number>();
  const outcomes = judged.flatMap(({ event, verdict: { reason }, priceNanos }) => {
    const id = event.facts?.conversionId;
    if (event.kind !== 'conversion' || id === undefined || seen.has(id)) return [];
    seen.add(id);
    return [{ id, reason, isCounted: priceNanos > 0n }];
  });
  const moves = {
    counted: moveSql(conversions, 'status', 'bill', 't'),
    refused: moveSql(conversions, 'status', 'refuse', 't'),
  };
  await moveJudged(sql, conversions, moves, outcomes);
}

/** A statement per outcome; rows that do not wait for a verdict stay as they are. */
async function moveJudged(
  sql: SqlRunner,
  of: typeof clicks | typeof conversions,
  moves: Record<'counted' | 'refused', ReturnType<typeof moveSql>>,
  outcomes: readonly { id: string | number; reason: Reason | null; isCounted: boolean }[],
): Promise<void> {
  for (const [outcome, { set, only }] of Object.entries(moves)) {
    const rows = outcomes.filter(({ isCounted }) => isCounted === (outcome === 'counted'));
    if (rows.length === 0) continue;
    await sql.query(
      `UPDATE ${of.name} t SET ${set}, reason = v.reason
       FROM json_to_recordset($1::json) AS v (id ${of.columns.id.kind.types[0]}, reason text)
       WHERE t.id = v.id AND ${only}`,
      [JSON.stringify(rows)],
    );
  }
}

export async function upsertViewerMarks(
  sql: SqlRunner,
  marks: readonly ViewerMark[],
): Promise<void> {
  await insertRows(
    sql,
    eventMarks,
    marks.map(({ viewer, seenAtMs }) => ({ key: markKeyOf(viewer), seenAt: seenAtMs })),
    'ON CONFLICT (key) DO UPDATE SET seen_at = EXCLUDED.seen_at',
  );
}

/**
 * The cap stored beside the spend is what the constraint holds it to. A cap that was lowered below
 * what is spent already is kept at the spend: nothing more can be charged.
 */
export async function addSpent(sql: SqlRunner, room: SpendingRoom): Promise<void> {
  const grown = (key: string): string => `ON CONFLICT (${key}) DO UPDATE
    SET spent_nanos = t.spent_nanos + EXCLUDED.spent_nanos,
        cap_nanos = CASE WHEN EXCLUDED.cap_nanos IS NOT NULL
                    THEN GREATEST(EXCLUDED.cap_nanos, t.spent_nanos) END`;
  const spend = (taken: { capNanos: Nanos | null; takenNanos: Nanos }) => ({
    capNanos: taken.capNanos?.toString() ?? null,
    spentNanos: taken.takenNanos.toString(),
  });
  const days = room
    .takenDays()
    .map((day) => ({ scope: day.scope, scopeId: day.id, day: day.day, ...spend(day) }));
  await insertRows(sql, budgetDays, days, grown('scope, scope_id, day'));
  const totals = room
    .takenTotals()
    .map((total) => ({ campaignId: total.campaignId, ...spend(total) }));
  await insertRows(sql, campaignTotals, totals, grown('campaign_id'));
}

export async function addRollups(sql: SqlRunner, judged: readonly JudgedEvent[]): Promise<void> {
  const { adHours, adTraits, zoneHours, zoneTraits } = rollUp(judged);
  await addRows(sql, rollupAdHours, adHours);
  await addRows(sql, rollupAdTraits, adTraits);
  await addRows(sql, rollupZoneHours, zoneHours);
  await addRows(sql, rollupZoneTraits, zoneTraits);
}

/** What serving must know: of every campaign that was charged or refused for want of money. */
export function budgetNotice(
  judged: readonly JudgedEvent[],
  room: SpendingRoom,
  settled: SettledUntil,
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
  const notice: BudgetNotice = { day, available: {}, campaigns: {}, adgroups: {}, settled };
  for (const { ad } of touched) {
    // As the batch leaves it: what its first event says of an ad group is what the last would say.
    if (ad === null || notice.adgroups[ad.adGroupId] !== undefined) continue;
    notice.available[ad.advertiserId] = room.balance(ad.advertiserId).toString();
    notice.adgroups[ad.adGroupId] = room.spentOn('adgroup', ad.adGroupId, day).toString();
    notice.campaigns[ad.campaignId] = {
      today: room.spentOn('campaign', ad.campaignId, day).toString(),
      total: room.spentTotal(ad.campaignId).toString(),
    };
  }
  return notice;
}
