import { createHash, randomUUID } from 'node:crypto';
import { Router } from 'express';
import supertest from 'supertest';
import type { IdempotentRequest, TakenKey } from '../../../activities/core/idempotency.ts';
import { runStep, type StepName } from '../../../activities/core/run-once.ts';
import { DomainError } from '../../../domain/errors.ts';
import { envelope } from '../../../api/http/envelope.ts';
import { requireBasicProfile, requireKyc } from '../../../api/accounts/profile-gates.ts';
import { idempotency } from '../../../api/http/idempotency.ts';
import { nothing } from '../../../api/http/response-shapes.ts';
import { route, type RouteContract } from '../../../api/http/route.ts';
import { makeAdvertiser, makePublisher } from '../../support/make/account.ts';
import { pause, until } from '../../support/until.ts';
import { createStand, type Stand } from '../../support/stand.ts';
import { testApp } from '../../support/mounts.ts';
import { asKeyedRequest } from '../../support/keyed-request.ts';

type Gate = NonNullable<RouteContract['gate']>;

let stand: Stand;
let runs: number;
let fail: (() => Error) | null;
let slow: Promise<void>;
let app: ReturnType<typeof testApp>;
let first: string;
let second: string;
let publisherId: number;
let publisher: string;

beforeAll(async () => {
  stand = await createStand();
  const { deps, database } = stand;
  const router = Router();
  router.use(deps.auth.require('advertiser'), idempotency(deps));
  router.post('/orders', async (req, res) => {
    runs += 1;
    await slow;
    if (fail !== null) throw fail();
    res.status(201).json(envelope({ run: runs, body: req.body }));
  });
  router.post('/flows', (_req, res) => {
    runs += 1;
    res
      .status(202)
      .location(`/flows/${runs}`)
      .json(envelope({ operation: runs }));
  });
  router.get('/orders', (_req, res) => {
    runs += 1;
    res.status(201).json(envelope({ run: runs }));
  });
  const behind = (gate: Gate) => {
    const about = { summary: 'Gated', rule: 'interface 7', answer: nothing() };
    return route({ ...about, statuses: [201], gate }, async () => await Promise.resolve({}));
  };
  router.post('/gated', behind(requireBasicProfile(deps)));
  const payout = Router();
  payout.use(deps.auth.require('publisher'));
  payout.post('/withdraw', behind(requireKyc(deps)));
  app = testApp({ '/a': router, '/p': payout });
  const nameless = { contactName: null, companyName: null };
  first = stand.issue('advertiser', (await makeAdvertiser(database.db, nameless)).id);
  second = stand.issue('advertiser', (await makeAdvertiser(database.db, nameless)).id);
  publisherId = (await makePublisher(database.db, nameless)).id;
  publisher = stand.issue('publisher', publisherId);
});

beforeEach(() => {
  runs = 0;
  fail = null;
  slow = Promise.resolve();
});

afterAll(async () => await stand.close());

const post = (path: string, token = first) =>
  supertest(app).post(path).set('Authorization', `Bearer ${token}`);
const order = (key: string | undefined, body: object = { amount: 5 }, token = first) => {
  const request = post('/a/orders', token);
  return (key === undefined ? request : request.set('Idempotency-Key', key)).send(body);
};

async function claimFresh(request: IdempotentRequest): Promise<TakenKey> {
  const claim = await stand.activities.claimIdempotencyKey(request);
  if (claim.state !== 'fresh') throw new Error(`not fresh: ${claim.state}`);
  return claim;
}

/** One after the other, as a handler would; each answers its number. */
const runSteps = async (taken: TakenKey, steps: Record<StepName, number>): Promise<number[]> =>
  await asKeyedRequest(taken.stepKey, async () => {
    const answers = [];
    for (const [name, value] of Object.entries(steps)) {
      const step = async () => await Promise.resolve(value);
      answers.push(await runStep(stand.database.db, name as StepName, step));
    }
    return answers;
  });

