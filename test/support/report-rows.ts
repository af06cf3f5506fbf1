import { setImmediate } from 'node:timers/promises';
import type { ReportRow } from '../../domain/report.ts';

const BATCH = 500;

/** Rows of a report by date and campaign, in batches as a cursor answers them. */
export async function* reportRows(
  count: number,
  tell: (rows: number) => void = () => undefined,
): AsyncGenerator<ReportRow[]> {
  for (let from = 0; from < count; from += BATCH) {
    const length = Math.min(BATCH, count - from);
    yield Array.from({ length }, (_, at) => reportRow(from + at));
    tell(from + length);
    // As a database would, it answers later and not at once.
    await setImmediate();
  }
}

export const reportRow = (
  at: number,
  { date = '2026-11-01', name = `Campaign ${at}` } = {},
): ReportRow => ({
  keys: { date, campaign: String(at + 1) },
  names: { campaign: name },
  counts: {
    requests: null,
    impressions: 1_000,
    viewable: 500,
    views: 0,
    clicks: at % 7,
    conversions: 0,
    removed: 0,
    moneyNanos: 1_234_567_890n,
    held: {
      pending: { conversions: 2, moneyNanos: 2_500_000_000n },
      approved: { conversions: 1, moneyNanos: 1_000_000_000n },
      rejected: { conversions: 3, moneyNanos: 3_750_000_000n },
    },
  },
});
