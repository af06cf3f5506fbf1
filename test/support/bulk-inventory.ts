import type pg from 'pg';

/** What load scripts ask for. */
export interface BulkInventory {
  zoneKeys: string[];
}

/**
 * Campaigns that all look eligible to a banner zone, over 200 advertisers with money, in SQL so that
 * 10,000 take seconds: one ad group, creative and ad each, a third of them with targeting.
 */
export async function seedInventory(
  pool: pg.Pool,
  campaigns: number,
  zones: number,
): Promise<BulkInventory> {
  const client = await pool.connect();
  try {
    // 100,000 take longer than any statement of the product may.
    await client.query(`SET statement_timeout = '5min'`);
    return await insertInventory(client, campaigns, zones);
  } finally {
    client.release(true);
  }
}

async function insertInventory(
  client: pg.PoolClient,
  campaigns: number,
  zones: number,
): Promise<BulkInventory> {
  await client.query(`
    INSERT INTO accounts (kind, username, email, password_hash)
      SELECT 'ADVERTISER', 'bench_adv_' || i, 'adv' || i || '@bench.example.com', '-' FROM generate_series(1, 200) i;
    INSERT INTO accounts (kind, username, email, password_hash)
      SELECT 'PUBLISHER', 'bench_pub_' || i, 'pub' || i || '@bench.example.com', '-' FROM generate_series(1, 20) i;
    INSERT INTO ledger_accounts (code, currency, floor_nanos) VALUES ('w:bench', 'USD', NULL);
    INSERT INTO ledger_accounts (code, currency, owner_type, owner_id, floor_nanos)
      SELECT 'adv:' || id || ':available', 'USD', 'ADVERTISER', id, 0 FROM accounts WHERE kind = 'ADVERTISER';
    INSERT INTO ledger_batches (idempotency_key, kind) VALUES ('bench', 'deposit_credited');
    INSERT INTO ledger_transfers (batch_id, currency, debit_id, credit_id, amount_nanos, type)
      SELECT b.id, 'USD', w.id, a.id, 1000000000000000, 'DEPOSIT'
      FROM ledger_batches b, ledger_accounts w, ledger_accounts a
      WHERE b.idempotency_key = 'bench' AND w.code = 'w:bench' AND a.owner_type = 'ADVERTISER'`);
  await client.query(
    `WITH advertisers AS (SELECT id, row_number() OVER (ORDER BY id) - 1 AS n FROM accounts WHERE kind = 'ADVERTISER'),
     made AS (
       INSERT INTO campaigns (advertiser_id, name, ad_type, bid_nanos, pricing_model, daily_budget_nanos, landing_url,
           rotation_mode, target_countries, target_devices, audit_status)
       SELECT a.id, 'Bench ' || i, 'BANNER',
         CASE WHEN i % 2 = 0 THEN 2000000000 + (i % 997) * 1000000::bigint ELSE 100000000 + (i % 997) * 100000::bigint END,
         CASE WHEN i % 2 = 0 THEN 'CPM' ELSE 'CPC' END, 500000000000, 'https://shop.example.com/?c={click_id}', 'ASAP',
         CASE WHEN i % 3 = 0 THEN '["US","DE","FR"]'::jsonb END,
         CASE WHEN i % 5 = 0 THEN '["DESKTOP","MOBILE"]'::jsonb END, 'APPROVED'
       FROM generate_series(1, $1::int) i JOIN advertisers a ON a.n = i % 200 RETURNING id, advertiser_id),
     grouped AS (
       INSERT INTO ad_groups (advertiser_id, campaign_id, name, audit_status)
       SELECT advertiser_id, id, 'All', 'APPROVED' FROM made RETURNING id, advertiser_id, campaign_id),
     pictured AS (
       INSERT INTO media (advertiser_id, type, mime, width, height, bytes, sha256, path)
       SELECT a.id, 'IMAGE', 'image/png', 300, 250, 1000, md5(a.id::text), 'bench/' || a.id || '.png' FROM advertisers a
       RETURNING id, advertiser_id),
     drawn AS (
       INSERT INTO creatives (advertiser_id, name, latest_revision, approved_revision, audit_status)
       SELECT advertiser_id, 'Picture', 1, 1, 'APPROVED' FROM pictured RETURNING id, advertiser_id),
     revised AS (
       INSERT INTO creative_revisions (creative_id, revision, width, height, image_media_id, audit_status)
       SELECT d.id, 1, 300, 250, p.id, 'APPROVED' FROM drawn d JOIN pictured p USING (advertiser_id) RETURNING creative_id),
     said AS (
       INSERT INTO ads (advertiser_id, campaign_id, adgroup_id, creative_id, name, title, audit_status, approved_revision)
       SELECT g.advertiser_id, g.campaign_id, g.id, d.id, 'Ad', 'Bench ad', 'APPROVED', 1
       FROM grouped g JOIN drawn d USING (advertiser_id) RETURNING id, creative_id, title)
     INSERT INTO ad_revisions (ad_id, revision, creative_id, title, audit_status)
     SELECT id, 1, creative_id, title, 'APPROVED' FROM said`,
    [campaigns],
  );
  const { rows } = await client.query<{ zone_key: string }>(
    `WITH publishers AS (SELECT id, row_number() OVER (ORDER BY id) - 1 AS n FROM accounts WHERE kind = 'PUBLISHER'),
     placed AS (
       INSERT INTO sites (publisher_id, name, domain, verify_token, verify_status, audit_status)
       SELECT id, 'Site', 'site' || id || '.example.com', 'x', 'VERIFIED', 'APPROVED' FROM publishers RETURNING id, publisher_id)
     INSERT INTO zones (publisher_id, site_id, name, zone_key, audit_status)
     SELECT s.publisher_id, s.id, 'Zone', 'zone_' || lpad(to_hex(i), 8, '0'), 'APPROVED'
     FROM generate_series(1, $1::int) i JOIN publishers p ON p.n = i % 20 JOIN placed s ON s.publisher_id = p.id
     RETURNING zone_key`,
    [zones],
  );
  return { zoneKeys: rows.map((row) => row.zone_key) };
}
