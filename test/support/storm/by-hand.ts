import type { Noun, Objects, RouteSpec } from './catalogue.ts';
import type { Role } from './catalogue.ts';
import { field, type Field } from './values.ts';

/** Routes that do not yet say themselves what they take (api/http/route.ts). */
const EVERYBODY: readonly Role[] = ['REVIEWER', 'FINANCE', 'SUPPORT'];
const PAGE = { page: 'page', page_size: 'pageSize' } as const;
const DATES = { start_date: 'day', end_date: 'day' } as const;
const OWNED = {
  ...PAGE,
  ...DATES,
  keyword: 'text',
  status: 'word',
  audit_status: 'word',
} as const;

const person = (good: string): Field => field('text', good, { nullable: true });
const PROFILE = {
  nickname: person('Nick'),
  mobile: person('+49 30 1234567'),
  company_name: person('Storm Ltd'),
  contact_name: person('Anna Storm'),
  industry: person('retail'),
};
const SITE_URL = { site_url: field('url', 'https://pages.example', { nullable: true }) };
const REGISTER = {
  email: field('word', 'new-person@example.com', { required: true }),
  password: field('secret', 'long enough words 7', { required: true }),
  username: field('word', 'new_person'),
  ...PROFILE,
};
const LOGIN = {
  username: field('text', 'nobody', { required: true }),
  password: field('secret', 'no such password', { required: true }),
};
const PASSWORD = {
  old_password: field('secret', 'long enough words 7', { required: true }),
  new_password: field('secret', 'long enough words 8', { required: true }),
  confirm_password: field('secret', 'long enough words 8', { required: true }),
};

const authRoutes = (realm: 'advertiser' | 'publisher' | 'admin'): RouteSpec[] => {
  const at = `/api/${realm}/auth`;
  const profile =
    realm === 'admin'
      ? { nickname: PROFILE.nickname }
      : realm === 'publisher'
        ? { ...PROFILE, ...SITE_URL }
        : PROFILE;
  const register = realm === 'publisher' ? { ...REGISTER, ...SITE_URL } : REGISTER;
  return [
    { route: `POST ${at}/login`, open: true, body: LOGIN },
    ...(realm === 'admin'
      ? []
      : [{ route: `POST ${at}/register`, open: true as const, body: register }]),
    { route: `GET ${at}/profile`, roles: EVERYBODY },
    { route: `PUT ${at}/profile`, roles: EVERYBODY, body: profile },
    { route: `POST ${at}/logout`, roles: EVERYBODY },
    { route: `POST ${at}/password`, roles: EVERYBODY, body: PASSWORD },
  ];
};

const TARGETING = {
  start_date: field('day', '2026-01-01', { nullable: true }),
  end_date: field('day', '2099-01-01', { nullable: true }),
  target_countries: field('words', ['DE'], { nullable: true }),
  target_devices: field('words', ['MOBILE'], { nullable: true }),
  target_os: field('words', ['ANDROID'], { nullable: true }),
  target_browsers: field('words', ['CHROME'], { nullable: true }),
  target_hours: field('numbers', [9, 10], { nullable: true }),
  weekdays: field('numbers', [1, 2], { nullable: true }),
  bid_adjustments: field('part', { device: { MOBILE: 20 } }, { nullable: true }),
  frequency_cap: field('part', { impressions: 3, window_seconds: 3_600 }, { nullable: true }),
};

function inventoryRoutes(
  base: string,
  noun: Noun,
  rules: Required<Pick<RouteSpec, 'body' | 'query' | 'refs'>>,
): RouteSpec[] {
  const { body, query, refs } = rules;
  const optional = Object.fromEntries(
    Object.entries(body)
      .filter(([, { createOnly }]) => !createOnly)
      .map(([name, each]) => [name, { ...each, required: false }]),
  );
  return [
    { route: `GET ${base}`, query },
    { route: `POST ${base}`, body, refs },
    { route: `GET ${base}/:id`, noun },
    { route: `PUT ${base}/:id`, noun, body: optional, refs },
    { route: `DELETE ${base}/:id`, noun },
    { route: `POST ${base}/:id/toggle`, noun, body: {} },
    { route: `POST ${base}/:id/submit-audit`, noun, body: {} },
  ];
}

const DRAFT = { save_as_draft: field('flag', true, { createOnly: true }) };
const ADVERTISER = '/api/advertiser';

