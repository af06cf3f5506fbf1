import type { Objects, RouteSpec } from './catalogue.ts';
import type { Role } from './catalogue.ts';
import { field, type Field } from './values.ts';

/** Routes that do not yet say themselves what they take (api/http/route.ts). */
const EVERYBODY: readonly Role[] = ['REVIEWER', 'FINANCE', 'SUPPORT'];
const PAGE = { page: 'page', page_size: 'pageSize' } as const;

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
];

/** Every route of the three realms, with good values that are the given tenant's own. */
export const byHand = (_own: Objects): RouteSpec[] => [
  ...authRoutes('advertiser'),
  ...authRoutes('publisher'),
  ...publisherRoutes(),
  ...authRoutes('admin'),
  ...adminRoutes(),
];
