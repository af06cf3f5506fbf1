import type { Lifecycle } from './transition.ts';

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

const ANY_UNENDED = <To extends OperationStatus>(to: To) =>
  ({ queued: to, running: to, waiting_human: to }) as const;

/** Reports arrive in any order until one of them ends it. */
export const operationLifecycle: Lifecycle<
  OperationStatus,
  'run' | 'wait' | 'succeed' | 'fail' | 'cancel'
> = {
  statuses: OPERATION_STATUSES,
  begins: ['queued'],
  moves: {
    run: ANY_UNENDED('running'),
    wait: ANY_UNENDED('waiting_human'),
    succeed: ANY_UNENDED('succeeded'),
    fail: ANY_UNENDED('failed'),
    cancel: ANY_UNENDED('cancelled'),
  },
};
