import { type Client, WorkflowNotFoundError } from '@temporalio/client';
import { DEPOSIT_CANCEL_SIGNAL, DEPOSIT_WORKFLOW } from '../../workflows/contracts/deposit.ts';
import { REVIEW_WITHDRAW_SIGNAL, REVIEW_WORKFLOW } from '../../workflows/contracts/review.ts';
import {
  SITE_VERIFICATION_WITHDRAW_SIGNAL,
  SITE_VERIFICATION_WORKFLOW,
} from '../../workflows/contracts/site-verification.ts';
import {
  WITHDRAWAL_CANCEL_SIGNAL,
  WITHDRAWAL_WORKFLOW,
} from '../../workflows/contracts/withdrawal.ts';

export interface RunningFlow {
  workflowId: string;
  type: string;
  startedAt: Date;
}

const RUNNING = "ExecutionStatus = 'Running'";
const PAGE = 1_000;

/** Every flow that runs, as Temporal's list tells it: a moment late. */
export async function* runningFlows(temporal: Client): AsyncGenerator<RunningFlow> {
  for await (const each of temporal.workflow.list({ query: RUNNING, pageSize: PAGE })) {
    yield { workflowId: each.workflowId, type: each.type, startedAt: each.startTime };
  }
}

/** RUNNING, how the last execution ended, or NONE; asked of the flow itself, so never late. */
export async function stateOfExecution(temporal: Client, workflowId: string): Promise<string> {
  try {
    return (await temporal.workflow.getHandle(workflowId).describe()).status.name;
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return 'NONE';
    throw error;
  }
}

/** The run that goes on under this id; null where none does. `isWaiting`: for a person, a message or a timer. */
export async function runOf(
  temporal: Client,
  workflowId: string,
): Promise<{ runId: string; isWaiting: boolean } | null> {
  try {
    const { status, runId, raw } = await temporal.workflow.getHandle(workflowId).describe();
    const { pendingActivities, pendingWorkflowTask } = raw;
    const isWaiting = !pendingWorkflowTask && (pendingActivities ?? []).length === 0;
    return status.name === 'RUNNING' ? { runId, isWaiting } : null;
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return null;
    throw error;
  }
}

/** Signals that only wake a flow: it reads its rows again, and ends when they are closed. */
const WAKES: Readonly<Record<string, string>> = {
  [DEPOSIT_WORKFLOW]: DEPOSIT_CANCEL_SIGNAL,
  [WITHDRAWAL_WORKFLOW]: WITHDRAWAL_CANCEL_SIGNAL,
  [REVIEW_WORKFLOW]: REVIEW_WITHDRAW_SIGNAL,
  [SITE_VERIFICATION_WORKFLOW]: SITE_VERIFICATION_WITHDRAW_SIGNAL,
};

export const canWake = (type: string): boolean => WAKES[type] !== undefined;

export async function wakeFlow(temporal: Client, flow: RunningFlow): Promise<void> {
  const signal = WAKES[flow.type];
  if (signal === undefined) return;
  await temporal.workflow.getHandle(flow.workflowId).signal(signal);
}
