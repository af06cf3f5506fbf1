import type { ApiClient, Page } from './api-client.ts';
import type { Seed } from './seed.ts';

/**
 * What people keep and ask for beside their campaigns and zones: colleagues, views of lists, servers that are
 * told, an appeal; and at the desk a bank statement, money that goes back and events that are taken back, each
 * waiting for its next person. After the money, which it is about.
 */
export async function seedOffice(seed: Seed): Promise<void> {
  const { advertiser, publisher, finance, demoDomain } = seed;
  await invite(advertiser, `mate@${demoDomain}`, 'EDITOR');
  await invite(publisher, `books@${demoDomain}`, 'FINANCE');
  await tell(advertiser, `http://${demoDomain}/news`, ['review_rejected', 'deposit_paid']);
  await tell(publisher, `http://${demoDomain}/news`, ['site_lapsing', 'withdrawal_sent']);
  for (const [client, page, name, search] of views(seed))
    await keepView(client, page, name, search);
  await appeal(publisher);
  await uploadStatement(finance);
  await askForRefund(seed);
  await askForReversal(seed);
}

async function invite(owner: ApiClient, email: string, role: string): Promise<void> {
  const { items } = await owner.call<Page<{ email: string }>>('GET', '/members?page_size=100');
  if (items.some((member) => member.email === email)) return;
  await owner.call('POST', '/members', { email, role });
}

async function tell(owner: ApiClient, url: string, kinds: readonly string[]): Promise<void> {
  const { items } = await owner.call<Page<{ url: string }>>('GET', '/webhooks');
  if (items.some((webhook) => webhook.url === url)) return;
  const { id } = await owner.call<{ id: number }>('POST', '/webhooks', { url, kinds });
  await owner.call('POST', `/webhooks/${id}/test`);
}

/** Client, page, name, and the search of its address. */
const views = ({ advertiser, publisher, admin, finance }: Seed) =>
  [
    [advertiser, 'campaigns', 'Sent back by review', { audit_status: 'REJECTED' }],
    [advertiser, 'reports', 'Month by campaign', { range: 'month', by: 'date,campaign' }],
    [publisher, 'zones', 'Banners', { type: 'BANNER' }],
    [admin, 'operations', 'Still running', { status: 'RUNNING' }],
    [finance, 'withdrawals', 'Paid by bank', { status: 'PAID', payment_method: 'BANK' }],
  ] as const;

async function keepView(
  client: ApiClient,
  page: string,
  name: string,
  search: object,
): Promise<void> {
  const { items } = await client.call<Page<{ name: string }>>('GET', `/saved-views?page=${page}`);
  if (items.some((view) => view.name === name)) return;
  await client.call('POST', '/saved-views', { page, name, state: { search }, is_shared: true });
}

interface Removed {
  date: string;
  reason: string;
  zone_id: number;
  events: number;
}

/** Against the largest removal of a day that is over. */
async function appeal(publisher: ApiClient): Promise<void> {
  const { items: asked } = await publisher.call<Page<object>>('GET', '/removal-appeals');
  if (asked.length > 0) return;
  const today = new Date().toISOString().slice(0, 10);
  const { items } = await publisher.call<Page<Removed>>(
    'GET',
    '/statistics/removed?group_by=date,reason,zone',
  );
  const [worst] = items
    .filter(({ date, reason }) => date < today && reason === 'DATACENTER_IP')
    .toSorted((one, other) => other.events - one.events);
  if (worst === undefined) return;
  await publisher.call('POST', '/removal-appeals', {
    zone_id: worst.zone_id,
    date: worst.date,
    reason: worst.reason,
    text: 'These readers come through the network of the harbour office, which is rented from a data centre.',
  });
}

const STATEMENT_ACCOUNT = 'Harbour Bank, business account';

/** One line pays the order that waits, one is of nobody whom the platform knows. */
async function uploadStatement(finance: ApiClient): Promise<void> {
  const { items: kept } = await finance.call<Page<object>>('GET', '/bank-statements');
  if (kept.length > 0) return;
  const { items } = await finance.call<Page<{ amount: number; reference: string }>>(
    'GET',
    '/deposits?status=PENDING&payment_method=BANK',
  );
  const day = new Date().toISOString().slice(0, 10);
  const lines = items.map(
    ({ amount, reference }, at) => `${day},${amount.toFixed(2)},USD,HB-20${at},Top-up ${reference}`,
  );
  const text = [
    'Date,Amount,Currency,Reference,Text',
    ...lines,
    `${day},35.00,USD,HB-300,Thank you`,
  ];
  const query = new URLSearchParams({
    account: STATEMENT_ACCOUNT,
    date_column: 'Date',
    amount_column: 'Amount',
    currency_column: 'Currency',
    reference_column: 'Reference',
    text_column: 'Text',
  });
  const form = new FormData();
  form.set('file', new Blob([text.join('\n')], { type: 'text/csv' }), 'harbour-bank.csv');
  await finance.call('POST', `/bank-statements?${query.toString()}`, form);
}

const idOf = async (client: ApiClient): Promise<number> =>
  (await client.call<{ id: number }>('GET', '/auth/profile')).id;

const REFUND = 40;

async function askForRefund({ finance, advertiser }: Seed): Promise<void> {
  const { items } = await finance.call<Page<object>>('GET', '/balance-refunds');
  if (items.length > 0) return;
  await finance.call('POST', '/balance-refunds', {
    advertiser_id: await idOf(advertiser),
    amount: REFUND,
    reason: 'The advertiser asked for a part of the first top-up back.',
  });
}

/** Two hours of yesterday; asked for by the administrator, so that finance can decide. */
async function askForReversal({ admin, publisher }: Seed): Promise<void> {
  const { items } = await admin.call<Page<{ status: string }>>('GET', '/reversals');
  // What was taken back of the month before is another one (seed-month.ts).
  if (items.some(({ status }) => status !== 'APPLIED')) return;
  const yesterday = new Date(Date.now() - 86_400_000).toISOString().slice(0, 10);
  await admin.call('POST', '/reversals', {
    source: 'TRAFFIC',
    reason: 'INVALID_TRAFFIC',
    note: 'A wave of readers who were gone within a second, found in the event trace.',
    publisher_id: await idOf(publisher),
    from: `${yesterday}T10:00:00Z`,
    to: `${yesterday}T12:00:00Z`,
  });
}
