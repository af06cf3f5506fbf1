import type { Nanos } from '../money.ts';

/** One cap and what was spent against it; a null cap is no limit. */
export interface Cap {
  capNanos: Nanos | null;
  spentNanos: Nanos;
}

export interface Charge {
  /** Whose charge it is; only who looks back asks. */
  eventId?: string | undefined;
  advertiserId: number;
  campaignId: number;
  adGroupId: number;
  /** UTC day on which the event was received, `2026-01-31`. */
  day: string;
  priceNanos: Nanos;
}

/** Room that is left, as locked at the start of a batch; each take narrows it. */
export interface SpendingRoom {
  /** Whether a charge stays within every cap, and within the balance. */
  check(charge: Charge): { overBudget: boolean; overBalance: boolean };
  /** The charge must have passed check. */
  take(charge: Charge): void;
  /** Balance after what was taken; 0 for an advertiser without an account. */
  balance(advertiserId: number): Nanos;
  spentOn(scope: BudgetScope, id: number, day: string): Nanos;
  spentTotal(campaignId: number): Nanos;
  /** Amounts taken in this batch. */
  takenDays(): {
    scope: BudgetScope;
    id: number;
    day: string;
    takenNanos: Nanos;
    capNanos: Nanos | null;
  }[];
  takenTotals(): { campaignId: number; takenNanos: Nanos; capNanos: Nanos | null }[];
}

export type BudgetScope = 'campaign' | 'adgroup';

export interface RoomFacts {
  balances: ReadonlyMap<number, Nanos>;
  /** Configured caps by campaign and ad group; absent is no limit. */
  dailyCaps: Readonly<Record<BudgetScope, ReadonlyMap<number, Nanos | null>>>;
  totalCaps: ReadonlyMap<number, Nanos | null>;
  /** Spent before this batch, by dayKey. */
  spentDays: ReadonlyMap<string, Nanos>;
  spentTotals: ReadonlyMap<number, Nanos>;
}

export const dayKey = (scope: BudgetScope, id: number, day: string): string =>
  `${scope}:${id}:${day}`;

export function createSpendingRoom(facts: RoomFacts): SpendingRoom {
  const takenBalances = new Map<number, Nanos>();
  const takenDays = new Map<
    string,
    { scope: BudgetScope; id: number; day: string; nanos: Nanos }
  >();
  const takenTotals = new Map<number, Nanos>();

  const balance = (advertiserId: number): Nanos =>
    (facts.balances.get(advertiserId) ?? 0n) - (takenBalances.get(advertiserId) ?? 0n);
  const spentOn = (scope: BudgetScope, id: number, day: string): Nanos => {
    const key = dayKey(scope, id, day);
    return (facts.spentDays.get(key) ?? 0n) + (takenDays.get(key)?.nanos ?? 0n);
  };
  const spentTotal = (campaignId: number): Nanos =>
    (facts.spentTotals.get(campaignId) ?? 0n) + (takenTotals.get(campaignId) ?? 0n);
  const dailyCap = (scope: BudgetScope, id: number): Nanos | null =>
    facts.dailyCaps[scope].get(id) ?? null;
  const takeDay = (scope: BudgetScope, id: number, { day, priceNanos }: Charge): void => {
    const key = dayKey(scope, id, day);
    const nanos = (takenDays.get(key)?.nanos ?? 0n) + priceNanos;
    takenDays.set(key, { scope, id, day, nanos });
  };

  return {
    balance,
    spentOn,
    spentTotal,
    check: (charge) => {
      const { advertiserId, campaignId, adGroupId, day, priceNanos } = charge;
      if (priceNanos === 0n) return { overBudget: false, overBalance: false };
      const caps: Cap[] = [
        {
          capNanos: dailyCap('campaign', campaignId),
          spentNanos: spentOn('campaign', campaignId, day),
        },
        {
          capNanos: dailyCap('adgroup', adGroupId),
          spentNanos: spentOn('adgroup', adGroupId, day),
        },
        {
          capNanos: facts.totalCaps.get(campaignId) ?? null,
          spentNanos: spentTotal(campaignId),
        },
      ];
      return {
        overBudget: caps.some(
          ({ capNanos, spentNanos }) => capNanos !== null && spentNanos + priceNanos > capNanos,
        ),
        overBalance: priceNanos > balance(advertiserId),
      };
    },
    take: (charge) => {
      if (charge.priceNanos === 0n) return;
      const { advertiserId, campaignId, adGroupId, priceNanos } = charge;
      takenBalances.set(advertiserId, (takenBalances.get(advertiserId) ?? 0n) + priceNanos);
      takenTotals.set(campaignId, (takenTotals.get(campaignId) ?? 0n) + priceNanos);
      takeDay('campaign', campaignId, charge);
      takeDay('adgroup', adGroupId, charge);
    },
    takenDays: () =>
      [...takenDays.values()].map(({ scope, id, day, nanos }) => ({
        scope,
        id,
        day,
        takenNanos: nanos,
        capNanos: dailyCap(scope, id),
      })),
    takenTotals: () =>
      [...takenTotals].map(([campaignId, takenNanos]) => ({
        campaignId,
        takenNanos,
        capNanos: facts.totalCaps.get(campaignId) ?? null,
      })),
  };
}
