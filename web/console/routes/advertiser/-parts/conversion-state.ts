import type { CONVERSION_STATUSES } from '../../../../../domain/tracker.ts';

type Status = (typeof CONVERSION_STATUSES)[number];

/** No reviewer looks at it, as the word is for what waits elsewhere: its advertiser decides. */
export const conversionStateOf = (status: Status) =>
  status === 'PENDING' ? ('undecided' as const) : status;
