import type { IncomingMessage } from 'node:http';
import type pg from 'pg';
import { createViewerReader } from '../../api/viewer.ts';
import { loadConfig } from '../../config.ts';
import { newEventId } from '../../db/events/event-log.ts';
import { adRequestKey, obfuscate } from '../../domain/tracking/obfuscation.ts';
import type { createSessionKeys } from '../../domain/tracking/session-key.ts';
import type { Platform } from '../support/platform.ts';
import type { BenchRequest } from './load.ts';

export const BENCH_AGENT =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36';

/**
 * What the rows of the bench beside the plain ad request need: of the seeded advertisers one in ten
 * sells CPA, half of its campaigns with a frequency cap; one in fifty films.
 */
export async function addCappedAndFilms(
  pool: pg.Pool,
): Promise<{ capped: string[]; films: string[] }> {
  await pool.query(`
    UPDATE campaigns c SET pricing_model = 'CPA', frequency_cap =
      CASE WHEN c.id / 200 % 2 = 0 THEN '{"impressions":1000000,"window_seconds":86400,"per":"campaign"}'::jsonb END
    FROM accounts a WHERE a.id = c.advertiser_id AND a.username ~ '^bench_adv_[0-9]*7$';
    CREATE TEMP TABLE film_makers AS SELECT id FROM accounts WHERE username ~ '^bench_adv_[0-9]*[05]0$';
    UPDATE campaigns SET ad_type = 'VIDEO' WHERE advertiser_id IN (SELECT id FROM film_makers);
    UPDATE creatives SET type = 'VIDEO', creative_type = 'video' WHERE advertiser_id IN (SELECT id FROM film_makers);
    INSERT INTO media (advertiser_id, type, mime, width, height, duration_s, bytes, sha256, path)
      SELECT id, 'VIDEO', 'video/mp4', 640, 360, 20, 2000000, md5('film' || id), 'bench/' || id || '.mp4' FROM film_makers;
    UPDATE creative_revisions r SET video_media_id = m.id
      FROM creatives c JOIN media m ON m.advertiser_id = c.advertiser_id AND m.type = 'VIDEO'
      WHERE r.creative_id = c.id;
    DROP TABLE film_makers`);
  const zones = async (prefix: string, type: string, models: string): Promise<string[]> => {
    const { rows } = await pool.query<{ zone_key: string }>(
      `INSERT INTO zones (publisher_id, site_id, name, zone_key, type, pricing_types, audit_status)
       SELECT publisher_id, id, 'Zone', $1 || lpad(id::text, 8, '0'), $2, $3, 'APPROVED'
       FROM sites ORDER BY id LIMIT 10 RETURNING zone_key`,
      [prefix, type, models],
    );
    return rows.map((row) => row.zone_key);
  };
  return {
    capped: await zones('zone_c', 'BANNER', 'CPA'),
    films: await zones('zone_f', 'VIDEO', 'CPC,CPM'),
  };
}

/** As the SDK asks: what the device is goes along under a keystream of this request's own. */
export function describedRequests(zoneKeys: readonly string[]): BenchRequest[] {
  const device = {
    v: 1,
    ua: BENCH_AGENT,
    l: 'en-US',
    ls: 'en-US,en,de',
    tz: 'Europe/Berlin',
    s: [1920, 1080, 1920, 1040, 1.25, 24],
    w: [1280, 720],
    hc: 8,
    pf: 'Win32',
    wd: false,
    vis: 'visible',
    ref: 'https://news.example.com/today/an-article-of-some-length',
  };
  return Array.from({ length: 2_000 }, (_none, at) => {
    const zone = zoneKeys[at % zoneKeys.length] ?? '';
    const nonce = `${Date.now()}.${String(at).padStart(16, '0')}`;
    const data = obfuscate(device, { key: adRequestKey(zone, nonce), nonce });
    return { path: `/ad/request?zone=${zone}&_v=2&_r=${nonce}&_d=${data}` };
  });
}

/** A click of its own for each verification and each conversion, as GET click leaves it behind. */
export async function clicksFor(
  platform: Platform,
  terms: {
    trackIds: readonly string[];
    count: number;
    agent: string;
    createKeys: typeof createSessionKeys;
  },
): Promise<{ verifications: BenchRequest[]; conversions: BenchRequest[] }> {
  const { trackIds, count, agent } = terms;
  const now = new Date();
  // A key lives for five minutes, the bench may take longer.
  const tomorrow = new Date(now.getTime() + 86_400_000);
  const idsOf = () => Array.from({ length: count }, () => newEventId(now));
  const pending = idsOf();
  await storeClicks(platform, pending, 'verify_pending');
  const verified = await storeClicks(platform, idsOf(), 'verified');
  const { keys } = loadConfig(platform.env);
  const sessionKeys = terms.createKeys(keys.hash);
  const readViewer = createViewerReader({
    hashKey: keys.hash,
    geo: () => null,
    trustedProxies: [],
  });
  const request = { headers: { 'user-agent': agent }, socket: {} };
  const viewer = readViewer(request as unknown as IncomingMessage);
  return {
    verifications: pending.map((clickEventId, index) => {
      const trackId = trackIds[index % trackIds.length] ?? '';
      const qaKey = sessionKeys.mintClick({ trackId, clickEventId, viewer, now: tomorrow });
      const body = { track_id: trackId, qa_k: qaKey, device_data: { webdriver: false } };
      return { path: '/track/click-verify', body: JSON.stringify(body) };
    }),
    conversions: verified.map((clickId) => ({
      path: `/track/conversion?click_id=${clickId}&txid=${clickId.slice(0, 12)}&value=19.99`,
    })),
  };
}

/** As many as PostgreSQL stores well within the time of one statement. */
const CLICKS_AT_ONCE = 20_000;

/** Answers their public ids. */
async function storeClicks(
  platform: Platform,
  ids: readonly string[],
  status: 'verify_pending' | 'verified',
): Promise<string[]> {
  const made: string[] = [];
  for (let from = 0; from < ids.length; from += CLICKS_AT_ONCE) {
    const { rows } = await platform.pool.query<{ click_id: string }>(
      `INSERT INTO clicks (id, click_id, shard, status, verify_by, clicked_at, request_id, bid_id, advertiser_id,
         campaign_id, adgroup_id, ad_id, creative_id, zone_id, bid_price_nanos, pricing_model)
       SELECT made.id, md5(made.id::text), 0, $2, now() + interval '1 day', now(), md5(made.id::text),
         left(md5(made.id::text), 16), a.advertiser_id, a.campaign_id, a.adgroup_id, a.id, a.creative_id, 1, 1000000,
         'CPC'
       FROM unnest($1::uuid[]) WITH ORDINALITY AS made (id, n)
       JOIN (SELECT *, row_number() OVER (ORDER BY id) - 1 AS at FROM ads) a ON a.at = n % 1000
       RETURNING click_id`,
      [ids.slice(from, from + CLICKS_AT_ONCE), status],
    );
    for (const { click_id: clickId } of rows) made.push(clickId);
  }
  return made;
}
