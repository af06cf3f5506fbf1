import { runner } from '../../../db/postgres.ts';
import { runBooks } from '../../../db/queries/books.ts';
import type { MemberRole } from '../../../domain/member.ts';
import { type AnyCaller, dataOf, idOf } from '../../support/call.ts';
import { makeMember, makePublisher } from '../../support/make/account.ts';
import { balanceOf, fundPublisher, UNIT } from '../../support/make/money.ts';
import { makePlace } from '../../support/make/place.ts';
import { CARD, ibanOf, passKyc, ripenCards } from '../../support/payouts.ts';
import { createStand, type Stand } from '../../support/stand.ts';

/** What people of a publisher, and people of another, can do by the API alone, whatever a console shows them. */
let stand: Stand;
let publisherId: number;
let place: { siteId: number; zoneId: number };

beforeAll(async () => {
  stand = await createStand();
});
afterAll(async () => {
  const broken = (await runBooks(runner(stand.database.db))).filter((check) => !check.ok);
  await stand.close();
  expect(broken).toEqual([]);
});
beforeEach(async () => {
  const { db } = stand.database;
  const publisher = await makePublisher(db);
  publisherId = publisher.id;
  await passKyc(stand.database, publisherId);
  await fundPublisher(db, publisherId, 200n * UNIT);
  await stand.as('publisher', publisherId).post('/withdrawals/bank-cards', newCard());
  await ripenCards(stand.database, publisherId);
  const { site, zone } = await makePlace(db, { publisher });
  place = { siteId: site.id, zoneId: zone.id };
});

const ASK = { payment_method: 'BANK', amount: 100 };
let accounts = 0;
const newCard = () => ({ ...CARD, iban: ibanOf((accounts += 1)) });

async function member(role: MemberRole): Promise<AnyCaller> {
  const { id } = await makeMember(stand.database.db, { id: publisherId, kind: 'PUBLISHER' }, role);
  return stand.bearing('publisher', stand.issue('publisher', publisherId, id));
}

const balance = async (): Promise<bigint[]> => [
  await balanceOf(stand.database, `pub:${publisherId}:withdrawable`),
  await balanceOf(stand.database, `pub:${publisherId}:hold`),
];

/** Of each thing that may be done, what is answered. */
async function triedBy(caller: AnyCaller, withdrawal: number): Promise<Record<string, number>> {
  const { siteId, zoneId } = place;
  const tries = {
    withdraw: () => caller.post('/withdrawals', ASK),
    cancel: () => caller.post(`/withdrawals/${withdrawal}/cancel`),
    account: () => caller.post('/withdrawals/bank-cards', newCard()),
    pauseSite: () => caller.post(`/sites/${siteId}/toggle`),
    pauseZone: () => caller.post(`/zones/${zoneId}/toggle`),
    invite: () => caller.post('/members', { email: 'mule@example.com', role: 'ADMIN' }),
    see: () => caller.get(`/withdrawals/${withdrawal}`),
    code: () => caller.get(`/zones/${zoneId}/code`),
  };
  const answers: Record<string, number> = {};
  for (const [name, send] of Object.entries(tries)) {
    // One after the other: a cancel gives back what a withdrawal has taken.
    answers[name] = (await send()).status;
  }
  return answers;
}

const REFUSED = {
  withdraw: 403,
  cancel: 403,
  account: 403,
  pauseSite: 403,
  pauseZone: 403,
  invite: 403,
};

test.each([
  ['VIEWER', { ...REFUSED, see: 200, code: 200 }, [100n, 100n]],
  ['EDITOR', { ...REFUSED, pauseSite: 200, pauseZone: 200, see: 200, code: 200 }, [100n, 100n]],
  [
    'FINANCE',
    { ...REFUSED, withdraw: 201, cancel: 200, account: 201, see: 200, code: 200 },
    [100n, 100n],
  ],
] as const)(
  'a %s · by the API · does what the role may, and nothing else',
  async (role, may, left) => {
    const owner = stand.as('publisher', publisherId);
    const asked = idOf(await owner.post('/withdrawals', ASK));
    expect(await triedBy(await member(role), asked)).toEqual(may);
    expect(await balance()).toEqual(left.map((units) => units * UNIT));
  },
);

test('another publisher · with the ids of everything · finds nothing, and moves nothing', async () => {
  const owner = stand.as('publisher', publisherId);
  const asked = idOf(await owner.post('/withdrawals', ASK));
  const card = idOf(await owner.post('/withdrawals/bank-cards', newCard()));
  const stranger = stand.as('publisher', (await makePublisher(stand.database.db)).id);
  const { siteId, zoneId } = place;
  const answers = [
    await stranger.get(`/withdrawals/${asked}`),
    await stranger.post(`/withdrawals/${asked}/cancel`),
    await stranger.put(`/withdrawals/bank-cards/${card}`, { is_default: true }),
    await stranger.delete(`/withdrawals/bank-cards/${card}`),
    await stranger.get(`/sites/${siteId}/verify-code`),
    await stranger.post(`/sites/${siteId}/verify`, { method: 'FILE' }),
    await stranger.get(`/zones/${zoneId}/code`),
    await stranger.post(`/zones/${zoneId}/toggle`),
  ];
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 404));
  const stories = [
    await stranger.get(`/timeline?subject_type=withdrawal&subject_id=${asked}`),
    await stranger.get(`/timeline?subject_type=site&subject_id=${siteId}`),
  ];
  expect(stories.map(({ status }) => status)).toEqual([422, 422]);
  expect(await balance()).toEqual([100n * UNIT, 100n * UNIT]);
  expect(dataOf(await owner.get(`/withdrawals/${asked}`))).toMatchObject({ status: 'PENDING' });
});

test('a withdrawal · cancelled from two tabs and asked again from a third at once · money is there once', async () => {
  const owner = stand.as('publisher', publisherId);
  const asked = idOf(await owner.post('/withdrawals', { ...ASK, amount: 200 }));
  const [one, two, again] = await Promise.all([
    owner.post(`/withdrawals/${asked}/cancel`),
    owner.post(`/withdrawals/${asked}/cancel`),
    owner.post('/withdrawals', { ...ASK, amount: 200 }),
  ]);
  expect([one.status, two.status].toSorted((a, b) => a - b)).toEqual([200, 409]);
  const isTaken = again.status === 201;
  expect([201, 422]).toContain(again.status);
  expect(await balance()).toEqual(isTaken ? [0n, 200n * UNIT] : [200n * UNIT, 0n]);
});
