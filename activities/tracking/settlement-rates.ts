import type { HeldCursor } from '../../db/events/event-log.ts';
import { judgedFactsOf } from '../../db/events/judged-events.ts';
import { runner } from '../../db/postgres.ts';
import { ratesElsewhere, tellRates, type ViewerMinute } from '../../db/queries/viewer-rates.ts';
import type { SqlRunner } from '../../db/sql-runner.ts';
import type { Settings } from '../../domain/settings.ts';
import { type InboxEvent, rateMaxOf } from '../../domain/tracking/batch.ts';
import type { EventKind } from '../../domain/tracking/facts.ts';
import { readFacts } from '../../domain/tracking/facts-check.ts';
import { countRate, isOfBrowser } from '../../domain/tracking/marks.ts';
import {
  createRateCounts,
  minuteOf,
  minuteStart,
  type RateCounts,
  ratedViewer,
  toldFrom,
} from '../../domain/tracking/rates.ts';
import type { ActivityDeps } from '../deps.ts';

/** A batch whose viewers are counted. */
interface RatedBatch {
  take: { shard: number };
  events: readonly InboxEvent[];
  held: HeldCursor;
  counts: RateCounts;
}

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
async function learnMinutes(sql: SqlRunner, { counts, ...of }: RatedBatch): Promise<void> {
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
  for (const { kind, receivedAtMs, facts } of await judgedFactsOf(sql, of.take.shard, stretches)) {
    const read = readFacts(facts);
    if (read !== null) countRate(counts, { kind, facts: read, receivedAtMs });
  }
}

/** The counts of this shard, and what the others have told, as judging asks for them. */
export async function loadRates(
  deps: ActivityDeps,
  sql: SqlRunner,
  batch: RatedBatch & { settings: Settings },
): Promise<Pick<RateCounts, 'count'>> {
  await learnMinutes(sql, batch);
  const { counts, held, take } = batch;
  if (held.shards <= 1) return counts;
  const rated = [...ratedOf(batch.events, counts).values()];
  const near = rated.filter(
    ({ kind, events }) => events >= toldFrom(rateMaxOf(kind, batch.settings), held.shards),
  );
  // By itself and before anything is judged: of two shards that meet a viewer at once, at least one knows.
  await tellRates(runner(deps.db), take.shard, near);
  const elsewhere = await ratesElsewhere(runner(deps.db), take.shard, rated);
  const others = new Map(rated.map((one, at) => [nameOf(one), elsewhere[at] ?? 0]));
  return {
    count: (kind, viewerKey, receivedAtMs) => {
      const viewer = ratedViewer(kind, viewerKey);
      const minuteMs = minuteStart(minuteOf(receivedAtMs));
      const told = others.get(nameOf({ viewer, minuteMs })) ?? 0;
      return counts.count(kind, viewerKey, receivedAtMs) + told;
    },
  };
}

const nameOf = ({ viewer, minuteMs }: ViewerMinute): string => `${minuteMs}:${viewer}`;

/** Who is in the batch, with the count that each will have when it is judged. */
function ratedOf(
  events: readonly InboxEvent[],
  counts: RateCounts,
): Map<string, ViewerMinute & { kind: EventKind; events: number }> {
  const rated = new Map<string, ViewerMinute & { kind: EventKind; events: number }>();
  for (const { kind, facts, receivedAtMs } of events) {
    if (facts === null || !isOfBrowser(kind)) continue;
    const viewer = ratedViewer(kind, facts.viewerKey);
    const minuteMs = minuteStart(minuteOf(receivedAtMs));
    const name = nameOf({ viewer, minuteMs });
    const known = rated.get(name);
    if (known !== undefined) known.events += 1;
    else {
      const before = counts.counted(kind, facts.viewerKey, receivedAtMs);
      rated.set(name, { viewer, minuteMs, kind, events: before + 1 });
    }
  }
  return rated;
}