const campaignRoutes = (own: Objects): RouteSpec[] => [
  ...inventoryRoutes(`${ADVERTISER}/campaigns`, 'campaign', {
    query: { ...OWNED, pricing_model: 'word' },
    refs: { tracker_id: 'tracker' },
    body: {
      name: field('name', 'Campaign', { required: true }),
      ad_type: field('word', 'BANNER', { required: true }),
      campaign_option_id: field('whole', null, { nullable: true }),
      price: field('amount', 1),
      bid: field('amount', 1),
      pricing_model: field('word', 'CPC'),
      type: field('word', 'PERFORMANCE'),
      objective: field('word', 'TRAFFIC'),
      daily_budget: field('amount', 10, { nullable: true }),
      total_budget: field('amount', 100, { nullable: true }),
      landing_url: field('url', 'https://shop.example/', { nullable: true }),
      tracker_id: field('whole', own.tracker, { nullable: true }),
      rotation_mode: field('word', 'EVEN'),
      ...TARGETING,
      ...DRAFT,
    },
  }),
  { route: `GET ${ADVERTISER}/campaigns/options` },
  { route: `POST ${ADVERTISER}/campaigns/:id/copy`, noun: 'campaign', body: {} },
  {
    route: `POST ${ADVERTISER}/campaigns/batch-submit-audit`,
    body: { ids: field('numbers', [own.campaign], { required: true }) },
  },
];

const adRoutes = (own: Objects): RouteSpec[] => [
  ...inventoryRoutes(`${ADVERTISER}/adgroups`, 'adgroup', {
    query: { ...OWNED, campaign_id: 'id' },
    refs: { campaign_id: 'campaign' },
    body: {
      campaign_id: field('whole', own.campaign, { required: true }),
      name: field('name', 'Group', { required: true }),
      bid: field('amount', 1, { nullable: true }),
      daily_budget: field('amount', 5, { nullable: true }),
      ...TARGETING,
      ...DRAFT,
    },
  }),
  ...inventoryRoutes(`${ADVERTISER}/ads`, 'ad', {
    query: { ...OWNED, campaign_id: 'id', adgroup_id: 'id', creative_id: 'id' },
    refs: { adgroup_id: 'adgroup', creative_id: 'creative' },
    body: {
      adgroup_id: field('whole', own.adgroup, { required: true }),
      creative_id: field('whole', own.creative, { required: true }),
      name: field('name', 'Ad', { required: true }),
      landing_url: field('url', 'https://shop.example/a', { nullable: true }),
      title: field('text', 'Title', { nullable: true }),
      description: field('text', 'Text', { nullable: true }),
      button_text: field('text', 'Buy', { nullable: true }),
      brand_name: field('text', 'Brand', { nullable: true }),
      display_url: field('text', 'shop.example', { nullable: true }),
      weight: field('whole', 50),
      ...DRAFT,
    },
  }),
];

const code = { nullable: true, takes: ['long' as const] };
const creativeRoutes = (own: Objects): RouteSpec[] => [
  ...inventoryRoutes(`${ADVERTISER}/creatives`, 'creative', {
    query: { ...OWNED, type: 'word', creative_type: 'word' },
    refs: { image_media_id: 'media', image_media_id_2: 'media', icon_media_id: 'media' },
    body: {
      name: field('name', 'Creative', { required: true }),
      creative_type: field('word', 'image', { createOnly: true }),
      type: field('word', 'IMAGE', { createOnly: true }),
      size_id: field('whole', null, { nullable: true }),
      width: field('whole', 300, { nullable: true }),
      height: field('whole', 250, { nullable: true }),
      image_media_id: field('whole', own.media, { nullable: true }),
      image_media_id_2: field('whole', null, { nullable: true }),
      video_media_id: field('whole', null, { nullable: true }),
      icon_media_id: field('whole', null, { nullable: true }),
      html_code: field('text', null, code),
      vast_xml: field('text', null, code),
      vast_url: field('url', null, { nullable: true }),
      click_url: field('url', null, { nullable: true }),
      ...DRAFT,
    },
  }),
];

const advertiserMoney = (): RouteSpec[] => [
  {
    route: `GET ${ADVERTISER}/deposits`,
    query: { ...PAGE, ...DATES, status: 'word', payment_method: 'word' },
  },
  {
    route: `POST ${ADVERTISER}/deposits`,
    body: {
      amount: field('amount', 50, { required: true }),
      payment_method: field('word', 'BANK', { required: true }),
    },
  },
  { route: `GET ${ADVERTISER}/deposits/balance` },
  {
    route: `GET ${ADVERTISER}/deposits/transactions`,
    query: { ...PAGE, cursor: 'id', type: 'text' },
  },
  { route: `GET ${ADVERTISER}/deposits/:id`, noun: 'deposit' },
  { route: `POST ${ADVERTISER}/deposits/:id/cancel`, noun: 'deposit', body: {} },
];

const trackerRoutes = (): RouteSpec[] => {
  const at = `${ADVERTISER}/trackers`;
  const body = {
    name: field('name', 'Tracker', { required: true }),
    type: field('word', 'PIXEL'),
    event_type: field('word', 'LEAD', { takes: ['text'] }),
    count_mode: field('word', 'ONE'),
    conversion_value: field('amount', 2),
    attribution_window: field('whole', 30),
    postback_url: field('url', 'https://shop.example/postback', { nullable: true }),
    pixel_code: field('text', '<img>', { nullable: true }),
  };
  const noun = 'tracker';
  return [
    {
      route: `GET ${at}`,
      query: { ...PAGE, keyword: 'text', type: 'word', status: 'word' },
    },
    { route: `POST ${at}`, body },
    { route: `GET ${at}/:id`, noun },
    {
      route: `PUT ${at}/:id`,
      noun,
      body: { ...body, name: field('name', 'Tracker'), status: field('word', 'ACTIVE') },
    },
    { route: `DELETE ${at}/:id`, noun },
    { route: `GET ${at}/:id/code`, noun },
    { route: `POST ${at}/:id/regenerate-code`, noun, body: {} },
    {
      route: `GET ${at}/:id/conversions`,
      noun,
      query: { ...PAGE, cursor: 'id', status: 'word' },
    },
  ];
};

