import type pg from 'pg';
import { ROLLUPS, ROLLUP_TABLES, type RollupTable } from '../../db/queries/rollups.ts';

/** How much of a market is made; ads and zones are drawn with a long tail, the first ones most often. */
export interface Market {
  advertisers: number;
  /** Per advertiser: campaigns, with two ad groups each and two ads in each of these. */
  campaigns: number;
  publishers: number;
  /** Per publisher: sites with two zones each. */
  sites: number;
}

/** Ids of those that get the most events. */
export interface BusiestOf {
  advertiserId: number;
  publisherId: number;
}

/**
 * Accounts with inventory, in SQL so that thousands take seconds. The tables bulk_ads and bulk_zones
 * number the lines that events are dealt out to.
 */
export async function seedMarket(pool: pg.Pool, market: Market): Promise<BusiestOf> {
  await pool.query(
    `WITH a AS (
       INSERT INTO accounts (kind, username, email, password_hash)
       SELECT 'ADVERTISER', 'bulk_adv_' || i, 'adv' || i || '@bulk.example', '-' FROM generate_series(1, ${market.advertisers}) i
       RETURNING id),
     c AS (
       INSERT INTO campaigns (advertiser_id, name, ad_type, bid_nanos, audit_status)
       SELECT a.id, 'Campaign ' || i, 'BANNER', 1000000, 'APPROVED' FROM a, generate_series(1, ${market.campaigns}) i
       RETURNING id, advertiser_id),
     g AS (
       INSERT INTO ad_groups (advertiser_id, campaign_id, name, audit_status)
       SELECT c.advertiser_id, c.id, 'Group ' || i, 'APPROVED' FROM c, generate_series(1, 2) i
       RETURNING id, advertiser_id, campaign_id),
     k AS (
       INSERT INTO creatives (advertiser_id, name, audit_status) SELECT id, 'Creative', 'APPROVED' FROM a
       RETURNING id, advertiser_id),
     w AS (
       INSERT INTO ads (advertiser_id, campaign_id, adgroup_id, creative_id, name, audit_status, approved_revision)
       SELECT g.advertiser_id, g.campaign_id, g.id, k.id, 'Ad ' || i, 'APPROVED', 1
       FROM g JOIN k USING (advertiser_id), generate_series(1, 2) i RETURNING id, creative_id)
     INSERT INTO ad_revisions (ad_id, revision, creative_id, audit_status)
     SELECT id, 1, creative_id, 'APPROVED' FROM w`,
  );
  await pool.query(
    `WITH p AS (
       INSERT INTO accounts (kind, username, email, password_hash)
       SELECT 'PUBLISHER', 'bulk_pub_' || i, 'pub' || i || '@bulk.example', '-' FROM generate_series(1, ${market.publishers}) i
       RETURNING id),
     s AS (
       INSERT INTO sites (publisher_id, name, domain, verify_token, verify_status, audit_status)
       SELECT p.id, 'Site ' || i, 's' || p.id || '-' || i || '.example', 'x', 'VERIFIED', 'APPROVED'
       FROM p, generate_series(1, ${market.sites}) i RETURNING id, publisher_id)
     INSERT INTO zones (publisher_id, site_id, name, zone_key, audit_status)
     SELECT s.publisher_id, s.id, 'Zone ' || i, 'bulk_' || s.id || '_' || i, 'APPROVED' FROM s, generate_series(1, 2) i`,
  );
  await pool.query(`
    CREATE TABLE bulk_ads AS SELECT row_number() OVER (ORDER BY advertiser_id, a.id) - 1 AS n, advertiser_id, campaign_id,
      adgroup_id, a.id AS ad_id, creative_id FROM ads a JOIN accounts o ON o.id = a.advertiser_id AND o.username LIKE 'bulk\\_%';
    CREATE TABLE bulk_zones AS SELECT row_number() OVER (ORDER BY publisher_id, z.id) - 1 AS n, publisher_id, site_id,
      z.id AS zone_id FROM zones z JOIN accounts o ON o.id = z.publisher_id AND o.username LIKE 'bulk\\_%';
    CREATE UNIQUE INDEX ON bulk_ads (n); CREATE UNIQUE INDEX ON bulk_zones (n); ANALYZE bulk_ads; ANALYZE bulk_zones`);
  const { rows } = await pool.query<{ advertiser: string; publisher: string }>(
    `SELECT (SELECT advertiser_id FROM bulk_ads WHERE n = 0) AS advertiser,
            (SELECT publisher_id FROM bulk_zones WHERE n = 0) AS publisher`,
  );
  return { advertiserId: Number(rows[0]?.advertiser), publisherId: Number(rows[0]?.publisher) };
}

/** Most traffic of few countries, one device with its own systems and browsers: cells as they are. */
const EVENT_SOURCE = `
  SELECT i, floor((SELECT count(*) FROM bulk_ads) * power(random(), 2.2))::bigint AS ad_n,
    floor((SELECT count(*) FROM bulk_zones) * power(random(), 2.2))::bigint AS zone_n,
    $1::date + random() * interval '24 hours' - interval '1 microsecond' * random() AS drawn_at,
    (ARRAY['CN','IN','US','DE','BR','ID','JP','GB','FR','MX','TR','VN','TH','ES','IT','PL','NL','CA','AU','KR','ZA','EG',
      'NG','AR','CO','SA','AE','PH','MY','SE'])[1 + floor(30 * power(random(), 3))::int] AS country,
    (ARRAY['MOBILE','DESKTOP','TABLET'])[1 + floor(3 * power(random(), 2))::int] AS device,
    random() AS dice, random() AS system, random() AS program
  FROM generate_series(1, $2::int) i`;

