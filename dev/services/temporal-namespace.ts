import { setTimeout as delay } from 'node:timers/promises';
import { Connection } from '@temporalio/client';
import { msToTs } from '@temporalio/common/lib/time.js';
import { registerSearchAttributes } from '../../worker/search-attributes.ts';
import { StandError } from './progress.ts';

const DAY_MS = 86_400_000;
const ALREADY_EXISTS = 6;
/** The server's front looks for new namespaces every few seconds. */
const VISIBLE_WITHIN_MS = 30_000;

/** Registers the namespace and its search attributes unless it is there, and waits until the server serves it. */
export async function registerNamespace(
  address: string,
  options: { namespace: string; retentionDays: number },
): Promise<void> {
  const { namespace } = options;
  const connection = await Connection.connect({ address, connectTimeout: '10s' });
  try {
    await connection.workflowService
      .registerNamespace({
        namespace,
        workflowExecutionRetentionPeriod: msToTs(options.retentionDays * DAY_MS),
      })
      .catch((error: unknown) => {
        if (!hasCode(error, ALREADY_EXISTS)) throw error;
      });
    await registerSearchAttributes(connection, namespace);
    const deadline = Date.now() + VISIBLE_WITHIN_MS;
    while (!(await isServed(connection, namespace))) {
      if (Date.now() > deadline) {
        throw new StandError(`Temporal does not serve the namespace ${namespace} after 30 s.`);
      }
      await delay(100);
    }
  } finally {
    await connection.close();
  }
}

async function isServed(connection: Connection, namespace: string): Promise<boolean> {
  try {
    await connection.workflowService.countWorkflowExecutions({
      namespace,
      query: 'NeedsOperator = true',
    });
    return true;
  } catch {
    return false;
  }
}

function hasCode(error: unknown, code: number): boolean {
  return typeof error === 'object' && error !== null && 'code' in error && error.code === code;
}
