import type { Transaction } from 'sequelize';
import type { AdWithCaps } from '../../db/queries/settlement.ts';
import { eventCostOf } from '../../domain/auction/price.ts';
import type { Nanos } from '../../domain/money.ts';
import type { JudgedEvent } from '../../domain/tracking/batch.ts';
import { dayOf } from '../../domain/tracking/utc-day.ts';
import type { SpendingRoom } from '../../domain/tracking/spending-room.ts';
import { notify, notifyLowBalances } from '../accounts/notifications.ts';
import type { ActivityDeps } from '../deps.ts';

interface Spending {
  judged: readonly JudgedEvent[];
  ads: ReadonlyMap<number, AdWithCaps>;
  room: SpendingRoom;
}

interface SpentBudget {
  advertiserId: number;
  campaignId: number;
  budget: 'daily' | 'total';
  /** Told once under it: of a day, or of a cap. */
  key: string;
}

/** Whose balance is low now, and which campaigns have stopped for their budget. */
export async function notifySpending(
  deps: ActivityDeps,
  tx: Transaction,
  spending: Spending,
): Promise<void> {
  const { judged, room } = spending;
  const charged = new Set<number>();
  for (const { ad, priceNanos } of judged) {
    if (ad !== null && priceNanos !== 0n) charged.add(ad.advertiserId);
  }
  const accounts = [...charged].map((accountId) => ({
    accountId,
    balanceNanos: room.balance(accountId),
  }));
  await notifyLowBalances(deps, tx, accounts);
  for (const spent of spentBudgets(spending)) await notifySpent(deps, tx, spent);
}

/** A cap under which the next event at the campaign's bid no longer fits: its ads are not shown any more. */
function spentBudgets({ judged, ads, room }: Spending): SpentBudget[] {
  const found = new Map<string, SpentBudget>();
  const looked = new Map<AdWithCaps, string>();
  for (const { track, event, priceNanos, verdict } of judged) {
    const isTouched = priceNanos > 0n || verdict.reasons.includes('BUDGET_EXCEEDED');
    const ad = track === null || !isTouched ? undefined : ads.get(track.adId);
    if (ad === undefined) continue;
    const { advertiserId, campaignId } = ad;
    const day = dayOf(event.receivedAtMs);
    // As the batch leaves it, so once for all events of an ad.
    if (looked.get(ad) === day) continue;
    looked.set(ad, day);
    const cost = eventCostOf(ad.pricingModel, ad.bidNanos);
    const isSpent = (cap: Nanos | null, spent: Nanos): boolean =>
      cap !== null && cap - spent < cost;
    const budget = isSpent(ad.campaignTotalCapNanos, room.spentTotal(campaignId))
      ? 'total'
      : isSpent(ad.campaignDailyCapNanos, room.spentOn('campaign', campaignId, day))
        ? 'daily'
        : null;
    if (budget === null) continue;
    const of = budget === 'daily' ? day : String(ad.campaignTotalCapNanos);
    const key = `budget:${campaignId}:${of}`;
    found.set(key, { advertiserId, campaignId, budget, key });
  }
  return [...found.values()];
}

async function notifySpent(
  deps: ActivityDeps,
  tx: Transaction,
  { advertiserId, campaignId, budget, key }: SpentBudget,
): Promise<void> {
  const campaign = await deps.db.models.campaigns.findByPk(campaignId, {
    attributes: ['name'],
    transaction: tx,
  });
  await notify(deps, tx, {
    accountId: advertiserId,
    kind: 'budget_spent',
    subject: { type: 'campaign', id: campaignId },
    params: { name: campaign?.name ?? String(campaignId), budget },
    dedupeKey: key,
  });
}
