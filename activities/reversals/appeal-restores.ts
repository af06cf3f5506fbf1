import { Context } from '@temporalio/activity';
import type { Transaction } from 'sequelize';
import { inTransaction, runner } from '../../db/postgres.ts';
import { removedEvents, type RemovedEvent, restoredSpend } from '../../db/events/removed-events.ts';
import { loadAds, loadShares, loadSpent, lockBalances } from '../../db/queries/settlement.ts';
import type { RecordOf } from '../../db/schema/models.ts';
import type { SqlRunner } from '../../db/sql-runner.ts';
import {
  type CorrectedMoney,
  eventsRestored,
  type Payer,
} from '../../domain/ledger/correction-postings.ts';
import { shareOf } from '../../domain/money.ts';
import { shareAt } from '../../domain/tracking/shares.ts';
import {
  createSpendingRoom,
  dayKey,
  type SpendingRoom,
} from '../../domain/tracking/spending-room.ts';
import { bills } from '../../domain/tracking/verdict.ts';
import type { RemovalAppealInput } from '../../workflows/contracts/removal-appeal.ts';
import { postEntries } from '../core/ledger.ts';
import type { ActivityDeps } from '../deps.ts';
import { holdCorrections, tellCorrected, tellServing, writeCorrections } from './corrections.ts';

const EVENTS_PER_BATCH = 500;
type Appeal = RecordOf<'removalAppeals'>;
type Priced = Omit<CorrectedMoney, 'earnedOn'> & { event: RemovedEvent };

export function createAppealRestoreActivities(deps: ActivityDeps) {
  return {
    /**
     * Bills what an upheld appeal says was removed wrongly, a batch per transaction, and goes on from where it
     * was cut off. The advertiser pays where budget and balance have room for it as of then; where they have
     * not, the platform pays the publisher's share: it was its mistake.
     */
    async restoreRemoved({ appealId }: RemovalAppealInput): Promise<{ batches: number }> {
      const { heartbeat, cancellationSignal } = Context.current();
      for (;;) {
        const { restoredAt, restoreBatches } = await restoreBatch(deps, appealId);
        if (restoredAt !== null) return { batches: restoreBatches };
        heartbeat(restoreBatches);
        cancellationSignal.throwIfAborted();
      }
    },
  };
}

/** One batch, or the end when nothing is left; answers the appeal as it is then. */
export async function restoreBatch(deps: ActivityDeps, appealId: number): Promise<Appeal> {
  return await inTransaction(deps.db, async (tx) => {
    const appeal = await deps.db.models.removalAppeals.findByPk(appealId, {
      transaction: tx,
      lock: tx.LOCK.UPDATE,
      rejectOnEmpty: true,
    });
    if (appeal.status !== 'UPHELD') throw new Error(`appeal ${appealId} is not upheld`);
    if (appeal.restoredAt !== null) return appeal;
    const sql = runner(deps.db, tx);
    await holdCorrections(sql);
    const priced = await pricesOf(sql, await removedEvents(sql, appeal, EVENTS_PER_BATCH));
    if (priced.length > 0) await restore(deps, tx, appeal, priced);
    else {
      const kinds = { advertiser: 'spend_restored', publisher: 'earnings_restored' } as const;
      await appeal.update({ restoredAt: deps.clock() }, { transaction: tx });
      await tellCorrected(deps, tx, { column: 'appeal_id', id: appealId }, kinds);
    }
    return appeal;
  });
}

/** What all of it would earn its publisher, as far as one batch goes: whether a second person must agree. */
export async function wouldEarn(sql: SqlRunner, appeal: Appeal): Promise<bigint> {
  const events = await removedEvents(sql, appeal, Number.MAX_SAFE_INTEGER);
  return (await pricesOf(sql, events)).reduce((sum, each) => sum + each.publisherNanos, 0n);
}

