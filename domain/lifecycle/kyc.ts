import { KYC_STATUSES, type KycStatus } from './profile.ts';
import type { Lifecycle } from './transition.ts';

export const KYC_ENTITY_TYPES = ['PERSONAL', 'BUSINESS'] as const;
export type KycEntityType = (typeof KYC_ENTITY_TYPES)[number];

/** accounts.kyc_status: submitted by its owner, decided by a person, expired by the calendar. */
export const kycLifecycle: Lifecycle<KycStatus, 'submit' | 'approve' | 'reject' | 'expire'> = {
  statuses: KYC_STATUSES,
  begins: ['none'],
  moves: {
    submit: { none: 'pending', rejected: 'pending', expired: 'pending' },
    approve: { pending: 'approved' },
    reject: { pending: 'rejected' },
    expire: { approved: 'expired' },
  },
};

const KYC_APPLICATION_STATUSES = ['PENDING', 'APPROVED', 'REJECTED', 'EXPIRED'] as const;
export type KycApplicationStatus = (typeof KYC_APPLICATION_STATUSES)[number];

/** One set of papers. */
export const kycApplicationLifecycle: Lifecycle<
  KycApplicationStatus,
  'approve' | 'reject' | 'expire'
> = {
  statuses: KYC_APPLICATION_STATUSES,
  begins: ['PENDING'],
  moves: {
    approve: { PENDING: 'APPROVED' },
    reject: { PENDING: 'REJECTED' },
    expire: { APPROVED: 'EXPIRED' },
  },
};

/** Nobody stays verified for longer without showing papers again. */
const VALID_DAYS_MAX = 730;
const DAY_MS = 86_400_000;

/** Whether a document that is valid through this day (`YYYY-MM-DD`, UTC) is so at `now`. */
export const isDocumentValid = (expiresOn: string | null, now: Date): boolean =>
  expiresOn === null || endOfDay(expiresOn) > now.getTime();

/** Until when an approval at `now` holds: as long as the document, two years at most. */
export function kycExpiry(now: Date, documentExpiresOn: string | null): Date {
  const longest = now.getTime() + VALID_DAYS_MAX * DAY_MS;
  if (documentExpiresOn === null) return new Date(longest);
  return new Date(Math.min(longest, endOfDay(documentExpiresOn)));
}

const endOfDay = (day: string): number => Date.parse(`${day}T00:00:00Z`) + DAY_MS;
