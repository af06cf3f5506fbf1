import { readBankAccount } from '../activities/withdrawals/payout-accounts.ts';
import { type ApiClient, type Page, until } from './api-client.ts';
import { drawScene } from './demo-images.ts';
import type { Seed } from './seed.ts';
import { loginOrRegister } from './seed-accounts.ts';
import { COAST } from './seed-market.ts';
import { onDay } from './seed-past.ts';
import { approveIdentity, decideTask } from './seed-tasks.ts';

/**
 * Money in every state that an operator meets: orders that wait, were paid, called off, sent back or
 * never paid, a payment that fits no order, and payouts. After the traffic, whose earnings it pays out.
 */
export async function seedMoney(seed: Seed): Promise<void> {
  await settled(seed);
  await seedDeposits(seed);
  await seedIdentities(seed);
  await seedPayouts(seed);
}

const SETTLED_WITHIN_MS = 300_000;

/** Whoever is paid has earned it: all that was seen is judged by now. */
async function settled({ admin, signal }: Seed): Promise<void> {
  const isSettled = async () => {
    const { events } = await admin.call<{ events: { waiting: number } }>('GET', '/health');
    return events.waiting === 0 || undefined;
  };
  await until('settled traffic', isSettled, { signal, withinMs: SETTLED_WITHIN_MS });
}

interface Order {
  id: number;
  amount: number;
  status: string;
}

const NANOS = 1_000_000_000n;
/** Orders are told apart by their amounts. */
const AMOUNTS = {
  waits: 250,
  cancelled: 120,
  differs: 300,
  refunded: 75,
  large: 12_000,
  expired: 90,
} as const;
/** A bank order waits for seven days. */
const EXPIRED_DAYS_AGO = 9;

async function seedDeposits(seed: Seed): Promise<void> {
  const { advertiser, finance } = seed;
  const arrives = async (order: Order, amount: number): Promise<void> => {
    const receipt = { amount, reference: `DEMO-${order.id}` };
    await finance.call('POST', `/deposits/${order.id}/receipts`, receipt);
  };
  await orderOf(seed, AMOUNTS.waits, 'BANK');

  const cancelled = await orderOf(seed, AMOUNTS.cancelled, 'BANK');
  if (cancelled.status === 'PENDING') {
    await advertiser.call('POST', `/deposits/${cancelled.id}/cancel`);
    // It comes after all: in suspense until somebody says whose it is.
    await arrives(cancelled, AMOUNTS.cancelled);
  }
  const differs = await orderOf(seed, AMOUNTS.differs, 'BANK');
  if (differs.status === 'PENDING') await arrives(differs, AMOUNTS.differs - 20);

  const refunded = await orderOf(seed, AMOUNTS.refunded, 'BANK');
  if (refunded.status === 'PENDING') {
    await arrives(refunded, AMOUNTS.refunded - 15);
    await decideTask(
      seed,
      { type: 'deposit', id: refunded.id, kind: 'deposit_review' },
      { decision: 'reject', reasons: [{ code: 'OTHER', note: 'The payer asked for it back.' }] },
    );
    await decideTask(
      seed,
      { type: 'deposit', id: refunded.id, kind: 'deposit_refund' },
      { decision: 'sent_back', note: 'BACK-0042' },
    );
  }
  const large = await orderOf(seed, AMOUNTS.large, 'BANK');
  if (large.status === 'PENDING') await arrives(large, AMOUNTS.large);

  if ((await findOrder(advertiser, AMOUNTS.expired)) === undefined) {
    const { advertisement_id: advertiserId } = await advertiser.call<{ advertisement_id: number }>(
      'GET',
      '/auth/profile',
    );
    const amountNanos = BigInt(AMOUNTS.expired) * NANOS;
    await onDay(seed.env, -EXPIRED_DAYS_AGO, async (activities) => {
      await activities.openDeposit({ advertiserId, amountNanos, paymentMethod: 'BANK' });
    });
  }
}

const findOrder = async (advertiser: ApiClient, amount: number): Promise<Order | undefined> =>
  (await advertiser.call<Page<Order>>('GET', '/deposits?page_size=100')).items.find(
    (order) => order.amount === amount,
  );

const orderOf = async ({ advertiser }: Seed, amount: number, method: 'BANK') =>
  (await findOrder(advertiser, amount)) ??
  (await advertiser.call<Order>('POST', '/deposits', { amount, payment_method: method }));

/** The first publisher is known to the platform; the other one waits to be. */
async function seedIdentities(seed: Seed): Promise<void> {
  if (await proveIdentity(seed.publisher, { name: 'Bo Lantern', number: 'C01X00T47' })) {
    await approveIdentity(seed);
  }
  const coast = await loginOrRegister(seed, 'publisher', COAST);
  await proveIdentity(coast, { name: COAST.contact, number: 'L8X40P2N1' });
}

