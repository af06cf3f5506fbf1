import pg from 'pg';
import type { ActivityDeps } from '../../../activities/deps.ts';
import { addressOfKey, signTransfer } from '../../../activities/providers/evm-signing.ts';
import { createPayoutActivities } from '../../../activities/withdrawals/payouts.ts';
import { createWithdrawalFlowActivities } from '../../../activities/withdrawals/withdrawal-flow.ts';
import { createWithdrawalActivities } from '../../../activities/withdrawals/withdrawals.ts';
import { runner } from '../../../db/postgres.ts';
import { runBook, runBooks } from '../../../db/queries/books.ts';
import type { NodeBehaviour } from '../../../dev/sandboxes/chain.ts';
import { startTestSandboxes, type TestSandboxes } from '../../support/sandboxes.ts';
import { approvedByOwner } from '../../support/by-owner.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { makePublisher } from '../../support/make/account.ts';
import { balanceOf, fundPublisher, UNIT } from '../../support/make/money.ts';
import { passKyc } from '../../support/payouts.ts';
import { testProviders } from '../../support/providers.ts';
import { activityDeps } from '../../support/settlement.ts';
import { readMoneyWaits } from '../../../db/queries/money-waits.ts';

/**
 * Payouts of tokens on a chain that cuts, forgets, replaces and is made anew: at most one payment, of exactly what
 * arrives, and money is held until its bytes are final or dead.
 */
let database: TestDatabase;
let sandboxes: TestSandboxes;
let env: Record<string, string>;
let key: string;
let publisherId: number;

const CONFIRMATIONS = 6;
const TO = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';

beforeAll(async () => {
  sandboxes = await startTestSandboxes();
  ({ env } = sandboxes);
  key = sandboxes.keys.SANDBOX_USDT_PAYOUT_KEY;
  database = await createTestDatabase();
}, 90_000);

beforeEach(async () => {
  sandboxes.chain.behave({});
  // What an earlier test signed and left behind.
  sandboxes.chain.mine(CONFIRMATIONS);
  publisherId = (await makePublisher(database.db)).id;
  await passKyc(database, publisherId);
  await fundPublisher(database.db, publisherId, 5_000n * UNIT);
});

afterEach(async () => {
  const checks = await runBooks(runner(database.db));
  expect(checks.filter((check) => !check.ok)).toEqual([]);
});

afterAll(async () => {
  await database?.close();
  await sandboxes?.close();
});

/** Of a process of its own: another's memory, another's connections to the node. */
const depsWith = (change: Record<string, string> = {}): ActivityDeps => ({
  ...activityDeps(database),
  providers: testProviders({ ...env, ...change }),
});
const stepsWith = (change: Record<string, string> = {}) => createPayoutActivities(depsWith(change));

async function ask(accountInfo = TO, amountNanos = 100n * UNIT): Promise<number> {
  const { withdrawalId } = await createWithdrawalActivities(depsWith()).requestWithdrawal({
    publisherId,
    amountNanos,
    channel: 'USDT',
    accountInfo,
    bank: null,
    kycUrl: '',
    requestId: 'test',
  });
  return withdrawalId;
}

/** An order that is READY. */
async function order(amountNanos?: bigint): Promise<number> {
  const withdrawalId = await ask(TO, amountNanos);
  await approvedByOwner(database, withdrawalId);
  await createWithdrawalFlowActivities(depsWith()).beginPayout({ withdrawalId });
  return withdrawalId;
}

const send = async (withdrawalId: number, change?: Record<string, string>): Promise<string> =>
  await stepsWith(change).sendPayout({ withdrawalId });
const look = async (withdrawalId: number): Promise<string> =>
  await stepsWith().lookUpPayout({ withdrawalId, looks: null });

interface Shown {
  status: string;
  state: string;
  outcome: string;
  reference: string | null;
  arrival: bigint;
}
async function show(id: number): Promise<Shown> {
  const { rows } = await database.pool.query<Shown>(
    `SELECT w.status, p.state, p.last_outcome AS outcome, w.provider_reference AS reference, w.arrival_nanos AS arrival
     FROM withdrawals w JOIN payouts p ON p.withdrawal_id = w.id WHERE w.id = $1`,
    [id],
  );
  const [row] = rows;
  if (row === undefined) throw new Error('no such payout');
  return { ...row, arrival: BigInt(row.arrival) };
}

