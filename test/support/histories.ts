import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Client } from '@temporalio/client';
import { historyFromJSON, historyToJSON } from '@temporalio/common/lib/proto-utils.js';

/**
 * Histories of real runs, kept with the code: whoever changes a flow learns here whether the flows
 * that run in production would go on. Written anew only on purpose: CAPTURE_HISTORIES=1.
 */
const FOLDER = path.resolve('test', 'workflows', 'histories');

export interface StoredHistory {
  /** `<workflow type>.<scenario>`. */
  name: string;
  /** As the history itself says: what the file is called proves nothing. */
  type: string;
  workflowId: string;
  history: ReturnType<typeof historyFromJSON>;
}

/** `name` is `<workflow type>.<scenario>`; without a run id the latest run. */
export async function captureHistory(
  client: Client,
  flow: { workflowId: string; runId?: string },
  name: string,
): Promise<void> {
  if (process.env['CAPTURE_HISTORIES'] !== '1') return;
  const { workflowId, runId } = flow;
  const history = await client.workflow.getHandle(workflowId, runId).fetchHistory();
  const plain: unknown = JSON.parse(historyToJSON(history), withoutMachine);
  mkdirSync(FOLDER, { recursive: true });
  writeFileSync(
    path.join(FOLDER, `${name}.json`),
    `${JSON.stringify({ workflowId, history: plain })}\n`,
  );
}

/** What names the machine of the capture: process and host, and paths in stack traces. */
function withoutMachine(_field: string, value: unknown): unknown {
  if (typeof value !== 'string') return value;
  return value.replace(/^\d+@[^:]*/, 'worker').replaceAll(process.cwd(), '.');
}

export function storedHistories(): StoredHistory[] {
  return readdirSync(FOLDER)
    .filter((file) => file.endsWith('.json'))
    .map((file) => {
      const stored = JSON.parse(readFileSync(path.join(FOLDER, file), 'utf8')) as {
        workflowId: string;
        history: unknown;
      };
      const history = historyFromJSON(stored.history);
      return {
        name: path.basename(file, '.json'),
        type: typeOf(history),
        workflowId: stored.workflowId,
        history,
      };
    });
}

function typeOf(history: StoredHistory['history']): string {
  const [first] = history.events ?? [];
  const type = first?.workflowExecutionStartedEventAttributes?.workflowType?.name;
  if (typeof type !== 'string') throw new Error('a history without its beginning');
  return type;
}