describe('Idempotency-Key', () => {
  test('key · same request again · same status and answer, done once', async () => {
    const key = randomUUID();
    const one = await order(key, { amount: 5, method: 'BANK' });
    const two = await order(key, { method: 'BANK', amount: 5 });
    expect([one.status, two.status]).toEqual([201, 201]);
    expect(two.text).toBe(one.text);
    expect(two.headers['content-type']).toBe(one.headers['content-type']);
    expect(two.headers['idempotent-replayed']).toBe('true');
    expect(runs).toBe(1);
  });

  test('key · 202 with Location · both are replayed', async () => {
    const send = () => post('/a/flows').set('Idempotency-Key', 'flow');
    const [one, two] = [await send(), await send()];
    expect(two.status).toBe(202);
    expect(two.headers['location']).toBe(one.headers['location']);
    expect(runs).toBe(1);
  });

  test('key · another body · 409 idempotency_mismatch', async () => {
    const key = randomUUID();
    await order(key, { amount: 5 });
    const answer = await order(key, { amount: 6 });
    expect(answer.body).toMatchObject({ code: 40902, data: { error: 'idempotency_mismatch' } });
    expect(runs).toBe(1);
  });

  test('key · of another account or another path · is another key', async () => {
    const key = randomUUID();
    await order(key);
    await order(key, { amount: 5 }, second);
    await post('/a/flows').set('Idempotency-Key', key).send({ amount: 5 });
    expect(runs).toBe(3);
  });

  test('key · ten at once · done once and all get the answer', async () => {
    const key = randomUUID();
    slow = pause(250, 'all ten are there before the first is answered');
    const answers = await Promise.all(Array.from({ length: 10 }, async () => await order(key)));
    expect(runs).toBe(1);
    expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
  });

  test('key · first one still runs after the wait · 409 state_conflict with Retry-After, later the answer', async () => {
    const key = randomUUID();
    let finish = (): void => undefined;
    slow = new Promise((resolve) => {
      finish = resolve;
    });
    const one = order(key).then((answer) => answer);
    await until('the first one runs', () => runs === 1);
    const two = await order(key);
    expect(two.body).toMatchObject({ code: 40900, data: { error: 'state_conflict' } });
    expect(two.headers['retry-after']).toBe('1');
    finish();
    expect((await one).status).toBe(201);
    expect((await order(key)).body).toEqual((await one).body);
    expect(runs).toBe(1);
  }, 20_000);

  test.each([
    ['a fault', () => new Error('boom'), 500, 2],
    ['unavailable', () => new DomainError('unavailable'), 503, 2],
    ['an incomplete profile', () => new DomainError('profile_incomplete'), 412, 2],
    ['a refusal that stays', () => new DomainError('state_conflict'), 409, 1],
  ])(
    'key · first answer was %s · runs in all as that says',
    async (_case, error, status, expected) => {
      const key = randomUUID();
      fail = error;
      expect((await order(key)).status).toBe(status);
      fail = null;
      const again = await order(key);
      expect(again.status).toBe(expected === 2 ? 201 : status);
      expect(runs).toBe(expected);
    },
  );

  test('key · process died in the middle · taken again after 60 s, and the dead one cannot answer', async () => {
    const { activities } = stand;
    const request = { scope: 'advertiser:1:POST /x', key: randomUUID(), requestHash: 'h' };
    const dead = await activities.claimIdempotencyKey(request);
    if (dead.state !== 'fresh') throw new Error('not fresh');
    expect(await activities.claimIdempotencyKey(request)).toEqual({ state: 'busy' });
    const age = (interval: string) =>
      stand.database.pool.query(
        `UPDATE idempotency_keys SET created_at = created_at - $2::interval,
           first_at = first_at - $2::interval WHERE key = $1`,
        [request.key, interval],
      );
    await age('61 seconds');
    const retaken = await activities.claimIdempotencyKey(request);
    if (retaken.state !== 'fresh') throw new Error('not retaken');
    const answer = { status: 201, body: '{"n":1}', location: null };
    await activities.storeIdempotentAnswer(request, dead.fence, { ...answer, body: 'late' });
    await activities.releaseIdempotencyKey(request, dead);
    expect(await activities.claimIdempotencyKey(request)).toEqual({ state: 'busy' });
    await activities.storeIdempotentAnswer(request, retaken.fence, answer);
    await activities.storeIdempotentAnswer(request, retaken.fence, { ...answer, status: 500 });
    expect(await activities.claimIdempotencyKey(request)).toEqual({ state: 'replay', answer });
    await age('24 hours');
    expect(
      await activities.claimIdempotencyKey({ ...request, requestHash: 'other' }),
    ).toMatchObject({ state: 'fresh' });
  });

  test('key · process died between effect and answer · the effect is not done twice', async () => {
    const { activities } = stand;
    const request = { scope: 'advertiser:2:POST /x', key: randomUUID(), requestHash: 'h' };
    const first = await claimFresh(request);
    expect(await runSteps(first, { 'one.do': 1, 'two.do': 2 })).toEqual([1, 2]);
    // The answer was lost: a fault of ours reopens the key, and the request is run again.
    await activities.reopenIdempotencyKey(request, first.fence);
    const second = await claimFresh(request);
    // In another order, as a handler may that finds another state: a name is what a step is.
    expect(await runSteps(second, { 'two.do': 4, 'one.do': 3, 'new.do': 5 })).toEqual([2, 1, 5]);
    // Another key is another request.
    const other = await claimFresh({ ...request, key: randomUUID() });
    expect(await runSteps(other, { 'one.do': 6 })).toEqual([6]);
  });

  test('key · refused after a step had committed · stays with its request, which goes on', async () => {
    const { activities } = stand;
    const request = { scope: 'advertiser:3:POST /x', key: randomUUID(), requestHash: 'h' };
    const first = await claimFresh(request);
    await runSteps(first, { 'one.do': 1 });
    await activities.releaseIdempotencyKey(request, first);
    expect(await activities.claimIdempotencyKey({ ...request, requestHash: 'other' })).toEqual({
      state: 'mismatch',
    });
    expect(await runSteps(await claimFresh(request), { 'one.do': 2 })).toEqual([1]);
  });

  test('key · refused before any step · is free, also for another body', async () => {
    const { activities } = stand;
    const request = { scope: 'advertiser:3:POST /x', key: randomUUID(), requestHash: 'h' };
    await activities.releaseIdempotencyKey(request, await claimFresh(request));
    await claimFresh({ ...request, requestHash: 'other' });
  });

  test('key · begun before steps had names · 409, and nothing is run', async () => {
    const key = randomUUID();
    fail = () => new Error('the process that numbered its steps died here');
    expect((await order(key)).status).toBe(500);
    fail = null;
    const { rows } = await stand.database.pool.query<{ scope: string; first_at: string }>(
      'SELECT scope, first_at::text FROM idempotency_keys WHERE key = $1',
      [key],
    );
    const [row] = rows;
    const name = JSON.stringify([row?.scope, key, row?.first_at]);
    await stand.database.pool.query(
      `INSERT INTO effects (key, result) VALUES ($1, '{"packed": "/w8="}')`,
      [`request:${createHash('sha256').update(name).digest('hex')}#0`],
    );
    const answers = [await order(key), await order(key)];
    expect(answers.map(({ status }) => status)).toEqual([409, 409]);
    expect(answers[0]?.body).toMatchObject({ data: { error: 'state_conflict' } });
    expect(answers[1]?.headers['idempotent-replayed']).toBe('true');
    expect(runs).toBe(1);
  });

  test('key · absent, on GET, or on an upload · changes nothing', async () => {
    await order(undefined);
    await order(undefined);
    const list = () =>
      supertest(app)
        .get('/a/orders')
        .set('Authorization', `Bearer ${first}`)
        .set('Idempotency-Key', 'k');
    await list();
    await list();
    expect(runs).toBe(4);
    const upload = () =>
      post('/a/flows').set('Idempotency-Key', 'up').attach('file', Buffer.from('x'), 'x.txt');
    expect([(await upload()).status, (await upload()).status]).toEqual([202, 202]);
    expect(runs).toBe(6);
  });

  test.each(['x'.repeat(256), 'has space', ''])('key · "%s" · is 422', async (key) => {
    const answer = await order(key);
    expect(answer.status).toBe(422);
    expect(runs).toBe(0);
  });
});

