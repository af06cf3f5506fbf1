import type { ApiClient } from './api-client.ts';
import { once, type Seed } from './seed.ts';
import { decideTask } from './seed-tasks.ts';

interface Line {
  name: string;
  campaign: object;
  creative: { id: number };
  title: string;
  /** Its words are still to be looked at. */
  isWaiting?: boolean;
}

/** Campaign, ad group and ad, whose words a reviewer has read; answers the campaign. */
export async function line(
  seed: Seed,
  { client, brand }: { client: ApiClient; brand: string },
  { name, campaign, creative, title, isWaiting = false }: Line,
): Promise<{ id: number }> {
  const made = await once<{ id: number }>(client, '/campaigns', name, {
    ad_type: 'BANNER',
    pricing_model: 'CPM',
    price: 5,
    daily_budget: 30,
    rotation_mode: 'ASAP',
    landing_url: 'https://rope.example/',
    ...campaign,
  });
  const group = await once<{ id: number }>(client, '/adgroups', `${name}: everyone`, {
    campaign_id: made.id,
  });
  const ad = await once<{ id: number }>(client, '/ads', `${name}: ${title}`, {
    adgroup_id: group.id,
    creative_id: creative.id,
    title,
    description: 'Made to last, at a fair price',
    button_text: 'See more',
    brand_name: brand,
  });
  if (!isWaiting) await decideTask(seed, { type: 'ad', id: ad.id }, { decision: 'approve' });
  return made;
}
