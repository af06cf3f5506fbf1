import type { Lifecycle } from './transition.ts';

/**
 * NOTICE: somebody proved a domain that another account has verified; its holder may object until the
 * notice ends. DISPUTED: both prove it, or its holder objected: a person decides. MOVED: the domain is the
 * claimant's. REFUSED: it stays with its holder. WITHDRAWN: nobody asks any more.
 */
export const TRANSFER_STATUSES = ['NOTICE', 'DISPUTED', 'MOVED', 'REFUSED', 'WITHDRAWN'] as const;
export type TransferStatus = (typeof TRANSFER_STATUSES)[number];
export const OPEN_TRANSFER_STATUSES = ['NOTICE', 'DISPUTED'] as const;
/** What the two sides see; a refusal only who asked. */
export const SHOWN_TRANSFER_STATUSES = [...OPEN_TRANSFER_STATUSES, 'REFUSED'] as const;

export const domainTransferLifecycle: Lifecycle<
  TransferStatus,
  'dispute' | 'move' | 'refuse' | 'withdraw'
> = {
  statuses: TRANSFER_STATUSES,
  begins: ['NOTICE'],
  moves: {
    dispute: { NOTICE: 'DISPUTED' },
    move: { NOTICE: 'MOVED', DISPUTED: 'MOVED' },
    refuse: { NOTICE: 'REFUSED', DISPUTED: 'REFUSED' },
    withdraw: { NOTICE: 'WITHDRAWN', DISPUTED: 'WITHDRAWN' },
  },
};

/**
 * Answers that say that a proof is not there. Of any other (a server that is slow, broken or silent)
 * nobody can say so, and a holder loses nothing by it.
 */
const GONE: ReadonlySet<string> = new Set([
  'TOKEN_NOT_FOUND',
  'HTTP_404',
  'HTTP_410',
  'DNS_NXDOMAIN',
  'DNS_NO_RECORD',
]);

export type TransferAnswer = 'move' | 'refuse' | 'dispute';

/** What two looks at the end of the notice say, and whether the holder objected. */
export function transferAnswer(found: {
  claimantProves: boolean;
  holderOutcome: string;
  hasObjection: boolean;
}): TransferAnswer {
  if (!found.claimantProves) return 'refuse';
  return !found.hasObjection && GONE.has(found.holderOutcome) ? 'move' : 'dispute';
}
