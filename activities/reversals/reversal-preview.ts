import { inTransaction, runner } from '../../db/postgres.ts';
import { sumReversalItems } from '../../db/queries/reversals.ts';
import { NOW } from '../../db/schema/move.ts';
import type { SqlRunner } from '../../db/sql-runner.ts';
import { notFound } from '../../domain/errors.ts';
import type { ReversalStatus } from '../../domain/lifecycle/reversal.ts';
import type { Rejudged } from '../../domain/tracking/rejudged.ts';
import { type ReversalInput, reversalWorkflowId } from '../../workflows/contracts/reversal.ts';
import { moveRecord } from '../core/move-record.ts';
import { reportOperation } from '../core/operations.ts';
import type { ActivityDeps } from '../deps.ts';
import { rejudge } from '../tracking/rejudge.ts';
import type { LockedReversal } from './reversal-moves.ts';

/** More is not looked at by anybody: it is to be asked for in parts. */
const ITEMS_MAX = 1_000_000;
const ROWS_AT_ONCE = 5_000;

/**
 * Finds the events and closes the preview: which they are, and what is taken back of whom, is fixed from then
 * on. All items in one transaction, so that a repeat finds none of an attempt before it.
 */
export async function prepareReversal(
  deps: ActivityDeps,
  { reversalId }: ReversalInput,
): Promise<{ status: ReversalStatus }> {
  const { reversals } = deps.db.models;
  const asked = await reversals.findByPk(reversalId);
  if (asked === null) throw notFound();
  if (asked.status !== 'PREPARING') return { status: asked.status };
  const found = asked.source === 'REJUDGE' ? await judgeAgain(deps, asked) : null;
  return await inTransaction(deps.db, async (tx) => {
    const sql = runner(deps.db, tx);
    // Days of events are read: the limit of a request is not one of this step, which has its own.
    await sql.query(`SET LOCAL statement_timeout = '25min'`);
    const reversal = await reversals.findByPk(reversalId, {
      transaction: tx,
      lock: tx.LOCK.UPDATE,
      rejectOnEmpty: true,
    });
    // Cancelled meanwhile.
    if (reversal.status !== 'PREPARING') return { status: reversal.status };
    if (found === null) await takeNamed(sql, reversal);
    else await takeRejudged(sql, reversal, found.differing);
    const sums = await sumReversalItems(sql, reversalId);
    const isTooMuch = sums.events > ITEMS_MAX;
    const workflowId = reversalWorkflowId({ reversalId });
    if (isTooMuch || sums.events === 0) {
      const failure = isTooMuch ? 'too_many_events' : null;
      await moveRecord(deps.db, tx, 'reversals', {
        record: reversal,
        state: 'status',
        action: isTooMuch ? 'fail' : 'end_empty',
        set: { failure, factless: found?.factless ?? 0, endedAt: NOW },
      });
      await reportOperation(deps, tx, workflowId, {
        status: isTooMuch ? 'failed' : 'succeeded',
        phase: isTooMuch ? 'failed' : 'empty',
        ...(failure === null ? {} : { error: { error: failure } }),
      });
      return { status: reversal.status };
    }
    await moveRecord(deps.db, tx, 'reversals', {
      record: reversal,
      state: 'status',
      action: 'preview',
      set: { ...sums, factless: found?.factless ?? 0 },
    });
    return { status: reversal.status };
  });
}

async function judgeAgain(
  deps: ActivityDeps,
  { scope }: LockedReversal,
): Promise<{ differing: Rejudged[]; factless: number }> {
  const { from = '', to = '', publisher_id: publisherId } = scope;
  const ask = { fromMs: Date.parse(from), toMs: Date.parse(to) };
  const { differing, factless } = await rejudge(deps.db, ask);
  // Only what was billed and would not be: what would be billed now is nobody's fault but ours.
  const wrong = differing.filter(
    (each) =>
      each.stored.reasons.length === 0 &&
      each.now.reasons.length > 0 &&
      (publisherId === undefined || each.publisherId === publisherId),
  );
  return { differing: wrong, factless };
}

const INTO = `INSERT INTO reversal_items
  (reversal_id, day, event_id, reason, advertiser_id, publisher_id, price_nanos, publisher_nanos)`;
/** Billed, and not corrected before. */
const STANDING = `e.billable AND e.advertiser_id IS NOT NULL AND e.publisher_id IS NOT NULL
  AND NOT EXISTS (SELECT FROM event_corrections c WHERE c.day = e.day AND c.event_id = e.id)`;

async function takeRejudged(
  sql: SqlRunner,
  { id }: LockedReversal,
  wrong: readonly Rejudged[],
): Promise<void> {
  for (let from = 0; from < wrong.length; from += ROWS_AT_ONCE) {
    const part = wrong.slice(from, from + ROWS_AT_ONCE);
    await sql.query(
      `${INTO} SELECT $1, e.day, e.id, n.reason, e.advertiser_id, e.publisher_id, e.price_nanos, e.publisher_nanos
       FROM unnest($2::date[], $3::uuid[], $4::text[]) AS n (day, id, reason)
       JOIN events e ON e.day = n.day AND e.id = n.id WHERE ${STANDING}`,
      [id, part.map(({ day }) => day), part.map((each) => each.id), part.map(reasonOf)],
    );
  }
}

const reasonOf = ({ now }: Rejudged): string => now.reasons[0] ?? '';

/** What a person found: by place and time, by settlement batch, or one by one. */
async function takeNamed(
  sql: SqlRunner,
  { id, source, reason, scope }: LockedReversal,
): Promise<void> {
  const { from, to, publisher_id, site_id, zone_id, batch_id, day, event_ids } = scope;
  const [only, values] =
    source === 'TRAFFIC'
      ? [
          `e.received_at >= $3::timestamptz AND e.received_at < $4::timestamptz
           AND e.day BETWEEN ($3::timestamptz AT TIME ZONE 'UTC')::date AND ($4::timestamptz AT TIME ZONE 'UTC')::date
           AND ($5::bigint IS NULL OR e.publisher_id = $5) AND ($6::bigint IS NULL OR e.site_id = $6)
           AND ($7::bigint IS NULL OR e.zone_id = $7)`,
          [from, to, publisher_id ?? null, site_id ?? null, zone_id ?? null],
        ]
      : source === 'BATCH'
        ? ['e.batch_id = $3', [batch_id]]
        : ['e.day = $3::date AND e.id = ANY($4::uuid[])', [day, event_ids]];
  await sql.query(
    `${INTO} SELECT $1, e.day, e.id, $2::text, e.advertiser_id, e.publisher_id, e.price_nanos, e.publisher_nanos
     FROM events e WHERE ${STANDING} AND ${only}`,
    [id, reason, ...values],
  );
}
