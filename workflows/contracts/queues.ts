/** One worker pool each; a provider's or a database pool's limit is set per queue. */
export const TASK_QUEUES = [
  'review',
  'money',
  'media',
  'exports',
  'loops',
  'mail',
  'calls',
] as const;
export type TaskQueue = (typeof TASK_QUEUES)[number];
