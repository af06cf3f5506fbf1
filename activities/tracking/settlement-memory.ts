import { bidEventsOf } from '../../db/events/judged-events.ts';
import type { HeldCursor } from '../../db/events/event-log.ts';
import { loadViewerMarks } from '../../db/queries/settlement.ts';
import type { SqlRunner } from '../../db/sql-runner.ts';
import type { BatchNames } from '../../domain/tracking/batch-names.ts';
import { dayOf } from '../../domain/tracking/utc-day.ts';
import { createMarkBook, type MarkBook } from '../../domain/tracking/marks.ts';
import type { RateCounts } from '../../domain/tracking/rates.ts';

/** Clocks of serving and tracking may differ so much around midnight. */
const CLOCKS_APART_MS = 3_600_000;

/** What the batch's events find of those before them. */
export async function loadBook(
  sql: SqlRunner,
  batch: { names: BatchNames; held: HeldCursor; rates: Pick<RateCounts, 'count'> },
): Promise<MarkBook> {
  const { names, held, rates } = batch;
  const { requestIds, viewers, firstIssuedAtMs } = names;
  const nothingBefore = requestIds.size === 0 || held.latestAtMs === -Infinity;
  return createMarkBook({
    before: nothingBefore
      ? []
      : await bidEventsOf(sql, {
          requestIds: [...requestIds],
          fromDay: dayOf(firstIssuedAtMs - CLOCKS_APART_MS),
          toDay: dayOf(held.latestAtMs),
        }),
    viewers: await loadViewerMarks(sql, [...viewers]),
    rates,
  });
}
