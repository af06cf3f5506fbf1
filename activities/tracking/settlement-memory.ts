import { bidEventsOf } from '../../db/events/judged-events.ts';
import type { HeldCursor } from '../../db/events/event-log.ts';
import { loadViewerMarks } from '../../db/queries/settlement.ts';
import type { SqlRunner } from '../../db/sql-runner.ts';
import type { InboxEvent } from '../../domain/tracking/batch.ts';
import { dayOf } from '../../domain/tracking/utc-day.ts';
import { bidOf, createMarkBook, type MarkBook, viewerNameOf } from '../../domain/tracking/marks.ts';
import type { RateCounts } from '../../domain/tracking/rates.ts';

/** Clocks of serving and tracking may differ so much around midnight. */
const CLOCKS_APART_MS = 3_600_000;

/** What the batch's events find of those before them. */
export async function loadBook(
  sql: SqlRunner,
  batch: { events: readonly InboxEvent[]; held: HeldCursor; rates: Pick<RateCounts, 'count'> },
): Promise<MarkBook> {
  const { events, held, rates } = batch;
  const requestIds = new Set<string>();
  const viewers = new Set<string>();
  let issuedAtMs = Infinity;
  for (const { kind, facts } of events) {
    if (facts === null) continue;
    const viewer = viewerNameOf(kind, facts);
    if (viewer !== null) viewers.add(viewer);
    if (facts.track === null || bidOf(kind, facts) === null) continue;
    requestIds.add(facts.track.requestId);
    issuedAtMs = Math.min(issuedAtMs, facts.track.issuedAt * 1_000);
  }
  const nothingBefore = requestIds.size === 0 || held.latestAtMs === -Infinity;
  return createMarkBook({
    before: nothingBefore
      ? []
      : await bidEventsOf(sql, {
          requestIds: [...requestIds],
          fromDay: dayOf(issuedAtMs - CLOCKS_APART_MS),
          toDay: dayOf(held.latestAtMs),
        }),
    viewers: await loadViewerMarks(sql, [...viewers]),
    rates,
  });
}
