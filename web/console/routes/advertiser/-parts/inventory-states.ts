/** What lists of an advertiser are narrowed by; apart from their words, which searches do without. */
export const STATUSES = ['ACTIVE', 'PAUSED', 'ARCHIVED'] as const;
export const AUDITS = ['DRAFT', 'PENDING', 'APPROVED', 'REJECTED'] as const;
