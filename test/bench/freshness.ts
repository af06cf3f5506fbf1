import { setTimeout as sleep } from 'node:timers/promises';
import { createRedis, noticesOf } from '../../db/redis.ts';
import type { InventoryChange } from '../../db/serving/snapshot-store.ts';
import type { Platform } from '../support/platform.ts';

/** From a write to the first answer that shows it, as its outbox tells it: how soon a zone is refreshed. */
const WRITES = 50;
const LOOK_EVERY_MS = 2;
const REFRESH_MIN = 30;

export async function measureFreshness(platform: Platform, zoneKey: string): Promise<void> {
  const took: number[] = [];
  for (let at = 0; at < WRITES; at += 1) {
    const refresh = REFRESH_MIN + at;
    const { rows } = await platform.pool.query<{ publisher_id: string }>(
      'UPDATE zones SET refresh = $2 WHERE zone_key = $1 RETURNING publisher_id',
      [zoneKey, refresh],
    );
    const writtenAt = performance.now();
    await publish(platform, { topic: 'publisher', id: Number(rows[0]?.publisher_id) });
    while ((await zoneAnswer(platform.baseUrl, zoneKey)) !== refresh) await sleep(LOOK_EVERY_MS);
    took.push(performance.now() - writtenAt);
  }
  took.sort((a, b) => a - b);
  const ms = (share: number): string => (took[Math.ceil(took.length * share) - 1] ?? 0).toFixed(0);
  console.log(`a write is shown after ${ms(0.5)} ms (p50), ${ms(0.99)} ms (p99 of ${WRITES})`);
}

/** As the outbox's poller does it. */
export async function publish(platform: Platform, change: InventoryChange): Promise<void> {
  const redis = createRedis(platform.env['REDIS_URL'] ?? '');
  await redis.connect();
  await redis.publish(noticesOf(redis), JSON.stringify(change));
  redis.destroy();
}

/** What a page learns of how soon its zone is refreshed. */
export async function zoneAnswer(baseUrl: string, zoneKey: string): Promise<number> {
  const response = await fetch(`${baseUrl}/ad/request?zone=${zoneKey}`);
  return ((await response.json()) as { data: { zone: { refresh: number } } }).data.zone.refresh;
}
