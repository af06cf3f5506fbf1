import type { Lifecycle } from './transition.ts';

const ARCHIVABLE_STATUSES = ['ACTIVE', 'ARCHIVED'] as const;
export type ArchivableStatus = (typeof ARCHIVABLE_STATUSES)[number];

/** media.status: rows that creatives refer to are never deleted. */
export const archivableLifecycle: Lifecycle<ArchivableStatus, 'archive' | 'restore'> = {
  statuses: ARCHIVABLE_STATUSES,
  begins: ['ACTIVE'],
  moves: { archive: { ACTIVE: 'ARCHIVED' }, restore: { ARCHIVED: 'ACTIVE' } },
};
