import { randomBytes } from 'node:crypto';
import type { Response } from 'supertest';
import { openOperation, reportOperation } from '../../../activities/core/operations.ts';
import type { ActivityDeps } from '../../../activities/deps.ts';
import { inTransaction } from '../../../db/postgres.ts';
import type { Caller } from '../../support/call.ts';
import type { TestDatabase } from '../../support/database.ts';
import { makeAdvertiser, makeOperator, makePublisher } from '../../support/make/account.ts';
import { ownTime } from '../../support/own-time.ts';
import { activityDeps } from '../../support/settlement.ts';
import { pause, until } from '../../support/until.ts';
import { createStand, type Stand } from '../../support/stand.ts';

/** How often the watch asks while somebody waits (api/http/operation-watch.ts). */
const TICK_MS = 250;

let stand: Stand;
let database: TestDatabase;
let deps: ActivityDeps;
let alice: Caller;
let bob: Caller;
let support: Caller;

beforeAll(async () => {
  stand = await createStand();
  ({ database } = stand);
  deps = activityDeps(database);
  const { db } = database;
  alice = stand.as('advertiser', (await makeAdvertiser(db)).id);
  bob = stand.as('publisher', (await makePublisher(db)).id);
  support = stand.as('admin', (await makeOperator(db, 'SUPPORT')).id);
});

afterAll(async () => {
  await stand.close();
});

async function open(accountId: number | null, kind = 'export'): Promise<Opened> {
  const workflowId = `test:${randomBytes(6).toString('hex')}`;
  const subject = { type: 'report', id: 7 };
  const id = await inTransaction(
    database.db,
    async (tx) => await openOperation(deps, tx, { accountId, kind, subject, workflowId }),
  );
  return { id, workflowId };
}

interface Opened {
  id: number;
  workflowId: string;
}

async function report(workflowId: string, status: 'running' | 'succeeded' | 'failed') {
  await inTransaction(database.db, async (tx) => {
    const phase = status === 'running' ? 'writing' : status;
    const result = status === 'succeeded' ? { result: { rows: 3 } } : {};
    const error = status === 'failed' ? { error: { error: 'too_much' } } : {};
    const progress = { done: 1 };
    await reportOperation(deps, tx, workflowId, { status, phase, progress, ...result, ...error });
  });
}

const mine = (path: string) => alice.get(`/operations${path}`);

describe('operations of a realm', () => {
  test('a list · by kind and status · holds the own ones, newest first', async () => {
    const [first, second, other] = [
      await open(alice.id),
      await open(alice.id),
      await open(alice.id, 'ai_image'),
    ];
    await open(bob.id);
    await report(second.workflowId, 'succeeded');
    const ids = async (query: string): Promise<number[]> =>
      (await mine(query)).body.data.items.map(({ id }: { id: number }) => id);
    expect(await ids('')).toEqual([other.id, second.id, first.id]);
    expect(await ids('?kind=export')).toEqual([second.id, first.id]);
    expect(await ids('?kind=export&status=succeeded')).toEqual([second.id]);
    expect((await mine('?status=done')).status).toBe(422);
    expect((await mine('?account_id=1')).status).toBe(422);
  });

  test("an operation · of another account, another realm or the platform's own · does not exist", async () => {
    const theirs = await open(bob.id);
    const platforms = await open(null);
    for (const { id } of [theirs, platforms]) {
      expect((await mine(`/${id}`)).status).toBe(404);
      expect((await mine(`/${id}?wait=20`)).status).toBe(404);
    }
    expect((await bob.get(`/operations/${theirs.id}`)).status).toBe(200);
    expect((await bob.get(`/operations/${platforms.id}`)).status).toBe(404);
  });

  test('an operation · as it goes on and ends · tells phase, timeline, result and its version', async () => {
    const { id, workflowId } = await open(alice.id);
    await report(workflowId, 'running');
    await report(workflowId, 'succeeded');
    const shown = await mine(`/${id}`);
    expect(shown.headers['etag']).toBe('"3"');
    expect(shown.body.data).toMatchObject({
      id,
      kind: 'export',
      subject: { type: 'report', id: 7 },
      status: 'succeeded',
      phase: 'succeeded',
      progress: { done: 1 },
      result: { rows: 3 },
      error: null,
      version: 3,
    });
    const phases = shown.body.data.timeline.map(({ phase }: { phase: string }) => phase);
    expect(phases).toEqual(['queued', 'writing', 'succeeded']);
    expect(shown.body.data).not.toHaveProperty('workflow_id');
  });

  test('a failed operation · shown · names its error', async () => {
    const { id, workflowId } = await open(alice.id);
    await report(workflowId, 'failed');
    expect((await mine(`/${id}`)).body.data).toMatchObject({
      status: 'failed',
      error: { error: 'too_much' },
      result: null,
    });
  });
});

describe('operations of everyone', () => {
  test("an operator · lists and shows anyone's · with account_id; filters by it", async () => {
    const one = await open(alice.id, 'kyc');
    const two = await open(bob.id, 'kyc');
    const none = await open(null, 'kyc');
    const items = async (query: string) =>
      (await support.get(`/operations${query}`)).body.data.items.map(
        (item: { id: number; account_id: number | null }) => [item.id, item.account_id],
      );
    expect(await items('?kind=kyc')).toEqual([
      [none.id, null],
      [two.id, bob.id],
      [one.id, alice.id],
    ]);
    expect(await items(`?kind=kyc&account_id=${bob.id}`)).toEqual([[two.id, bob.id]]);
    const shown = await support.get(`/operations/${one.id}`);
    expect(shown.body.data).toMatchObject({
      account_id: alice.id,
      account_name: 'Engines',
      account_kind: 'advertiser',
      workflow_id: one.workflowId,
      workflow_url: `http://127.0.0.1:8233/namespaces/ads/workflows/${encodeURIComponent(one.workflowId)}`,
    });
    expect((await support.get('/operations/987654321')).status).toBe(404);
  });
});

