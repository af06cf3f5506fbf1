import type { Lifecycle } from './transition.ts';

const BANK_CARD_STATUSES = ['ACTIVE', 'ARCHIVED'] as const;
export type BankCardStatus = (typeof BANK_CARD_STATUSES)[number];

/** Withdrawals refer to a card for ever, so it is archived, never deleted; its owner keeps it anew. */
export const bankCardLifecycle: Lifecycle<BankCardStatus, 'archive'> = {
  statuses: BANK_CARD_STATUSES,
  begins: ['ACTIVE'],
  moves: { archive: { ACTIVE: 'ARCHIVED' } },
};
