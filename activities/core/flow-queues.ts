import type { Client } from '@temporalio/client';
import type { Logger } from 'pino';
import { TASK_QUEUES, type TaskQueue } from '../../workflows/contracts/queues.ts';
import { pause } from './pause.ts';

/** Who asks a queue for work; `lastSeenAt`: also of those who do not any more. */
export interface QueuePollers {
  queue: TaskQueue;
  workflows: number;
  activities: number;
  lastSeenAt: Date | null;
}

/** Null: Temporal did not answer in time. */
export type ReadPollers = () => Promise<QueuePollers[] | null>;

/** An operator looks at a page; what does not answer in this time is away. */
const ANSWER_MS = 1_500;
/** Temporal names a poller for five minutes after its last question; whoever lives asks each minute. */
const ALIVE_MS = 150_000;
/** temporal.api.enums.v1.TaskQueueType */
const OF_WORKFLOWS = 1;
const OF_ACTIVITIES = 2;

export function createPollerReader(
  temporal: Client,
  log: Logger,
  clock: () => Date = () => new Date(),
): ReadPollers {
  return async () => {
    const waiting = new AbortController();
    const asked = temporal.withDeadline(Date.now() + ANSWER_MS, async () => {
      await temporal.connection.ensureConnected();
      const since = clock().getTime() - ALIVE_MS;
      return await Promise.all(
        TASK_QUEUES.map(async (queue) => await readQueue(temporal, queue, since)),
      );
    });
    try {
      // A connection that was never made does not heed the deadline.
      return await Promise.race([asked, pause(ANSWER_MS, waiting.signal).then(() => null)]);
    } catch (error) {
      log.warn({ err: error }, 'pollers of the task queues are not known');
      return null;
    } finally {
      waiting.abort();
      // It may still fail after its time; that is said already.
      asked.catch((error: unknown) => {
        log.debug({ err: error }, 'temporal answered too late');
      });
    }
  };
}

async function readQueue(temporal: Client, queue: TaskQueue, since: number): Promise<QueuePollers> {
  const [workflows, activities] = await Promise.all([
    readType(temporal, queue, OF_WORKFLOWS),
    readType(temporal, queue, OF_ACTIVITIES),
  ]);
  const seen = [...workflows, ...activities];
  const alive = (of: readonly number[]): number => of.filter((at) => at >= since).length;
  return {
    queue,
    workflows: alive(workflows),
    activities: alive(activities),
    lastSeenAt: seen.length === 0 ? null : new Date(Math.max(...seen)),
  };
}

/** When each poller was last seen, in milliseconds. */
async function readType(temporal: Client, queue: TaskQueue, type: 1 | 2): Promise<number[]> {
  const { pollers } = await temporal.workflowService.describeTaskQueue({
    namespace: temporal.options.namespace,
    taskQueue: { name: queue },
    taskQueueType: type,
  });
  return (pollers ?? []).map(({ lastAccessTime }) => Number(lastAccessTime?.seconds ?? 0) * 1_000);
}
