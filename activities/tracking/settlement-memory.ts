import { bidEventsOf, judgedFactsOf } from '../../db/events/judged-events.ts';
import type { HeldCursor } from '../../db/events/event-log.ts';
import { loadViewerMarks } from '../../db/queries/settlement.ts';
import type { SqlRunner } from '../../db/sql-runner.ts';
import { readFacts } from '../../domain/tracking/facts-check.ts';
import { dayOf, type InboxEvent } from '../../domain/tracking/batch.ts';
import {
  bidOf,
  countRate,
  createMarkBook,
  type MarkBook,
  viewerNameOf,
} from '../../domain/tracking/marks.ts';
import {
  createRateCounts,
  minuteOf,
  minuteStart,
  type RateCounts,
} from '../../domain/tracking/rates.ts';

/**
 * Rate counts of the shards that this process settles, kept between batches. They are right while no
 * other batch came between: the number of batches, which moves with the cursor, tells. Whoever takes
 * them gives them back when its batch has committed; until then they are nobody's, so a batch that is
 * rolled back, and a commit whose answer was lost, leave none behind.
 */
export class RateMemory {
  readonly #kept = new Map<number, { batches: number; counts: RateCounts }>();

  take(shard: number, batches: number): RateCounts {
    const kept = this.#kept.get(shard);
    this.#kept.delete(shard);
    return kept?.batches === batches ? kept.counts : createRateCounts();
  }

  giveBack(shard: number, batches: number, counts: RateCounts): void {
    counts.trim();
    this.#kept.set(shard, { batches, counts });
  }
}

/** Counts what was judged before of the minutes that these events are of, where that is not known yet. */
async function learnMinutes(
  sql: SqlRunner,
  counts: RateCounts,
  of: { shard: number; events: readonly InboxEvent[]; held: HeldCursor },
): Promise<void> {
  const unknown = new Set(
    of.events
      .map(({ receivedAtMs }) => minuteOf(receivedAtMs))
      .filter((minute) => !counts.knows(minute)),
  );
  const judged = [...unknown].filter((minute) => minute <= minuteOf(of.held.latestAtMs));
  const stretches = judged.map((minute) => ({
    fromMs: minuteStart(minute),
    toMs: minuteStart(minute + 1),
  }));
  for (const minute of unknown) counts.learn(minute);
  for (const { kind, receivedAtMs, facts } of await judgedFactsOf(sql, of.shard, stretches)) {
    const read = readFacts(facts);
    if (read !== null) countRate(counts, { kind, facts: read, receivedAtMs });
  }
}

/** Clocks of serving and tracking may differ so much around midnight. */
const CLOCKS_APART_MS = 3_600_000;

/** What the batch's events find of those before them. */
export async function loadBook(
  sql: SqlRunner,
  batch: { shard: number; events: readonly InboxEvent[]; held: HeldCursor; counts: RateCounts },
): Promise<MarkBook> {
  const { events, held, counts } = batch;
  await learnMinutes(sql, counts, batch);
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
    rates: counts,
  });
}
