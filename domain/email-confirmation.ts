import type { EmailConfirmationStatus } from './lifecycle/email-confirmation.ts';

/** interface 5.18, 8. */
const DAY_MS = 86_400_000;
/** Of a login's own address: as long as an invitation. */
export const OWN_LINK_LIVES_MS = 7 * DAY_MS;
/** Of another address: whoever asks for it waits for it. */
export const CHANGE_LINK_LIVES_MS = DAY_MS;
/** One letter to an address within this. */
export const LETTER_WAIT_MS = 60_000;
export const LETTERS_PER_DAY = 10;

/** Why a link confirms nothing, for whoever has it: nobody else gets so far. */
export type LinkFault = 'expired' | 'replaced' | 'withdrawn';

export interface Link {
  status: EmailConfirmationStatus;
  expiresAt: Date;
}

/** What opening a link does: confirm, nothing any more, or why not. */
export function standingOf({ status, expiresAt }: Link, now: Date): 'open' | 'done' | LinkFault {
  if (status === 'CONFIRMED') return 'done';
  if (status === 'REPLACED') return 'replaced';
  if (status !== 'OPEN') return 'withdrawn';
  return expiresAt > now ? 'open' : 'expired';
}

/** With the next step, where there is one. */
export const LINK_FAULTS: Readonly<Record<LinkFault, string>> = {
  expired: 'is too old: log in and let another letter be sent',
  replaced: 'is of an older letter: open the link of the newest one',
  withdrawn: 'was taken back: log in to see which address counts',
};
