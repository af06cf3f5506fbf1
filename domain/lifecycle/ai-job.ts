import type { Lifecycle } from './transition.ts';

const AI_JOB_STATUSES = ['OPEN', 'DONE', 'FAILED', 'CANCELLED'] as const;
export type AiJobStatus = (typeof AI_JOB_STATUSES)[number];

export const aiJobLifecycle: Lifecycle<AiJobStatus, 'finish' | 'fail' | 'cancel'> = {
  statuses: AI_JOB_STATUSES,
  begins: ['OPEN'],
  moves: {
    finish: { OPEN: 'DONE' },
    fail: { OPEN: 'FAILED' },
    cancel: { OPEN: 'CANCELLED' },
  },
};
