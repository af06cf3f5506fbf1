import { DomainError } from '../errors.ts';
import { KYC_STATUSES, type KycStatus } from './profile.ts';
import type { Lifecycle } from './transition.ts';

export const KYC_ENTITY_TYPES = ['PERSONAL', 'BUSINESS'] as const;
export type KycEntityType = (typeof KYC_ENTITY_TYPES)[number];

/**
 * accounts.kyc_status: submitted by its owner, decided by a person, expired by the calendar. A renewal leaves it
 * approved while it is looked at: `renew` is its approval, `lapse` the end of what stood while it still is looked at.
 */
export const kycLifecycle: Lifecycle<
  KycStatus,
  'submit' | 'approve' | 'reject' | 'expire' | 'renew' | 'lapse'
> = {
  statuses: KYC_STATUSES,
  begins: ['none'],
  moves: {
    submit: { none: 'pending', rejected: 'pending', expired: 'pending' },
    approve: { pending: 'approved' },
    reject: { pending: 'rejected' },
    expire: { approved: 'expired' },
    renew: { approved: 'approved' },
    lapse: { approved: 'pending' },
  },
};

const KYC_APPLICATION_STATUSES = [
  'PENDING',
  'APPROVED',
  'REJECTED',
  'EXPIRED',
  'SUPERSEDED',
] as const;
export type KycApplicationStatus = (typeof KYC_APPLICATION_STATUSES)[number];

/** One set of papers; SUPERSEDED by those of a renewal. */
export const kycApplicationLifecycle: Lifecycle<
  KycApplicationStatus,
  'approve' | 'reject' | 'expire' | 'supersede'
> = {
  statuses: KYC_APPLICATION_STATUSES,
  begins: ['PENDING'],
  moves: {
    approve: { PENDING: 'APPROVED' },
    reject: { PENDING: 'REJECTED' },
    expire: { APPROVED: 'EXPIRED' },
    supersede: { APPROVED: 'SUPERSEDED' },
  },
};

/** So long before its end an identity can be renewed; the first reminder comes later. */
const RENEWABLE_DAYS = 60;
/** Days before the end at which its owner is reminded. */
export const REMINDER_DAYS = [30, 7, 1] as const;
const DAY_MS = 86_400_000;

/** Whether a document that is valid through this day (`YYYY-MM-DD`, UTC) is so at `now`. */
export const isDocumentValid = (expiresOn: string | null, now: Date): boolean =>
  expiresOn === null || endOfDay(expiresOn) > now.getTime();

/** Until when an approval at `now` holds: as long as the document, and `validDays` (kyc.valid_days) at most. */
export function kycExpiry(now: Date, documentExpiresOn: string | null, validDays: number): Date {
  const longest = now.getTime() + validDays * DAY_MS;
  if (documentExpiresOn === null) return new Date(longest);
  return new Date(Math.min(longest, endOfDay(documentExpiresOn)));
}

/** Whatever the round that ends it has come to. */
export const isOver = ({ expiresAt }: { expiresAt: Date | null }, now: Date): boolean =>
  expiresAt !== null && expiresAt <= now;

export const renewableFrom = (expiresAt: Date): Date =>
  new Date(expiresAt.getTime() - RENEWABLE_DAYS * DAY_MS);

const WHY_NOT: Readonly<Record<KycStatus, string | undefined>> = {
  none: undefined,
  pending: 'Your proof of identity is being looked at.',
  approved: undefined,
  rejected: 'Your proof of identity was sent back: please send what is missing.',
  expired: 'Your proof of identity has expired: please renew it.',
};

/** interface 7, with the true reason. */
export const kycRequired = (
  kycStatus: KycStatus,
  { kycUrl, ...hints }: { kycUrl: string } & Record<string, unknown>,
): DomainError =>
  new DomainError('kyc_required', {
    message: WHY_NOT[kycStatus],
    hints: { requires_kyc: true, kyc_status: kycStatus, kyc_url: kycUrl, ...hints },
  });

const endOfDay = (day: string): number => Date.parse(`${day}T00:00:00Z`) + DAY_MS;
