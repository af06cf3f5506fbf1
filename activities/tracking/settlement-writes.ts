import { copyRows } from '../../db/copy-rows.ts';
import { additionOf, insertOf, type JsonRow, type Statement } from '../../db/schema/insert.ts';
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
import type { JudgedEvent } from '../../domain/tracking/batch.ts';
import { dayOf } from '../../domain/tracking/utc-day.ts';
import type { Nanos } from '../../domain/money.ts';
import type { Reason } from '../../domain/tracking/facts.ts';
import type { ViewerMark } from '../../domain/tracking/marks.ts';
import { rollUp, type Rollups } from '../../domain/tracking/rollups.ts';
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

/** Judged while they are sent, and what they add to the rollups while PostgreSQL writes them. */
export async function insertEvents(
  into: Parameters<typeof copyRows>[0],
  judged: Iterable<JudgedEvent>,
  where: { shard: number; batchId: number },
): Promise<{ judged: JudgedEvent[]; rollups: Rollups }> {
  const kept: JudgedEvent[] = [];
  return await copyRows(into, events, eventRows(judged, { ...where, kept }), () => ({
    judged: kept,
    rollups: rollUp(kept),
  }));
}

function* eventRows(
  judged: Iterable<JudgedEvent>,
  { kept, ...where }: { shard: number; batchId: number; kept: JudgedEvent[] },
): Generator<JsonRow<typeof events>> {
  for (const row of judged) {
    kept.push(row);
    yield eventRow(row, where);
  }
}

function eventRow(
  row: JudgedEvent,
  { shard, batchId }: { shard: number; batchId: number },
): JsonRow<typeof events> {
  const { event, verdict } = row;
  const track = row.track ?? NO_TRACK;
  const ad = row.ad ?? NO_AD;
  const zone = row.zone ?? NO_ZONE;
  const facts = event.facts ?? NO_FACTS;
  // Ids are kept on the event only when they belong together.
  const known = row.ad === null || row.zone === null ? NO_TRACK : track;
  return {
    day: event.day,
    id: event.id,
    shard,
    kind: event.kind,
    receivedAt: event.receivedAtMs,
    requestId: track.requestId,
    bidId: track.bidId,
    clickId: row.clickId,
    conversionId: facts.conversionId ?? null,
    advertiserId: ad.advertiserId,
    campaignId: ad.campaignId,
    adGroupId: ad.adGroupId,
    adId: known.adId,
    creativeId: known.creativeId,
    publisherId: zone.publisherId,
    siteId: zone.siteId,
    zoneId: known.zoneId,
    country: facts.country,
    device: facts.device,
    os: facts.os,
    browser: facts.browser,
    ipPrefix: facts.ipPrefix,
    pageId: track.pageId ?? facts.pageId ?? null,
    pricingModel: track.pricingModel,
    billable: verdict.billable,
    status: verdict.status,
    reason: verdict.reason,
    reasons: verdict.reasons,
    priceNanos: row.priceNanos,
    publisherNanos: row.publisherNanos,
    batchId: verdict.billable ? batchId : null,
  };
}

/** What an event has where nothing is known of a part of it. */
const NO_TRACK = {
  requestId: null,
  bidId: null,
  adId: null,
  creativeId: null,
  zoneId: null,
  pageId: undefined,
  pricingModel: null,
} as const;
const NO_AD = { advertiserId: null, campaignId: null, adGroupId: null } as const;
const NO_ZONE = { publisherId: null, siteId: null } as const;
const NO_FACTS = {
  conversionId: undefined,
  country: null,
  device: null,
  os: null,
  browser: null,
  ipPrefix: null,
  pageId: undefined,
} as const;

/** verified -> valid or invalid(reason), by the first event of the batch that verifies the click. */
export async function settleClicks(sql: SqlRunner, judged: readonly JudgedEvent[]): Promise<void> {
  const seen = new Set<string>();
  const outcomes: Outcome[] = [];
  for (const { event, verdict } of judged) {
    const id = event.kind === 'click_verify' ? event.facts?.clickEventId : undefined;
    if (id === undefined || seen.has(id)) continue;
    seen.add(id);
    outcomes.push({ id, reason: verdict.reason, isCounted: verdict.billable });
  }
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
  const outcomes: Outcome[] = [];
  for (const { event, verdict, priceNanos } of judged) {
    const id = event.kind === 'conversion' ? event.facts?.conversionId : undefined;
    if (id === undefined || seen.has(id)) continue;
    seen.add(id);
    outcomes.push({ id, reason: verdict.reason, isCounted: priceNanos > 0n });
  }
  const moves = {
    counted: moveSql(conversions, 'status', 'bill', 't'),
    refused: moveSql(conversions, 'status', 'refuse', 't'),
  };
  await moveJudged(sql, conversions, moves, outcomes);
}

interface Outcome {
  id: string | number;
  reason: Reason | null;
  isCounted: boolean;
}

/** A statement per outcome; rows that do not wait for a verdict stay as they are. */
async function moveJudged(
  sql: SqlRunner,
  of: typeof clicks | typeof conversions,
  moves: Record<'counted' | 'refused', ReturnType<typeof moveSql>>,
  outcomes: readonly Outcome[],
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

export function* upsertViewerMarks(marks: readonly ViewerMark[]): Generator<Statement> {
  yield* insertOf(
    eventMarks,
    marks.map(({ viewer, seenAtMs }) => ({ key: markKeyOf(viewer), seenAt: seenAtMs })),
    'ON CONFLICT (key) DO UPDATE SET seen_at = EXCLUDED.seen_at',
  );
}

/**
 * The cap stored beside the spend is what the constraint holds it to. A cap that was lowered below
 * what is spent already is kept at the spend: nothing more can be charged.
 */
export function* addSpent(room: SpendingRoom): Generator<Statement> {
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
  yield* insertOf(budgetDays, days, grown('scope, scope_id, day'));
  const totals = room
    .takenTotals()
    .map((total) => ({ campaignId: total.campaignId, ...spend(total) }));
  yield* insertOf(campaignTotals, totals, grown('campaign_id'));
}

export function* addRollups(rollups: Rollups): Generator<Statement> {
  const { adHours, adTraits, zoneHours, zoneTraits } = rollups;
  yield* additionOf(rollupAdHours, adHours);
  yield* additionOf(rollupAdTraits, adTraits);
  yield* additionOf(rollupZoneHours, zoneHours);
  yield* additionOf(rollupZoneTraits, zoneTraits);
}

/** What serving must know: of every campaign that was charged or refused for want of money. */
export function budgetNotice(
  judged: readonly JudgedEvent[],
  room: SpendingRoom,
  settled: SettledUntil,
): BudgetNotice | null {
  const touched = judged.filter(isOfMoney);
  if (touched.length === 0) return null;
  let day = '';
  for (const { event } of touched) {
    const received = dayOf(event.receivedAtMs);
    if (received > day) day = received;
  }
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

/** It was charged, or refused for want of money. */
const isOfMoney = ({ priceNanos, verdict: { reasons } }: JudgedEvent): boolean =>
  priceNanos > 0n ||
  (reasons.length > 0 &&
    (reasons.includes('BUDGET_EXCEEDED') || reasons.includes('BALANCE_EXHAUSTED')));
