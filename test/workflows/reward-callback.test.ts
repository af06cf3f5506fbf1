import { randomBytes } from 'node:crypto';
import { createOutbound } from '../../activities/providers/outbound.ts';
import { findReward } from '../../db/queries/rewards.ts';
import { runner } from '../../db/postgres.ts';
import { readCallback } from '../../domain/reward.ts';
import { rewardCallbackWorkflowId } from '../../workflows/contracts/reward-callback.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { createTestFlows, type TestFlows } from '../support/flows.ts';
import { captureHistory } from '../support/histories.ts';
import { type ScriptedListener, startScripted, status } from '../support/listener.ts';
import { makePlace } from '../support/make/place.ts';

/** A granted reward is told to the publisher's server, and told again until it is taken. */
const HOST = 'game.example';

describe('reward callback flow', () => {
  let database: TestDatabase;
  let flows: TestFlows;
  let server: ScriptedListener;

  beforeAll(async () => {
    database = await createTestDatabase();
    flows = await createTestFlows(database);
    server = await startScripted((_req, res) => void res.writeHead(200).end('ok'));
    flows.deps.providers.outbound = createOutbound({
      baseUrl: 'https://ads.platform.example',
      devHosts: new Map([[HOST, server.host]]),
    });
  }, 60_000);
  afterAll(async () => {
    await server.close();
    await flows.close();
    await database.close();
  });
  beforeEach(() => {
    server.asked.length = 0;
    server.answers.length = 0;
  });

  /** A reward whose video was watched and whose impression was counted, as rows. */
  async function watched(
    callbackUrl: string | null,
  ): Promise<{ id: number; transactionId: string }> {
    const { zone, publisher } = await makePlace(database.db, {
      zone: { type: 'REWARDED' },
    });
    await database.pool.query('UPDATE zones SET reward_callback_url = $2 WHERE id = $1', [
      zone.id,
      callbackUrl,
    ]);
    const bidId = randomBytes(8).toString('hex');
    const requestId = randomBytes(16).toString('hex');
    const issued = await flows.activities.issueReward({
      requestId,
      bidId,
      zoneId: zone.id,
      userId: 'u1',
      customData: '',
    });
    await database.pool.query(
      `UPDATE rewards SET issued_at = now() - interval '1 minute' WHERE id = $1`,
      [issued.id],
    );
    await database.pool.query(
      `INSERT INTO events (day, id, shard, kind, received_at, bid_id, request_id, publisher_id, billable, status)
       VALUES ((now() AT TIME ZONE 'UTC')::date, gen_random_uuid(), 0, 'impression', now(), $1, $2, $3, false, 'valid')`,
      [bidId, requestId, publisher.id],
    );
    return issued;
  }
  const reward = async (id: number) => {
    const { rows } = await database.pool.query(
      'SELECT callback_status, callback_attempts, callback_outcome FROM rewards WHERE id = $1',
      [id],
    );
    return rows[0] as unknown;
  };
  const started = async (id: number): Promise<number> => {
    const { rowCount } = await database.pool.query(
      `SELECT 1 FROM outbox WHERE payload->>'workflowId' = $1`,
      [rewardCallbackWorkflowId(id)],
    );
    return rowCount ?? 0;
  };
  const resultOf = async (id: number): Promise<unknown> =>
    await flows.resultOf(rewardCallbackWorkflowId(id));

  it('a grant · its server takes it · is told once, as it was signed', async () => {
    const { id, transactionId } = await watched(`http://${HOST}/ssv`);
    const { reward: granted } = await flows.activities.grantReward({ transactionId });
    expect(await resultOf(id)).toEqual({ state: 'DELIVERED', outcome: 'HTTP_200' });
    expect(server.asked).toHaveLength(1);
    const [path, query = ''] = (server.asked[0] ?? '').split('?');
    expect(path).toBe('/ssv');
    const callback = readCallback(query);
    expect(callback?.payload).toBe(granted.payload);
    const { rewardKeys } = flows.deps.providers;
    expect(
      rewardKeys.verify(callback?.payload ?? '', callback?.signature ?? '', callback?.keyId ?? 0),
    ).toBe(true);
    expect(await reward(id)).toEqual({
      callback_status: 'DELIVERED',
      callback_attempts: 1,
      callback_outcome: 'HTTP_200',
    });
  });

  it('a grant · its server fails, then redirects, then takes it · is told three times, alike', async () => {
    server.answers.push(
      status(500),
      (_req, res) => void res.writeHead(302, { location: 'http://127.0.0.1/inside' }).end(),
      status(204),
    );
    const { id, transactionId } = await watched(`http://${HOST}/ssv`);
    await flows.activities.grantReward({ transactionId });
    expect(await resultOf(id)).toEqual({ state: 'DELIVERED', outcome: 'HTTP_204' });
    expect(new Set(server.asked).size).toBe(1);
    expect(server.asked).toHaveLength(3);
    expect(await reward(id)).toMatchObject({ callback_attempts: 3, callback_status: 'DELIVERED' });
    const workflowId = rewardCallbackWorkflowId(id);
    await captureHistory(flows.client, { workflowId }, 'rewardCallbackWorkflow.retried');
  }, 30_000);

  it('granted 10 times at once · is one flow and one call', async () => {
    const { id, transactionId } = await watched(`http://${HOST}/ssv`);
    const grants = await Promise.all(
      Array.from({ length: 10 }, async () => await flows.activities.grantReward({ transactionId })),
    );
    expect(grants.filter(({ isDuplicate }) => !isDuplicate)).toHaveLength(1);
    await resultOf(id);
    expect([server.asked.length, await started(id)]).toEqual([1, 1]);
  });

  it('a zone without a server · grants and calls nobody', async () => {
    const { id, transactionId } = await watched(null);
    await flows.activities.grantReward({ transactionId });
    expect(await started(id)).toBe(0);
    expect(await reward(id)).toMatchObject({ callback_status: 'NONE', callback_attempts: 0 });
  });

  it('a server · that is nobody’s, or our own inside · is not called, and told by name', async () => {
    for (const [address, outcome] of [
      ['http://127.0.0.1/ssv', 'PRIVATE_ADDRESS'],
      ['http://169.254.169.254/latest', 'PRIVATE_ADDRESS'],
    ]) {
      const { id, transactionId } = await watched(address ?? '');
      flows.delivery.on = false;
      await flows.activities.grantReward({ transactionId });
      flows.delivery.on = true;
      const last = { rewardId: id, attempt: 5, isLast: true };
      expect(await flows.activities.sendRewardCallback(last)).toEqual({ state: 'FAILED', outcome });
      expect(await reward(id)).toEqual({
        callback_status: 'FAILED',
        callback_attempts: 5,
        callback_outcome: outcome,
      });
    }
    expect(server.asked).toEqual([]);
  });

  it('an attempt · run again after its worker died · calls nobody once it was taken', async () => {
    const { id, transactionId } = await watched(`http://${HOST}/ssv`);
    flows.delivery.on = false;
    await flows.activities.grantReward({ transactionId });
    flows.delivery.on = true;
    const first = { rewardId: id, attempt: 1, isLast: false };
    expect(await flows.activities.sendRewardCallback(first)).toMatchObject({ state: 'DELIVERED' });
    expect(await flows.activities.sendRewardCallback(first)).toEqual({
      state: 'DELIVERED',
      outcome: 'BEFORE',
    });
    expect(server.asked).toHaveLength(1);
    expect(await findReward(runner(database.db), { id })).toMatchObject({
      callbackStatus: 'DELIVERED',
    });
  });
});
