/** interface 5.3: how a long flow stands, for whoever started it. */
export const OPERATION_STATUSES = [
  'queued',
  'running',
  'waiting_human',
  'succeeded',
  'failed',
  'cancelled',
] as const;
export type OperationStatus = (typeof OPERATION_STATUSES)[number];

const ENDED: ReadonlySet<OperationStatus> = new Set(['succeeded', 'failed', 'cancelled']);

/** An operation that has ended stays as it ended. */
export const hasEnded = (status: OperationStatus): boolean => ENDED.has(status);
