/** Endless loops: one workflow per shard, continued as new, started again if it ever ends. */
export interface ShardInput {
  shard: number;
}

/** A loop takes its own lengths where none are given. */
export interface LoopLengths {
  /** How long one activity runs. */
  lapMs?: number;
  /** Activities before the workflow continues as new. */
  lapsPerRun?: number;
}

export interface LoopInput extends ShardInput, LoopLengths {}

export const SETTLEMENT_WORKFLOW = 'settlementWorkflow';
export const settlementWorkflowId = (shard: number): string => `settlement:${shard}`;

export const CLICK_EXPIRY_WORKFLOW = 'clickExpiryWorkflow';
export const clickExpiryWorkflowId = (shard: number): string => `click-expiry:${shard}`;

/** Reports of conversions whose click was judged, and held ones whose window has ended. */
export const CONVERSIONS_WORKFLOW = 'conversionsWorkflow';
export const CONVERSIONS_WORKFLOW_ID = 'conversions';

/** Chains on which tokens of advertisers arrive. */
export const CHAINS_WORKFLOW = 'chainsWorkflow';
export const CHAINS_WORKFLOW_ID = 'chains';

/** Loops of builds before: a schedule does their work now, and one that still runs is ended. */
export const RETIRED_LOOPS = ['upkeep', 'maturity'] as const;
