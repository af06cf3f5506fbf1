/** What a tracker counts, in the order in which it is read: all, then by their states. */
export const TRACKER_METRICS = [
  'conversions',
  'attributed',
  'pending',
  'billed',
  'rejected',
  'unattributed',
  'expired',
  'received',
  'value',
] as const;
export type TrackerMetric = (typeof TRACKER_METRICS)[number];
