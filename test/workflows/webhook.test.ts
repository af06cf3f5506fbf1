import { createHmac } from 'node:crypto';
import type http from 'node:http';
import { createOutbound } from '../../activities/providers/outbound.ts';
import { createSafeFetch } from '../../activities/providers/safe-fetch.ts';
import { notify } from '../../activities/accounts/notifications.ts';
import { inTransaction } from '../../db/postgres.ts';
import { WEBHOOK_WORKFLOW, webhookWorkflowId } from '../../workflows/contracts/webhook.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { createTestFlows, type TestFlows } from '../support/flows.ts';
import { captureHistory } from '../support/histories.ts';
import { hangsUp, type Listener, startListener, status } from '../support/listener.ts';
import { makeAdvertiser } from '../support/make/account.ts';
import { eventually } from '../support/until.ts';

/** interface 5.11: what the console tells, an owner's server is told, until it has taken it. */
const HOST = 'hooks.example';
const URL_OF_HOOK = `http://${HOST}/ads`;

interface Heard {
  method: string | undefined;
  headers: http.IncomingHttpHeaders;
  body: string;
}

let database: TestDatabase;
let flows: TestFlows;
let server: Listener;
const heard: Heard[] = [];
const answers: http.RequestListener[] = [];

beforeAll(async () => {
  database = await createTestDatabase();
  flows = await createTestFlows(database);
  server = await startListener((req, res) => {
    let body = '';
    req.on('data', (chunk: Buffer) => (body += chunk.toString()));
    req.on('end', () => {
      heard.push({ method: req.method, headers: req.headers, body });
      (answers.shift() ?? status(204))(req, res);
    });
  });
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
  heard.length = 0;
  answers.length = 0;
  flows.delivery.on = true;
});

interface Scene {
  accountId: number;
  id: number;
  secret: string;
}

async function scene(url = URL_OF_HOOK): Promise<Scene> {
  const { id: accountId } = await makeAdvertiser(database.db);
  const kinds = ['deposit_paid', 'review_decided'] as const;
  const { id } = await flows.activities.addWebhook({ accountId, url, kinds: [...kinds] });
  const secret = await flows.activities.showWebhookSecret({ id, accountId });
  return { accountId, id, secret };
}

const happen = async (
  { accountId }: Scene,
  kind: 'deposit_paid' | 'balance_low' = 'deposit_paid',
  dedupeKey?: string,
): Promise<void> =>
  await inTransaction(database.db, async (tx) => {
    const params = { amount: 5, currency: 'USD' };
    const told = { accountId, kind, subject: { type: 'deposit', id: 1 }, params };
    await notify(flows.deps, tx, dedupeKey === undefined ? told : { ...told, dedupeKey });
  });

interface Delivery {
  id: number;
  event_id: string;
  kind: string;
  status: string;
  attempts: number;
  last_outcome: string | null;
  answer: string | null;
  took_ms: number | null;
  next_attempt_at: Date | null;
}

async function deliveriesOf({ id }: Scene): Promise<Delivery[]> {
  const { rows } = await database.pool.query<Delivery>(
    'SELECT d.*, d.id::int AS id FROM webhook_deliveries d WHERE d.endpoint_id = $1 ORDER BY d.id',
    [id],
  );
  return rows;
}

async function onlyDelivery(of: Scene): Promise<Delivery> {
  const [first, ...others] = await deliveriesOf(of);
  if (first === undefined || others.length > 0) throw new Error('one delivery was expected');
  return first;
}

/** With short waits, past the outbox: the row is queued as ever, and its flow begun here. */
async function runSoon(deliveryId: number, firstAttempt: number, retryAfterSeconds: number[]) {
  const workflowId = webhookWorkflowId({ deliveryId, firstAttempt });
  await flows.client.workflow.start(WEBHOOK_WORKFLOW, {
    workflowId,
    taskQueue: 'calls',
    args: [{ deliveryId, firstAttempt, retryAfterSeconds }],
  });
  return await flows.resultOf(workflowId);
}

function signaturesOf({ headers, body }: Heard, secrets: string[]): string {
  const text = `${String(headers['webhook-id'])}.${String(headers['webhook-timestamp'])}.${body}`;
  return secrets
    .map((secret) => Buffer.from(secret.slice('whsec_'.length), 'base64'))
    .map((key) => `v1,${createHmac('sha256', key).update(text).digest('base64')}`)
    .join(' ');
}

test('an event · that is wanted, told once more, and one that is not · is told once, signed', async () => {
  const made = await scene();
  await happen(made, 'deposit_paid', `once:${made.id}`);
  await happen(made, 'deposit_paid', `once:${made.id}`);
  await happen(made, 'balance_low');
  const delivery = await eventually(async () => {
    const found = await onlyDelivery(made);
    expect(found).toMatchObject({ status: 'DELIVERED', attempts: 1, last_outcome: 'HTTP_204' });
    return found;
  });
  expect(delivery.next_attempt_at).toBeNull();
  expect(heard).toHaveLength(1);
  const [call] = heard;
  if (call === undefined) throw new Error('nobody called');
  expect(call.method).toBe('POST');
  expect(call.headers).toMatchObject({
    'content-type': 'application/json',
    'webhook-id': delivery.event_id,
    'webhook-signature': signaturesOf(call, [made.secret]),
  });
  expect(JSON.parse(call.body)).toMatchObject({
    type: 'deposit_paid',
    data: { subject: { type: 'deposit', id: 1 }, params: { amount: 5 } },
  });
});

