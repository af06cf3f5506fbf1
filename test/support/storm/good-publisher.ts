import type { Objects } from './catalogue.ts';
import type { Good } from './good.ts';

const at = 'POST /api/publisher';

export const publisherRequests = (own: Objects): Readonly<Record<string, Good>> => ({
  [`${at}/sites`]: {
    body: {
      name: 'Site',
      media_type: 'WEB',
      domain: 'storm-pages.example.com',
      app_package: null,
      url: 'https://storm-pages.example.com',
      description: 'Pages',
      industry_id: 3,
      icp: 'ICP 1',
    },
    rules: { domain: { takes: ['empty'] } },
  },
  [`${at}/sites/:id/verify`]: { body: { method: 'FILE' } },
  [`${at}/zones`]: {
    body: {
      name: 'Zone',
      site_id: own.site,
      ad_type: 'BANNER',
      type: 'BANNER',
      ad_format_id: null,
      zone_type_id: null,
      size_id: null,
      width: 300,
      height: 250,
      position: 'CONTENT',
      device: 'ALL',
      pricing_types: 'CPC,CPM',
      floor_price_cpc: 0,
      floor_price_cpm: 0,
      refresh: 0,
      save_as_draft: true,
    },
    rules: { pricing_types: { kind: 'word' } },
  },
});
