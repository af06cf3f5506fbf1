import { rejudge } from '../../../activities/tracking/rejudge.ts';
import { createSettlementActivities } from '../../../activities/tracking/settlement.ts';
import { runBooks } from '../../../db/queries/books.ts';
import { sumRejudged } from '../../../domain/tracking/rejudged.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { type Line, makeLine } from '../../support/make/line.ts';
import { activityDeps, append, eventOf, hex, verifiedClick } from '../../support/settlement.ts';

let database: TestDatabase;
let line: Line;
const at = new Date(Date.now() - 3_600_000);
const day = { fromMs: at.getTime() - 60_000, toMs: Date.now() };
const later = (ms: number): Date => new Date(at.getTime() + ms);

beforeAll(async () => {
  database = await createTestDatabase();
  line = await makeLine(database, { dailyNanos: 4_500_000n });
  const viewerKey = hex(16);
  const first = eventOf(line, { at, facts: { viewerKey, nonce: 'n1' } });
  const cpc = await makeLine(database, { pricingModel: 'CPC' });
  const clicked = eventOf(cpc, { at, track: { pricingModel: 'CPC' } });
  const { settleBatch } = createSettlementActivities(activityDeps(database));
  await append(database, first, clicked, eventOf(line, { at, facts: { userAgent: 'bot' } }));
  await settleBatch({ shard: 0 });
  const click = await verifiedClick(database, cpc, clicked);
  const again = { ...click, id: crypto.randomUUID() };
  await append(
    database,
    { ...first, id: crypto.randomUUID(), receivedAt: later(900) },
    eventOf(line, { at: later(1_000), facts: { viewerKey } }),
    eventOf(line, { at: later(70_000), facts: { viewerKey } }),
    click,
    again,
    ...Array.from({ length: 4 }, () => eventOf(line, { at: later(80_000) })),
  );
  await settleBatch({ shard: 0 });
});
afterAll(async () => await database.close());

test('rejudge · nothing is another rule now · every verdict is found again, over batches, caps and repeats', async () => {
  const report = await rejudge(database.db, day);
  expect(report).toEqual({ judged: 12, factless: 0, differing: [] });
});

test('rejudge · a setting is another now · tells the verdicts that would differ with their money, and changes nothing', async () => {
  const state = async () =>
    await database.pool.query(
      'SELECT id, reason, price_nanos FROM events UNION ALL SELECT NULL, code, balance_nanos FROM ledger_accounts ORDER BY 1, 2',
    );
  const before = (await state()).rows;
  await database.pool.query(
    `INSERT INTO settings (key, value) VALUES ('ad.impression_dedup_seconds', '120')`,
  );
  const report = await rejudge(database.db, day);
  expect(sumRejudged(report.differing)).toEqual([
    {
      from: null,
      to: 'DUPLICATE_IMPRESSION',
      events: 1,
      priceNanos: -1_000_000n,
      publisherNanos: -700_000n,
    },
  ]);
  expect(report.differing[0]).toMatchObject({
    advertiserId: line.advertiserId,
    publisherId: line.publisherId,
    stored: { status: 'valid' },
    now: { status: 'invalid' },
  });
  expect((await state()).rows).toEqual(before);
  expect((await runBooks(database.pool)).filter(({ ok }) => !ok)).toEqual([]);
});

test('rejudge · facts past their keeping time · are told, not guessed', async () => {
  await database.pool.query('DELETE FROM event_inbox WHERE id = (SELECT id FROM events LIMIT 1)');
  expect(await rejudge(database.db, day)).toMatchObject({ judged: 11, factless: 1 });
});
