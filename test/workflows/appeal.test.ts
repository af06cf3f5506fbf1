import { type Caller, dataOf, faultsOf, idOf } from '../support/call.ts';
import { makeAdvertiser, makeOperator } from '../support/make/account.ts';
import { CAMPAIGN, makeChain } from '../support/make/chain.ts';
import { makePlace } from '../support/make/place.ts';
import { createStand, type FlowStand } from '../support/stand.ts';
import { eventually, until } from '../support/until.ts';

/** interface 3: an owner's word against a rejection, and who may answer it. */
let stand: FlowStand;
let owner: Caller;
let reviewer: Caller;
let second: Caller;

interface Task {
  id: number;
  summary: string;
  maker_id: number | null;
  subject: { id: number };
}

beforeAll(async () => {
  stand = await createStand({ flows: {} });
  const { db, pool } = stand.database;
  reviewer = stand.as('admin', (await makeOperator(db, 'REVIEWER')).id);
  second = stand.as('admin', (await makeOperator(db, 'REVIEWER')).id);
  owner = await stand.newAdvertiser();
  await pool.query(
    `INSERT INTO settings (key, value) VALUES ('review.campaign', '"human"'), ('review.zone', '"human"')`,
  );
});
afterAll(async () => {
  await stand.close();
});

const taskOf = async (kind: string, id: number): Promise<Task> =>
  await until(`a ${kind} of ${id}`, async () => {
    const { items } = dataOf(
      await reviewer.get(`/tasks?kind=${kind}&status=open&page_size=100`),
    ) as unknown as { items: Task[] };
    return items.find(({ subject }) => subject.id === id);
  });

async function decide(by: Caller, kind: string, id: number, decision: string): Promise<number> {
  const task = await taskOf(kind, id);
  const reasons = decision === 'reject' ? [{ code: 'OTHER', note: 'No such price' }] : [];
  return (await by.post(`/tasks/${task.id}/decision`, { decision, reasons })).status;
}

const shows = async (path: string, expected: object, of = owner): Promise<void> => {
  await eventually(async () => {
    expect(dataOf(await of.get(path))).toMatchObject(expected);
  });
};

test('a rejected campaign · appealed · waits for somebody else, whose word stands', async () => {
  const id = idOf(await owner.post('/campaigns', CAMPAIGN));
  const path = `/campaigns/${id}`;
  expect((await owner.post(`${path}/appeal`, { text: 'Too early' })).status).toBe(409);
  await decide(reviewer, 'campaign_review', id, 'reject');
  await shows(path, { audit_status: 'REJECTED', appeal: null });
  // What asks something of its owner is written to them as well, unless they say otherwise.
  const told = dataOf(await owner.get('/notifications?kind=review_rejected'));
  expect(told).toMatchObject({
    items: [
      {
        subject: { type: 'campaign', id },
        params: { name: 'Spring sale', reasons: [{ code: 'OTHER', note: 'No such price' }] },
        text: 'Review of campaign “Spring sale”: rejected',
      },
    ],
  });
  const { rows: letters } = await stand.database.pool.query<{ kind: string }>(
    'SELECT kind FROM mails WHERE account_id = $1',
    [owner.id],
  );
  expect(letters).toEqual([{ kind: 'notice' }]);
  const appealed = dataOf(await owner.post(`${path}/appeal`, { text: 'The price is on the page' }));
  expect(appealed).toMatchObject({
    audit_status: 'PENDING',
    appeal: { text: 'The price is on the page', status: 'open', decided_at: null },
  });
  const task = await taskOf('campaign_review', id);
  expect(task).toMatchObject({
    summary: `Appeal of campaign ${id}: Spring sale`,
    maker_id: reviewer.id,
  });
  expect(dataOf(await second.get(`/tasks/${task.id}`))).toMatchObject({
    detail: { history: [{ round: 2, appeal: 'The price is on the page' }, { appeal: null }] },
  });
  expect(await decide(reviewer, 'campaign_review', id, 'approve')).toBe(403);
  expect(await decide(second, 'campaign_review', id, 'reject')).toBe(200);
  await shows(path, {
    audit_status: 'REJECTED',
    audit_reasons: [{ code: 'OTHER' }],
    appeal: { status: 'refused', decided_at: expect.any(String) },
  });
  expect((await owner.post(`${path}/appeal`, { text: 'Once more' })).status).toBe(409);
  await owner.post(`${path}/submit-audit`);
  await shows(path, { audit_status: 'PENDING', appeal: null });
});

