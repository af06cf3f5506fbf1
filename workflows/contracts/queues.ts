import type { StartAttributes } from './search-attributes.ts';

/** One worker pool each; a provider's or a database pool's limit is set per queue. */
export const TASK_QUEUES = [
  'review',
  'money',
  'media',
  'exports',
  'loops',
  'mail',
  'calls',
  'providers',
  'upkeep',
] as const;
export type TaskQueue = (typeof TASK_QUEUES)[number];

/** What starts a flow. Ids only: whoever may look at Temporal's pages sees all of it. */
export interface FlowStart {
  workflowId: string;
  type: string;
  taskQueue: TaskQueue;
  input: object;
  /** One line for Temporal's lists: no person, no sum. */
  summary: string;
  /** Absent in messages that an older build wrote. */
  attributes?: StartAttributes;
}
