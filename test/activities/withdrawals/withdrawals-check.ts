import { payoutLifecycle } from '../../../domain/lifecycle/payout.ts';
import {
  OPEN_WITHDRAWAL_STATUSES,
  type WithdrawalStatus,
  withdrawalLifecycle,
} from '../../../domain/lifecycle/withdrawal.ts';
import { chart } from '../../../domain/ledger/chart.ts';
import { UNIT } from '../../support/make/money.ts';
import { balance, byWorkers, sum } from '../../support/model.ts';
import type { Asked, Channel } from './withdrawals-model.ts';
import { LIMIT } from './withdrawals-stand.ts';
import type { World } from './withdrawals-world.ts';

/** What must be so after each round, whoever was faster in it. */

interface Row {
  id: string;
  status: WithdrawalStatus;
  payout: string | null;
  amount: string;
  fee: string;
  tax: string;
  arrival: string;
  rejected_by: string | null;
}

const CENT = UNIT / 100n;
const PPM = 1_000_000n;
const TAX_PPM = 100_000n;
const FEE: Readonly<Record<Channel, { fixed: bigint; ppm: bigint }>> = {
  PAYPAL: { fixed: 0n, ppm: 20_000n },
  PAXUM: { fixed: UNIT, ppm: 0n },
  BANK: { fixed: 5n * UNIT, ppm: 0n },
};
/** Half a cent counts as one. */
const cents = (ppmNanos: bigint): bigint => ((ppmNanos + (CENT * PPM) / 2n) / (CENT * PPM)) * CENT;

/** Recomputed here, so that the platform's own sums are not judged by themselves. */
function moneyOf({ channel, amountNanos }: Asked) {
  const { fixed, ppm } = FEE[channel];
  const fee = cents(fixed * PPM + amountNanos * ppm);
  const tax = cents(amountNanos * TAX_PPM);
  return { fee, tax, arrival: amountNanos - fee - tax };
}

export async function checkWorld(world: World, offNanos = 0n): Promise<void> {
  const rows = await rowsOf(world);
  expect(rows.map(({ id }) => Number(id))).toEqual(
    world.asks.map(({ id }) => id).toSorted((a, b) => a - b),
  );
  world.watch.look('withdrawal', withdrawalLifecycle, rows);
  const payouts = rows.flatMap(({ id, payout }) =>
    payout === null ? [] : [{ id, status: payout }],
  );
  world.watch.look('payout', payoutLifecycle, payouts);
  for (const of of world.asks) {
    const row = rows.find(({ id }) => Number(id) === of.id) as Row;
    checkAsked(world, of, row);
  }
  for (const publisherId of world.publishers) await checkPublisher(world, publisherId, offNanos);
}

async function rowsOf({ stand, publishers }: World): Promise<Row[]> {
  const { rows } = await stand.database.pool.query<Row>(
    `SELECT w.id, w.status, p.state AS payout, w.amount_nanos AS amount, w.fee_nanos AS fee, w.tax_nanos AS tax,
       w.arrival_nanos AS arrival, p.rejected_by
     FROM withdrawals w LEFT JOIN payouts p ON p.withdrawal_id = w.id
     WHERE w.publisher_id = ANY ($1) ORDER BY w.id`,
    [publishers],
  );
  return rows;
}

const BEFORE_APPROVAL: readonly WithdrawalStatus[] = [
  'PENDING',
  'RISK_HOLD',
  'REJECTED',
  'CANCELLED',
];

function checkAsked(world: World, of: Asked, row: Row): void {
  const { status } = row;
  const about = { id: of.id, channel: of.channel, mark: of.mark, status };
  const { fee, tax, arrival } = moneyOf(of);
  expect({
    ...about,
    fee: row.fee,
    tax: row.tax,
    arrival: row.arrival,
  }).toEqual({
    ...about,
    fee: String(fee),
    tax: String(tax),
    arrival: String(arrival),
  });
  if (of.end === null) expect(OPEN_WITHDRAWAL_STATUSES).toContain(status);
  else expect({ ...about, end: status }).toEqual({ ...about, end: of.end });
  const needed = of.amountNanos > BigInt(LIMIT) * UNIT ? 2 : 1;
  if (!BEFORE_APPROVAL.includes(status)) {
    expect(of.approvedBy.size).toBeGreaterThanOrEqual(needed);
  }
  if (row.rejected_by === 'OPERATOR') expect(of.failedBy.size).toBeGreaterThanOrEqual(needed);
  checkProvider(world, of, row);
}

