import type { Lifecycle } from './transition.ts';

const EMAIL_CONFIRMATION_STATUSES = [
  'OPEN',
  'CONFIRMED',
  'REPLACED',
  'CANCELLED',
  'UNDONE',
] as const;
export type EmailConfirmationStatus = (typeof EMAIL_CONFIRMATION_STATUSES)[number];

/** interface 5.18: opened by its reader, replaced by a newer one, taken back, or "this was not me". */
export const emailConfirmationLifecycle: Lifecycle<
  EmailConfirmationStatus,
  'confirm' | 'replace' | 'cancel' | 'undo'
> = {
  statuses: EMAIL_CONFIRMATION_STATUSES,
  begins: ['OPEN'],
  moves: {
    confirm: { OPEN: 'CONFIRMED' },
    replace: { OPEN: 'REPLACED' },
    cancel: { OPEN: 'CANCELLED' },
    undo: { OPEN: 'UNDONE', CONFIRMED: 'UNDONE' },
  },
};