/** Pages 1, 2, …; some events are of none of them, and some of a page that is not kept. */
export const PAGE_HOSTS = ['news.example', 'blog.example'];

/**
 * Judged events of one UTC day, straight into \`events\`: nine in ten impressions and views of videos, then
 * viewable ones, clicks, conversions and refused ones. Rollups are made of them by \`rollUpEvents\`.
 */
export async function seedEvents(pool: pg.Pool, day: string, count: number): Promise<void> {
  await pool.query(
    `INSERT INTO events (day, id, shard, kind, received_at, advertiser_id, campaign_id, adgroup_id, ad_id, creative_id,
       publisher_id, site_id, zone_id, country, device, os, browser, pricing_model, billable, status, reason,
       price_nanos, publisher_nanos, batch_id, page_id)
     SELECT $1::date, gen_random_uuid(), 0,
       CASE WHEN dice < 0.88 THEN 'impression' WHEN dice < 0.90 THEN 'video_view' WHEN dice < 0.94 THEN 'view'
            WHEN dice < 0.96 THEN 'click_verify' WHEN dice < 0.963 THEN 'conversion'
            WHEN dice < 0.99 THEN 'impression' ELSE 'video_view' END,
       GREATEST(drawn_at, $1::date) AT TIME ZONE 'UTC', a.advertiser_id, a.campaign_id, a.adgroup_id, a.ad_id, a.creative_id,
       z.publisher_id, z.site_id, z.zone_id, country, device,
       CASE device WHEN 'DESKTOP' THEN (ARRAY['WINDOWS','MACOS','LINUX'])[1 + floor(3 * system * system)::int]
                   ELSE (ARRAY['ANDROID','IOS'])[1 + floor(2 * system)::int] END,
       (ARRAY['CHROME','SAFARI','FIREFOX','EDGE'])[1 + floor(4 * program * program)::int], 'CPM',
       dice < 0.90 OR dice >= 0.94 AND dice < 0.963,
       CASE WHEN dice < 0.90 OR dice >= 0.94 AND dice < 0.963 THEN 'valid' WHEN dice < 0.94 THEN 'viewable' ELSE 'invalid' END,
       CASE WHEN dice >= 0.963 THEN 'BOT_UA' END,
       CASE WHEN dice < 0.90 THEN 2000000 ELSE 0 END, CASE WHEN dice < 0.90 THEN 1400000 ELSE 0 END,
       CASE WHEN dice < 0.90 OR dice >= 0.94 AND dice < 0.963 THEN 1 END,
       NULLIF(floor(${PAGE_HOSTS.length + 2} * program)::int, 0)
     FROM (${EVENT_SOURCE}) e JOIN bulk_ads a ON a.n = e.ad_n JOIN bulk_zones z ON z.n = e.zone_n`,
    [day, count],
  );
}

const KEY_SOURCE: Readonly<Record<string, string>> = {
  hour: `date_bin('15 minutes', received_at, TIMESTAMPTZ 'epoch')`,
};

/** Fills a rollup from the events of one day, counted as settlement counts them. */
export async function rollUpEvents(pool: pg.Pool, table: RollupTable, day: string): Promise<void> {
  const { keys, money } = ROLLUPS[table];
  const source = money === 'spend_nanos' ? 'price_nanos' : 'publisher_nanos';
  await pool.query(
    `INSERT INTO ${table} (${keys.join(', ')}, impressions, viewable, views, clicks, conversions, removed, ${money})
     SELECT ${keys.map((key) => KEY_SOURCE[key] ?? key).join(', ')},
       count(*) FILTER (WHERE billable AND kind = 'impression'), count(*) FILTER (WHERE status = 'viewable'),
       count(*) FILTER (WHERE billable AND kind = 'video_view'),
       count(*) FILTER (WHERE billable AND kind = 'click_verify'), count(*) FILTER (WHERE billable AND kind = 'conversion'),
       count(*) FILTER (WHERE NOT billable AND status <> 'viewable'), sum(${source})
     FROM events WHERE day = $1::date AND (billable OR kind <> 'video_view') GROUP BY ${keys.map((_, at) => at + 1).join(', ')}`,
    [day],
  );
}

/** Events of some days and all rollups of them. */
export async function seedDays(
  pool: pg.Pool,
  { days, eventsPerDay }: { days: readonly string[]; eventsPerDay: number },
): Promise<void> {
  await pool.query(
    `INSERT INTO pages (id, host, keywords, categories, tags, seen_on)
     SELECT n, host, '[]', '[]', '[]', current_date FROM unnest($1::text[]) WITH ORDINALITY AS p (host, n)
     ON CONFLICT (id) DO NOTHING`,
    [PAGE_HOSTS],
  );
  for (const day of days) {
    await pool.query('SELECT ensure_event_partitions($1::date, 1)', [day]);
    await seedEvents(pool, day, eventsPerDay);
    for (const table of ROLLUP_TABLES) await rollUpEvents(pool, table, day);
  }
  await pool.query('ANALYZE');
}