/** Answers whether somebody has to look at it now. */
async function proveIdentity(
  publisher: ApiClient,
  { name, number }: { name: string; number: string },
): Promise<boolean> {
  const { kyc_status } = await publisher.call<{ kyc_status: string }>('GET', '/kyc');
  if (kyc_status !== 'none') return kyc_status === 'pending';
  const form = new FormData();
  const page = new Uint8Array(await drawScene('mountain', 900, 600));
  form.set('file', new Blob([page], { type: 'image/png' }), 'passport.png');
  const document = await publisher.call<{ id: number }>('POST', '/kyc/documents', form);
  await publisher.call('POST', '/kyc', {
    entity_type: 'PERSONAL',
    legal_name: name,
    country: 'DE',
    document_number: number,
    document_ids: [document.id],
  });
  return true;
}

const ACCOUNT = {
  account_holder: 'Bo Lantern',
  account_type: 'PERSONAL',
  country: 'DE',
  currency: 'EUR',
  bank_name: 'Harbour Bank',
  iban: 'DE89370400440532013000',
  swift_bic: 'COBADEFFXXX',
} as const;
const CARD_DAYS_AGO = 13;
/** Earnings of today can be withdrawn then. */
const MATURED_IN_DAYS = 7;

interface Withdrawal {
  id: number;
  amount: number;
  status: string;
}

/** One that arrived, one called off, one that waits for an operator. */
async function seedPayouts(seed: Seed): Promise<void> {
  const { publisher, env } = seed;
  const { items } = await publisher.call<Page<Withdrawal>>('GET', '/withdrawals?page_size=100');
  const has = (...statuses: string[]) => items.some(({ status }) => statuses.includes(status));
  if (has('PENDING', 'RISK_HOLD')) return;
  await keepAccount(seed);
  await onDay(env, MATURED_IN_DAYS, async (activities) => await activities.matureEarnings());
  const ask = async (body: object) =>
    await publisher.call<Withdrawal>('POST', '/withdrawals', body);
  const byMail = { payment_method: 'PAYPAL', account_info: 'bo@gazette.example' };
  if (!has('CANCELLED')) {
    const { id } = await ask({ ...byMail, amount: 15 });
    await publisher.call('POST', `/withdrawals/${id}/cancel`);
  }
  if (!has('PAID')) await paid(seed, await ask({ payment_method: 'BANK', amount: 100 }));
  await ask({ ...byMail, amount: 20 });
}

async function keepAccount({ publisher, env }: Seed): Promise<void> {
  const kept = await publisher.call<Page<object>>('GET', '/withdrawals/bank-cards');
  if (kept.items.length > 0) return;
  const { advertisement_id: publisherId } = await publisher.call<{ advertisement_id: number }>(
    'GET',
    '/auth/profile',
  );
  await onDay(env, -CARD_DAYS_AGO, async (activities) => {
    await activities.addBankCard({
      publisherId,
      account: readBankAccount(ACCOUNT),
      isDefault: true,
      requestId: 'seed',
    });
  });
}

/** What governs money takes two persons: one asks, another approves (interface 5.19). */
export async function setMoney(
  { admin, finance }: Seed,
  key: string,
  value: unknown,
): Promise<void> {
  await admin.call('PUT', `/settings/${key}`, { value });
  const { items } = await finance.call<{ items: { id: number }[] }>(
    'GET',
    `/approvals?state=PROPOSED&kind=setting&subject=${key}`,
  );
  for (const { id } of items) await finance.call('POST', `/approvals/${id}/approve`);
}

/** Approved and, since nobody here waits half an hour, sent at once; the bank says that it arrived. */
async function paid(seed: Seed, { id }: Withdrawal): Promise<void> {
  const { admin, publisher } = seed;
  const setting = 'payout.cooling_off_seconds';
  const { items } = await admin.call<{ items: { key: string; value: number }[] }>(
    'GET',
    '/settings',
  );
  const before = items.find(({ key }) => key === setting)?.value;
  await setMoney(seed, setting, 0);
  try {
    await decideTask(
      seed,
      { type: 'withdrawal', id, kind: 'withdrawal_review' },
      { decision: 'approve' },
    );
    await decideTask(
      seed,
      { type: 'withdrawal', id, kind: 'payout_unknown' },
      { decision: 'confirm_paid' },
    );
  } finally {
    await setMoney(seed, setting, before);
  }
  const isPaid = async () =>
    (await publisher.call<Withdrawal>('GET', `/withdrawals/${id}`)).status === 'PAID' || undefined;
  await until('paid withdrawal', isPaid, seed);
}
