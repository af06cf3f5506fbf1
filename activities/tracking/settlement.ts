import { Context } from '@temporalio/activity';
import type { Transaction } from 'sequelize';
import type { WaitingEvent } from '../../db/events/event-log.ts';
import { eventReader, READ_LIMIT } from '../../db/events/event-reader.ts';
import { inTransaction, runner, sqlState } from '../../db/postgres.ts';
import {
  type AdWithCaps,
  loadAds,
  loadMarks,
  loadShares,
  loadSpent,
  loadZones,
  lockBalances,
  lockClicks,
  lockConversions,
} from '../../db/queries/settlement.ts';
import { loadSettings } from '../../db/settings.ts';
import type { SqlRunner } from '../../db/sql-runner.ts';
import { billingBatch } from '../../domain/ledger/postings.ts';
import {
  type BatchContext,
  dayOf,
  type InboxEvent,
  judgeBatch,
} from '../../domain/tracking/batch.ts';
import { EVENT_KINDS, readFacts } from '../../domain/tracking/facts-check.ts';
import { createMarkBook, type MarkName, markNames } from '../../domain/tracking/marks.ts';
import { createSpendingRoom } from '../../domain/tracking/spending-room.ts';
import type { ShardInput } from '../../workflows/contracts/loops.ts';
import type { ActivityDeps } from '../deps.ts';
import { postEntries } from '../core/ledger.ts';
import { publishInventory } from '../core/outbox.ts';
import { pause } from '../core/pause.ts';
import { notifySpending } from './settlement-notices.ts';
import {
  addRollups,
  addSpent,
  budgetNotice,
  insertEvents,
  settleClicks,
  settleConversions,
  totalsOf,
  upsertMarks,
} from './settlement-writes.ts';

export interface BatchOutcome {
  /** Rows taken from the inbox; 0 when nothing waits or another runner has the shard. */
  events: number;
  billable: number;
  /** More may wait: the batch was full. */
  full: boolean;
}

export interface SettleShardInput extends ShardInput {
  runForMs: number;
  /** Pause between looks at an empty inbox. */
  tickMs: number;
}

export interface ShardLap {
  batches: number;
  events: number;
  billable: number;
}

interface Take extends ShardInput {
  limit: number;
  /** Take one event without reading its facts: they made the database refuse it. */
  quarantine: boolean;
}

const NOTHING: BatchOutcome = { events: 0, billable: 0, full: false };

export function createSettlementActivities(deps: ActivityDeps) {
  /**
   * Settles the shard's next events in one transaction: all of it or nothing. Idempotent by the
   * cursor, which moves in the same transaction; a shard that another runner holds is left alone.
   */
  const settleBatch = async ({ shard }: ShardInput): Promise<BatchOutcome> => {
    let limit = READ_LIMIT;
    for (;;) {
      try {
        return await settle(deps, { shard, limit, quarantine: false });
      } catch (error) {
        if (!isDataFault(error)) throw error;
        if (limit === 1) {
          deps.log.error({ err: error, shard }, 'settlement set an event aside');
          return await settle(deps, { shard, limit: 1, quarantine: true });
        }
        // Halve until the event that cannot be stored stands alone; those before it get through.
        limit = Math.ceil(limit / 2);
        deps.log.warn(
          { err: error, shard, limit },
          'settlement batch refused, trying a smaller one',
        );
      }
    }
  };

  return {
    settleBatch,

    /** Settles until `runForMs` has passed; returns early when its worker stops or it is cancelled. */
    async settleShard({ shard, runForMs, tickMs }: SettleShardInput): Promise<ShardLap> {
      const context = Context.current();
      const lap: ShardLap = { batches: 0, events: 0, billable: 0 };
      const until = Date.now() + runForMs;
      while (Date.now() < until && !context.cancellationSignal.aborted) {
        context.heartbeat(lap);
        const waits = await eventReader.waits(runner(deps.db), shard);
        const outcome = waits ? await settleBatch({ shard }) : NOTHING;
        if (outcome.events === 0) {
          await pause(tickMs, context.cancellationSignal);
          continue;
        }
        lap.batches += 1;
        lap.events += outcome.events;
        lap.billable += outcome.billable;
      }
      return lap;
    },
  };
}

async function settle(deps: ActivityDeps, take: Take): Promise<BatchOutcome> {
  const { shard, limit } = take;
  const outcome = await inTransaction(deps.db, async (tx) => {
    const sql = runner(deps.db, tx);
    const held = await eventReader.hold(sql, shard);
    if (held === null) return NOTHING;
    if (held.adopted !== null) {
      deps.log.info({ shard, events: held.adopted }, 'settlement cursor adopted by this cluster');
      return null;
    }
    const rows = await eventReader.read(sql, { shard, after: held.cursor, limit });
    const last = rows.at(-1);
    if (last === undefined) return NOTHING;
    const fresh = rows.filter((row) => !row.settled);
    const billable = fresh.length === 0 ? 0 : await settleRows(deps, tx, { take, rows: fresh });
    await eventReader.moveTo(sql, shard, { cursor: last.cursor, events: fresh.length });
    return { events: rows.length, billable, full: rows.length === limit };
  });
  // An adoption commits by itself, so that a batch that is refused does not take it along.
  return outcome ?? (await settle(deps, take));
}