/** As settlement would have charged them: the price that was sealed, the share that was in force. */
async function pricesOf(sql: SqlRunner, events: readonly RemovedEvent[]): Promise<Priced[]> {
  const shares = await loadShares(
    sql,
    [...new Set(events.map((event) => event.publisherId))],
    events.reduce((first, { receivedAt }) => Math.min(first, receivedAt.getTime()), Infinity),
  );
  return events.map((event) => {
    const { pricingModel, kind, facts, keptPriceNanos, publisherId, receivedAt } = event;
    const sealed = facts?.track?.priceNanos;
    const price = sealed === undefined ? (keptPriceNanos ?? 0n) : BigInt(sealed);
    const priceNanos = pricingModel !== null && bills(pricingModel, kind) ? price : 0n;
    const sharePpm = shareAt(shares, publisherId, receivedAt.getTime());
    const { advertiserId, campaignId, shard } = event;
    const publisherNanos = shareOf(priceNanos, sharePpm);
    return { event, advertiserId, campaignId, publisherId, shard, priceNanos, publisherNanos };
  });
}

async function restore(
  deps: ActivityDeps,
  tx: Transaction,
  appeal: Appeal,
  priced: readonly Priced[],
): Promise<void> {
  const sql = runner(deps.db, tx);
  const { id: appealId } = appeal;
  const room = await roomFor(sql, priced);
  const charged = priced.map((each) => ({ ...each, payer: payerOf(room, each) }));
  const number = appeal.restoreBatches + 1;
  const batch = eventsRestored({ appealId, number }, charged);
  const { batchId, posted } = await postEntries(deps.db, tx, batch);
  if (!posted) throw new Error(`${batch.idempotencyKey} was posted before`);
  await writeCorrections(
    sql,
    { batchId, reversalId: null, appealId },
    charged.map(({ event, payer, priceNanos, publisherNanos }) => ({
      day: event.day,
      eventId: event.id,
      reason: null,
      priceDeltaNanos: payer === 'ADVERTISER' ? priceNanos : 0n,
      publisherDeltaNanos: publisherNanos,
    })),
  );
  await appeal.update({ restoreBatches: number }, { transaction: tx });
  await tellServing(
    deps,
    tx,
    charged.map((each) => each.advertiserId),
  );
}

function payerOf(room: SpendingRoom, { event, ...money }: Priced): Payer {
  const charge = { ...money, adGroupId: event.adGroupId, day: event.day };
  const { overBudget, overBalance } = room.check(charge);
  if (overBudget || overBalance) return 'PLATFORM';
  room.take(charge);
  return 'ADVERTISER';
}

/** What budgets of that day and balances of now have room for; what appeals charged before is spent too. */
async function roomFor(sql: SqlRunner, priced: readonly Priced[]): Promise<SpendingRoom> {
  const unique = (ids: readonly number[]): number[] => [...new Set(ids)];
  const ads = [...(await loadAds(sql, unique(priced.map(({ event }) => event.adId)))).values()];
  // Advertisers first, as settlement does, which holds them while it asks for publishers.
  const balances = await lockBalances(sql, unique(priced.map((each) => each.advertiserId)));
  const campaignIds = unique(priced.map((each) => each.campaignId));
  const { days, totals } = await loadSpent(sql, {
    campaignIds,
    adGroupIds: unique(priced.map(({ event }) => event.adGroupId)),
    days: [...new Set(priced.map(({ event }) => event.day))],
  });
  const grow = <Key>(of: Map<Key, bigint>, key: Key, nanos: bigint): unknown =>
    of.set(key, (of.get(key) ?? 0n) + nanos);
  for (const { campaignId, adGroupId, day, nanos } of await restoredSpend(sql, campaignIds)) {
    grow(days, dayKey('campaign', campaignId, day), nanos);
    grow(days, dayKey('adgroup', adGroupId, day), nanos);
    grow(totals, campaignId, nanos);
  }
  return createSpendingRoom({
    balances,
    dailyCaps: {
      campaign: new Map(ads.map((ad) => [ad.campaignId, ad.campaignDailyCapNanos])),
      adgroup: new Map(ads.map((ad) => [ad.adGroupId, ad.adGroupDailyCapNanos])),
    },
    totalCaps: new Map(ads.map((ad) => [ad.campaignId, ad.campaignTotalCapNanos])),
    spentDays: days,
    spentTotals: totals,
  });
}