/** Sent once, of just what arrives; and what was sent and is paid is never given back. */
function checkProvider(world: World, of: Asked, { status, payout }: Row): void {
  const about = {
    id: of.id,
    channel: of.channel,
    mark: of.mark,
    status,
    payout,
  };
  const sent = world.sentTo(of);
  const isPaid = world.isPaid(of);
  if (of.channel !== 'BANK') {
    const { arrival } = moneyOf(of);
    const text = `${arrival / UNIT}.${String((arrival % UNIT) / CENT).padStart(2, '0')}`;
    expect({ ...about, sent }).toEqual({
      ...about,
      sent: sent.length === 0 ? [] : [text],
    });
  }
  if (isPaid) expect(['PROCESSING', 'UNKNOWN', 'PAID', 'RETURNED']).toContain(status);
  else expect({ ...about, isPaid }).not.toMatchObject({ status: 'PAID' });
}

async function checkPublisher(world: World, publisherId: number, offNanos: bigint): Promise<void> {
  const { database } = world.stand;
  const own = world.asks.filter((of) => of.publisherId === publisherId);
  const held = sum(own.filter(({ end }) => end === null).map(({ amountNanos }) => amountNanos));
  const gone = sum(
    own.map((of) => {
      if (of.end === 'PAID') return of.amountNanos;
      return of.end === 'RETURNED' ? moneyOf(of).fee : 0n;
    }),
  );
  const earned = sum(
    world.billed
      .filter((event) => event.publisherId === publisherId && !world.reversed.has(event.id))
      .map(({ publisherNanos }) => publisherNanos),
  );
  const [all, hold, withdrawable, debt] = await Promise.all(
    [
      `pub:${publisherId}:%`,
      chart.publisherHold(publisherId),
      chart.publisherWithdrawable(publisherId),
      chart.publisherDebt(publisherId),
    ].map(async (code) => await balance(database, code)),
  );
  expect({ publisherId, all, hold }).toEqual({
    publisherId,
    all: earned - gone + offNanos,
    hold: held,
  });
  expect((debt ?? 0n) < 0n && (withdrawable ?? 0n) > 0n).toBe(false);
}

/** Enough for any order to be looked for, asked about and decided by two. */
const LAPS_MAX = 40;

/** With honest wallets and patient persons everything ends, and each wallet paid what was taken from its payee. */
export async function checkEnd(world: World): Promise<void> {
  world.weather({ paypal: {}, paxum: {} });
  for (const [at, of] of world.asks.entries()) {
    await finish(world, of);
    // The bank of every other one sends it back.
    if (at % 2 === 0) await giveBack(world, at);
  }
  await checkWorld(world);
  for (const of of world.asks) {
    const isPaid = of.end === 'PAID' || of.end === 'RETURNED';
    expect({ ...of, isPaid: world.isPaid(of) }).toEqual({ ...of, isPaid });
  }
}

/** By one person, and above the limit by another one, whoever of them is faster. */
async function giveBack(world: World, of: number): Promise<void> {
  await byWorkers(2, async () => await world.run({ do: 'return', of, by: 0 }));
  await Promise.all([0, 1, 2].map(async (by) => await world.run({ do: 'agree_return', of, by })));
}

async function finish(world: World, of: Asked): Promise<void> {
  for (let lap = 0; lap < LAPS_MAX; lap += 1) {
    if (of.end !== null) return;
    world.commands += 2;
    await world.lap(of, 1);
    await world.desk.decide(of, { by: lap, says: 'yes', workers: 1 });
  }
  throw new Error(`withdrawal ${of.id} never ends`);
}
