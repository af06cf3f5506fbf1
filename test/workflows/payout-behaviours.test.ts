import { runner } from '../../db/postgres.ts';
import { runBooks } from '../../db/queries/books.ts';
import type { NodeBehaviour } from '../../dev/sandboxes/chain.ts';
import type { PaxumBehaviour } from '../../dev/sandboxes/paxum.ts';
import type { PaypalBehaviour } from '../../dev/sandboxes/paypal.ts';
import type { PayoutChannel } from '../../domain/lifecycle/withdrawal.ts';
import { withdrawalWorkflowId } from '../../workflows/contracts/withdrawal.ts';
import { setByOwner } from '../support/by-owner.ts';
import { makeOperator, makePublisher } from '../support/make/account.ts';
import { balanceOf, fundPublisher, UNIT } from '../support/make/money.ts';
import { passKyc } from '../support/payouts.ts';
import { startTestSandboxes, type TestSandboxes } from '../support/sandboxes.ts';
import { createStand, type FlowStand } from '../support/stand.ts';
import { eventually, until } from '../support/until.ts';

/**
 * Each thing that a provider's sandbox can do wrong, through the whole flow of a withdrawal: at most one payment, of
 * exactly what arrives; nothing is released while nobody knows; and once the provider answers as it should,
 * it ends. A new behaviour of a sandbox does not compile until it has its row here.
 */
type End =
  /** Paid once it behaves. */
  | 'PAID'
  /** Refused for good: all of it withdrawable again, nothing paid. */
  | 'FAILED'
  /** Nobody can know: held until a person has said so. */
  | 'ASKED';

/** Every word of a union, examples of anything else. */
type Rows<Value> = [Value] extends [string]
  ? Record<Value & string, End>
  : readonly (readonly [Value, End])[];
type Table<Behaviour> = { [Name in keyof Behaviour]: Rows<Behaviour[Name]> };

const PAYPAL: Table<PaypalBehaviour> = {
  order: {
    answered: 'PAID',
    cut_before: 'PAID',
    cut_after: 'PAID',
    fails_before: 'PAID',
    fails_after: 'PAID',
  },
  isDown: [[true, 'PAID']],
  refuses: [
    ['RECEIVER_UNREGISTERED', 'FAILED'],
    ['INSUFFICIENT_FUNDS', 'PAID'],
  ],
  // After 30 days, of which the adapter's own test tells.
  forgets: [[false, 'PAID']],
  shows: { right: 'PAID', other_amount: 'PAID', other_receiver: 'PAID', other_id: 'PAID' },
};

const PAXUM: Table<PaxumBehaviour> = {
  transfer: {
    answered: 'PAID',
    cut_before: 'ASKED',
    cut_after: 'PAID',
    fails_before: 'ASKED',
    fails_after: 'PAID',
    odd_after: 'PAID',
  },
  isDown: [[true, 'PAID']],
  refuses: [
    ['14', 'FAILED'],
    ['51', 'PAID'],
    ['96', 'ASKED'],
  ],
  history: {
    right: 'PAID',
    hidden: 'PAID',
    refused: 'PAID',
    other_amount: 'PAID',
    other_receiver: 'PAID',
  },
};

const CHAIN: Table<NodeBehaviour> = {
  isDown: [[true, 'PAID']],
  hidesLogs: [[true, 'PAID']],
  sendsAll: [[true, 'PAID']],
  denies: [[true, 'PAID']],
  // Asked for every minute, of which evm-node.test.ts tells.
  chainId: [[137, 'PAID']],
  order: { answered: 'PAID', cut_before: 'PAID', cut_after: 'PAID', refused: 'PAID' },
  forgets: [[true, 'PAID']],
  carries: { right: 'PAID', reverted: 'FAILED', nothing: 'ASKED' },
  baseFee: [[10n ** 12n, 'PAID']],
  float: [[1_000_000n, 'PAID']],
};

type Behaviour = PaypalBehaviour | PaxumBehaviour | NodeBehaviour;
interface Row {
  channel: PayoutChannel;
  what: string;
  behaviour: Partial<Behaviour>;
  end: End;
}

