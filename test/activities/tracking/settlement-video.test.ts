import { createSettlementActivities } from '../../../activities/tracking/settlement.ts';
import { runner } from '../../../db/postgres.ts';
import { runBooks } from '../../../db/queries/books.ts';
import type { EventFacts } from '../../../domain/tracking/facts.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import {
  activityDeps,
  append,
  eventOf,
  hex,
  stored,
  whenReadable,
} from '../../support/settlement.ts';
import { type Line, makeLine } from '../../support/make/line.ts';
import { UNIT } from '../../support/make/money.ts';

/** CPV: the completed or 30 s view, once, and only if that much server time passed (interface 6). */
let database: TestDatabase;
let settleBatch: ReturnType<typeof createSettlementActivities>['settleBatch'];

beforeAll(async () => {
  database = await createTestDatabase();
  ({ settleBatch } = createSettlementActivities(activityDeps(database)));
});
afterAll(async () => {
  try {
    const broken = (await runBooks(runner(database.db))).filter((check) => !check.ok);
    expect(broken).toEqual([]);
  } finally {
    await database.close();
  }
});

const settleAll = async (): Promise<void> => {
  await whenReadable(database);
  while ((await settleBatch({ shard: 0 })).events > 0);
};
const startedAt = new Date(`${new Date().toISOString().slice(0, 10)}T10:00:00Z`);
const second = (count: number): Date => new Date(startedAt.getTime() + count * 1_000);

interface Watch {
  pricingModel?: 'CPV' | 'CPM';
  viewSeconds?: number;
}

/** One impression at second 0 of a video, and what its player says afterwards. */
function watching(line: Line, { pricingModel = 'CPV', viewSeconds = 15 }: Watch = {}) {
  const impression = eventOf(line, {
    at: second(0),
    priceNanos: UNIT,
    track: { pricingModel, viewSeconds, channel: 'vast' },
  });
  const says = (video: string, at: number, facts: Partial<EventFacts> = {}) => ({
    ...eventOf(line, { kind: 'video_view' as const, at: second(at) }),
    facts: { ...impression.facts, video, ...facts },
  });
  return { impression, says };
}
const price = async (id: string) => {
  const row = await stored(database, id);
  return [row?.status, row?.reason, row?.price_nanos];
};

describe('settleBatch · views of videos', () => {
  test('a view · after its time · is charged once; the impression is free', async () => {
    const line = await makeLine(database, { pricingModel: 'CPV' });
    const { impression, says } = watching(line);
    const end = says('complete', 15);
    await append(database, impression, end);
    await settleAll();
    expect(await price(impression.id)).toEqual(['valid', null, '0']);
    expect(await price(end.id)).toEqual(['valid', null, '1000000000']);
    const { rows } = await database.pool.query(
      'SELECT impressions, views, removed, spend_nanos FROM rollup_ad_hours WHERE campaign_id = $1',
      [line.campaignId],
    );
    const sum = (name: string) =>
      rows.reduce(
        (total: bigint, row) => total + BigInt((row as Record<string, string>)[name] ?? ''),
        0n,
      );
    expect(['impressions', 'views', 'removed', 'spend_nanos'].map(sum)).toEqual([1n, 1n, 0n, UNIT]);
  });

  test('30 seconds, then the end · of a long video · the first is charged, the second is free', async () => {
    const line = await makeLine(database, { pricingModel: 'CPV' });
    const { impression, says } = watching(line, { viewSeconds: 30 });
    const [view, end] = [says('view', 30), says('complete', 45)];
    await append(database, impression, view);
    await settleAll();
    await append(database, end);
    await settleAll();
    expect(await price(view.id)).toEqual(['valid', null, '1000000000']);
    expect(await price(end.id)).toEqual(['valid', null, '0']);
    expect(await stored(database, end.id)).toMatchObject({ billable: false });
  });

  test('an end · before its time · is TOO_FAST and free, and the true one after it is a replay', async () => {
    const line = await makeLine(database, { pricingModel: 'CPV' });
    const { impression, says } = watching(line);
    const [early, later] = [says('complete', 5), says('complete', 16)];
    await append(database, impression, early, later);
    await settleAll();
    expect(await price(early.id)).toEqual(['invalid', 'TOO_FAST', '0']);
    expect(await price(later.id)).toEqual(['invalid', 'REPLAY', '0']);
  });

  test.each(['in one batch', 'in two batches'])(
    'a view · said again %s · is a replay',
    async (when) => {
      const line = await makeLine(database, { pricingModel: 'CPV' });
      const { impression, says } = watching(line);
      const [first, again] = [says('complete', 15), says('complete', 200)];
      await append(database, impression, first);
      if (when === 'in two batches') await settleAll();
      await append(database, again);
      await settleAll();
      expect(await price(first.id)).toEqual(['valid', null, '1000000000']);
      expect(await price(again.id)).toEqual(['invalid', 'REPLAY', '0']);
    },
  );

  test('a view · whose impression never came · is free', async () => {
    const { says } = watching(await makeLine(database, { pricingModel: 'CPV' }));
    const end = says('complete', 60);
    await append(database, end);
    await settleAll();
    expect(await price(end.id)).toEqual(['invalid', 'TOO_FAST', '0']);
  });

  test('ten videos · watched side by side by one viewer · are charged as one', async () => {
    const line = await makeLine(database, { pricingModel: 'CPV' });
    const viewerKey = hex(16);
    const ids: string[] = [];
    for (let at = 0; at < 10; at += 1) {
      const { impression, says } = watching(line);
      impression.facts.viewerKey = viewerKey;
      const end = says('complete', 15);
      ids.push(end.id);
      await append(database, impression, end);
    }
    await settleAll();
    const prices = await Promise.all(ids.map(price));
    expect(prices.filter(([, , nanos]) => nanos !== '0')).toHaveLength(1);
    expect(prices.filter(([, reason]) => reason === 'DUPLICATE_IMPRESSION')).toHaveLength(9);
  });

  test('a view · of a campaign that pays by CPM · is counted and free', async () => {
    const line = await makeLine(database, { pricingModel: 'CPM' });
    const { impression, says } = watching(line, { pricingModel: 'CPM' });
    const end = says('complete', 15);
    await append(database, impression, end);
    await settleAll();
    expect(await stored(database, end.id)).toMatchObject({ billable: true, price_nanos: '0' });
    expect(await price(impression.id)).toEqual(['valid', null, '1000000000']);
  });

  test('a view · past the daily budget · is BUDGET_EXCEEDED', async () => {
    const line = await makeLine(database, { pricingModel: 'CPV', dailyNanos: UNIT });
    const [first, second_] = [watching(line), watching(line)];
    const ends = [first.says('complete', 15), second_.says('complete', 15)];
    await append(database, first.impression, second_.impression, ...ends);
    await settleAll();
    const prices = await Promise.all(ends.map(async ({ id }) => (await price(id))[1]));
    expect(prices).toEqual([null, 'BUDGET_EXCEEDED']);
  });

  test('progress and errors · of a player · are kept and count for nothing', async () => {
    const line = await makeLine(database, { pricingModel: 'CPV' });
    const { impression, says } = watching(line);
    const start = { ...says('start', 1), kind: 'video' as const };
    const broken = { ...says('start', 2, { vastError: 405 }), kind: 'vast_error' as const };
    await append(database, impression, start, broken, { ...start, id: says('start', 1).id });
    await settleAll();
    expect(await price(start.id)).toEqual(['valid', null, '0']);
    expect(await price(broken.id)).toEqual(['valid', null, '0']);
    expect(await stored(database, broken.id)).toMatchObject({ billable: false });
  });
});