interface Kept {
  hash: string;
  nonce: number;
  ended: string | null;
  earlier: string[];
}
async function keptOf(id: number): Promise<Kept | undefined> {
  const { rows } = await database.pool.query<Kept>(
    'SELECT hash, nonce::int AS nonce, ended, earlier_hashes AS earlier FROM chain_payments WHERE withdrawal_id = $1',
    [id],
  );
  return rows[0];
}

/** What the chain has paid of this order, by its number. */
async function paidFor(id: number): Promise<bigint[]> {
  const kept = await keptOf(id);
  return sandboxes.chain.paid.flatMap(({ nonce, to, value }) =>
    nonce === kept?.nonce && to === TO.toLowerCase() ? [value * 1_000n] : [],
  );
}

const held = async (): Promise<bigint> => await balanceOf(database, `pub:${publisherId}:hold`);

async function settles(id: number): Promise<void> {
  sandboxes.chain.behave({});
  if ((await show(id)).state !== 'SETTLED') await look(id);
  sandboxes.chain.mine(CONFIRMATIONS);
  await look(id);
  const { state, status, reference, arrival } = await show(id);
  expect([state, status, reference]).toEqual(['SETTLED', 'PAID', (await keptOf(id))?.hash]);
  expect(await paidFor(id)).toEqual([arrival]);
  expect(await held()).toBe(0n);
}

it('an honest chain · to the millionth · pending until six blocks deep, then PAID by its own transaction', async () => {
  const id = await order(123_456_789_000n);
  expect(await send(id)).toBe('ACCEPTED');
  expect((await show(id)).arrival % 1_000n).toBe(0n);
  sandboxes.chain.mine(CONFIRMATIONS - 1);
  expect(await look(id)).toBe('PENDING');
  expect((await show(id)).status).toBe('PROCESSING');
  sandboxes.chain.mine();
  expect(await look(id)).toBe('SETTLED');
  expect((await keptOf(id))?.ended).toBe('PAID');
  await settles(id);
});

it.each<[Partial<NodeBehaviour>, string]>([
  [{ order: 'cut_before' }, 'UNKNOWN'],
  [{ order: 'cut_after' }, 'UNKNOWN'],
  [{ order: 'refused' }, 'UNKNOWN'],
  [{ forgets: true }, 'ACCEPTED'],
])('%j · sent · %s with its bytes kept; the same bytes pay it once', async (behaviour, state) => {
  const id = await order();
  sandboxes.chain.behave(behaviour);
  expect(await send(id)).toBe(state);
  const kept = await keptOf(id);
  expect(kept?.ended).toBeNull();
  await Promise.all(Array.from({ length: 4 }, async () => await look(id)));
  await settles(id);
  expect((await keptOf(id))?.hash).toBe(kept?.hash);
});

it('a node that is away, one of another chain · sent · nothing is signed; asked later, it is signed once and paid', async () => {
  for (const behaviour of [{ isDown: true }, { chainId: 5 }]) {
    const id = await order();
    sandboxes.chain.behave(behaviour);
    expect(await send(id)).toBe('UNKNOWN');
    expect(await keptOf(id)).toBeUndefined();
    await settles(id);
  }
});

it('a sender that died before it signed, one that signs late · beside those who ask · one signature, one payment', async () => {
  const id = await order();
  await database.pool.query(
    `UPDATE payouts SET state = 'SENDING', tries = 1 WHERE withdrawal_id = $1`,
    [id],
  );
  await stepsWith().markPayoutLost({ withdrawalId: id });
  await Promise.all(Array.from({ length: 6 }, async () => await look(id)));
  await settles(id);
});

it('eight orders at once from as many processes · each its own number, none left out', async () => {
  const ids: number[] = [];
  for (let made = 0; made < 8; made += 1) ids.push(await order(30n * UNIT));
  await Promise.all(ids.map(async (id) => await send(id)));
  const kept = await Promise.all(ids.map(async (id) => (await keptOf(id))?.nonce ?? -1));
  const sorted = kept.toSorted((a, b) => a - b);
  expect(sorted).toEqual(Array.from({ length: 8 }, (_each, at) => (sorted[0] ?? 0) + at));
  sandboxes.chain.mine(CONFIRMATIONS);
  for (const id of ids) {
    expect(await look(id)).toBe('SETTLED');
    expect(await paidFor(id)).toEqual([(await show(id)).arrival]);
  }
});