describe('waiting for an operation', () => {
  const timed = async (ask: () => Promise<Response>) => {
    const [begun, spent] = [performance.now(), ownTime()];
    const answer = await ask();
    const endedAt = performance.now();
    return { answer, endedAt, ms: endedAt - begun, own: spent() };
  };
  /** With how many statements the watch asked in this test; it asks only while somebody waits. */
  let asked: number;
  const whenAsked = async (times: number) =>
    await until(`the watch asks ${times} times`, () => asked >= times);
  let stopCounting: () => void;

  beforeEach(() => {
    asked = 0;
    const { sequelize } = database.db;
    const query = sequelize.query.bind(sequelize);
    sequelize.query = ((sql: string | { query: string; values: unknown[] }, ...rest: never[]) => {
      const text = typeof sql === 'string' ? sql : sql.query;
      if (text.includes('FROM operations o WHERE id = ANY')) asked += 1;
      return query(sql, ...rest);
    }) as typeof sequelize.query;
    stopCounting = () => {
      sequelize.query = query;
    };
  });
  afterEach(() => stopCounting());

  test('If-None-Match · of the present version · is 304 without a body; of another one, 200', async () => {
    const { id } = await open(alice.id);
    for (const tag of ['"1"', 'W/"1"', '"7", "1"']) {
      const same = await mine(`/${id}`).set('If-None-Match', tag);
      expect([tag, same.status, same.text]).toEqual([tag, 304, '']);
      expect(same.headers['etag']).toBe('"1"');
    }
    for (const tag of ['"2"', 'x', '1']) {
      expect([tag, (await mine(`/${id}`).set('If-None-Match', tag)).status]).toEqual([tag, 200]);
    }
  });

  test('wait · until it moves · answers within a second of the move, not before', async () => {
    const { id, workflowId } = await open(alice.id);
    const waiting = timed(async () => await mine(`/${id}?wait=20`).set('If-None-Match', '"1"'));
    await whenAsked(2);
    const begunAt = performance.now();
    await report(workflowId, 'running');
    const spent = ownTime();
    const { answer, endedAt } = await waiting;
    expect(answer.status).toBe(200);
    expect(answer.body.data).toMatchObject({ status: 'running', version: 2 });
    expect(endedAt).toBeGreaterThan(begunAt);
    expect(spent()).toBeLessThan(1_000);
  });

  test('wait · without If-None-Match · waits for the next move all the same', async () => {
    const { id, workflowId } = await open(alice.id);
    const waiting = timed(async () => await mine(`/${id}?wait=20`));
    await whenAsked(1);
    await report(workflowId, 'running');
    expect((await waiting).answer.body.data.version).toBe(2);
  });

  test('wait · nothing moves · is over after that time: 304, or 200 as it stands', async () => {
    const { id } = await open(alice.id);
    const [known, unknown] = await Promise.all([
      timed(async () => await mine(`/${id}?wait=1`).set('If-None-Match', '"1"')),
      timed(async () => await mine(`/${id}?wait=1`)),
    ]);
    expect([known.answer.status, unknown.answer.status]).toEqual([304, 200]);
    for (const { ms, own } of [known, unknown]) {
      expect(ms).toBeGreaterThan(950);
      expect(own).toBeLessThan(3_000);
    }
  });

  test('wait · it has moved already, or has ended · is not waited for', async () => {
    const { id, workflowId } = await open(alice.id);
    await report(workflowId, 'running');
    const moved = await timed(async () => await mine(`/${id}?wait=20`).set('If-None-Match', '"1"'));
    await report(workflowId, 'succeeded');
    const ended = await timed(async () => await mine(`/${id}?wait=20`).set('If-None-Match', '"3"'));
    expect([moved.answer.status, ended.answer.status]).toEqual([200, 304]);
    expect(moved.own + ended.own).toBeLessThan(2_000);
  });

  test('wait · two hundred at once · ask the database once a tick, by primary key', async () => {
    const { id, workflowId } = await open(alice.id);
    const other = await open(alice.id);
    const begun = performance.now();
    const waiting = Array.from(
      { length: 200 },
      async (_, at) =>
        await mine(`/${at % 2 === 0 ? id : other.id}?wait=20`).set('If-None-Match', '"1"'),
    );
    await whenAsked(10);
    const [askedBefore, ticks] = [asked, (performance.now() - begun) / TICK_MS];
    await report(workflowId, 'succeeded');
    await report(other.workflowId, 'succeeded');
    const answers = await Promise.all(waiting);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(200);
    expect(askedBefore).toBeLessThanOrEqual(ticks + 1);
    const idle = asked;
    await pause(2 * TICK_MS + 100, 'nobody waits, so no tick may ask');
    expect(asked).toBe(idle);
  });

  test.each(['-1', '21', '1.5', 'long'])('wait · of "%s" · is 422', async (wait) => {
    const { id } = await open(alice.id);
    expect((await mine(`/${id}?wait=${wait}`)).status).toBe(422);
  });
});
