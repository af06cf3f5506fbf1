import { dataOf, faultsOf } from '../../support/call.ts';
import { makeAdvertiser, makePublisher } from '../../support/make/account.ts';
import { createStand, type Stand } from '../../support/stand.ts';

/** interface 5.11: an account's own servers, who may name them, and what of them is shown. */
let stand: Stand;

beforeAll(async () => {
  stand = await createStand();
});
afterAll(async () => {
  await stand.close();
});

const HOOK = { url: 'https://shop.example.com/hooks?key=s3cret', kinds: ['deposit_paid'] };

async function scene() {
  const { id: accountId } = await makeAdvertiser(stand.database.db);
  const owner = stand.as('advertiser', accountId);
  const made = dataOf(await owner.post('/webhooks', HOOK)) as { id: number; secret: string };
  return { accountId, owner, at: `/webhooks/${made.id}`, ...made };
}

test('a webhook · made, shown, listed · tells its secret once', async () => {
  const { owner, at, id, secret } = await scene();
  expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
  const shown = {
    id,
    ...HOOK,
    status: 'ACTIVE',
    failing_since: null,
    old_secret_until: null,
    version: 1,
    created_at: expect.any(String),
    updated_at: expect.any(String),
  };
  expect(dataOf(await owner.get(at))).toEqual(shown);
  expect(dataOf(await owner.get('/webhooks'))).toEqual({ items: [shown] });
  const rotated = dataOf(await owner.post(`${at}/rotate-secret`)) as { secret: string };
  expect(rotated).toMatchObject({ version: 2, old_secret_until: expect.any(String) });
  expect(rotated.secret).not.toBe(secret);
});

test('a request that makes one · sent again under its key · answers one secret, and keeps none in plain', async () => {
  const { id: accountId } = await makeAdvertiser(stand.database.db);
  const owner = stand.as('advertiser', accountId);
  const send = async () =>
    dataOf(await owner.post('/webhooks', HOOK).set('Idempotency-Key', 'hook-1')) as {
      id: number;
      secret: string;
    };
  const first = await send();
  expect(await send()).toEqual(first);
  const other = await owner
    .post('/webhooks', { ...HOOK, kinds: ['export_ready'] })
    .set('Idempotency-Key', 'hook-1');
  expect(other.body).toMatchObject({ data: { error: 'idempotency_mismatch' } });
  expect(dataOf(await owner.get('/webhooks'))).toMatchObject({ items: [{ id: first.id }] });
  const text = first.secret.slice('whsec_'.length);
  for (const table of ['webhook_endpoints', 'idempotency_keys', 'effects', 'audit_log', 'outbox']) {
    const { rows } = await stand.database.pool.query(`SELECT * FROM ${table}`);
    expect(JSON.stringify(rows)).not.toContain(text);
  }
});

test('a webhook · changed, paused, resumed, deleted · is in the history without its address', async () => {
  const { owner, at, id, accountId } = await scene();
  const row = dataOf(await owner.get(at));
  const moved = await owner.put(at, {
    ...row,
    url: 'https://other.example.com/hooks?key=t0ken',
    kinds: ['deposit_paid', 'deposit_paid', 'export_ready'],
    status: 'PAUSED',
  });
  expect(dataOf(moved)).toMatchObject({
    status: 'PAUSED',
    kinds: ['deposit_paid', 'export_ready'],
    version: 2,
  });
  const stale = await owner.put(at, { status: 'ACTIVE' }).set('If-Match', '"1"');
  expect(stale.status).toBe(412);
  expect((await owner.put(at, { status: 'ACTIVE' })).status).toBe(200);
  expect((await owner.put(at, { status: 'DISABLED' })).status).toBe(422);
  expect((await owner.delete(at)).status).toBe(200);
  expect((await owner.get(at)).status).toBe(404);
  const { items } = dataOf(await owner.get(`/history?subject_type=webhook&subject_id=${id}`)) as {
    items: { action: string; changes: object[] }[];
  };
  expect(items.map(({ action }) => action)).toEqual([
    'webhook.delete',
    'webhook.update',
    'webhook.update',
    'webhook.create',
  ]);
  expect(items[2]?.changes).toEqual([
    { field: 'url', before: null, after: null },
    { field: 'kinds', before: ['deposit_paid'], after: ['deposit_paid', 'export_ready'] },
    { field: 'status', before: 'ACTIVE', after: 'PAUSED' },
  ]);
  const { rows } = await stand.database.pool.query(
    'SELECT detail FROM audit_log WHERE account_id = $1',
    [accountId],
  );
  expect(JSON.stringify(rows)).not.toMatch(/s3cret|t0ken/);
});