describe('gates', () => {
  test('requireBasicProfile · empty profile · 412 with what is missing; filled · passes', async () => {
    const send = () => post('/a/gated', second);
    const refused = await send();
    expect(refused.status).toBe(412);
    expect(refused.body).toMatchObject({
      code: 41200,
      data: {
        error: 'profile_incomplete',
        missing: ['contact_name', 'company_name_or_mobile'],
        request_id: expect.any(String),
      },
    });
    await stand.database.pool.query(
      "UPDATE accounts SET contact_name = 'Ada', mobile = '1' WHERE id = (SELECT max(id) FROM accounts WHERE kind = 'ADVERTISER')",
    );
    expect((await send()).status).toBe(201);
  });

  test('requireKyc · not approved · 412 with requires_kyc, kyc_status, kyc_url; approved · passes', async () => {
    const send = () => post('/p/withdraw', publisher);
    const refused = await send();
    expect(refused.status).toBe(412);
    expect(refused.body).toMatchObject({
      code: 41201,
      data: {
        error: 'kyc_required',
        requires_kyc: true,
        kyc_status: 'none',
        kyc_url: expect.stringContaining('/publisher/kyc'),
      },
    });
    await stand.database.pool.query(
      "UPDATE accounts SET contact_name = 'Ada', mobile = '1', kyc_status = 'approved' WHERE id = $1",
      [publisherId],
    );
    // Which account is paid is for each request to find out (test/api/publisher/withdrawals).
    expect((await send()).status).toBe(201);
  });
});