test('a creative · whose revision was appealed before · may be appealed again only when it is new', async () => {
  const { creativeId: id } = await makeChain(owner);
  const path = `/creatives/${id}`;
  await decide(reviewer, 'creative_review', id, 'reject');
  await shows(path, { audit_status: 'REJECTED' });
  await owner.post(`${path}/appeal`, { text: 'It is a boat' });
  await decide(second, 'creative_review', id, 'reject');
  await shows(path, { appeal: { status: 'refused' } });
  await owner.post(`${path}/submit-audit`);
  await decide(reviewer, 'creative_review', id, 'reject');
  await shows(path, { audit_status: 'REJECTED', appeal: null });
  expect((await owner.post(`${path}/appeal`, { text: 'Still a boat' })).status).toBe(409);
  await owner.put(path, { width: 123 });
  await decide(reviewer, 'creative_review', id, 'reject');
  await shows(path, { audit_status: 'REJECTED', revision: 2 });
  expect((await owner.post(`${path}/appeal`, { text: 'A new boat' })).status).toBe(200);
  await decide(second, 'creative_review', id, 'approve');
  await shows(path, {
    audit_status: 'APPROVED',
    approved_revision: 2,
    appeal: { status: 'accepted' },
  });
  const told = dataOf(await owner.get(`/history?subject_type=creative&subject_id=${id}`));
  expect(JSON.stringify(told)).toContain('creative.appeal');
});

test('a zone · edited while its appeal is open · withdraws it', async () => {
  const { publisher, zone } = await makePlace(stand.database.db);
  const seller = stand.as('publisher', publisher.id);
  const path = `/zones/${zone.id}`;
  await seller.put(path, { width: 320 });
  await decide(reviewer, 'zone_review', zone.id, 'reject');
  await shows(path, { audit_status: 'REJECTED' }, seller);
  await seller.post(`${path}/appeal`, { text: 'It fits the page' });
  await taskOf('zone_review', zone.id);
  await seller.put(path, { width: 300 });
  await shows(path, { audit_status: 'PENDING', appeal: null }, seller);
});

test('whoever rejected · when nobody else could decide · may answer the appeal', async () => {
  const id = idOf(await owner.post('/campaigns', CAMPAIGN));
  await decide(reviewer, 'campaign_review', id, 'reject');
  await shows(`/campaigns/${id}`, { audit_status: 'REJECTED' });
  const { pool } = stand.database;
  await pool.query(`UPDATE operators SET status = 'SUSPENDED' WHERE id = $1`, [second.id]);
  await owner.post(`/campaigns/${id}/appeal`, { text: 'Please look again' });
  expect(await taskOf('campaign_review', id)).toMatchObject({ maker_id: null });
  expect(await decide(reviewer, 'campaign_review', id, 'approve')).toBe(200);
  await shows(`/campaigns/${id}`, { audit_status: 'APPROVED', appeal: { status: 'accepted' } });
});

test('what is nobody’s, another’s or empty · is refused', async () => {
  const id = idOf(await owner.post('/campaigns', CAMPAIGN));
  const other = stand.as('advertiser', (await makeAdvertiser(stand.database.db)).id);
  expect((await other.post(`/campaigns/${id}/appeal`, { text: 'Mine' })).status).toBe(404);
  const draft = idOf(await owner.post('/campaigns', { ...CAMPAIGN, save_as_draft: true }));
  expect((await owner.post(`/campaigns/${draft}/appeal`, { text: 'A draft' })).status).toBe(409);
  expect(faultsOf(await owner.post(`/campaigns/${id}/appeal`, { text: '  ' }))).toEqual([
    'text matches',
  ]);
});
