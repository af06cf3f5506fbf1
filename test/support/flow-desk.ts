import type { WorkflowHandle } from '@temporalio/client';
import {
  createReconcileActivities,
  type ReconcileActivities,
} from '../../activities/flows/reconcile.ts';
import { setByOwner } from './by-owner.ts';
import { UNIT } from './make/money.ts';
import type { FlowStand } from './stand.ts';
import type { TestFlows } from './flows.ts';
import { until } from './until.ts';

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
  /** To its beginning, as the button of Temporal's page does; ends when the new run has read its rows. */
  reset: (workflowId: string) => Promise<void>;
  /** A lap of the reconciler at a later time: what was written until now has settled. */
  reconcile: (on?: TestFlows) => ReturnType<ReconcileActivities['reconcileFlows']>;
  /** Asks for 100 to a wallet that has ripened, whose mark tells the sandbox what goes wrong. */
  askWallet: (publisherId: number, mark?: string) => Promise<number>;
}

/** What the reconciler takes for settled is older than this (domain/flow-findings.ts). */
const LATER_MS = 2 * 60_000;
/** A workflow task that has ended, as Temporal wants it: the first of any history. */
const FIRST_TASK = 4;
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
  return {
    query,
    handle,
    put: async (key, value) => {
      await setByOwner(stand().database, key, value);
    },
    stateOf: async (workflowId, on = stand().flows) =>
      (await on.client.workflow.getHandle(workflowId).describe()).status.name,
    openTask: async (workflowId, kind = '%') =>
      await until(`a task of ${workflowId}`, async () => {
        const [row] = await query<{ id: string }>(
          `SELECT id FROM tasks WHERE workflow_id = $1 AND kind LIKE $2 AND status = 'open'`,
          [workflowId, kind],
        );
        return row === undefined ? undefined : Number(row.id);
      }),
    reset: async (workflowId) => {
      const { client, namespace } = stand().flows;
      const { runId } = await handle(workflowId).describe();
      await client.workflowService.resetWorkflowExecution({
        namespace,
        workflowExecution: { workflowId, runId },
        workflowTaskFinishEventId: FIRST_TASK as never,
        reason: 'test',
        requestId: `reset-${runId}`,
      });
      await until('the new run reads its rows', async () => {
        const description = await handle(workflowId).describe();
        return description.runId !== runId && description.historyLength > EVENTS_COPIED;
      });
    },
    reconcile: async (on = stand().flows) =>
      await createReconcileActivities({
        ...on.deps,
        temporal: on.client,
        clock: () => new Date(Date.now() + LATER_MS),
      }).reconcileFlows(),
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
