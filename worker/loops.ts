import { type Client, WorkflowIdConflictPolicy, WorkflowIdReusePolicy } from '@temporalio/client';
import type { Logger } from 'pino';
import {
  CLICK_EXPIRY_WORKFLOW,
  clickExpiryWorkflowId,
  MATURITY_WORKFLOW,
  MATURITY_WORKFLOW_ID,
  SETTLEMENT_WORKFLOW,
  settlementWorkflowId,
  UPKEEP_WORKFLOW,
  UPKEEP_WORKFLOW_ID,
} from '../workflows/contracts/loops.ts';

interface Loop {
  type: string;
  workflowId: string;
  args: object[];
  summary: string;
}

const ENSURE_EVERY_MS = 30_000;
const RPC_DEADLINE_MS = 5_000;

/** The endless flows of this platform: settlement and click expiry per shard, upkeep and maturity. */
export function loopsOf(shards: number): Loop[] {
  const perShard = Array.from({ length: shards }, (_, shard): Loop[] => [
    {
      type: SETTLEMENT_WORKFLOW,
      workflowId: settlementWorkflowId(shard),
      args: [{ shard }],
      summary: `Settlement of shard ${shard}`,
    },
    {
      type: CLICK_EXPIRY_WORKFLOW,
      workflowId: clickExpiryWorkflowId(shard),
      args: [{ shard }],
      summary: `Click expiry of shard ${shard}`,
    },
  ]);
  return [
    ...perShard.flat(),
    { type: UPKEEP_WORKFLOW, workflowId: UPKEEP_WORKFLOW_ID, args: [], summary: 'Hourly upkeep' },
    {
      type: MATURITY_WORKFLOW,
      workflowId: MATURITY_WORKFLOW_ID,
      args: [],
      summary: 'Maturity of earnings',
    },
  ];
}

/** Starts every loop that does not run. Harmless when all do. */
export async function ensureLoops(temporal: Client, loops: readonly Loop[]): Promise<void> {
  for (const loop of loops) {
    await temporal.withDeadline(Date.now() + RPC_DEADLINE_MS, async () => {
      await temporal.workflow.start(loop.type, {
        workflowId: loop.workflowId,
        taskQueue: 'loops',
        args: loop.args,
        staticSummary: loop.summary,
        workflowIdReusePolicy: WorkflowIdReusePolicy.ALLOW_DUPLICATE,
        workflowIdConflictPolicy: WorkflowIdConflictPolicy.USE_EXISTING,
      });
    });
  }
}

/** At start and every 30 s, so that a loop that somebody terminated heals. */
export function keepLoops(deps: { temporal: Client; log: Logger; shards: number }): {
  stop(): void;
} {
  const loops = loopsOf(deps.shards);
  const ensure = (): void => {
    ensureLoops(deps.temporal, loops).catch((error: unknown) => {
      deps.log.warn({ err: error }, 'loops could not be ensured; tried again');
    });
  };
  ensure();
  const timer = setInterval(ensure, ENSURE_EVERY_MS);
  return {
    stop: () => {
      clearInterval(timer);
    },
  };
}
