import { createRedis, noticesOf, type Redis } from '../../db/redis.ts';
import { serviceUrl } from '../support/database.ts';
import { until } from '../support/until.ts';

/** Two platforms may share a Redis server, each with a database of its own. */
const opened: Redis[] = [];

async function platformOn(database: number): Promise<{ redis: Redis; heard: string[] }> {
  const url = new URL(serviceUrl('REDIS_URL'));
  url.pathname = `/${database}`;
  const redis = createRedis(url.toString());
  const subscriber = redis.duplicate();
  opened.push(redis, subscriber);
  await Promise.all([redis.connect(), subscriber.connect()]);
  const heard: string[] = [];
  await subscriber.subscribe(noticesOf(subscriber), (message) => heard.push(message));
  return { redis, heard };
}

afterAll(() => {
  for (const redis of opened) redis.destroy();
});

test('change notices · two platforms on one server · each hears its own only', async () => {
  const [ours, theirs] = [await platformOn(14), await platformOn(15)];
  await theirs.redis.publish(noticesOf(theirs.redis), 'theirs');
  await ours.redis.publish(noticesOf(ours.redis), 'ours');
  await until('both were heard', () => ours.heard.length > 0 && theirs.heard.length > 0);
  expect([ours.heard, theirs.heard]).toEqual([['ours'], ['theirs']]);
});

test('change notices · of database 0 · keep the name they had', () => {
  const redis = createRedis('redis://127.0.0.1:6379');
  expect(noticesOf(redis)).toBe('adp:inventory');
});
