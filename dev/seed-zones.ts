import type { ZoneSettingsPatch, ZoneType } from '../domain/zone-settings.ts';
import type { ShownZone } from './demo-pages.ts';
import { first, once, type Seed } from './seed.ts';

/** A place of the demo's newspaper, and how many of its readers come past it. */
interface Place {
  type: ZoneType;
  width: number;
  height: number;
  share: number;
  fields?: ZoneSettingsPatch & { pricing_types?: string };
}

/** Who opens a page of the demo again and again sees its ad each time. */
const OFTEN = { impressions: 200, window_seconds: 3_600 };
const COUPLET_FROM_PX = 1_100;

/** One of each type at least, by name; the square that `npm start` waits for is made before (seed.ts). */
export const PLACES: Readonly<Record<string, Place>> = {
  'Beside the article': { type: 'BANNER', width: 300, height: 250, share: 18 },
  'Above the headlines': { type: 'BANNER', width: 728, height: 90, share: 24 },
  'Below the article': {
    type: 'BANNER',
    width: 300,
    height: 250,
    share: 15,
    fields: { pricing_types: 'CPC,CPM,CPA' },
  },
  'Between the stories': { type: 'NATIVE', width: 600, height: 300, share: 15 },
  Classifieds: { type: 'TEXT', width: 300, height: 250, share: 7 },
  'In the harbour film': { type: 'VIDEO', width: 640, height: 360, share: 5 },
  'Wherever there is room': { type: 'RESPONSIVE', width: 336, height: 280, share: 6 },
  'While the page opens': {
    type: 'INTERSTITIAL',
    width: 480,
    height: 600,
    share: 2,
    fields: { frequency: OFTEN, popup: { close_delay_seconds: 2 } },
  },
  'After a while': {
    type: 'POPUP',
    width: 300,
    height: 250,
    share: 2,
    fields: { frequency: OFTEN, trigger: { type: 'DELAY', delay_seconds: 2 } },
  },
  'At the lower edge': {
    type: 'FLOAT',
    width: 300,
    height: 250,
    share: 2,
    fields: {
      frequency: OFTEN,
      trigger: { type: 'SCROLL', scroll_percent: 20 },
      popup: { position: 'BOTTOM', overlay: false, close_delay_seconds: 0 },
    },
  },
  'Both sides of the page': {
    type: 'COUPLET',
    width: 160,
    height: 600,
    share: 2,
    fields: { couplet: { min_screen_width: COUPLET_FROM_PX } },
  },
  'Before one leaves': {
    type: 'EXIT_INTENT',
    width: 300,
    height: 250,
    share: 1,
    fields: { frequency: OFTEN },
  },
  'For the next chapter': {
    type: 'REWARDED',
    width: 640,
    height: 360,
    share: 1,
    fields: { rewarded: { watch_seconds: 3, skippable_after_seconds: 1, reward_type: 'chapter' } },
  },
};

export async function seedZones({ publisher }: Seed): Promise<ShownZone[]> {
  const site = await first<{ id: number }>(publisher, '/sites');
  const zones: ShownZone[] = [];
  for (const [name, { type, width, height, fields }] of Object.entries(PLACES)) {
    const ask = { site_id: site?.id, type, width, height, floor_price_cpm: 1, ...fields };
    const made = await once<{ id: number; zone_key: string }>(publisher, '/zones', name, ask);
    zones.push({ id: made.id, name, type, width, height, zone_key: made.zone_key });
  }
  return zones;
}
