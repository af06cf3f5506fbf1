/** Endless loops: one workflow per shard, continued as new, started again if it ever ends. */
export interface ShardInput {
  shard: number;
}

/** Without the last two a loop takes its own lengths. */
export interface LoopInput extends ShardInput {
  /** How long one activity runs. */
  lapMs?: number;
  /** Activities before the workflow continues as new. */
  lapsPerRun?: number;
}

export const SETTLEMENT_WORKFLOW = 'settlementWorkflow';
export const settlementWorkflowId = (shard: number): string => `settlement:${shard}`;

export const CLICK_EXPIRY_WORKFLOW = 'clickExpiryWorkflow';
export const clickExpiryWorkflowId = (shard: number): string => `click-expiry:${shard}`;

/** Loops of builds before: a schedule does their work now, and one that still runs is ended. */
export const RETIRED_LOOPS = ['upkeep', 'maturity'] as const;
