import { postEntries } from '../../activities/core/ledger.ts';
import type { ActivityDeps } from '../../activities/deps.ts';
import { reverseBatch } from '../../activities/reversals/reversal-batches.ts';
import { prepareReversal } from '../../activities/reversals/reversal-preview.ts';
import { createReversalActivities } from '../../activities/reversals/reversals.ts';
import { inTransaction, runner } from '../../db/postgres.ts';
import { lockBalances } from '../../db/queries/settlement.ts';
import { insertRows } from '../../db/schema/insert.ts';
import { events } from '../../db/tables/event.ts';
import { billingBatch } from '../../domain/ledger/postings.ts';
import type { ReversalScope, ReversalSource } from '../../domain/reversal.ts';
import type { TestDatabase } from './database.ts';

/** One event that was billed: to whom, and what it cost and brought. */
export interface Billed {
  id: string;
  advertiserId: number;
  publisherId: number;
  shard: number;
  priceNanos: bigint;
  publisherNanos: bigint;
}

export const TODAY = new Date().toISOString().slice(0, 10);

/** As settlement would leave them, each with its posting; raises where a balance does not cover them. */
export async function bill(
  { db }: Pick<TestDatabase, 'db'>,
  key: string,
  billed: readonly Billed[],
): Promise<void> {
  const [first] = billed;
  if (first === undefined) return;
  const { shard } = first;
  const totals = {
    spend: billed.map((each) => ({ ...each, campaignId: each.advertiserId, events: 1 })),
    earnings: billed.map((each) => ({ ...each, events: 1 })),
  };
  await inTransaction(db, async (tx) => {
    // Advertisers first, as settlement does.
    await lockBalances(
      runner(db, tx),
      billed.map((each) => each.advertiserId),
    );
    const { batchId } = await postEntries(db, tx, billingBatch(key, shard, totals));
    await insertRows(
      runner(db, tx),
      events,
      billed.map((each) => ({
        day: TODAY,
        id: each.id,
        shard,
        kind: 'impression' as const,
        receivedAt: `${TODAY}T00:00:01.000Z`,
        advertiserId: each.advertiserId,
        campaignId: each.advertiserId,
        adGroupId: 1,
        adId: 1,
        creativeId: 1,
        publisherId: each.publisherId,
        siteId: 1,
        zoneId: 1,
        device: 'DESKTOP',
        os: 'LINUX',
        browser: 'FIREFOX',
        billable: true,
        status: 'valid' as const,
        reason: null,
        priceNanos: each.priceNanos,
        publisherNanos: each.publisherNanos,
        batchId,
      })),
    );
  });
}

/** Asked for and looked for, by this operator. */
export async function previewReversal(
  deps: ActivityDeps,
  ask: { source: ReversalSource; scope: ReversalScope; makerId: number },
): Promise<{ reversalId: number; status: string }> {
  const { source, scope, makerId: operatorId } = ask;
  const { reversalId } = await createReversalActivities(deps).requestReversal({
    source,
    scope,
    reason: 'INVALID_TRAFFIC',
    note: 'A test',
    operatorId,
    requestId: 'test',
  });
  const { status } = await prepareReversal(deps, { reversalId });
  return { reversalId, status };
}

/** As the decision of another operator leaves it. */
export async function approveReversal(
  { pool }: Pick<TestDatabase, 'pool'>,
  reversalId: number,
  checkerId: number,
): Promise<void> {
  await pool.query(
    `UPDATE reversals SET status = 'APPLYING', checker_id = $2 WHERE id = $1 AND status = 'PREVIEW'`,
    [reversalId, checkerId],
  );
}

/** Batch after batch, to its end. */
export async function reverseAll(deps: ActivityDeps, reversalId: number): Promise<void> {
  while ((await reverseBatch(deps, { reversalId })).status === 'APPLYING');
}
