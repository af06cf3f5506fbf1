import type { Lifecycle } from './transition.ts';

/**
 * PREPARING: events are looked for. PREVIEW: a second person looks at them. APPLYING: batch by batch. EMPTY:
 * nothing was found. FAILED: the look for events was refused, and nothing was taken back.
 */
export const REVERSAL_STATUSES = [
  'PREPARING',
  'PREVIEW',
  'APPLYING',
  'APPLIED',
  'EMPTY',
  'REJECTED',
  'CANCELLED',
  'FAILED',
] as const;
export type ReversalStatus = (typeof REVERSAL_STATUSES)[number];
export const OPEN_REVERSAL_STATUSES = ['PREPARING', 'PREVIEW', 'APPLYING'] as const;

/** Once it is approved nothing stops it: half of a correction is none. */
export const reversalLifecycle: Lifecycle<
  ReversalStatus,
  'preview' | 'end_empty' | 'fail' | 'approve' | 'reject' | 'cancel' | 'finish'
> = {
  statuses: REVERSAL_STATUSES,
  begins: ['PREPARING'],
  moves: {
    preview: { PREPARING: 'PREVIEW' },
    end_empty: { PREPARING: 'EMPTY' },
    fail: { PREPARING: 'FAILED' },
    approve: { PREVIEW: 'APPLYING' },
    reject: { PREVIEW: 'REJECTED' },
    cancel: { PREPARING: 'CANCELLED', PREVIEW: 'CANCELLED' },
    finish: { APPLYING: 'APPLIED' },
  },
};
