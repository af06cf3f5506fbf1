import { Context } from '@temporalio/activity';
import type { Transaction } from 'sequelize';
import type { HeldCursor } from '../../db/events/event-log.ts';
import { eventReader, READ_LIMIT } from '../../db/events/event-reader.ts';
import { driverOf, inTransaction, runner, sqlState } from '../../db/postgres.ts';
import {
  type AdWithCaps,
  loadAds,
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
import type { RateCounts } from '../../domain/tracking/rates.ts';
import { createSpendingRoom } from '../../domain/tracking/spending-room.ts';
import type { ShardInput } from '../../workflows/contracts/loops.ts';
import type { ActivityDeps } from '../deps.ts';
import { postEntries } from '../core/ledger.ts';
import { publishInventory } from '../core/outbox.ts';
import { pause } from '../core/pause.ts';
import { loadBook } from './settlement-memory.ts';
import { notifySpending } from './settlement-notices.ts';
import { loadRates, RateMemory } from './settlement-rates.ts';
import { type Read, ReadAhead, readOf } from './settlement-read.ts';
import {
  addRollups,
  addSpent,
  budgetNotice,
  insertEvents,
  settleClicks,
  settleConversions,
  totalsOf,
  upsertViewerMarks,
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

/** What a process keeps between batches; all of it is checked against the cursor before it is used. */
interface Settler {
  deps: ActivityDeps;
  rates: RateMemory;
  ahead: ReadAhead;
}

export function createSettlementActivities(deps: ActivityDeps) {
  const settler: Settler = { deps, rates: new RateMemory(), ahead: new ReadAhead(deps) };
  /**
   * Settles the shard's next events in one transaction: all of it or nothing. Idempotent by the
   * cursor, which moves in the same transaction; a shard that another runner holds is left alone.
   */
  const settleBatch = async ({ shard }: ShardInput): Promise<BatchOutcome> => {
    let limit = READ_LIMIT;
    for (;;) {
      try {
        return await settle(settler, { shard, limit, quarantine: false });
      } catch (error) {
        if (!isDataFault(error)) throw error;
        if (limit === 1) {
          deps.log.error({ err: error, shard }, 'settlement set an event aside');
          return await settle(settler, { shard, limit: 1, quarantine: true });
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

async function settle(settler: Settler, take: Take): Promise<BatchOutcome> {
  const { deps, rates, ahead } = settler;
  const { shard, limit } = take;
  const done = await inTransaction(deps.db, async (tx) => {
    const sql = runner(deps.db, tx);
    const held = await eventReader.hold(sql, shard);
    if (held === null) return NOTHING;
    if (held.adopted !== null) {
      deps.log.info({ shard, events: held.adopted }, 'settlement cursor adopted by this cluster');
      return null;
    }
    const read =
      (await ahead.take(shard, { after: held.cursor, limit })) ??
      readOf(await eventReader.read(sql, { shard, after: held.cursor, limit }), take);
    const { cursor } = read;
    if (cursor === null) return NOTHING;
    // Read on another connection while this batch is judged and written.
    if (read.rows === limit && !take.quarantine) ahead.begin(shard, { after: cursor, limit });
    const counts = rates.take(shard, held.batches);
    const billable =
      read.events.length === 0 ? 0 : await settleRows(deps, tx, { take, held, counts, read });
    const events = read.events.length;
    await eventReader.moveTo(sql, shard, { cursor, events, latestAtMs: read.latestAtMs });
    const outcome = { events: read.rows, billable, full: read.rows === limit };
    return { outcome, counts, batches: held.batches + 1 };
  });
  // An adoption commits by itself, so that a batch that is refused does not take it along.
  if (done === null) return await settle(settler, take);
  if (!('counts' in done)) return done;
  rates.giveBack(shard, done.batches, done.counts);
  return done.outcome;
}

interface Batch {
  take: Take;
  held: HeldCursor;
  counts: RateCounts;
  read: Read;
}

async function settleRows(deps: ActivityDeps, tx: Transaction, batch: Batch): Promise<number> {
  const { take, read } = batch;
  const sql = runner(deps.db, tx);
  const context = await loadContext(deps, sql, batch);
  const judged = judgeBatch(read.events, context);
  const billable = judged.filter(({ verdict }) => verdict.billable).length;

  const batchId =
    billable === 0
      ? null
      : await post(deps, tx, { take, events: read.events, totals: totalsOf(judged) });
  await insertEvents({ sql, client: driverOf(tx) }, judged, { shard: take.shard, batchId });
  await settleClicks(sql, judged);
  await settleConversions(sql, judged);
  await upsertViewerMarks(sql, context.book.changed());
  await addSpent(sql, context.room);
  // Rows that shards share come last, so that they are locked only briefly.
  await addRollups(sql, judged);
  const settled = { shard: take.shard, untilMs: read.latestAtMs };
  const notice = budgetNotice(judged, context.room, settled);
  if (notice !== null) {
    await notifySpending(deps, tx, { judged, ...context });
    await publishInventory(deps.outbox, tx, { topic: 'budgets', budgets: notice });
  }
  return billable;
}

/** Everything the batch's events name, a query per table, money locked first. */
async function loadContext(
  deps: ActivityDeps,
  sql: SqlRunner,
  batch: Batch,
): Promise<BatchContext & { ads: ReadonlyMap<number, AdWithCaps> }> {
  const { events } = batch.read;
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
  const settings = await loadSettings(sql);
  const rates = await loadRates(deps, sql, { ...batch, ...batch.read, settings });
  return {
    settings,
    ads,
    zones,
    shares: await loadShares(
      sql,
      unique([...zones.values()].map((zone) => zone.publisherId)),
      Math.min(...events.map((event) => event.receivedAtMs)),
    ),
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
    book: await loadBook(sql, { ...batch, ...batch.read, rates }),
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

async function post(
  deps: ActivityDeps,
  tx: Transaction,
  batch: { take: Take; events: readonly InboxEvent[]; totals: ReturnType<typeof totalsOf> },
): Promise<number> {
  const { take, events, totals } = batch;
  // An event is settled once, so its id names one batch for ever, in whatever cluster.
  const key = `bill:${take.shard}:${events[0]?.id ?? ''}..${events.at(-1)?.id ?? ''}`;
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
