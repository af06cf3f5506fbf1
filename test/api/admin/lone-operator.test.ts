import type { Response } from 'supertest';
import type { OperatorRole } from '../../../domain/operator.ts';
import { dataOf } from '../../support/call.ts';
import { makeOperator } from '../../support/make/account.ts';
import { joinAsOperator } from '../../support/newcomer.ts';
import { createStand, type Stand } from '../../support/stand.ts';

/** One dishonest ADMIN, at everything that the API offers: what they have asked for stays asked for. */
let stand: Stand;
let admin: number;
let clerk: number;

beforeAll(async () => {
  stand = await createStand({ realTime: true });
  admin = (await makeOperator(stand.database.db, 'ADMIN')).id;
  clerk = (await makeOperator(stand.database.db, 'FINANCE')).id;
});
afterAll(async () => await stand?.close());

const KEY = 'payout.fee_cents.PAXUM';
const itemsOf = <Item>(answer: Response): Item[] => dataOf(answer)['items'] as Item[];
const as = (operatorId: number) => stand.as('admin', operatorId);

/** The wish, and the approval that waits for it. */
async function wishFor(value: number, by = admin): Promise<number> {
  const asked = await as(by).put(`/settings/${KEY}`, { value });
  expect(asked.status).toBe(202);
  const waiting = await as(by).get(`/approvals?state=PROPOSED&kind=setting&subject=${KEY}`);
  return itemsOf<{ id: number }>(waiting)[0]?.id ?? 0;
}
const feeNow = async (): Promise<unknown> =>
  itemsOf<{ key: string; value: unknown }>(await as(admin).get('/settings')).find(
    ({ key }) => key === KEY,
  )?.value;

/** Somebody whom the lone one has invited, at an address of their own. */
const mule = async (role: OperatorRole): Promise<number> =>
  (await joinAsOperator(stand, admin, role)).id;

const SECOND = 'A second person must approve this.';

test('in a second session · is the same person', async () => {
  const id = await wishFor(7);
  for (const session of [as(admin), as(admin)]) {
    const answer = await session.post(`/approvals/${id}/approve`);
    expect([answer.status, answer.body.message]).toEqual([409, SECOND]);
  }
  expect(await feeNow()).toBe(100);
});

test.each(['FINANCE', 'ADMIN'] as const)(
  'as a %s whom they made · is the same person, also for vouching for that one',
  async (role) => {
    const id = await wishFor(8);
    const other = await mule(role);
    const answer = await as(other).post(`/approvals/${id}/approve`);
    expect([answer.status, answer.body.message]).toEqual([409, SECOND]);
    const asked = itemsOf<{ id: number; subject: string }>(
      await as(admin).get('/approvals?state=PROPOSED&kind=operator'),
    ).find(({ subject }) => subject === String(other));
    for (const hand of [admin, other]) {
      const vouched = await as(hand).post(`/approvals/${asked?.id}/approve`);
      expect([vouched.status, vouched.body.message]).toEqual([409, SECOND]);
    }
    // And the other way round: the made one asks, its maker approves.
    if (role === 'ADMIN') {
      const theirs = await wishFor(9, other);
      const own = await as(admin).post(`/approvals/${theirs}/approve`);
      expect([own.status, own.body.message]).toEqual([409, SECOND]);
    }
    expect(await feeNow()).toBe(100);
  },
);

test('with a role of another kind · asks for it, and a second person decides', async () => {
  const own = await as(admin).post(`/operators/${admin}/role`, { role: 'FINANCE', reason: 'Mine' });
  expect(own.status).toBe(409);
  const helper = await mule('SUPPORT');
  const role = { role: 'FINANCE', reason: 'Needed' };
  const asked = await as(admin).post(`/operators/${helper}/role`, role);
  expect(asked.status).toBe(202);
  const approve = (asked.header['location'] ?? '').replace('/api/admin', '');
  for (const hand of [admin, helper]) {
    const answer = await as(hand).post(`${approve}/approve`);
    expect(answer.status).toBe(hand === admin ? 409 : 403);
  }
});

test('with the honest second person put out · lets nobody in, and approves nothing alone', async () => {
  const honest = (await makeOperator(stand.database.db, 'FINANCE')).id;
  const id = await wishFor(13);
  const other = await mule('FINANCE');
  expect((await as(admin).post(`/operators/${honest}/suspend`, { reason: 'Away' })).status).toBe(
    200,
  );
  for (const hand of [admin, other]) {
    expect((await as(hand).post(`/approvals/${id}/approve`)).status).toBe(409);
  }
  expect((await as(honest).post(`/approvals/${id}/approve`)).status).toBe(403);
  expect((await as(admin).post(`/approvals/${id}/withdraw`)).status).toBe(200);
});

test('by another value after somebody has read the first · the approval of the first approves nothing', async () => {
  const read = await wishFor(11);
  const later = await wishFor(90_000);
  expect(later).not.toBe(read);
  const stale = await as(clerk).post(`/approvals/${read}/approve`);
  expect([stale.status, stale.body.message]).toEqual([409, 'Cannot approve while VOID.']);
  expect(await feeNow()).toBe(100);
  // The control: another person, of what stands there now.
  expect((await as(clerk).post(`/approvals/${later}/approve`)).status).toBe(200);
  expect(await feeNow()).toBe(90_000);
});

test('refused by themselves · is taken back, and nobody approves it afterwards', async () => {
  const id = await wishFor(12);
  const withdrawn = await as(admin).post(`/approvals/${id}/withdraw`);
  expect(withdrawn.status).toBe(200);
  expect((await as(clerk).post(`/approvals/${id}/approve`)).status).toBe(409);
  expect(await feeNow()).toBe(90_000);
});