async function settleRows(
  deps: ActivityDeps,
  tx: Transaction,
  { take, rows }: { take: Take; rows: WaitingEvent[] },
): Promise<number> {
  const sql = runner(deps.db, tx);
  const events = rows.map((row) => inboxEvent(row, take.quarantine));
  const context = await loadContext(sql, events);
  const judged = judgeBatch(events, context);
  const billable = judged.filter(({ verdict }) => verdict.billable).length;

  const batchId =
    billable === 0 ? null : await post(deps, tx, { take, rows, totals: totalsOf(judged) });
  await insertEvents(sql, judged, { shard: take.shard, batchId });
  await settleClicks(sql, judged);
  await settleConversions(sql, judged);
  await upsertMarks(sql, context.book.changed());
  await addSpent(sql, context.room);
  // Rows that shards share come last, so that they are locked only briefly.
  await addRollups(sql, judged);
  const notice = budgetNotice(judged, context.room);
  if (notice !== null) {
    await notifySpending(deps, tx, { judged, ...context });
    await publishInventory(deps.outbox, tx, { topic: 'budgets', budgets: notice });
  }
  return billable;
}

function inboxEvent(row: WaitingEvent, quarantine: boolean): InboxEvent {
  const known = EVENT_KINDS.includes(row.kind) && !quarantine;
  return {
    id: row.id,
    kind: row.kind,
    day: row.day,
    receivedAtMs: row.receivedAtMs,
    facts: known ? readFacts(row.facts) : null,
  };
}

/** Everything the batch's events name, a query per table, money locked first. */
async function loadContext(
  sql: SqlRunner,
  events: readonly InboxEvent[],
): Promise<BatchContext & { ads: ReadonlyMap<number, AdWithCaps> }> {
  const tracks = events.flatMap(({ facts }) => facts?.track ?? []);
  const ads = await loadAds(sql, unique(tracks.map((track) => track.adId)));
  const zones = await loadZones(sql, unique(tracks.map((track) => track.zoneId)));
  const adRows = [...ads.values()];
  const balances = await lockBalances(sql, unique(adRows.map((ad) => ad.advertiserId)));
  const spent = await loadSpent(sql, {
    campaignIds: unique(adRows.map((ad) => ad.campaignId)),
    adGroupIds: unique(adRows.map((ad) => ad.adGroupId)),
    days: unique(events.map((event) => dayOf(event.receivedAtMs))),
  });
  return {
    settings: await loadSettings(sql),
    ads,
    zones,
    shares: await loadShares(sql, unique([...zones.values()].map((zone) => zone.publisherId))),
    clicks: await lockClicks(
      sql,
      unique(
        events.flatMap(({ kind, facts }) =>
          kind === 'click_verify' ? (facts?.clickEventId ?? []) : [],
        ),
      ),
    ),
    conversions: await lockConversions(
      sql,
      unique(events.flatMap(({ facts }) => facts?.conversionId ?? [])),
    ),
    book: createMarkBook(await loadMarks(sql, namesOf(events))),
    room: createSpendingRoom({
      balances,
      dailyCaps: {
        campaign: new Map(adRows.map((ad) => [ad.campaignId, ad.campaignDailyCapNanos])),
        adgroup: new Map(adRows.map((ad) => [ad.adGroupId, ad.adGroupDailyCapNanos])),
      },
      totalCaps: new Map(adRows.map((ad) => [ad.campaignId, ad.campaignTotalCapNanos])),
      spentDays: spent.days,
      spentTotals: spent.totals,
    }),
  };
}

function namesOf(events: readonly InboxEvent[]): MarkName[] {
  const names = new Map<string, MarkName>();
  for (const { kind, facts, receivedAtMs } of events) {
    if (facts === null) continue;
    for (const name of Object.values(markNames(kind, facts, receivedAtMs)) as (MarkName | null)[]) {
      if (name !== null) names.set(`${name.kind}|${name.key}`, name);
    }
  }
  return [...names.values()];
}

async function post(
  deps: ActivityDeps,
  tx: Transaction,
  { take, rows, totals }: { take: Take; rows: WaitingEvent[]; totals: ReturnType<typeof totalsOf> },
): Promise<number> {
  // An event is settled once, so its id names one batch for ever, in whatever cluster.
  const key = `bill:${take.shard}:${rows[0]?.id ?? ''}..${rows.at(-1)?.id ?? ''}`;
  const { batchId, posted } = await postEntries(deps.db, tx, billingBatch(key, take.shard, totals));
  // These events are not in `events`, yet a batch of their key is: nothing may be charged on a guess.
  if (!posted) throw new Error(`settlement batch ${key} was posted before`);
  return batchId;
}

/**
 * The event is at fault, not the connection: data (22) or integrity (23). A fault of our own code is
 * none of the event's: facts were read by their schema, so it would be condemned for good for what a
 * new version mends.
 */
function isDataFault(error: unknown): boolean {
  const state = sqlState(error);
  return state !== undefined && (state.startsWith('22') || state.startsWith('23'));
}

const unique = <Value>(values: readonly Value[]): Value[] => [...new Set(values)];
