import type { Zone } from '../../../../../client/routes.ts';

/** Apart from their values: pages' searches, which come with the entry, need no more. */
export type ZoneType = Zone['type'];

export const TYPES = [
  'BANNER',
  'NATIVE',
  'RESPONSIVE',
  'TEXT',
  'VIDEO',
  'FLOAT',
  'COUPLET',
  'POPUP',
  'INTERSTITIAL',
  'EXIT_INTENT',
  'REWARDED',
] as const satisfies readonly ZoneType[];