const rowsOf = (channel: PayoutChannel, table: object): Row[] =>
  Object.entries(table as Record<string, Rows<unknown>>).flatMap(([name, rows]) =>
    (Array.isArray(rows) ? rows : Object.entries(rows)).map(([value, end]: [unknown, End]): Row => {
      return { channel, what: `${name} ${String(value)}`, behaviour: { [name]: value }, end };
    }),
  );
const ROWS = [...rowsOf('PAYPAL', PAYPAL), ...rowsOf('PAXUM', PAXUM), ...rowsOf('USDT', CHAIN)];

interface Rail {
  channel: PayoutChannel;
  to: string;
  behave: (behaviour: Partial<Behaviour>) => void;
  /** What the provider has carried out so far, in nanos, oldest first. */
  paid: () => bigint[];
  /** Time goes on at the provider. */
  tick: () => void;
}

const centsToNanos = (text: string): bigint => BigInt(text.replace('.', '')) * 10_000_000n;

const railsOf = ({ paypal, paxum, chain }: TestSandboxes): Rail[] => [
  {
    channel: 'PAYPAL',
    to: 'ada@example.com',
    behave: (behaviour) => paypal.behave(behaviour as PaypalBehaviour),
    paid: () => paypal.batches.map(({ value }) => centsToNanos(value)),
    tick: () => undefined,
  },
  {
    channel: 'PAXUM',
    to: 'ada@example.com',
    behave: (behaviour) => paxum.behave(behaviour as PaxumBehaviour),
    paid: () => paxum.transfers.map(({ amount }) => centsToNanos(amount)),
    tick: () => undefined,
  },
  {
    channel: 'USDT',
    to: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
    behave: (behaviour) => chain.behave(behaviour as NodeBehaviour),
    paid: () => chain.paid.map(({ value }) => value * 1_000n),
    tick: () => chain.mine(1),
  },
];

interface Seen {
  status: string;
  tries: number;
  looks: number;
  /** An operator is asked what became of it. */
  isAsked: boolean;
  heldNanos: bigint;
  freeNanos: bigint;
}

/** What a row has come to; all of a rail's rows run one after the other, and the rails beside each other. */
interface Told {
  /** While the provider misbehaved. */
  worst: Seen;
  last: Seen;
  arrivalNanos: bigint;
  paid: bigint[];
}

let stand: FlowStand;
let sandboxes: TestSandboxes;
let finance: number;
const told = new Map<Row, Promise<Told>>();

beforeAll(async () => {
  sandboxes = await startTestSandboxes();
  stand = await createStand({ flows: sandboxes.env });
  finance = (await makeOperator(stand.database.db, 'FINANCE')).id;
  await setByOwner(stand.database, 'payout.cooling_off_seconds', 0);
  await Promise.all(
    railsOf(sandboxes).map(async (rail) => {
      for (const row of ROWS.filter(({ channel }) => channel === rail.channel)) {
        told.set(row, run(rail, row));
        await Promise.allSettled([told.get(row)]);
      }
    }),
  );
}, 300_000);

afterAll(async () => {
  await stand?.close();
  await sandboxes?.close();
}, 60_000);

/** Three rails at once, on a machine that does much else. */
const PATIENT = { withinMs: 60_000 };

async function run(rail: Rail, { behaviour }: Row): Promise<Told> {
  const before = rail.paid().length;
  const publisherId = await makePayee();
  rail.behave(behaviour);
  const { id, arrivalNanos } = await approved(publisherId, rail);
  const worst = await eventually(PATIENT, async () => {
    rail.tick();
    const seen = await see(id, publisherId);
    expect(isClosed(seen) || seen.looks >= 2 || seen.tries >= 2).toBe(true);
    return seen;
  });
  rail.behave({});
  const last = await eventually(PATIENT, async () => {
    rail.tick();
    const seen = await see(id, publisherId);
    // Asked for again and again meanwhile, and nothing comes of it.
    expect(isClosed(seen) || (seen.isAsked && seen.looks >= worst.looks + 4)).toBe(true);
    return seen;
  });
  return { worst, last, arrivalNanos, paid: rail.paid().slice(before) };
}