it.each([true, false])(
  'blocks that were never there, their payment kept in others: %s · PENDING again, and paid once',
  async (keeps) => {
    const id = await order();
    await send(id);
    sandboxes.chain.mine(3);
    expect(await look(id)).toBe('PENDING');
    sandboxes.chain.reorganise(3, keeps);
    expect(await look(id)).toBe('PENDING');
    await settles(id);
  },
);

it('another payment used the number · held until a person has said so; alive, the database gives nothing back', async () => {
  const id = await order();
  sandboxes.chain.behave({ forgets: true });
  await send(id);
  const kept = await keptOf(id);
  const release = async () =>
    await database.pool.query(`UPDATE payouts SET state = 'REJECTED' WHERE withdrawal_id = $1`, [
      id,
    ]);
  await expect(release()).rejects.toMatchObject({ constraint: 'payouts_signed' });
  sandboxes.chain.behave({});
  const { bytes } = signTransfer(
    {
      chainId: 31_337,
      nonce: kept?.nonce ?? 0,
      tipWei: 1n,
      feeWeiMax: 90_000_000_000n,
      gas: 90_000n,
      contract: env['USDT_CONTRACT'] ?? '',
      to: `0x${'ab'.repeat(20)}`,
      units: 1n,
    },
    key,
  );
  const method = 'eth_sendRawTransaction';
  const body = JSON.stringify({ id: 1, method, params: [bytes] });
  await fetch(env['USDT_RPC'] ?? '', { method: 'POST', body });
  sandboxes.chain.mine(CONFIRMATIONS - 1);
  expect(await look(id)).toBe('PENDING');
  sandboxes.chain.mine();
  expect(await look(id)).toBe('NOT_FOUND');
  expect(await show(id)).toMatchObject({ status: 'PROCESSING', outcome: 'REPLACED' });
  expect(await held()).toBe(100n * UNIT);
  expect((await keptOf(id))?.ended).toBe('DEAD');
});

it.each<[Partial<NodeBehaviour>, string, string, string]>([
  [{ carries: 'reverted' }, 'FAILED', 'FAILED', 'REVERTED'],
  [{ carries: 'nothing' }, 'NOT_FOUND', 'PROCESSING', 'NO_TRANSFER'],
])(
  'a block that carried it out so: %j · %s, the withdrawal %s',
  async (behaviour, found, status, outcome) => {
    const id = await order();
    await send(id);
    sandboxes.chain.behave(behaviour);
    sandboxes.chain.mine(CONFIRMATIONS);
    expect(await look(id)).toBe(found);
    expect(await show(id)).toMatchObject({ status, outcome });
    expect(await held()).toBe(status === 'FAILED' ? 0n : 100n * UNIT);
  },
);

it.each<[string, Partial<NodeBehaviour>, Record<string, string>]>([
  ['FLOAT_EMPTY', { float: 0n }, {}],
  ['GAS_TOO_DEAR', { baseFee: 80_000_000_000n }, {}],
  ['FLOAT_LIMIT', {}, { USDT_PAYOUT_DAY_LIMIT: '50' }],
  ['NO_KEY', {}, { USDT_PAYOUT_KEY: '' }],
])('%s · nothing is signed, it is counted, and sent later', async (reason, behaviour, change) => {
  const id = await order();
  const waits = async () => await readMoneyWaits(runner(database.db), new Date());
  const before = await waits();
  sandboxes.chain.behave(behaviour);
  expect(await send(id, change)).toBe('NOT_SENT');
  expect(await show(id)).toMatchObject({ state: 'READY', outcome: reason });
  expect(await keptOf(id)).toBeUndefined();
  expect(await waits()).toMatchObject({
    payoutsUnsent: before.payoutsUnsent + 1,
    payoutsUnfunded: before.payoutsUnfunded + (reason === 'FLOAT_EMPTY' ? 1 : 0),
    unsentSince: expect.any(Date),
  });
  sandboxes.chain.behave({});
  expect(await send(id)).toBe('ACCEPTED');
  expect(await waits()).toMatchObject({ payoutsUnsent: before.payoutsUnsent });
  await settles(id);
});

