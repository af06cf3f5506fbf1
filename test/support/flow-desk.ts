import type { FlowStand } from './stand.ts';
import type { TestFlows } from './flows.ts';
import { until } from './until.ts';

/** What a test of flows asks of the rows, of Temporal and of the operators' queue. */
export interface FlowDesk {
  query: <Row extends object>(sql: string, values?: unknown[]) => Promise<Row[]>;
  /** A setting, by the operator of the desk. */
  put: (key: string, value: unknown) => Promise<void>;
  /** How Temporal calls the state of a flow; of the stand's own flows unless others are named. */
  stateOf: (workflowId: string, on?: Pick<TestFlows, 'client'>) => Promise<string>;
  /** The open task of a flow, once there is one; `kind` is a LIKE pattern. */
  openTask: (workflowId: string, kind?: string) => Promise<number>;
}

/** The stand and its operator are made after this is: in beforeAll. */
export function flowDesk(
  stand: () => Pick<FlowStand, 'database' | 'flows'>,
  operatorId: () => number,
): FlowDesk {
  const query: FlowDesk['query'] = async <Row extends object>(
    sql: string,
    values: unknown[] = [],
  ) => (await stand().database.pool.query(sql, values)).rows as Row[];
  return {
    query,
    put: async (key, value) => {
      await stand().flows.activities.putSetting({ key, value, operatorId: operatorId() });
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
  };
}
