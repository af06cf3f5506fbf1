import {
  countFactless,
  type JudgedRow,
  judgedPage,
  settledShards,
} from '../../db/events/judged-events.ts';
import { type Db, runner } from '../../db/postgres.ts';
import {
  loadAds,
  loadShares,
  loadZones,
  lockClicks,
  lockConversions,
} from '../../db/queries/settlement.ts';
import { loadSettings } from '../../db/settings.ts';
import type { SqlRunner } from '../../db/sql-runner.ts';
import {
  type ClickReference,
  type ConversionReference,
  type InboxEvent,
  judgeBatch,
} from '../../domain/tracking/batch.ts';
import { type BatchNames, namesOf } from '../../domain/tracking/batch-names.ts';
import { EVENT_KINDS, readFacts } from '../../domain/tracking/facts-check.ts';
import { createMarkBook, type MarkBook } from '../../domain/tracking/marks.ts';
import { createRateCounts } from '../../domain/tracking/rates.ts';
import {
  differenceOf,
  ratesAsTheyWere,
  type Rejudged,
  roomAsItWas,
} from '../../domain/tracking/rejudged.ts';

export interface RejudgeAsk {
  /** Unix ms of receipt; the end is not included. */
  fromMs: number;
  toMs: number;
}

export interface RejudgeReport {
  judged: number;
  /** Their facts are past their keeping time: nothing can be said of them. */
  factless: number;
  differing: Rejudged[];
}

/** Of one shard, from the front of the log. */
interface Pass {
  book: MarkBook;
  isAlone: boolean;
  clicks: Set<string>;
  conversions: Set<number>;
}

const PAGE_ROWS = 4_000;
/** As long as a seal holds: all that an event of a bid may find of those before it. */
const BEFORE_MS = 86_400_000;

/**
 * Judges stored events once more by the rules, lists and settings of now, and says which verdicts would
 * be others. It writes nothing: to give money back is for people to decide. What an event found before it
 * is found again by going through the log in its order, from a day before on; whether budget and
 * balance had room for it is taken as it was said then.
 */
export async function rejudge(db: Db, ask: RejudgeAsk): Promise<RejudgeReport> {
  const sql = runner(db);
  const report: RejudgeReport = {
    judged: 0,
    factless: await countFactless(sql, ask),
    differing: [],
  };
  const shards = await settledShards(sql);
  for (const shard of shards) {
    const book = createMarkBook({ before: [], viewers: [], rates: createRateCounts(Infinity) });
    const isAlone = shards.length === 1;
    const pass: Pass = { book, isAlone, clicks: new Set(), conversions: new Set() };
    let after = null;
    for (;;) {
      const where = { shard, fromMs: ask.fromMs - BEFORE_MS, toMs: ask.toMs };
      const rows: JudgedRow[] = await judgedPage(sql, { ...where, after, limit: PAGE_ROWS });
      if (rows.length === 0) break;
      after = rows.at(-1)?.place ?? null;
      await rejudgePage(sql, rows, { pass, ask, report });
    }
  }
  return report;
}

async function rejudgePage(
  sql: SqlRunner,
  rows: readonly JudgedRow[],
  { pass, ask, report }: { pass: Pass; ask: RejudgeAsk; report: RejudgeReport },
): Promise<void> {
  const events: InboxEvent[] = rows.map(({ id, kind, day, receivedAtMs, facts, wasRead }) => ({
    id,
    kind,
    day,
    receivedAtMs,
    // What the database refused was judged without its facts, and is again.
    facts: wasRead && EVENT_KINDS.includes(kind) ? readFacts(facts) : null,
  }));
  const names = namesOf(events);
  const zones = await loadZones(sql, [...names.zoneIds]);
  const reasons = new Map(rows.map((row) => [row.id, row.stored.reasons]));
  const judged = judgeBatch(events, {
    settings: await loadSettings(sql),
    ads: await loadAds(sql, [...names.adIds]),
    zones,
    shares: await loadShares(
      sql,
      unique([...zones.values()].map((zone) => zone.publisherId)),
      names.firstReceivedAtMs,
    ),
    clicks: await clicksBefore(sql, names, pass),
    conversions: await conversionsBefore(sql, names, pass),
    book: pass.isAlone ? pass.book : ratesAsTheyWere(pass.book, reasons),
    room: roomAsItWas(reasons),
  });
  for (const [at, { id, receivedAtMs, stored }] of rows.entries()) {
    const again = judged[at];
    if (again === undefined || receivedAtMs < ask.fromMs) continue;
    report.judged += 1;
    const difference = differenceOf(id, stored, again);
    if (difference !== null) report.differing.push(difference);
  }
}

/** As they stood before they were judged: what is settled now was verified then, and its first event finds it so. */
async function clicksBefore(
  sql: SqlRunner,
  { clickEventIds }: BatchNames,
  pass: Pass,
): Promise<Map<string, ClickReference>> {
  const clicks = await lockClicks(sql, [...clickEventIds], { isLocked: false });
  for (const [id, click] of clicks) {
    const isSettled = click.status === 'valid' || click.status === 'invalid';
    if (isSettled && !pass.clicks.has(id)) clicks.set(id, { ...click, status: 'verified' });
    pass.clicks.add(id);
  }
  return clicks;
}

async function conversionsBefore(
  sql: SqlRunner,
  { conversionIds }: BatchNames,
  pass: Pass,
): Promise<Map<number, ConversionReference>> {
  const conversions = await lockConversions(sql, [...conversionIds], { isLocked: false });
  for (const [id, conversion] of conversions) {
    const isSettled = conversion.status === 'BILLED' || conversion.status === 'UNBILLED';
    if (isSettled && !pass.conversions.has(id)) {
      conversions.set(id, { ...conversion, status: 'ACCEPTED' });
    }
    pass.conversions.add(id);
  }
  return conversions;
}

const unique = <Value>(values: readonly Value[]): Value[] => [...new Set(values)];