const LATER_MS = 11 * 60_000;
/** As if so much time had passed. */
const lookLater = async (id: number, aheadMs = LATER_MS): Promise<string> => {
  const clock = () => new Date(Date.now() + aheadMs);
  const steps = createPayoutActivities({ ...depsWith(), clock });
  return await steps.lookUpPayout({ withdrawalId: id, looks: null });
};
/** More than what was signed offers, and less than may be offered. */
const DEAR = { baseFee: 30_000_000_000n };

it('no block takes its fee · dearer bytes under its number once ten minutes have passed, kept before they leave, paid once', async () => {
  const id = await order();
  await send(id);
  const first = await keptOf(id);
  sandboxes.chain.behave(DEAR);
  sandboxes.chain.mine(CONFIRMATIONS);
  expect(await look(id)).toBe('PENDING');
  expect((await keptOf(id))?.hash).toBe(first?.hash);
  sandboxes.chain.behave({ ...DEAR, order: 'cut_before' });
  await Promise.all(Array.from({ length: 6 }, async () => await lookLater(id)));
  const second = await keptOf(id);
  expect(second).toMatchObject({ nonce: first?.nonce, ended: null, earlier: [first?.hash] });
  expect(await paidFor(id)).toEqual([]);
  sandboxes.chain.behave(DEAR);
  expect(await lookLater(id)).toBe('PENDING');
  sandboxes.chain.mine(CONFIRMATIONS);
  expect(await look(id)).toBe('SETTLED');
  await settles(id);
  expect((await keptOf(id))?.hash).toBe(second?.hash);
});

it('the cheaper bytes are carried out after all · paid once, by their own transaction', async () => {
  const id = await order();
  await send(id);
  const first = await keptOf(id);
  sandboxes.chain.behave({ ...DEAR, order: 'cut_before' });
  await lookLater(id);
  expect((await keptOf(id))?.earlier).toEqual([first?.hash]);
  sandboxes.chain.behave({});
  sandboxes.chain.mine(CONFIRMATIONS);
  expect(await look(id)).toBe('SETTLED');
  expect((await show(id)).reference).toBe(first?.hash);
  expect(await paidFor(id)).toEqual([(await show(id)).arrival]);
  expect(await held()).toBe(0n);
});

it('gas is dearer than may be offered · the same bytes go out again', async () => {
  const id = await order();
  await send(id);
  const first = await keptOf(id);
  sandboxes.chain.behave({ baseFee: 80_000_000_000n });
  expect(await lookLater(id)).toBe('PENDING');
  expect(await keptOf(id)).toEqual(first);
  await settles(id);
});

it('the platform pays from another wallet by now · the old one is looked at, and signed for by nobody', async () => {
  const id = await order();
  await send(id);
  const first = await keptOf(id);
  sandboxes.chain.behave(DEAR);
  const other = '11'.repeat(32);
  const change = { USDT_PAYOUT_KEY: other, USDT_PAYOUT_ADDRESS: addressOfKey(other) };
  const clock = () => new Date(Date.now() + LATER_MS);
  const steps = createPayoutActivities({ ...depsWith(change), clock });
  const lookAsOther = async () => await steps.lookUpPayout({ withdrawalId: id, looks: null });
  expect(await lookAsOther()).toBe('PENDING');
  expect(await keptOf(id)).toEqual(first);
  sandboxes.chain.behave({});
  sandboxes.chain.mine(CONFIRMATIONS);
  expect(await lookAsOther()).toBe('SETTLED');
  await settles(id);
});

it('other bytes in the place of what was signed, cheaper, unnamed, or after the end · the database refuses', async () => {
  const id = await order();
  await send(id);
  const put = async (change: string) =>
    await database.pool.query(
      `UPDATE chain_payments SET sealed_bytes = 'x', replaced_at = now() + interval '1 minute', ${change}
       WHERE withdrawal_id = ${id}`,
    );
  const hash = `hash = '0x' || repeat('cd', 32)`;
  const named = 'earlier_hashes = earlier_hashes || jsonb_build_array(hash)';
  const dearer = 'fee_wei = fee_wei + 1, tip_wei = tip_wei + 1';
  for (const change of [
    `${hash}, ${named}`,
    `${hash}, ${dearer}`,
    `${named}, ${dearer}`,
    `${hash}, ${named}, ${dearer}, nonce = nonce + 1`,
    `${hash}, ${named}, ${dearer}, ended = 'DEAD'`,
  ]) {
    await expect(put(change)).rejects.toThrow('stays');
  }
  await settles(id);
  await expect(put(`${hash}, ${named}, ${dearer}`)).rejects.toThrow('stays');
});

