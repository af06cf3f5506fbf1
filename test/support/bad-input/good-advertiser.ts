import type { Objects } from './catalogue.ts';
import type { Good } from './good.ts';

const TARGETING = {
  start_date: '2026-01-01',
  end_date: '2099-01-01',
  target_countries: ['DE'],
  target_devices: ['MOBILE'],
  target_os: ['ANDROID'],
  target_browsers: ['CHROME'],
  target_hours: [9, 10],
  weekdays: [1, 2],
  bid_adjustments: { device: { MOBILE: 20 } },
  frequency_cap: { impressions: 3, window_seconds: 3_600 },
};

const at = 'POST /api/advertiser';

const APPEAL: Good = { body: { text: 'The page says so' } };

/** `value` belongs to other actions. */
const bulk = (id: number): Good => ({ body: { action: 'pause', ids: [id], dry_run: true } });

export const advertiserRequests = (own: Objects): Readonly<Record<string, Good>> => ({
  [`${at}/campaigns`]: {
    body: {
      name: 'Campaign',
      ad_type: 'BANNER',
      campaign_option_id: null,
      price: 1,
      bid: 1,
      pricing_model: 'CPC',
      type: 'PERFORMANCE',
      objective: 'TRAFFIC',
      daily_budget: 10,
      total_budget: 100,
      landing_url: 'https://shop.example/',
      tracker_id: own.tracker,
      rotation_mode: 'EVEN',
      save_as_draft: true,
      ...TARGETING,
    },
  },
  [`${at}/campaigns/batch-submit-audit`]: { body: { ids: [own.campaign] } },
  [`${at}/notifications/read`]: { body: { ids: [1] } },
  'PUT /api/advertiser/notification-settings': { body: { kinds: {}, balance_low: 5 } },
  [`${at}/campaigns/:id/appeal`]: APPEAL,
  [`${at}/adgroups/:id/appeal`]: APPEAL,
  [`${at}/ads/:id/appeal`]: APPEAL,
  [`${at}/creatives/:id/appeal`]: APPEAL,
  [`${at}/campaigns/bulk`]: bulk(own.campaign),
  [`${at}/adgroups/bulk`]: bulk(own.adgroup),
  [`${at}/ads/bulk`]: bulk(own.ad),
  [`${at}/creatives/bulk`]: bulk(own.creative),
  [`${at}/adgroups`]: {
    body: {
      campaign_id: own.campaign,
      name: 'Group',
      bid: 1,
      daily_budget: 5,
      save_as_draft: true,
      ...TARGETING,
    },
  },
  [`${at}/ads`]: {
    body: {
      adgroup_id: own.adgroup,
      creative_id: own.creative,
      name: 'Ad',
      landing_url: 'https://shop.example/a',
      title: 'Title',
      description: 'Text',
      button_text: 'Buy',
      brand_name: 'Brand',
      display_url: 'shop.example',
      weight: 50,
      save_as_draft: true,
    },
  },
  [`${at}/conversions/bulk`]: {
    body: { action: 'reject', ids: [own.conversion], reason: 'No order', dry_run: true },
  },
  [`${at}/conversions/:id/reject`]: { body: { reason: 'No order' } },
  [`${at}/trackers`]: {
    body: {
      name: 'Tracker',
      type: 'PIXEL',
      event_type: 'LEAD',
      count_mode: 'ONE',
      conversion_value: 2,
      attribution_window: 30,
      validation_days: 7,
      postback_url: 'https://shop.example/postback',
      pixel_code: '<img>',
      status: 'ACTIVE',
    },
  },
  [`${at}/deposits`]: { body: { amount: 50, payment_method: 'BANK' } },
  [`${at}/media/ai-image`]: {
    body: {
      prompt: 'A sofa',
      n: 1,
      tone: 'formal',
      aspect_ratio: '1:1',
      source_media_id: own.media,
    },
  },
  [`${at}/media/ai-video`]: {
    body: { prompt: 'A sofa', n: 1, tone: 'formal', width: 300, height: 200, duration_s: 2 },
  },
  [`${at}/media/ai-copy`]: { body: { prompt: 'A sofa', n: 1, tone: 'formal', language: 'en' } },
  [`${at}/creatives`]: {
    body: {
      name: 'Creative',
      creative_type: 'image',
      type: 'IMAGE',
      size_id: null,
      width: 300,
      height: 250,
      image_media_id: own.media,
      image_media_id_2: null,
      video_media_id: null,
      icon_media_id: null,
      html5_media_id: null,
      html_code: null,
      vast_xml: null,
      vast_url: null,
      click_url: null,
      save_as_draft: true,
    },
    rules: { vast_xml: { takes: ['empty'] } },
  },
});
