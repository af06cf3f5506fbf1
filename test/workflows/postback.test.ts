import { createHmac } from 'node:crypto';
import { POSTBACK_SECRET_PLACE } from '../../activities/tracking/postbacks.ts';
import { createOutbound } from '../../activities/providers/outbound.ts';
import { POSTBACK_WORKFLOW, postbackWorkflowId } from '../../workflows/contracts/postback.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { createTestFlows, type TestFlows } from '../support/flows.ts';
import { captureHistory } from '../support/histories.ts';
import { hangsUp, type ScriptedListener, startScripted, status } from '../support/listener.ts';
import { eventOf, verifiedClick } from '../support/settlement.ts';
import { eventually } from '../support/until.ts';
import { makeLine } from '../support/make/line.ts';

/** An accepted conversion is told to the advertiser's server, and told again until it is taken. */
const HOST = 'shop.example';
const TEMPLATE = `http://${HOST}/pb?cid={click_id}&conv={conversion_id}&v={value}&e={event}&t={txid}`;

describe('postback flow', () => {
  let database: TestDatabase;
  let flows: TestFlows;
  let server: ScriptedListener;

  beforeAll(async () => {
    database = await createTestDatabase();
    flows = await createTestFlows(database);
    server = await startScripted((_req, res) => void res.writeHead(204).end());
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
    flows.delivery.on = true;
  });

  interface Scene {
    advertiserId: number;
    trackerId: number;
    code: string;
    clickId: string;
  }

  async function scene(postbackUrl: string | null = TEMPLATE): Promise<Scene> {
    const line = await makeLine(database, { pricingModel: 'CPA' });
    const tracker = await database.db.models.trackers.create({
      advertiserId: line.advertiserId,
      name: 'Sale',
      eventType: 'PURCHASE',
      trackingCode: `trk_${line.advertiserId}`,
      postbackUrl,
    });
    const click = await verifiedClick(
      database,
      line,
      eventOf(line, { at: new Date(Date.now() - 10_000) }),
      { status: 'valid' },
    );
    return {
      advertiserId: line.advertiserId,
      trackerId: tracker.id,
      code: tracker.trackingCode,
      clickId: click.facts.clickId ?? '',
    };
  }

  /** Reported and decided. */
  const convert = async ({ code, clickId }: Scene, transactionId = 'tx 1') => {
    const recorded = await flows.activities.recordConversion({
      code,
      clickId,
      valueNanos: 12_500_000_000n,
      currency: undefined,
      transactionId,
      eventType: undefined,
      source: 'postback',
    });
    await flows.activities.decideConversions();
    return recorded;
  };

  async function postbackOf(trackerId: number) {
    const { rows } = await database.pool.query<{
      id: string;
      status: string;
      attempts: number;
      last_outcome: string | null;
      next_attempt_at: Date | null;
      delivered_at: Date | null;
    }>('SELECT * FROM postbacks WHERE tracker_id = $1', [trackerId]);
    expect(rows.length).toBeLessThanOrEqual(1);
    const [row] = rows;
    return row === undefined ? undefined : { ...row, id: Number(row.id) };
  }

  /** With short waits, past the outbox: the row is queued as ever, and its flow begun here. */
  async function runSoon(postbackId: number, firstAttempt: number, retryAfterSeconds: number[]) {
    const workflowId = postbackWorkflowId({ postbackId, firstAttempt });
    await flows.client.workflow.start(POSTBACK_WORKFLOW, {
      workflowId,
      taskQueue: 'calls',
      args: [{ postbackId, firstAttempt, retryAfterSeconds }],
    });
    return await flows.resultOf(workflowId);
  }

  test('a conversion · accepted, then reported again · is told once, signed, and kept as delivered', async () => {
    const made = await scene();
    const { conversionId } = await convert(made);
    expect(await convert(made)).toEqual({ conversionId, isDuplicate: true });
    const row = await eventually(async () => {
      const found = await postbackOf(made.trackerId);
      expect(found).toMatchObject({ status: 'DELIVERED', attempts: 1, last_outcome: 'HTTP_204' });
      return found;
    });
    expect(row?.delivered_at).toBeInstanceOf(Date);
    expect(row?.next_attempt_at).toBeNull();
    expect(server.asked).toHaveLength(1);
    const [path = ''] = server.asked;
    const [, query = '', sig = ''] = /^\/pb\?(.*)&sig=([0-9a-f]{64})$/.exec(path) ?? [];
    const secret = flows.deps.providers.blindIndex(made.code, POSTBACK_SECRET_PLACE);
    expect(createHmac('sha256', secret).update(query).digest('hex')).toBe(sig);
    const told = new URLSearchParams(query);
    expect(Object.fromEntries(told)).toEqual({
      cid: made.clickId,
      conv: String(conversionId),
      v: '12.5',
      e: 'PURCHASE',
      t: 'tx 1',
      ts: expect.stringMatching(/^\d{10}$/),
    });
  });

  test('a conversion · of a tracker without address, or not attributed · is told to nobody', async () => {
    const silent = await scene(null);
    await convert(silent);
    expect(await postbackOf(silent.trackerId)).toBeUndefined();
    const made = await scene();
    await convert({ ...made, clickId: 'nobody-clicked' });
    expect(await postbackOf(made.trackerId)).toBeUndefined();
    const steered = await scene(`http://{event}.example/pb`);
    await convert(steered);
    expect(await postbackOf(steered.trackerId)).toBeUndefined();
    expect(server.asked).toEqual([]);
  });

  test('a server · that fails, hangs up, then takes it · was called three times, each signed anew', async () => {
    flows.delivery.on = false;
    const made = await scene();
    await convert(made);
    const id = (await postbackOf(made.trackerId))?.id ?? 0;
    server.answers.push(status(500), hangsUp);
    expect(await runSoon(id, 1, [0.2, 0.2, 0.2])).toEqual({
      state: 'DELIVERED',
      outcome: 'HTTP_204',
    });
    expect(server.asked).toHaveLength(3);
    expect(await postbackOf(made.trackerId)).toMatchObject({ status: 'DELIVERED', attempts: 3 });
  });

  test('a server · that never takes it · leaves a dead letter, which is sent again on request alone', async () => {
    flows.delivery.on = false;
    const made = await scene();
    await convert(made);
    const id = (await postbackOf(made.trackerId))?.id ?? 0;
    const key = { id, trackerId: made.trackerId, advertiserId: made.advertiserId };
    await expect(flows.activities.resendPostback(key)).rejects.toMatchObject({
      token: 'state_conflict',
    });
    server.answers.push(status(404), status(302), status(503));
    expect(await runSoon(id, 1, [0.1, 0.1])).toEqual({ state: 'DEAD', outcome: 'HTTP_503' });
    expect(await postbackOf(made.trackerId)).toMatchObject({
      status: 'DEAD',
      attempts: 3,
      last_outcome: 'HTTP_503',
      next_attempt_at: null,
    });
    await expect(
      flows.activities.resendPostback({ ...key, advertiserId: made.advertiserId + 1 }),
    ).rejects.toMatchObject({ token: 'not_found' });
    flows.delivery.on = true;
    await flows.activities.resendPostback(key);
    await eventually(async () =>
      expect(await postbackOf(made.trackerId)).toMatchObject({ status: 'DELIVERED', attempts: 4 }),
    );
    expect(server.asked).toHaveLength(4);
    await expect(flows.activities.resendPostback(key)).rejects.toMatchObject({
      token: 'state_conflict',
    });
  });

  test('an attempt · run twice, and after it was taken · counts once, and calls nobody again', async () => {
    flows.delivery.on = false;
    const made = await scene();
    await convert(made);
    const postbackId = (await postbackOf(made.trackerId))?.id ?? 0;
    server.answers.push(status(500), status(500));
    const attempt = { postbackId, attempt: 1, nextAfterSeconds: 60 };
    await flows.activities.sendPostback(attempt);
    await flows.activities.sendPostback(attempt);
    const waiting = await postbackOf(made.trackerId);
    expect(waiting).toMatchObject({ status: 'PENDING', attempts: 1, last_outcome: 'HTTP_500' });
    expect(waiting?.next_attempt_at?.getTime()).toBeGreaterThan(Date.now() + 50_000);
    await flows.activities.sendPostback({ ...attempt, attempt: 2 });
    const calls = server.asked.length;
    expect(await flows.activities.sendPostback({ ...attempt, attempt: 3 })).toEqual({
      state: 'DELIVERED',
      outcome: 'BEFORE',
    });
    expect(server.asked).toHaveLength(calls);
  });

  test('histories · when asked for · are kept', async () => {
    for await (const { workflowId, runId, type } of flows.client.workflow.list()) {
      if (type !== POSTBACK_WORKFLOW) continue;
      const result = await flows.resultOf(workflowId);
      const { state } = result as { state: string };
      await captureHistory(flows.client, { workflowId, runId }, `${type}.${state.toLowerCase()}`);
    }
  });
});
