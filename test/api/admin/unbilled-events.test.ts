import { randomUUID } from 'node:crypto';
import { type Caller, dataOf } from '../../support/call.ts';
import { makeOperator, makePublisher } from '../../support/make/account.ts';
import { createStand, type Stand } from '../../support/stand.ts';

/** interface 5.13: what was not billed, by day and reason. */
let stand: Stand;
let support: Caller;
let owner: Caller;
let today: string;
let yesterday: string;

const ADVERTISER = 77;

beforeAll(async () => {
  stand = await createStand({ realTime: true });
  support = stand.as('admin', (await makeOperator(stand.database.db, 'SUPPORT')).id);
  owner = stand.as('publisher', (await makePublisher(stand.database.db)).id);
  const now = Date.now();
  today = new Date(now).toISOString().slice(0, 10);
  yesterday = new Date(now - 86_400_000).toISOString().slice(0, 10);
  await event({ day: yesterday, kind: 'impression', reason: 'BOT_UA' });
  await event({ day: today, kind: 'impression', reason: 'BOT_UA' });
  await event({ day: today, kind: 'click_verify', reason: 'BUDGET_EXCEEDED' });
  await event({ day: today, kind: 'conversion', reason: 'BUDGET_EXCEEDED' });
  await event({ day: today, kind: 'impression', reason: null });
  // Never in a report: it names no ad, and beacons that bill nothing.
  await event({ day: today, kind: 'impression', reason: 'TRACK_INVALID', isKnown: false });
  await event({ day: today, kind: 'view', reason: 'BOT_UA' });
});
afterAll(async () => {
  await stand.close();
});

async function event(row: {
  day: string;
  kind: string;
  reason: string | null;
  isKnown?: boolean;
}): Promise<void> {
  const { day, kind, reason, isKnown = true } = row;
  const of = isKnown ? [ADVERTISER, owner.id, 5, 6] : [null, null, null, null];
  await stand.database.pool.query(
    `INSERT INTO events (day, id, shard, kind, received_at, request_id, advertiser_id, publisher_id,
       ad_id, zone_id, billable, status, reason, reasons, batch_id)
     VALUES ($1, $2, 0, $3, $1::date + interval '1 hour', 'request-1', $4, $5, $6, $7, $8, $9, $10, $11, $12)`,
    [
      day,
      randomUUID(),
      kind,
      ...of,
      reason === null,
      reason === null ? 'valid' : 'invalid',
      reason,
      JSON.stringify(reason === null ? [] : [reason]),
      reason === null ? 9 : null,
    ],
  );
}

type Line = Record<string, unknown>;
const linesOf = async (who: Caller, path: string): Promise<Line[]> => {
  const answer = await who.get(path);
  expect(answer.status).toBe(200);
  return (dataOf(answer) as { items: Line[] }).items;
};

/** As an account calls itself. */
async function nameOf(id: number): Promise<string | undefined> {
  const { rows } = await stand.database.pool.query<{ name: string }>(
    'SELECT COALESCE(company_name, username) AS name FROM accounts WHERE id = $1',
    [id],
  );
  return rows[0]?.name;
}

test('an operator · by day and reason · sees each refusal once, what is billed never', async () => {
  const lines = await linesOf(support, '/unbilled-events');
  expect(lines.map(({ date, reason, events }) => [date, reason, events])).toEqual([
    [today, 'BUDGET_EXCEEDED', 2],
    [today, 'BOT_UA', 1],
    [today, 'TRACK_INVALID', 1],
    [yesterday, 'BOT_UA', 1],
  ]);
  expect(lines[0]).toMatchObject({ impressions: 0, clicks: 1, conversions: 1, publisher_id: null });
});

test('an operator · by publisher and advertiser, filtered · sees whose they are', async () => {
  const ownerName = await nameOf(owner.id);
  const query = `group_by=publisher,advertiser&publisher_id=${owner.id}&start_date=${today}`;
  expect(await linesOf(support, `/unbilled-events?${query}`)).toEqual([
    {
      date: null,
      reason: null,
      publisher_id: owner.id,
      publisher_name: ownerName,
      advertiser_id: ADVERTISER,
      advertiser_name: null,
      impressions: 1,
      clicks: 1,
      conversions: 1,
      events: 3,
    },
  ]);
  const none = `reason=RATE_LIMIT&advertiser_id=${ADVERTISER}`;
  expect(await linesOf(support, `/unbilled-events?${none}`)).toEqual([]);
});

test('an operator · asks for single ones · gets ids that the trace opens', async () => {
  const [latest] = await linesOf(support, '/unbilled-events/latest?reason=BUDGET_EXCEEDED');
  expect(latest).toMatchObject({
    reason: 'BUDGET_EXCEEDED',
    reasons: ['BUDGET_EXCEEDED'],
    request_id: 'request-1',
    advertiser_id: ADVERTISER,
    advertiser_name: null,
    publisher_name: await nameOf(owner.id),
  });
  const trace = dataOf(await support.get('/events?request_id=request-1')) as { events: object[] };
  expect(trace.events.length).toBe(7);
});

test('a publisher · sees what was removed of its own zones, by day and reason', async () => {
  const lines = await linesOf(owner, '/statistics/removed');
  expect(lines.map(({ date, reason, events }) => [date, reason, events])).toEqual([
    [today, 'BUDGET_EXCEEDED', 2],
    [today, 'BOT_UA', 1],
    [yesterday, 'BOT_UA', 1],
  ]);
  expect(JSON.stringify(lines)).not.toContain('advertiser');
  const byZone = await linesOf(owner, '/statistics/removed?group_by=zone');
  expect(byZone).toEqual([
    expect.objectContaining({ date: null, zone_id: expect.any(Number), events: 4 }),
  ]);
  const other = stand.as('publisher', (await makePublisher(stand.database.db)).id);
  expect(await linesOf(other, '/statistics/removed')).toEqual([]);
});

test.each([
  ['another dimension', 'group_by=ip', 'group_by'],
  ['more than a month', 'start_date=2026-01-01&end_date=2026-02-01', 'start_date'],
  ['another reason', 'reason=LUCK', 'reason'],
])('%s · is refused at its field', async (_name, query, field) => {
  const answer = await support.get(`/unbilled-events?${query}`);
  expect([answer.status, dataOf(answer)['errors']]).toMatchObject([422, [{ field }]]);
});

test('who may not · is refused', async () => {
  const reviewer = stand.as('admin', (await makeOperator(stand.database.db, 'REVIEWER')).id);
  expect((await reviewer.get('/unbilled-events')).status).toBe(403);
  expect((await reviewer.get('/unbilled-events/latest')).status).toBe(403);
  expect((await owner.get('/unbilled-events')).status).toBe(404);
  for (const by of ['publisher', 'advertiser', 'date,advertiser']) {
    const answer = await owner.get(`/statistics/removed?group_by=${by}`);
    expect([answer.status, dataOf(answer)['errors']]).toMatchObject([422, [{ field: 'group_by' }]]);
  }
  expect((await support.get('/unbilled-events?group_by=zone')).status).toBe(422);
});
