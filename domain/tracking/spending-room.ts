import type { Nanos } from '../money.ts';

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

/** Money under one cap: what was spent before the batch, and until now. */
interface Purse {
  readonly scope: BudgetScope | 'total';
  readonly id: number;
  readonly day: string;
  readonly capNanos: Nanos | null;
  readonly beforeNanos: Nanos;
  spentNanos: Nanos;
}

export function createSpendingRoom(facts: RoomFacts): SpendingRoom {
  const balances = new Map<number, Nanos>(facts.balances);
  const days = { campaign: new Map<string, Purses>(), adgroup: new Map<string, Purses>() };
  const totals: Purses = new Map();
  const taken: Purse[] = [];

  const dayPurse = (scope: BudgetScope, id: number, day: string): Purse => {
    let purses = days[scope].get(day);
    if (purses === undefined) days[scope].set(day, (purses = new Map()));
    let purse = purses.get(id);
    if (purse === undefined) {
      const beforeNanos = facts.spentDays.get(dayKey(scope, id, day)) ?? 0n;
      const capNanos = facts.dailyCaps[scope].get(id) ?? null;
      purse = { scope, id, day, capNanos, beforeNanos, spentNanos: beforeNanos };
      purses.set(id, purse);
    }
    return purse;
  };
  const totalPurse = (id: number): Purse => {
    let purse = totals.get(id);
    if (purse === undefined) {
      const beforeNanos = facts.spentTotals.get(id) ?? 0n;
      const capNanos = facts.totalCaps.get(id) ?? null;
      purse = { scope: 'total', id, day: '', capNanos, beforeNanos, spentNanos: beforeNanos };
      totals.set(id, purse);
    }
    return purse;
  };
  const isOver = ({ capNanos, spentNanos }: Purse, priceNanos: Nanos): boolean =>
    capNanos !== null && spentNanos + priceNanos > capNanos;
  const takeFrom = (purse: Purse, priceNanos: Nanos): void => {
    if (purse.spentNanos === purse.beforeNanos) taken.push(purse);
    purse.spentNanos += priceNanos;
  };
  const balance = (advertiserId: number): Nanos => balances.get(advertiserId) ?? 0n;

  return {
    balance,
    spentOn: (scope, id, day) => dayPurse(scope, id, day).spentNanos,
    spentTotal: (campaignId) => totalPurse(campaignId).spentNanos,
    check: ({ advertiserId, campaignId, adGroupId, day, priceNanos }) => {
      if (priceNanos === 0n) return ENOUGH;
      const overBudget =
        isOver(dayPurse('campaign', campaignId, day), priceNanos) ||
        isOver(dayPurse('adgroup', adGroupId, day), priceNanos) ||
        isOver(totalPurse(campaignId), priceNanos);
      const overBalance = priceNanos > balance(advertiserId);
      return overBudget || overBalance ? { overBudget, overBalance } : ENOUGH;
    },
    take: ({ advertiserId, campaignId, adGroupId, day, priceNanos }) => {
      if (priceNanos === 0n) return;
      balances.set(advertiserId, balance(advertiserId) - priceNanos);
      takeFrom(totalPurse(campaignId), priceNanos);
      takeFrom(dayPurse('campaign', campaignId, day), priceNanos);
      takeFrom(dayPurse('adgroup', adGroupId, day), priceNanos);
    },
    takenDays: () =>
      taken.flatMap(({ scope, id, day, capNanos, beforeNanos, spentNanos }) =>
        scope === 'total'
          ? []
          : [{ scope, id, day, takenNanos: spentNanos - beforeNanos, capNanos }],
      ),
    takenTotals: () =>
      taken.flatMap(({ scope, id, capNanos, beforeNanos, spentNanos }) =>
        scope === 'total'
          ? [{ campaignId: id, takenNanos: spentNanos - beforeNanos, capNanos }]
          : [],
      ),
  };
}

type Purses = Map<number, Purse>;
const ENOUGH = { overBudget: false, overBalance: false } as const;
