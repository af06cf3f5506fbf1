import { Context } from '@temporalio/activity';
import type { Transaction } from 'sequelize';
import type { HeldCursor } from '../../db/events/event-log.ts';
import { eventReader, READ_LIMIT } from '../../db/events/event-reader.ts';
import { nextId } from '../../db/next-id.ts';
import { type ClickRecord, makePendingClicks, pendingClick } from '../../db/queries/click-rows.ts';
import { driverOf, inTransaction, runner, sqlState } from '../../db/postgres.ts';
import { runInTurn } from '../../db/run-in-turn.ts';
import type { Statement } from '../../db/schema/insert.ts';
import { ledgerBatches } from '../../db/tables/ledger-batch.ts';
import { billingBatch } from '../../domain/ledger/postings.ts';
import { type BatchContext, type InboxEvent, judgeEach } from '../../domain/tracking/batch.ts';
import { ownClickId } from '../../domain/tracking/facts.ts';
import type { RateCounts } from '../../domain/tracking/rates.ts';
import type { Rollups } from '../../domain/tracking/rollups.ts';
import type { ShardInput } from '../../workflows/contracts/loops.ts';
import type { ActivityDeps } from '../deps.ts';
import { postEntries } from '../core/ledger.ts';
import { publishInventory } from '../core/outbox.ts';
import { pause } from '../core/pause.ts';
import { loadContext } from './settlement-context.ts';
import { IDLE_MS, IdleWord } from './settlement-idle.ts';
import { notifySpending } from './settlement-notices.ts';
import { RateMemory } from './settlement-rates.ts';
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

export function createSettlementActivities(deps: ActivityDeps, { idleMs = IDLE_MS } = {}) {
  const settler: Settler = { deps, rates: new RateMemory(), ahead: new ReadAhead(deps) };
  const idleWord = new IdleWord(deps, idleMs);
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
          if (!waits) await idleWord.give(shard);
          await pause(tickMs, context.cancellationSignal);
          continue;
        }
        idleWord.owe(shard);
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
      (await readOf(await eventReader.read(sql, { shard, after: held.cursor, limit }), take));
    const { cursor } = read;
    if (cursor === null) return NOTHING;
    const counts = rates.take(shard, held.batches);
    // Read on another connection while PostgreSQL writes this batch, and little is left to do here.
    const readNext = (): void => {
      if (read.rows === limit && !take.quarantine) ahead.begin(shard, { after: cursor, limit });
    };
    const billable =
      read.events.length === 0
        ? 0
        : await settleRows(deps, tx, { take, held, counts, read, readNext });
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
  readNext: () => void;
}

async function settleRows(deps: ActivityDeps, tx: Transaction, batch: Batch): Promise<number> {
  const { take, read } = batch;
  const sql = runner(deps.db, tx);
  // By themselves: a verification that meets one of these rows does not wait for the whole batch.
  await makePendingClicks(runner(deps.db), pendingClicks(take.shard, read.events));
  const context = await loadContext(deps, sql, batch);
  const batchId = await nextId(sql, ledgerBatches.name);
  const { judged, rollups } = await insertEvents(
    { sql, client: driverOf(tx) },
    judgeEach(read.events, context),
    { shard: take.shard, batchId },
  );
  const billable = judged.filter(({ verdict }) => verdict.billable).length;
  if (billable > 0) {
    await post(deps, tx, { id: batchId, take, events: read.events, totals: totalsOf(judged) });
  }
  await settleClicks(sql, judged);
  await settleConversions(sql, judged);
  batch.readNext();
  await runInTurn(sql, countersOf(context, rollups));
  const settled = { shard: take.shard, untilMs: read.latestAtMs };
  const notice = budgetNotice(judged, context.room, settled);
  if (notice !== null) {
    await notifySpending(deps, tx, { judged, ...context });
    await publishInventory(deps.outbox, tx, { topic: 'budgets', budgets: notice });
  }
  return billable;
}

/** Clicks that may be verified, unless they were. */
const pendingClicks = (shard: number, events: readonly InboxEvent[]): ClickRecord[] =>
  events.flatMap((event) => {
    const clickId = ownClickId(event);
    const track = event.facts?.track ?? null;
    if (clickId === null || track === null) return [];
    return pendingClick({ id: event.id, clickId, shard, clickedAtMs: event.receivedAtMs, track });
  });

function* countersOf(context: BatchContext, rollups: Rollups): Generator<Statement> {
  yield* upsertViewerMarks(context.book.changed());
  yield* addSpent(context.room);
  // Rows that shards share come last, so that they are locked only briefly.
  yield* addRollups(rollups);
}

async function post(
  deps: ActivityDeps,
  tx: Transaction,
  batch: {
    id: number;
    take: Take;
    events: readonly InboxEvent[];
    totals: ReturnType<typeof totalsOf>;
  },
): Promise<void> {
  const { id, take, events, totals } = batch;
  // An event is settled once, so its id names one batch for ever, in whatever cluster.
  const key = `bill:${take.shard}:${events[0]?.id ?? ''}..${events.at(-1)?.id ?? ''}`;
  const { posted } = await postEntries(deps.db, tx, {
    id,
    ...billingBatch(key, take.shard, totals),
  });
  // These events are not in `events`, yet a batch of their key is: nothing may be charged on a guess.
  if (!posted) throw new Error(`settlement batch ${key} was posted before`);
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