it('what is signed and not final counts against the float · one of two is sent', async () => {
  sandboxes.chain.behave({ forgets: true });
  const [first, second] = [await order(), await order()];
  const spent = sandboxes.chain.paid.reduce((sum, { value }) => sum + value, 0n);
  // Enough for either, not for both.
  sandboxes.chain.behave({ forgets: true, float: spent + 150_000_000n });
  expect(await send(first)).toBe('ACCEPTED');
  expect(await send(second)).toBe('NOT_SENT');
  expect((await show(second)).outcome).toBe('FLOAT_EMPTY');
  sandboxes.chain.behave({});
  await look(first);
  sandboxes.chain.mine(CONFIRMATIONS);
  expect([await look(first), await send(second)]).toEqual(['SETTLED', 'ACCEPTED']);
});

it.each([
  ['the token itself', () => '0x5FbDB2315678afecb367f032d93F642f64180aa3', 'own_address'],
  ['the paying wallet', () => env['USDT_PAYOUT_ADDRESS'] ?? '', 'own_address'],
  ['nobody', () => `0x${'00'.repeat(20)}`, 'own_address'],
  ['another network', () => 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t', 'network_not_offered'],
  ['one case', () => TO.toLowerCase(), 'format'],
])('paid to %s · the request is refused', async (_what, address, code) => {
  await expect(ask(address())).rejects.toMatchObject({
    errors: [expect.objectContaining({ field: 'account_info', code })],
  });
});

it('what was signed · changed, taken away, put in for another order · the database refuses', async () => {
  const id = await order();
  await send(id);
  await settles(id);
  const ready = await order();
  const attack = async (sql: string) => await database.pool.query(sql);
  const copied = (of: number, amount: string) =>
    `INSERT INTO chain_payments (withdrawal_id, wallet, nonce, hash, sealed_bytes, amount_nanos)
     SELECT ${of}, wallet, nonce + 100, '0x' || repeat('ab', 32), sealed_bytes, ${amount}
     FROM chain_payments WHERE withdrawal_id = ${id}`;
  await expect(attack(`UPDATE chain_payments SET sealed_bytes = 'x'`)).rejects.toThrow('stays');
  await expect(attack(`UPDATE chain_payments SET nonce = nonce + 50`)).rejects.toThrow('stays');
  await expect(attack('DELETE FROM chain_payments')).rejects.toThrow('append-only');
  await expect(attack(copied(ready, 'amount_nanos'))).rejects.toThrow('on its way');
  expect(await send(ready)).toBe('ACCEPTED');
  sandboxes.chain.mine(CONFIRMATIONS);
  await look(ready);
  await expect(
    attack(`UPDATE chain_payments SET ended = 'DEAD' WHERE withdrawal_id = ${ready}`),
  ).rejects.toThrow('stays');
});

it('settled · its signed payment altered, lost, or taken away · the books tell; a person cannot outrun the bytes', async () => {
  const id = await order();
  await send(id);
  const settle = `UPDATE payouts SET state = 'SETTLED', last_outcome = 'CONFIRMED_PAID' WHERE withdrawal_id = ${id}`;
  await expect(database.pool.query(settle)).rejects.toMatchObject({ constraint: 'payouts_signed' });
  await settles(id);
  const owner = new pg.Client(database.ownerUrl);
  await owner.connect();
  const named = 'signed_payouts_equal_their_payments';
  try {
    for (const [fault, figure] of [
      ['UPDATE chain_payments SET amount_nanos = amount_nanos + 1000', '1'],
      ['UPDATE chain_payments SET ended = NULL', '1'],
      [`UPDATE chain_payments SET ended = 'DEAD'`, '1'],
      ['DELETE FROM chain_payments', '1'],
      // As of a sandbox, which signs nothing.
      [
        `WITH gone AS (DELETE FROM chain_payments WHERE withdrawal_id = ${id}) UPDATE payouts SET paying_wallet = NULL`,
        '0',
      ],
    ] as const) {
      await owner.query('BEGIN');
      await owner.query('SET LOCAL session_replication_role = replica');
      await owner.query(`${fault} WHERE withdrawal_id = ${id}`);
      expect([fault, (await runBook(owner, named)).figure]).toEqual([fault, figure]);
      await owner.query('ROLLBACK');
    }
  } finally {
    await owner.end();
  }
});
