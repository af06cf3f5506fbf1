import type { WorkflowHandle } from '@temporalio/client';
import {
  createReconcileActivities,
  type ReconcileActivities,
} from '../../activities/flows/reconcile.ts';
import { setByOwner } from './by-owner.ts';
import { UNIT } from './make/money.ts';
import type { FlowStand } from './stand.ts';
import type { TestFlows } from './flows.ts';
import { eventually, until } from './until.ts';

/** What a test of flows asks of the rows, of Temporal and of the operators' queue. */
export interface FlowDesk {
  query: <Row extends object>(sql: string, values?: unknown[]) => Promise<Row[]>;
  /** A setting, as two persons would have agreed on it. */
  put: (key: string, value: unknown) => Promise<void>;
  /** How Temporal calls the state of a flow; of the stand's own flows unless others are named. */
  stateOf: (workflowId: string, on?: Pick<TestFlows, 'client'>) => Promise<string>;
  /** The open task of a flow, once there is one; `kind` is a LIKE pattern. */
  openTask: (workflowId: string, kind?: string) => Promise<number>;
  handle: (workflowId: string) => WorkflowHandle;
  /**
   * To its beginning, as the button of Temporal's page does; ends when the new run has read its rows. What the
   * run before was told is told again, unless its operator leaves that out.
   */
  reset: (workflowId: string, isToldAgain?: boolean) => Promise<void>;
  /** As the button of Temporal's page asks; ends when the flow has heard of it. */
  cancel: (workflowId: string) => Promise<void>;
  /** Ends when a lap of the reconciler has begun it again, after somebody ended it in Temporal. */
  begunAgain: (workflowId: string) => Promise<void>;
  /** Terminates it; ends when it is begun again. */
  terminate: (workflowId: string) => Promise<void>;
  /** Ends when it stands at a step that was refused, as Temporal's list says; answers the task that asks. */
  refused: (workflowId: string) => Promise<number>;
  /** A lap of the reconciler at a later time: what was written until now has settled. */
  reconcile: (on?: TestFlows) => ReturnType<ReconcileActivities['reconcileFlows']>;
  /** Asks for 100 to a wallet that has ripened, whose mark tells the sandbox what goes wrong. */
  askWallet: (publisherId: number, mark?: string) => Promise<number>;
}

/** What the reconciler takes for settled is older than this (domain/flow-findings.ts). */
const LATER_MS = 2 * 60_000;
/** A workflow task that has ended, as Temporal wants it: the first of any history. */
const FIRST_TASK = 4;
/** As Temporal's API numbers what a reset leaves out: signals and Updates. */
const WHAT_IT_WAS_TOLD = [1, 2];
/** The beginning, which a reset copies, and the first step behind it. */
const EVENTS_COPIED = 8;

/** The stand is made after this is: in beforeAll. */
export function flowDesk(stand: () => Pick<FlowStand, 'database' | 'flows'>): FlowDesk {
  const query: FlowDesk['query'] = async <Row extends object>(
    sql: string,
    values: unknown[] = [],
  ) => (await stand().database.pool.query(sql, values)).rows as Row[];
  const handle: FlowDesk['handle'] = (workflowId) =>
    stand().flows.client.workflow.getHandle(workflowId);
  const reconcile: FlowDesk['reconcile'] = async (on = stand().flows) =>
    await createReconcileActivities({
      ...on.deps,
      temporal: on.client,
      clock: () => new Date(Date.now() + LATER_MS),
    }).reconcileFlows();
  const begunAgain = async (workflowId: string): Promise<void> => {
    await eventually(async () => {
      await reconcile();
      const { status } = await handle(workflowId).describe();
      const isOver = status.name === 'TERMINATED' || status.name === 'CANCELLED';
      if (isOver) throw new Error(`${workflowId} is ${status.name}`);
    });
  };
  const openTask: FlowDesk['openTask'] = async (workflowId, kind = '%') =>
    await until(`a task of ${workflowId}`, async () => {
      const [row] = await query<{ id: string }>(
        `SELECT id FROM tasks WHERE workflow_id = $1 AND kind LIKE $2 AND status = 'open'`,
        [workflowId, kind],
      );
      return row === undefined ? undefined : Number(row.id);
    });
  return {
    query,
    handle,
    openTask,
    reconcile,
    put: async (key, value) => {
      await setByOwner(stand().database, key, value);
    },
    stateOf: async (workflowId, on = stand().flows) =>
      (await on.client.workflow.getHandle(workflowId).describe()).status.name,
    reset: async (workflowId, isToldAgain = true) => {
      const { client, namespace } = stand().flows;
      // A run that has just begun anew has no end of a first task to go back to yet.
      await until('its first task is done', async () => {
        const { events } = await handle(workflowId).fetchHistory();
        return events?.some((event) => Boolean(event.workflowTaskCompletedEventAttributes));
      });
      const { runId } = await handle(workflowId).describe();
      await client.workflowService.resetWorkflowExecution({
        namespace,
        workflowExecution: { workflowId, runId },
        workflowTaskFinishEventId: FIRST_TASK as never,
        reason: 'test',
        requestId: `reset-${runId}`,
        resetReapplyExcludeTypes: isToldAgain ? [] : WHAT_IT_WAS_TOLD,
      });
      await until('the new run reads its rows', async () => {
        const run = await handle(workflowId).describe();
        // One that fails is tried again until its fault is mended.
        const isReading = run.raw.pendingActivities?.some(({ attempt }) => (attempt ?? 1) < 2);
        return run.runId !== runId && run.historyLength >= EVENTS_COPIED && isReading !== true;
      });
    },
    cancel: async (workflowId) => {
      await handle(workflowId).cancel();
      await until('the cancel was heard', async () => {
        const events = (await handle(workflowId).fetchHistory()).events ?? [];
        const asked = events.findIndex((event) =>
          Boolean(event.workflowExecutionCancelRequestedEventAttributes),
        );
        return (
          asked >= 0 &&
          events.slice(asked).some((event) => Boolean(event.workflowTaskCompletedEventAttributes))
        );
      });
    },
    begunAgain,
    terminate: async (workflowId) => {
      await handle(workflowId).terminate('by mistake');
      await begunAgain(workflowId);
    },
    refused: async (workflowId) => {
      await until(`${workflowId} stands at a refused step`, async () => {
        const { status, typedSearchAttributes: shown } = await handle(workflowId).describe();
        const states = shown.getAll().filter(({ key }) => key.name === 'FlowState');
        return status.name === 'RUNNING' && states[0]?.value === 'refused';
      });
      return await openTask(workflowId, '%\\_refused');
    },
    askWallet: async (publisherId, mark = '') => {
      const { withdrawalId } = await stand().flows.activities.requestWithdrawal({
        publisherId,
        amountNanos: 100n * UNIT,
        channel: 'PAYPAL',
        accountInfo: `ada${publisherId}${mark}@example.com`,
        bank: null,
        kycUrl: '',
        requestId: 'test',
      });
      await query(
        `UPDATE withdrawals SET account_usable_from = now() - interval '1 day' WHERE id = $1`,
        [withdrawalId],
      );
      return withdrawalId;
    },
  };
}
