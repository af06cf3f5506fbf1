import { Context } from '@temporalio/activity';
import type { Transaction } from 'sequelize';
import { inTransaction, runner } from '../../db/postgres.ts';
import { holdMaturity, readMaturing } from '../../db/queries/maturing.ts';
import { lockBalances } from '../../db/queries/settlement.ts';
import { day, ref, whole } from '../../db/schema/column.ts';
import { addRows } from '../../db/schema/insert.ts';
import { NOW } from '../../db/schema/move.ts';
import { columnsOf, readRows, type RowOf, select } from '../../db/schema/selection.ts';
import type { SqlRunner } from '../../db/sql-runner.ts';
import { earningsMatured } from '../../db/tables/matured-earnings.ts';
import { reversalItems } from '../../db/tables/reversal.ts';
import { eventsReversed } from '../../domain/ledger/correction-postings.ts';
import type { ReversalStatus } from '../../domain/lifecycle/reversal.ts';
import { type ReversalInput, reversalWorkflowId } from '../../workflows/contracts/reversal.ts';
import { recordAudit } from '../core/audit.ts';
import { postEntries } from '../core/ledger.ts';
import { moveRecord } from '../core/move-record.ts';
import { reportOperation, reportProgress } from '../core/operations.ts';
import type { ActivityDeps } from '../deps.ts';
import { holdCorrections, tellCorrected, tellServing, writeCorrections } from './corrections.ts';
import { type LockedReversal, lockReversal } from './reversal-moves.ts';

/** Events per transaction, so that settlement never waits long for the accounts. */
const EVENTS_PER_BATCH = 500;

/**
 * Takes back what was approved, a batch per transaction, and goes on from where it was cut off. An event that
 * another reversal was faster with is left out. Harmless twice: what is left is what has no correction.
 */
export async function applyReversal(
  deps: ActivityDeps,
  input: ReversalInput,
): Promise<{ status: ReversalStatus; events: number }> {
  const { heartbeat, cancellationSignal } = Context.current();
  for (;;) {
    const { status, reversedEvents, events } = await reverseBatch(deps, input);
    if (status !== 'APPLYING') return { status, events: reversedEvents };
    heartbeat(reversedEvents);
    const progress = { done: reversedEvents, total: events };
    await reportProgress(deps, reversalWorkflowId(input), { phase: 'applying', progress });
    cancellationSignal.throwIfAborted();
  }
}

/** One batch, or the end when nothing is left; answers the reversal as it is then. */
export async function reverseBatch(
  deps: ActivityDeps,
  { reversalId }: ReversalInput,
): Promise<LockedReversal> {
  return await inTransaction(deps.db, async (tx) => {
    const sql = runner(deps.db, tx);
    const reversal = await lockReversal(deps, tx, reversalId);
    if (reversal.status !== 'APPLYING') return reversal;
    await holdCorrections(sql);
    const events = await nextEvents(sql, reversalId);
    if (events.length === 0) await finish(deps, tx, reversal);
    else await reverse(deps, tx, reversal, events);
    return reversal;
  });
}

const NEXT = select({
  ...columnsOf(reversalItems, 'i', [
    'day',
    'eventId',
    'reason',
    'advertiserId',
    'publisherId',
    'priceNanos',
    'publisherNanos',
  ]),
  campaignId: ref().of('e.campaign_id'),
  shard: whole().of('e.shard'),
  /** The UTC day on which settlement earned it, by which it matures; its own where nothing was earned. */
  earnedOn: day()
    .of(`COALESCE((SELECT (t.created_at AT TIME ZONE 'UTC')::date FROM ledger_transfers t
    WHERE t.batch_id = e.batch_id AND t.type = 'EARNING' AND t.subject_id = e.publisher_id LIMIT 1), e.day)`),
});
type Next = RowOf<typeof NEXT>;

/** Under holdCorrections: nobody corrects any of them meanwhile. */
const nextEvents = async (sql: SqlRunner, reversalId: number): Promise<Next[]> =>
  await readRows(
    sql,
    NEXT,
    `SELECT ${NEXT.list} FROM reversal_items i JOIN events e ON e.day = i.day AND e.id = i.event_id
     WHERE i.reversal_id = $1
       AND NOT EXISTS (SELECT FROM event_corrections c WHERE c.day = i.day AND c.event_id = i.event_id)
     ORDER BY i.day, i.event_id LIMIT ${EVENTS_PER_BATCH}`,
    [reversalId],
  );

async function reverse(
  deps: ActivityDeps,
  tx: Transaction,
  reversal: LockedReversal,
  events: readonly Next[],
): Promise<void> {
  const sql = runner(deps.db, tx);
  const { id: reversalId } = reversal;
  await holdMaturity(
    sql,
    events.map(({ earnedOn }) => earnedOn),
  );
  const maturing = await readMaturing(sql, placesOf(events));
  const advertiserIds = events.map(({ advertiserId }) => advertiserId);
  // Advertisers first, as settlement does, which holds them while it asks for publishers.
  await lockBalances(sql, [...new Set(advertiserIds)]);
  const number = reversal.batches + 1;
  const { batch, taken } = eventsReversed({ reversalId, number }, events, maturing);
  const { batchId, posted } = await postEntries(deps.db, tx, batch);
  if (!posted) throw new Error(`${batch.idempotencyKey} was posted before`);
  await addRows(
    sql,
    earningsMatured,
    taken.map(({ leftNanos, ...place }) => ({
      ...place,
      maturedNanos: '0',
      reversedNanos: leftNanos.toString(),
    })),
  );
  const by = { reversalId, appealId: null, batchId };
  await writeCorrections(
    sql,
    by,
    events.map(({ day: on, eventId, reason, priceNanos, publisherNanos }) => ({
      day: on,
      eventId,
      reason,
      priceDeltaNanos: -priceNanos,
      publisherDeltaNanos: -publisherNanos,
    })),
  );
  const sum = (of: (event: Next) => bigint): bigint =>
    events.reduce((total, event) => total + of(event), 0n);
  await reversal.update(
    {
      batches: number,
      reversedEvents: reversal.reversedEvents + events.length,
      reversedPriceNanos: reversal.reversedPriceNanos + sum(({ priceNanos }) => priceNanos),
      reversedPublisherNanos:
        reversal.reversedPublisherNanos + sum(({ publisherNanos }) => publisherNanos),
    },
    { transaction: tx },
  );
  await tellServing(deps, tx, advertiserIds);
}

function placesOf(events: readonly Next[]) {
  const places = new Map(
    events.map(({ publisherId, shard, earnedOn }) => [
      `${publisherId}:${shard}:${earnedOn}`,
      { publisherId, shard, day: earnedOn },
    ]),
  );
  return [...places.values()];
}

async function finish(
  deps: ActivityDeps,
  tx: Transaction,
  reversal: LockedReversal,
): Promise<void> {
  const { id, reversedEvents, batches } = reversal;
  await moveRecord(deps.db, tx, 'reversals', {
    record: reversal,
    state: 'status',
    action: 'finish',
    set: { endedAt: NOW },
  });
  await tellCorrected(
    deps,
    tx,
    { column: 'reversal_id', id },
    { advertiser: 'spend_credited', publisher: 'earnings_reversed' },
  );
  await reportOperation(deps, tx, reversalWorkflowId({ reversalId: id }), {
    status: 'succeeded',
    phase: 'applied',
    result: { events: reversedEvents, batches },
  });
  await recordAudit(deps.db, tx, {
    actor: { type: 'SYSTEM', id: null },
    action: 'reversal.finish',
    subject: { type: 'reversal', id },
    detail: { events: reversedEvents, batches },
  });
}
