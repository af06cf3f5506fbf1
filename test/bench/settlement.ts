import { createSettlementActivities } from '../../activities/tracking/settlement.ts';
import { runner } from '../../db/postgres.ts';
import { runBooks } from '../../db/queries/books.ts';
import { createTestDatabase, prepareTemplateDatabase } from '../support/database.ts';
import {
  activityDeps,
  append,
  eventOf,
  type TestEvent,
  verifiedClick,
} from '../support/settlement.ts';
import { type Line, makeLine } from '../support/make/line.ts';
import { UNIT } from '../support/make/money.ts';

/** Settlement's speed: N events (default 40,000) over 100 campaigns and 50 zones, judged and charged. */
const EVENTS = Number(process.argv[2] ?? 40_000);
const CAMPAIGNS = 100;
const PUBLISHERS = 50;
/** One impression in twenty is followed by a verified click. */
const CLICK_EVERY = 20;
const APPEND_SIZE = 500;

await prepareTemplateDatabase();
const database = await createTestDatabase();
try {
  const lines = await makeLines();
  await fill(lines);
  const { settleBatch } = createSettlementActivities(activityDeps(database));
  const laps: number[] = [];
  let settled = 0;
  const began = performance.now();
  for (;;) {
    const lapBegan = performance.now();
    const { events } = await settleBatch({ shard: 0 });
    if (events === 0) break;
    settled += events;
    laps.push(performance.now() - lapBegan);
  }
  const seconds = (performance.now() - began) / 1000;
  const broken = (await runBooks(runner(database.db))).filter((check) => !check.ok);
  laps.sort((a, b) => a - b);
  console.log(
    JSON.stringify({
      settled,
      events_per_second: Math.round(settled / seconds),
      batches: laps.length,
      batch_ms_p50: Math.round(laps[Math.floor(laps.length / 2)] ?? 0),
      batch_ms_max: Math.round(laps.at(-1) ?? 0),
      books_broken: broken.map((check) => check.name),
    }),
  );
} finally {
  await database.close();
}

async function makeLines(): Promise<Line[]> {
  const lines: Line[] = [];
  for (let at = 0; at < CAMPAIGNS; at += 1) {
    const publisherId = lines[at % PUBLISHERS]?.publisherId;
    lines.push(
      await makeLine(database, {
        balanceNanos: 100_000n * UNIT,
        dailyNanos: 10_000n * UNIT,
        ...(publisherId === undefined ? {} : { publisherId }),
      }),
    );
  }
  return lines;
}

async function fill(lines: readonly Line[]): Promise<void> {
  let waiting: TestEvent[] = [];
  for (let made = 0; made < EVENTS; made += 1) {
    const line = lines[made % lines.length];
    if (line === undefined) throw new Error('no campaign was made');
    const impression = eventOf(line, { at: new Date(Date.now() - 60_000) });
    waiting.push(impression);
    if (made % CLICK_EVERY === 0) {
      waiting.push(await verifiedClick(database, line, impression));
      made += 1;
    }
    if (waiting.length >= APPEND_SIZE || made >= EVENTS - 1) {
      await append(database, ...waiting);
      waiting = [];
    }
  }
}
