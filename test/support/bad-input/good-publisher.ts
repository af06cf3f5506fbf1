import { CARD, ibanOf } from '../payouts.ts';
import type { Objects } from './catalogue.ts';
import type { Good } from './good.ts';

const at = 'POST /api/publisher';
const DAY_MS = 86_400_000;

export const publisherRequests = (own: Objects, now: Date): Readonly<Record<string, Good>> => ({
  [`${at}/withdrawals`]: {
    body: {
      amount: 150,
      payment_method: 'BANK',
      channel: 'BANK',
      account_info: null,
      bank_info: { bank_card_id: own.bankCard },
    },
  },
  [`${at}/withdrawals/bank-cards`]: {
    body: {
      ...CARD,
      iban: ibanOf(1_000_000 + own.publisher),
      branch_name: null,
      account_number: null,
      routing_number: null,
      sort_code: null,
      cnaps_code: null,
      is_default: false,
    },
    // What is blank counts as absent.
    rules: { account_number: { takes: ['empty'] }, swift_bic: { takes: ['empty'] } },
  },
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
  [`${at}/removal-appeals`]: {
    body: {
      zone_id: own.zone,
      date: new Date(now.getTime() - DAY_MS).toISOString().slice(0, 10),
      reason: 'BOT_UA',
      text: 'A school visited us',
    },
  },
  [`${at}/sites/:id/verify`]: { body: { method: 'FILE' } },
  [`${at}/notifications/read`]: { body: { ids: [1] } },
  'PUT /api/publisher/notification-settings': { body: { kinds: {} } },
  [`${at}/sites/:id/appeal`]: { body: { text: 'It is ours' } },
  [`${at}/sites/:id/transfer/object`]: { body: { text: 'It is ours' } },
  [`${at}/zones/:id/appeal`]: { body: { text: 'It fits' } },
  [`${at}/zones/bulk`]: { body: { action: 'pause', ids: [own.zone], dry_run: true } },
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
