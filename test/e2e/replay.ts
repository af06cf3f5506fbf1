import { Client, Connection } from '@temporalio/client';
import { Worker } from '@temporalio/worker';
import path from 'node:path';
import { parseKeys } from '../../config-keys.ts';
import { sealing } from '../../worker/pools.ts';
import type { Platform } from '../support/platform.ts';

export interface FlowSummary {
  workflowId: string;
  type: string;
  status: string;
}

/**
 * Replays the history of every flow of a platform against today's workflow code. A history that
 * the code no longer reproduces raises DeterminismViolationError with the flow's id.
 */
export async function replayAllHistories(platform: Platform): Promise<FlowSummary[]> {
  const keys = parseKeys('FLOW_KEYS', platform.env['FLOW_KEYS'] ?? '', []);
  const connection = await Connection.connect({ address: platform.temporalAddress });
  try {
    const client = new Client({ connection, namespace: platform.namespace });
    const flows: FlowSummary[] = [];
    const histories: { workflowId: string; history: unknown }[] = [];
    for await (const execution of client.workflow.list()) {
      flows.push({
        workflowId: execution.workflowId,
        type: execution.type,
        status: execution.status.name,
      });
      const handle = client.workflow.getHandle(execution.workflowId, execution.runId);
      histories.push({ workflowId: execution.workflowId, history: await handle.fetchHistory() });
    }
    const results = Worker.runReplayHistories(
      { workflowsPath: path.join(process.cwd(), 'workflows/index.ts'), ...sealing(keys) },
      histories,
    );
    for await (const result of results) {
      if (result.error)
        throw new Error(`${result.workflowId} does not replay`, { cause: result.error });
    }
    return flows;
  } finally {
    await connection.close();
  }
}
