import {
  type Client,
  WorkflowIdConflictPolicy,
  WorkflowIdReusePolicy,
  WorkflowNotFoundError,
} from '@temporalio/client';
import type { Logger } from 'pino';
import { startAttributes } from '../activities/core/search-attributes.ts';
import {
  CHAINS_WORKFLOW,
  CHAINS_WORKFLOW_ID,
  CLICK_EXPIRY_WORKFLOW,
  clickExpiryWorkflowId,
  CONVERSIONS_WORKFLOW,
  CONVERSIONS_WORKFLOW_ID,
  RETIRED_LOOPS,
  SETTLEMENT_WORKFLOW,
  settlementWorkflowId,
} from '../workflows/contracts/loops.ts';
import { ensureSchedules } from './schedules.ts';

interface Loop {
  type: string;
  workflowId: string;
  args: object[];
  summary: string;
}

const ENSURE_EVERY_MS = 30_000;
const RPC_DEADLINE_MS = 5_000;

/** The endless flows of this platform: settlement and click expiry per shard, and conversions. */
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
  const conversions = {
    type: CONVERSIONS_WORKFLOW,
    workflowId: CONVERSIONS_WORKFLOW_ID,
    args: [],
    summary: 'Decisions on conversions',
  };
  const chains = {
    type: CHAINS_WORKFLOW,
    workflowId: CHAINS_WORKFLOW_ID,
    args: [],
    summary: 'Watch of the chains that tokens arrive on',
  };
  return [...perShard.flat(), conversions, chains];
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
        typedSearchAttributes: startAttributes({ state: 'loop', subject: loop.workflowId }),
        workflowIdReusePolicy: WorkflowIdReusePolicy.ALLOW_DUPLICATE,
        workflowIdConflictPolicy: WorkflowIdConflictPolicy.USE_EXISTING,
      });
    });
  }
}

/** Of a build before; what they do is scheduled now. Harmless when none runs. */
export async function endRetiredLoops(temporal: Client): Promise<void> {
  for (const workflowId of RETIRED_LOOPS) {
    try {
      await temporal.withDeadline(Date.now() + RPC_DEADLINE_MS, async () => {
        await temporal.workflow.getHandle(workflowId).terminate('its work is scheduled now');
      });
    } catch (error) {
      if (!(error instanceof WorkflowNotFoundError)) throw error;
    }
  }
}

/** At start and every 30 s, so that what somebody terminated or deleted heals, also with a new Temporal. */
export function keepLoops(deps: { temporal: Client; log: Logger; shards: number }): {
  stop(): void;
} {
  const loops = loopsOf(deps.shards);
  // What this build declares is written once; afterwards only what is missing.
  let isDeclared = false;
  const ensureAll = async (): Promise<void> => {
    await ensureLoops(deps.temporal, loops);
    await ensureSchedules(deps.temporal, { rewrite: !isDeclared });
    if (!isDeclared) await endRetiredLoops(deps.temporal);
    isDeclared = true;
  };
  const ensure = (): void => {
    ensureAll().catch((error: unknown) => {
      deps.log.warn({ err: error }, 'loops and schedules could not be ensured; tried again');
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
