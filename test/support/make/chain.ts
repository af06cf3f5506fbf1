import { type Caller, idOf } from '../call.ts';
import { image } from '../images.ts';
import type { Stand } from '../stand.ts';

/** What a reviewer's approval leaves behind, for tests that begin after it. */
export async function approve(stand: Stand, table: string, id: number): Promise<void> {
  const { pool } = stand.database;
  await pool.query(
    `UPDATE reviews SET status = 'APPROVED', decided_by = 'AUTO' WHERE subject_id = $1 AND subject_type = $2`,
    [id, { campaigns: 'campaign', ad_groups: 'adgroup', ads: 'ad', creatives: 'creative' }[table]],
  );
  await pool.query(`UPDATE ${table} SET audit_status = 'APPROVED' WHERE id = $1`, [id]);
  if (table === 'campaigns') {
    await pool.query('UPDATE campaigns SET approved_landing_url = landing_url WHERE id = $1', [id]);
  }
  if (table !== 'creatives' && table !== 'ads') return;
  await pool.query(`UPDATE ${table} SET approved_revision = latest_revision WHERE id = $1`, [id]);
  const its = table === 'ads' ? 'ad' : 'creative';
  await pool.query(
    `UPDATE ${its}_revisions r SET audit_status = 'APPROVED' FROM ${table} c
     WHERE c.id = $1 AND r.${its}_id = c.id AND r.revision = c.latest_revision`,
    [id],
  );
}

export const CAMPAIGN = {
  name: 'Spring sale',
  ad_type: 'BANNER',
  bid: 0.5,
  landing_url: 'https://shop.example/spring',
};

export interface Chain {
  campaignId: number;
  adGroupId: number;
  creativeId: number;
  mediaId: number;
  adId: number;
}

/** Campaign, ad group, image, creative and ad of one advertiser, all through the API. */
export async function makeChain(owner: Caller): Promise<Chain> {
  const campaignId = idOf(await owner.post('/campaigns', CAMPAIGN));
  const adGroupId = idOf(await owner.post('/adgroups', { campaign_id: campaignId, name: 'Group' }));
  const mediaId = idOf(await owner.upload('/media/upload', await image('png')));
  const creativeId = idOf(
    await owner.post('/creatives', { name: 'Banner', image_media_id: mediaId }),
  );
  const adId = idOf(
    await owner.post('/ads', { adgroup_id: adGroupId, creative_id: creativeId, name: 'Ad' }),
  );
  return { campaignId, adGroupId, creativeId, mediaId, adId };
}
