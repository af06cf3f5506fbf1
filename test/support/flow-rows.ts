import { randomBytes } from 'node:crypto';
import type { TestDatabase } from './database.ts';

/** Rows that the flows' tests start from, by SQL so that no other part has to exist. */
export interface ReviewRows {
  advertiserId: number;
  publisherId: number;
  campaignId: number;
  adGroupId: number;
  creativeId: number;
  adId: number;
  siteId: number;
}

export async function insertRow(
  { pool }: TestDatabase,
  table: string,
  row: Record<string, unknown>,
): Promise<number> {
  const names = Object.keys(row);
  const { rows } = await pool.query<{ id: string }>(
    `INSERT INTO ${table} (${names.join(', ')}) VALUES (${names.map((_, i) => `$${i + 1}`).join(', ')}) RETURNING id`,
    Object.values(row),
  );
  return Number(rows[0]?.id);
}

export async function makeAccountRow(
  database: TestDatabase,
  kind: 'ADVERTISER' | 'PUBLISHER',
): Promise<number> {
  const username = `u${randomBytes(6).toString('hex')}`;
  return await insertRow(database, 'accounts', {
    kind,
    username,
    email: `${username}@test.example`,
    password_hash: 'x',
    contact_name: 'Ada',
    company_name: 'Engines',
  });
}

export async function makeOperator(
  database: TestDatabase,
  role: 'ADMIN' | 'REVIEWER' | 'FINANCE' | 'SUPPORT',
): Promise<number> {
  const username = `o${randomBytes(6).toString('hex')}`;
  return await insertRow(database, 'operators', {
    username,
    email: `${username}@test.example`,
    password_hash: 'x',
    role,
  });
}

/** A campaign with one of each under it; nothing is submitted for review yet. */
export async function makeReviewRows(database: TestDatabase): Promise<ReviewRows> {
  const advertiserId = await makeAccountRow(database, 'ADVERTISER');
  const publisherId = await makeAccountRow(database, 'PUBLISHER');
  const owner = { advertiser_id: advertiserId, name: 'Spring' };
  const campaignId = await insertRow(database, 'campaigns', {
    ...owner,
    ad_type: 'BANNER',
    bid_nanos: '1000000000',
    landing_url: 'https://shop.example/spring',
  });
  const adGroupId = await insertRow(database, 'ad_groups', { ...owner, campaign_id: campaignId });
  const imageId = await insertRow(database, 'media', {
    advertiser_id: advertiserId,
    type: 'IMAGE',
    mime: 'image/png',
    width: 300,
    height: 250,
    bytes: 100,
    sha256: randomBytes(32).toString('hex'),
    path: 'aa/picture.png',
  });
  const creativeId = await insertRow(database, 'creatives', owner);
  await insertRow(database, 'creative_revisions', {
    creative_id: creativeId,
    revision: 1,
    image_media_id: imageId,
  });
  const adId = await insertRow(database, 'ads', {
    ...owner,
    campaign_id: campaignId,
    adgroup_id: adGroupId,
    creative_id: creativeId,
  });
  const siteId = await insertRow(database, 'sites', {
    publisher_id: publisherId,
    name: 'Gazette',
    domain: `${randomBytes(5).toString('hex')}.example`,
    verify_token: 'token',
  });
  return { advertiserId, publisherId, campaignId, adGroupId, creativeId, adId, siteId };
}
