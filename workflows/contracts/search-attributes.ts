/**
 * What Temporal's lists are filtered by. Ids and coarse words only: Temporal keeps them in clear.
 * Registered in the namespace by worker/search-attributes.ts.
 */
export const SEARCH_ATTRIBUTES = {
  /** A name of STAGES (stages.ts). */
  FlowState: 'KEYWORD',
  /** A person of ours has to do something. */
  NeedsOperator: 'BOOL',
  AccountId: 'INT',
  /** `creative:12`, `withdrawal:7`. */
  SubjectId: 'KEYWORD',
  /** A word of the payout's lifecycle. */
  PayoutState: 'KEYWORD',
  DueAt: 'DATETIME',
  /** A word of AMOUNT_BANDS, never a sum. */
  AmountBand: 'KEYWORD',
} as const;

/** What is known at the start of a flow; costs it no event of its own. */
export interface StartAttributes {
  state?: string;
  accountId?: number | null;
  /** `creative:12` */
  subject?: string;
  amountBand?: string;
  dueAt?: string;
}

/** Questions that operators ask daily; the console links each into Temporal's UI (docs/runbooks). */
export const SAVED_QUERIES = {
  waits_for_us: "NeedsOperator = true AND ExecutionStatus = 'Running'",
  overdue: "NeedsOperator = true AND DueAt < '{now}' AND ExecutionStatus = 'Running'",
  payouts_unknown: "PayoutState = 'UNKNOWN' AND ExecutionStatus = 'Running'",
  large_money: "AmountBand IN ('FROM_10K', 'FROM_100K') AND ExecutionStatus = 'Running'",
  stuck: 'TemporalReportedProblems IS NOT NULL',
  ended_badly: "ExecutionStatus IN ('Failed', 'Terminated', 'Canceled', 'TimedOut')",
} as const;
export type SavedQuery = keyof typeof SAVED_QUERIES;