test.each([
  ['no address', { kinds: ['deposit_paid'] }, 'url'],
  ['another protocol', { ...HOOK, url: 'ftp://shop.example.com' }, 'url'],
  ['a password in the address', { ...HOOK, url: 'https://me:pass@shop.example.com' }, 'url'],
  ['a long address', { ...HOOK, url: `https://shop.example.com/${'a'.repeat(2_000)}` }, 'url'],
  ['no kinds', { ...HOOK, kinds: [] }, 'kinds'],
  ['a kind of the other realm', { ...HOOK, kinds: ['site_lapsed'] }, 'kinds[0]'],
  ['a secret of its own', { ...HOOK, secret: 'mine' }, 'secret'],
])('a webhook · with %s · is refused', async (_name, body, field) => {
  const { owner } = await scene();
  const answer = await owner.post('/webhooks', body);
  expect(answer.status).toBe(422);
  expect(faultsOf(answer).map((fault) => fault.split(' ')[0])).toEqual([field]);
});

test('an eleventh · and what is a publisher’s · is refused, as it should', async () => {
  const { owner } = await scene();
  for (let more = 1; more < 10; more += 1) {
    expect((await owner.post('/webhooks', HOOK)).status).toBe(201);
  }
  const eleventh = await owner.post('/webhooks', HOOK);
  expect(eleventh.body).toMatchObject({ code: 40900, data: { max: 10 } });
  const publisher = stand.as('publisher', (await makePublisher(stand.database.db)).id);
  expect((await publisher.post('/webhooks', HOOK)).status).toBe(422);
  const hook = { ...HOOK, kinds: ['site_lapsed', 'webhook_disabled'] };
  expect((await publisher.post('/webhooks', hook)).status).toBe(201);
});

test('a test call · of a paused webhook · is queued once, without a try again, and can be sent again', async () => {
  const { owner, at } = await scene();
  await owner.put(at, { status: 'PAUSED' });
  const test = await owner.post(`${at}/test`);
  expect(test.status).toBe(201);
  const delivery = dataOf(test) as { id: number; body: string };
  expect(delivery).toMatchObject({ kind: 'test', status: 'PENDING', attempts: 0, answer: null });
  expect(JSON.parse(delivery.body)).toMatchObject({ type: 'test', data: { subject: null } });
  const { rows } = await stand.database.pool.query(
    `SELECT payload->'input' AS input FROM outbox WHERE dedupe_key = $1`,
    [`start:webhook:${delivery.id}:1`],
  );
  expect(rows).toEqual([
    { input: { deliveryId: delivery.id, firstAttempt: 1, retryAfterSeconds: [] } },
  ]);
  expect(dataOf(await owner.get(`${at}/deliveries?status=PENDING`))).toMatchObject({
    total: 1,
    items: [{ id: delivery.id }],
  });
  expect(dataOf(await owner.get(`${at}/deliveries?status=DEAD`))).toMatchObject({ total: 0 });
  expect((await owner.post(`${at}/deliveries/${delivery.id}/resend`)).status).toBe(409);
});

test("another account's webhook, and another webhook's delivery · are 404", async () => {
  const made = await scene();
  const stranger = await scene();
  const { id } = dataOf(await made.owner.post(`${made.at}/test`)) as { id: number };
  const { owner } = stranger;
  expect((await owner.get(made.at)).status).toBe(404);
  expect((await owner.put(made.at, { status: 'PAUSED' })).status).toBe(404);
  expect((await owner.delete(made.at)).status).toBe(404);
  expect((await owner.post(`${made.at}/rotate-secret`)).status).toBe(404);
  expect((await owner.post(`${made.at}/test`)).status).toBe(404);
  expect((await owner.get(`${made.at}/deliveries`)).status).toBe(404);
  expect((await owner.post(`${made.at}/deliveries/${id}/resend`)).status).toBe(404);
  expect((await owner.post(`${stranger.at}/deliveries/${id}/resend`)).status).toBe(404);
  expect(dataOf(await made.owner.get(made.at))).toMatchObject({ status: 'ACTIVE', version: 1 });
});
