import { ApiError, type Client, createClient } from '../../web/client/client.ts';
import { createStand, type Stand } from '../support/stand.ts';
import { type Caller, dataOf } from '../support/call.ts';

/** The client of the pages against the real API: what it must not lose of an answer. */
let stand: Stand;
let who: Caller;
let client: Client;

beforeAll(async () => {
  stand = await createStand();
  who = await stand.newAdvertiser();
  client = createClient({ base: stand.url, token: () => who.token });
});
afterAll(async () => {
  await stand.close();
});

const refusalOf = async (call: Promise<unknown>): Promise<ApiError> => {
  const raised = await call.then(
    () => undefined,
    (error: unknown) => error,
  );
  if (!(raised instanceof ApiError)) throw new Error('it was not refused');
  return raised;
};

const CAMPAIGN = {
  name: 'Ropes',
  ad_type: 'BANNER',
  landing_url: 'https://shop.example/ropes',
  bid: 0.2,
} as const;

it('a success · is the envelope’s data', async () => {
  const made = await client.call('POST /api/advertiser/campaigns', { body: CAMPAIGN });
  expect(made).toMatchObject({ name: 'Ropes', bid: 0.2 });
  const page = await client.call('GET /api/advertiser/campaigns', { query: { keyword: 'Rop' } });
  expect(page.items.map(({ id }) => id)).toEqual([made.id]);
});

it('a 422 · keeps each wrong field, its code and words', async () => {
  const body = { name: '', pricing_model: 'CPX' as 'CPC' };
  const refusal = await refusalOf(client.call('POST /api/advertiser/campaigns', { body }));
  expect(refusal).toMatchObject({ status: 422, token: 'validation_failed', realm: 'advertiser' });
  expect(refusal.errors.map(({ field }) => field)).toEqual(
    expect.arrayContaining(['name', 'pricing_model']),
  );
  expect(refusal.errors.every(({ message, code }) => message !== '' && code !== '')).toBe(true);
  expect(refusal.requestId).toMatch(/\S/);
});

it('a refusal with hints · keeps them', async () => {
  const stranger = createClient({ base: stand.url, token: () => null });
  const refusal = await refusalOf(stranger.call('GET /api/advertiser/campaigns'));
  expect(refusal).toMatchObject({ status: 401, errors: [] });
});

it('an older version · 412, named', async () => {
  const { id, version } = dataOf(await who.post('/campaigns', CAMPAIGN)) as {
    id: number;
    version: number;
  };
  const save = (name: string) =>
    client.call('PUT /api/advertiser/campaigns/{id}', {
      path: { id },
      headers: { 'If-Match': `"${version}"` },
      body: { name },
    });
  await save('First');
  expect(await refusalOf(save('Second'))).toMatchObject({
    status: 412,
    token: 'precondition_failed',
  });
});

it('a look with the version that one has · no data, the same version', async () => {
  const { operation } = await client.call('POST /api/advertiser/media/ai-copy', {
    body: { prompt: 'Ropes for boats', n: 1 },
  });
  const path = { id: operation.id };
  const first = await client.look('GET /api/advertiser/operations/{id}', { path });
  expect(first.data?.kind).toMatch(/copy/);
  const headers = { 'If-None-Match': first.etag ?? '' };
  const again = await client.look('GET /api/advertiser/operations/{id}', { path, headers });
  expect(again).toEqual({ data: undefined, etag: first.etag, isReplayed: false });
});

it('nobody answers · says that the platform cannot be reached, by name', async () => {
  const lost = createClient({ base: 'http://127.0.0.1:9', token: () => null });
  expect(await refusalOf(lost.call('GET /api/advertiser/campaigns'))).toMatchObject({
    status: 0,
    token: 'unreachable',
  });
});

it('given up by its caller · is not a refusal', async () => {
  const ended = AbortSignal.abort();
  const call = client.call('GET /api/advertiser/campaigns', { signal: ended });
  await expect(call).rejects.toMatchObject({ name: 'AbortError' });
});
