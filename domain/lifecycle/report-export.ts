import type { Lifecycle } from './transition.ts';

const REPORT_EXPORT_STATUSES = ['WRITING', 'READY', 'FAILED', 'EXPIRED'] as const;
export type ReportExportStatus = (typeof REPORT_EXPORT_STATUSES)[number];

/** The file is kept for a day after it is ready. */
export const reportExportLifecycle: Lifecycle<ReportExportStatus, 'finish' | 'fail' | 'expire'> = {
  statuses: REPORT_EXPORT_STATUSES,
  begins: ['WRITING'],
  moves: {
    finish: { WRITING: 'READY' },
    fail: { WRITING: 'FAILED' },
    expire: { READY: 'EXPIRED' },
  },
};
