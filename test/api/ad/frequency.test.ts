import { setImmediate as nextTurn } from 'node:timers/promises';
import { pino } from 'pino';
import { createFrequency, type Frequency } from '../../../api/ad/frequency.ts';
import { selectAds } from '../../../api/ad/select.ts';
import type { ServingInventory } from '../../../api/ad/snapshot.ts';
import { createRedis, type Redis } from '../../../db/redis.ts';
import type { Contender } from '../../../domain/auction/types.ts';
import type { Viewer } from '../../../domain/viewer.ts';
import { units } from '../../support/auction.ts';
import { serviceUrl } from '../../support/database.ts';
import { loadedInventory, NOON } from '../../support/inventory-rows.ts';
import { until } from '../../support/until.ts';

/** Auctions of one viewer in a market where every campaign may be shown to them once a day. */
let redis: Redis;
let frequency: Frequency;
let reads = 0;

beforeAll(async () => {
  redis = createRedis(serviceUrl('REDIS_URL'));
  await redis.connect();
  const real = createFrequency(redis, pino({ level: 'silent' }), 5_000);
  frequency = {
    read: (viewer, contenders) => {
      reads += 1;
      return real.read(viewer, contenders);
    },
    count: (viewer, caps) => real.count(viewer, caps),
  };
});
afterAll(() => redis.destroy());

/** Bids fall with the id. */
const market = async (campaigns: number): Promise<ServingInventory> =>
  await loadedInventory(
    Array.from({ length: campaigns }, (_none, at) => ({
      bidNanos: units(2_000 - at),
      frequencyCap: { impressions: 1, window_seconds: 86_400, per: 'campaign' as const },
    })),
  );

const somebody = (): Viewer => ({
  country: 'US',
  device: 'DESKTOP',
  os: 'WINDOWS',
  browser: 'CHROME',
  userAgent: 'ok',
  uaHash: '',
  ipHash: '',
  viewerKey: String(Math.random()),
  ipPrefix: '',
  prefetch: false,
  datacenter: false,
});

async function shownTo(
  viewer: Viewer,
  serving: ServingInventory,
  limit: number,
): Promise<number[]> {
  const snapshot = serving.current();
  const zone = snapshot.zones.ofId(1);
  if (zone === undefined) throw new Error('zone is missing');
  const wins = await selectAds(
    { snapshot, zone, channel: 'page', viewer, limit, isRestricted: false, now: NOON, roll: 0 },
    frequency,
  );
  frequency.count(
    `${viewer.viewerKey}${viewer.uaHash}`,
    wins.flatMap(({ candidate }) => candidate.caps),
  );
  return wins.map(({ candidate }) => candidate.adId);
}

test('forty campaigns, once a day each · forty requests of one viewer · show all of them, best first', async () => {
  const serving = await market(40);
  const viewer = somebody();
  const shown: number[] = [];
  reads = 0;
  for (let at = 0; at < 32; at += 1) shown.push(...(await shownTo(viewer, serving, 1)));
  expect(reads).toBe(32);
  for (let at = 32; at < 40; at += 1) shown.push(...(await shownTo(viewer, serving, 1)));
  expect(shown).toEqual(Array.from({ length: 40 }, (_none, at) => at + 1));
  // The first lot is reached: each of the eight took a second reading.
  expect(reads).toBe(32 + 2 * 8);
  expect(await shownTo(viewer, serving, 1)).toEqual([]);
  expect(serving.current().sidelined.stats().cutShort).toEqual({ LOOKS_LIMIT: 0, CAPPED_LIMIT: 0 });
});

test('several places, all but a few of the lot reached · those that it left out fill the rest', async () => {
  const serving = await market(40);
  const viewer = somebody();
  for (let at = 0; at < 3; at += 1) await shownTo(viewer, serving, 10);
  expect(await shownTo(viewer, serving, 10)).toEqual([31, 32, 33, 34, 35, 36, 37, 38, 39, 40]);
});

test('a viewer who has reached more than all lots hold · ends there, and it is counted by name', async () => {
  const serving = await market(300);
  const viewer = somebody();
  const caps = serving.roster().flatMap((ad) => (ad.adId <= 128 ? ad.caps : []));
  frequency.count(`${viewer.viewerKey}${viewer.uaHash}`, caps);
  reads = 0;
  expect(await shownTo(viewer, serving, 1)).toEqual([]);
  expect(reads).toBe(2);
  expect(serving.current().sidelined.stats().cutShort).toEqual({ LOOKS_LIMIT: 0, CAPPED_LIMIT: 1 });
});

describe('when it is slow, or counts no more', () => {
  const contendersOf = (serving: ServingInventory): Contender[] =>
    serving.roster().map((candidate) => ({ candidate, effectiveNanos: 1n, ecpmNanos: 1n }));
  const silent = pino({ level: 'silent' });

  test('the process stood still for longer than an answer waits · what has come meanwhile is read', async () => {
    const serving = await market(1);
    const reading = createFrequency(redis, silent).read('somebody', contendersOf(serving));
    // It is sent by now; then nothing runs for a while, as under load or while memory is cleared.
    await nextTurn();
    await nextTurn();
    const from = performance.now();
    while (performance.now() - from < 80);
    expect([...((await reading) ?? [])].map(([, times]) => times)).toEqual([0]);
  });

  test('Redis answers and counts no more · capped ads stay out; once it does, what was shown is counted too', async () => {
    const serving = await market(1);
    const contenders = contendersOf(serving);
    const caps = serving.roster().flatMap((ad) => ad.caps);
    const viewer = String(Math.random());
    // As a full one, or a copy that may only be read: it answers what it has.
    const user = `reader-${viewer}`;
    const acl = async (...rules: string[]): Promise<void> => {
      await redis.sendCommand(['ACL', 'SETUSER', user, 'on', 'nopass', '~*', ...rules]);
    };
    await acl('+@all', '-incrby');
    const connection = redis.duplicate({ username: user, password: 'any' });
    await connection.connect();
    try {
      const counted = createFrequency(connection, silent, 5_000);
      const read = async () => await counted.read(viewer, contenders);
      expect([...((await read()) ?? []).values()]).toEqual([0]);
      counted.count(viewer, caps);
      await until(async () => (await read()) === undefined);
      await acl('+@all');
      await until(async () => (await read()) !== undefined);
      expect([...((await read()) ?? []).values()]).toEqual([1]);
    } finally {
      connection.destroy();
      await redis.sendCommand(['ACL', 'DELUSER', user]);
    }
  });
});
