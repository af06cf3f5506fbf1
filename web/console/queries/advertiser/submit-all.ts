import { api } from '../../api.ts';

const DRAFTS = { audit_status: 'DRAFT', page_size: 100 } as const;
const AD_GROUPS = 'POST /api/advertiser/adgroups/bulk';
const ADS = 'POST /api/advertiser/ads/bulk';
const CREATIVES = 'POST /api/advertiser/creatives/bulk';

/** Drafts below a campaign go into review with it; what was sent back waits for its owner. */
export async function submitDraftsBelow(campaignId: number): Promise<void> {
  const client = api(ADS);
  const query = { ...DRAFTS, campaign_id: campaignId };
  const groups = await client.call('GET /api/advertiser/adgroups', { query });
  const ads = await client.call('GET /api/advertiser/ads', { query });
  const shown = new Set(ads.items.map(({ creative_id: id }) => id));
  const creatives = await client.call('GET /api/advertiser/creatives', { query: DRAFTS });
  const action = 'submit_audit';
  const sends = [
    [AD_GROUPS, groups.items.map(({ id }) => id)],
    [CREATIVES, creatives.items.map(({ id }) => id).filter((id) => shown.has(id))],
    [ADS, ads.items.map(({ id }) => id)],
  ] as const;
  for (const [route, ids] of sends) {
    if (ids.length > 0) await client.call(route, { body: { action, ids } });
  }
}
