/** What changed in the inventory; a serving process reloads only the rows named here. */
export type InventoryChange =
  | { topic: 'advertiser'; id: number }
  | { topic: 'publisher'; id: number }
  | { topic: 'settings' }
  | { topic: 'budgets'; budgets: BudgetNotice };

/** Sent by settlement after each batch. Money as decimal text of nanos. */
export interface BudgetNotice {
  day: string;
  /** Balance left, per advertiser. */
  available: Record<string, string>;
  /** Spent today and in all, per campaign; spent today, per ad group. */
  campaigns: Record<string, { today: string; total: string }>;
  adgroups: Record<string, string>;
}