async function makePayee(): Promise<number> {
  const { id } = await makePublisher(stand.database.db);
  await passKyc(stand.database, id);
  await fundPublisher(stand.database.db, id, 500n * UNIT);
  return id;
}

/** Of 100, approved by FINANCE, to an address that was named two days ago. */
async function approved(publisherId: number, { channel, to }: Rail) {
  const { flows, database } = stand;
  const { withdrawalId: id } = await flows.activities.requestWithdrawal({
    publisherId,
    amountNanos: 100n * UNIT,
    channel,
    accountInfo: to,
    bank: null,
    kycUrl: '',
    requestId: 'test',
  });
  const { rows } = await database.pool.query<{ nanos: string }>(
    `UPDATE withdrawals SET account_usable_from = now() - interval '1 day' WHERE id = $1
     RETURNING arrival_nanos AS nanos`,
    [id],
  );
  const task = await until('the review', async () => await openTask(id, 'withdrawal_review'));
  const decision = { decision: 'approve', reasons: [] };
  const answer = await stand.as('admin', finance).post(`/tasks/${task}/decision`, decision);
  // 202: noted, and a busy flow answers later.
  expect([200, 202]).toContain(answer.status);
  return { id, arrivalNanos: BigInt(rows[0]?.nanos ?? 0) };
}

async function openTask(withdrawalId: number, kind: string): Promise<number | undefined> {
  const { rows } = await stand.database.pool.query<{ id: string }>(
    `SELECT id FROM tasks WHERE workflow_id = $1 AND kind = $2 AND status = 'open'`,
    [withdrawalWorkflowId(withdrawalId), kind],
  );
  return rows[0] === undefined ? undefined : Number(rows[0].id);
}

async function see(id: number, publisherId: number): Promise<Seen> {
  const { database } = stand;
  const { rows } = await database.pool.query<{ status: string; tries: number; looks: number }>(
    `SELECT w.status, COALESCE(p.tries, 0) AS tries, COALESCE(p.looks, 0) AS looks
     FROM withdrawals w LEFT JOIN payouts p ON p.withdrawal_id = w.id WHERE w.id = $1`,
    [id],
  );
  const [row] = rows;
  if (row === undefined) throw new Error(`no withdrawal ${id}`);
  return {
    ...row,
    isAsked: (await openTask(id, 'payout_unknown')) !== undefined,
    heldNanos: await balanceOf(database, `pub:${publisherId}:hold`),
    freeNanos: await balanceOf(database, `pub:${publisherId}:withdrawable`),
  };
}

const isClosed = ({ status }: Seen): boolean => ['PAID', 'FAILED'].includes(status);

it.each(ROWS)('$channel: $what · $end, at most one payment, of what arrives', async (row) => {
  const { worst, last, arrivalNanos, paid } = await (told.get(row) ?? Promise.reject());
  const [all, rest] = [500n * UNIT, 400n * UNIT];
  if (!isClosed(worst)) {
    expect(worst).toMatchObject({ heldNanos: 100n * UNIT, freeNanos: rest });
  }
  expect(paid.length).toBeLessThanOrEqual(1);
  if (row.end === 'PAID') {
    expect(last).toMatchObject({ status: 'PAID', heldNanos: 0n, freeNanos: rest });
    expect(paid).toEqual([arrivalNanos]);
  } else if (row.end === 'FAILED') {
    expect(last).toMatchObject({ status: 'FAILED', heldNanos: 0n, freeNanos: all });
    expect(paid).toEqual([]);
  } else {
    expect(last).toMatchObject({ isAsked: true, heldNanos: 100n * UNIT, freeNanos: rest });
  }
});

it('after all of them · the books are clean', async () => {
  const checks = await runBooks(runner(stand.database.db));
  expect(checks.filter((check) => !check.ok)).toEqual([]);
});