const PUBLISHER = '/api/publisher';
const publisherRoutes = (): RouteSpec[] => [
  { route: `GET ${PUBLISHER}/withdrawals`, query: PAGE },
  { route: `GET ${PUBLISHER}/withdrawals/balance` },
  { route: `GET ${PUBLISHER}/withdrawals/transactions`, query: { ...PAGE, cursor: 'id' } },
];

const ADMIN = '/api/admin';
const accountRoutes = (noun: 'advertiser' | 'publisher'): RouteSpec[] => [
  {
    route: `GET ${ADMIN}/${noun}s`,
    roles: ['SUPPORT', 'FINANCE'],
    query: { ...PAGE, keyword: 'text', status: 'word' },
  },
  { route: `GET ${ADMIN}/${noun}s/:id`, roles: ['SUPPORT', 'FINANCE'], noun },
  ...['suspend', 'restore'].map((move): RouteSpec => ({
    route: `POST ${ADMIN}/${noun}s/:id/${move}`,
    roles: [],
    noun,
    body: { reason: field('text', 'because') },
  })),
];

const adminRoutes = (): RouteSpec[] => [
  ...accountRoutes('advertiser'),
  ...accountRoutes('publisher'),
  {
    route: `GET ${ADMIN}/tasks`,
    roles: EVERYBODY,
    query: { ...PAGE, kind: 'text', status: 'word', assignee: 'word' },
  },
  { route: `GET ${ADMIN}/tasks/:id`, roles: EVERYBODY, noun: 'task' },
  {
    route: `POST ${ADMIN}/tasks/:id/assign`,
    roles: EVERYBODY,
    noun: 'task',
    body: { assignee_id: field('whole', null, { nullable: true }) },
  },
  {
    route: `POST ${ADMIN}/tasks/:id/decision`,
    roles: EVERYBODY,
    noun: 'task',
    body: {
      decision: field('word', 'approve', { required: true }),
      reasons: field('list', [{ code: 'other' }]),
      note: field('text', 'note'),
      evidence_media_id: field('whole', 1),
    },
  },
  {
    route: `GET ${ADMIN}/deposits`,
    roles: ['FINANCE'],
    query: {
      ...PAGE,
      advertiser_id: 'id',
      status: 'word',
      payment_method: 'word',
      reference: 'text',
    },
  },
  { route: `GET ${ADMIN}/deposits/:id`, roles: ['FINANCE'], noun: 'deposit' },
  {
    route: `POST ${ADMIN}/deposits/:id/receipts`,
    roles: ['FINANCE'],
    noun: 'deposit',
    body: {
      amount: field('amount', 50, { required: true }),
      reference: field('name', 'BANK-1', { required: true }),
      received_at: field('day', '2026-01-01T00:00:00Z'),
      evidence_media_id: field('whole', 1),
    },
  },
  {
    route: `GET ${ADMIN}/ledger/accounts`,
    roles: ['FINANCE'],
    query: { ...PAGE, keyword: 'text', owner_type: 'word', owner_id: 'id' },
  },
  {
    route: `GET ${ADMIN}/ledger/transfers`,
    roles: ['FINANCE'],
    query: { ...PAGE, cursor: 'id', account_id: 'id', batch_id: 'id', type: 'text' },
  },
  { route: `GET ${ADMIN}/books`, roles: ['FINANCE'] },
  { route: `GET ${ADMIN}/settings`, roles: [] },
  {
    route: `PUT ${ADMIN}/settings/:key`,
    roles: [],
    body: { value: field('amount', 10, { required: true }) },
  },
  {
    route: `GET ${ADMIN}/events`,
    roles: ['SUPPORT'],
    query: { track_id: 'token', request_id: 'token', click_id: 'token' },
  },
  {
    route: `GET ${ADMIN}/audit-log`,
    roles: [],
    query: {
      ...PAGE,
      actor_id: 'id',
      action: 'text',
      subject_type: 'text',
      subject_id: 'id',
      cursor: 'id',
    },
  },
];

/** Every route of the three realms, with good values that are the given tenant's own. */
export const byHand = (own: Objects): RouteSpec[] => [
  ...authRoutes('advertiser'),
  ...campaignRoutes(own),
  ...adRoutes(own),
  ...creativeRoutes(own),
  ...advertiserMoney(),
  ...trackerRoutes(),
  ...authRoutes('publisher'),
  ...publisherRoutes(),
  ...authRoutes('admin'),
  ...adminRoutes(),
];