test('an event · whose transaction fails · is told to nobody', async () => {
  const made = await scene();
  const failed = inTransaction(database.db, async (tx) => {
    const params = { amount: 5, currency: 'USD' };
    const { accountId } = made;
    await notify(flows.deps, tx, { accountId, kind: 'deposit_paid', subject: null, params });
    throw new Error('not after all');
  });
  await expect(failed).rejects.toThrow('not after all');
  expect(await deliveriesOf(made)).toEqual([]);
});

test('a receiver · that fails, redirects to a private address, hangs up, then takes it · was called four times', async () => {
  flows.delivery.on = false;
  const made = await scene();
  await happen(made);
  const { id } = await onlyDelivery(made);
  answers.push(
    status(500),
    (_req, res) => void res.writeHead(302, { location: 'http://169.254.169.254/latest' }).end(),
    hangsUp,
    (_req, res) => void res.writeHead(200).end('thanks\u0000'),
  );
  expect(await runSoon(id, 1, [0.1, 0.1, 0.1])).toEqual({
    state: 'DELIVERED',
    outcome: 'HTTP_200',
  });
  expect(heard).toHaveLength(4);
  expect(new Set(heard.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
  expect(await onlyDelivery(made)).toMatchObject({ attempts: 4, answer: 'thanks�' });
});

test('a receiver · on a private address, or that hangs · is an outcome like any other', async () => {
  flows.delivery.on = false;
  const home = await scene('http://127.0.0.1/ads');
  await happen(home);
  const { id } = await onlyDelivery(home);
  expect(await runSoon(id, 1, [])).toEqual({ state: 'DEAD', outcome: 'PRIVATE_ADDRESS' });
  const slow = await scene();
  await happen(slow);
  const { outbound } = flows.deps.providers;
  const devHosts = new Map([[HOST, server.host]]);
  flows.deps.providers.outbound = {
    ...outbound,
    fetch: createSafeFetch({ devHosts, timeoutMs: 200 }),
  };
  answers.push(() => undefined);
  const attempt = { deliveryId: (await onlyDelivery(slow)).id, attempt: 1, nextAfterSeconds: 60 };
  expect(await flows.activities.sendWebhook(attempt)).toEqual({
    state: 'MISSED',
    outcome: 'TIMEOUT',
  });
  flows.deps.providers.outbound = outbound;
  expect(await onlyDelivery(slow)).toMatchObject({ status: 'PENDING', last_outcome: 'TIMEOUT' });
});

test('a receiver · that never takes it · leaves a dead letter, which is sent again on request', async () => {
  flows.delivery.on = false;
  const made = await scene();
  const { accountId, id: endpointId } = made;
  await happen(made);
  const { id, event_id: eventId } = await onlyDelivery(made);
  const key = { id, endpointId, accountId };
  const early = flows.activities.resendWebhook(key);
  await expect(early).rejects.toMatchObject({ token: 'state_conflict' });
  answers.push(status(404), status(503));
  expect(await runSoon(id, 1, [0.1])).toEqual({ state: 'DEAD', outcome: 'HTTP_503' });
  const strange = flows.activities.resendWebhook({ ...key, accountId: accountId + 1 });
  await expect(strange).rejects.toMatchObject({ token: 'not_found' });
  flows.delivery.on = true;
  for (const attempts of [3, 4]) {
    await flows.activities.resendWebhook(key);
    await eventually(async () =>
      expect(await onlyDelivery(made)).toMatchObject({ status: 'DELIVERED', attempts }),
    );
  }
  expect(heard.map(({ headers }) => headers['webhook-id'])).toEqual(Array(4).fill(eventId));
});

test('an attempt · run twice, and after it was taken · counts once, and calls nobody again', async () => {
  flows.delivery.on = false;
  const made = await scene();
  await happen(made);
  const { id: deliveryId } = await onlyDelivery(made);
  answers.push(status(500), status(500));
  const attempt = { deliveryId, attempt: 1, nextAfterSeconds: 60 };
  await flows.activities.sendWebhook(attempt);
  await flows.activities.sendWebhook(attempt);
  expect(await onlyDelivery(made)).toMatchObject({ status: 'PENDING', attempts: 1 });
  await flows.activities.sendWebhook({ ...attempt, attempt: 2 });
  const calls = heard.length;
  const again = await flows.activities.sendWebhook({ ...attempt, attempt: 3 });
  expect(again).toEqual({ state: 'DELIVERED', outcome: 'BEFORE' });
  expect(heard).toHaveLength(calls);
});

test('a secret · replaced · signs with the one before for a day, and not after it', async () => {
  const made = await scene();
  const { accountId, id } = made;
  await flows.activities.rotateWebhookSecret({ id, accountId });
  const next = await flows.activities.showWebhookSecret({ id, accountId });
  expect(next).not.toBe(made.secret);
  const signedBy = async (secrets: string[]): Promise<void> => {
    heard.length = 0;
    await flows.activities.testWebhook({ id, accountId });
    await eventually(async () => {
      await Promise.resolve();
      expect(heard).toHaveLength(1);
    });
    const [call] = heard as [Heard];
    expect(call.headers['webhook-signature']).toBe(signaturesOf(call, secrets));
  };
  await signedBy([next, made.secret]);
  await database.pool.query('UPDATE webhook_endpoints SET before_until = now() WHERE id = $1', [
    id,
  ]);
  await signedBy([next]);
  const { rows } = await database.pool.query('SELECT * FROM webhook_endpoints WHERE id = $1', [id]);
  expect(JSON.stringify(rows)).not.toContain(next.slice('whsec_'.length));
});

describe('a receiver that has taken nothing', () => {
  const statusOf = async ({ id }: Scene) =>
    (
      await database.pool.query<{ status: string; failing_since: Date | null }>(
        'SELECT status, failing_since FROM webhook_endpoints WHERE id = $1',
        [id],
      )
    ).rows[0];
  const miss = async (made: Scene): Promise<void> => {
    await happen(made);
    const { id } = (await deliveriesOf(made)).at(-1) as Delivery;
    answers.push(status(500));
    await flows.activities.sendWebhook({ deliveryId: id, attempt: 1, nextAfterSeconds: 60 });
  };
  beforeEach(() => {
    flows.delivery.on = false;
  });

  test('for less than three days, then something · is called on', async () => {
    const made = await scene();
    await miss(made);
    expect(await statusOf(made)).toEqual({ status: 'ACTIVE', failing_since: expect.any(Date) });
    await happen(made);
    const { id } = (await deliveriesOf(made)).at(-1) as Delivery;
    await flows.activities.sendWebhook({ deliveryId: id, attempt: 1, nextAfterSeconds: 60 });
    expect(await statusOf(made)).toEqual({ status: 'ACTIVE', failing_since: null });
  });

  test('for three days · is disabled, its owner told, what waits given up, and nothing new queued', async () => {
    const made = await scene();
    const { accountId, id } = made;
    await miss(made);
    await database.pool.query(
      `UPDATE webhook_endpoints SET failing_since = now() - interval '73 hours' WHERE id = $1`,
      [id],
    );
    await miss(made);
    expect(await statusOf(made)).toMatchObject({ status: 'DISABLED' });
    const { rows } = await database.pool.query(
      `SELECT kind, subject_type, subject_id::int, params FROM notifications
       WHERE account_id = $1 AND kind = 'webhook_disabled'`,
      [accountId],
    );
    expect(rows).toEqual([
      {
        kind: 'webhook_disabled',
        subject_type: 'webhook',
        subject_id: id,
        params: { name: HOST },
      },
    ]);
    const letters = await database.pool.query('SELECT kind FROM mails WHERE account_id = $1', [
      accountId,
    ]);
    // Of each of the two top-ups, which are always written, and of the webhook.
    expect(letters.rows).toHaveLength(3);
    const calls = heard.length;
    const [waiting] = await deliveriesOf(made);
    expect(
      await flows.activities.sendWebhook({
        deliveryId: waiting?.id ?? 0,
        attempt: 2,
        nextAfterSeconds: 60,
      }),
    ).toEqual({ state: 'DEAD', outcome: 'ENDPOINT_NOT_ACTIVE' });
    await happen(made);
    expect(await deliveriesOf(made)).toHaveLength(2);
    expect(heard).toHaveLength(calls);
    await flows.activities.updateWebhook({ id, accountId }, { status: 'ACTIVE' });
    expect(await statusOf(made)).toEqual({ status: 'ACTIVE', failing_since: null });
  });

  test('and is deleted meanwhile · is called no more', async () => {
    const made = await scene();
    const { accountId, id } = made;
    await happen(made);
    const { id: deliveryId } = await onlyDelivery(made);
    await flows.activities.deleteWebhook({ id, accountId });
    expect(
      await flows.activities.sendWebhook({ deliveryId, attempt: 1, nextAfterSeconds: 60 }),
    ).toEqual({ state: 'DEAD', outcome: 'DELETED' });
    expect(heard).toEqual([]);
  });
});

test('histories · when asked for · are kept', async () => {
  for await (const { workflowId, runId, type } of flows.client.workflow.list()) {
    if (type !== WEBHOOK_WORKFLOW) continue;
    const result = await flows.resultOf(workflowId);
    const { state } = result as { state: string };
    await captureHistory(flows.client, { workflowId, runId }, `${type}.${state.toLowerCase()}`);
  }
});
