import type { Objects, RouteSpec } from './catalogue.ts';
import { field } from './values.ts';

/** Routes that do not yet say themselves what they take (api/http/route.ts). */
const PAGE = { page: 'page', page_size: 'pageSize' } as const;

const PUBLISHER = '/api/publisher';
const publisherRoutes = (): RouteSpec[] => [
  { route: `GET ${PUBLISHER}/withdrawals`, query: PAGE },
  { route: `GET ${PUBLISHER}/withdrawals/balance` },
  { route: `GET ${PUBLISHER}/withdrawals/transactions`, query: { ...PAGE, cursor: 'id' } },
];

const ADMIN = '/api/admin';
const adminRoutes = (): RouteSpec[] => [
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
export const byHand = (_own: Objects): RouteSpec[] => [...publisherRoutes(), ...adminRoutes()];
