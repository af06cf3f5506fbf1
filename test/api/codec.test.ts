import { randomBytes } from 'node:crypto';
import type { Payload } from '@temporalio/common';
import { createPayloadCodec } from '../../activities/core/payload-codec.ts';
import { parseKeys } from '../../config-keys.ts';
import { dataOf } from '../support/call.ts';
import { makeOperator } from '../support/make/account.ts';
import { createStand, type Stand } from '../support/stand.ts';

const UI = 'http://flows.example:8233';
const FLOW_KEYS = `2:${randomBytes(32).toString('hex')},1:${randomBytes(32).toString('hex')}`;
const keys = parseKeys('FLOW_KEYS', FLOW_KEYS, []);

let stand: Stand;
let operatorId: number;
let sealed: Payload[];
beforeAll(async () => {
  stand = await createStand({ env: { TEMPORAL_UI_URL: UI, FLOW_KEYS } });
  operatorId = (await makeOperator(stand.database.db, 'FINANCE')).id;
  const plain = ['{"withdrawalId":7}', '"PAID"'].map((text) => ({
    metadata: { encoding: Buffer.from('json/plain') },
    data: Buffer.from(text),
  }));
  // One by the key of today, one by that of before.
  sealed = [
    ...(await createPayloadCodec(keys).encode(plain.slice(0, 1))),
    ...(await createPayloadCodec(keys.slice(1)).encode(plain.slice(1))),
  ];
});
afterAll(async () => {
  await stand?.close();
});

interface Shown {
  metadata: Record<string, string>;
  data: string;
}

const shown = ({ metadata, data }: Payload): Shown => ({
  metadata: Object.fromEntries(
    Object.entries(metadata ?? {}).map(([name, value]) => [
      name,
      Buffer.from(value).toString('base64'),
    ]),
  ),
  data: Buffer.from(data ?? []).toString('base64'),
});

/** As a page of Temporal's asks, with what its browser keeps. */
const decode = async (
  { cookie, origin = UI }: { cookie?: string; origin?: string },
  payloads: object[] = sealed.map(shown),
) =>
  await fetch(`${stand.url}/codec/decode`, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      'X-Namespace': 'ads',
      Origin: origin,
      ...(cookie === undefined ? {} : { Cookie: cookie }),
    },
    body: JSON.stringify({ payloads }),
  });

async function pass(): Promise<{ cookie: string; setCookie: string; token: string }> {
  const operator = stand.as('admin', operatorId);
  const given = await operator.post('/codec/pass');
  expect(given.status).toBe(200);
  expect(dataOf(given)).toMatchObject({ ui_url: UI, endpoint: expect.stringMatching(/\/codec$/) });
  const [setCookie = ''] = given.headers['set-cookie'] as unknown as string[];
  return { cookie: setCookie.split(';', 1)[0] ?? '', setCookie, token: operator.token };
}

const readings = async () =>
  (
    await stand.database.pool.query<{ actor_id: string; detail: object }>(
      `SELECT actor_id::int AS actor_id, detail FROM audit_log WHERE action = 'flow.decode' ORDER BY id`,
    )
  ).rows;

test('payloads of both keys · asked by the page with a pass · are opened, and the reading is written down', async () => {
  const { cookie, setCookie, token } = await pass();
  expect(setCookie).toMatch(/HttpOnly/i);
  expect(setCookie).toMatch(/Path=\/codec/i);
  expect(setCookie).not.toContain(token);
  const answer = await decode({ cookie });
  expect(answer.status).toBe(200);
  expect(answer.headers.get('access-control-allow-origin')).toBe(UI);
  expect(answer.headers.get('access-control-allow-credentials')).toBe('true');
  const text = await answer.text();
  const { payloads } = JSON.parse(text) as { payloads: Shown[] };
  expect(payloads.map(({ data }) => Buffer.from(data, 'base64').toString())).toEqual([
    '{"withdrawalId":7}',
    '"PAID"',
  ]);
  expect(await readings()).toEqual([{ actor_id: operatorId, detail: { payloads: 2 } }]);
  for (const { secret } of keys) {
    expect(text).not.toContain(secret.toString('hex'));
    expect(text).not.toContain(secret.toString('base64'));
  }
});

test('whoever has no pass, another site, another role, an ended login · reads nothing, and nothing is written down', async () => {
  const before = await readings();
  const { cookie, token } = await pass();
  expect((await decode({})).status).toBe(401);
  expect((await decode({ cookie: 'adp-codec=forged' })).status).toBe(401);
  expect((await decode({ cookie: `adp-codec=${token}` })).status).toBe(401);
  const elsewhere = await decode({ cookie, origin: 'https://evil.example' });
  expect(elsewhere.status).toBe(404);
  expect(elsewhere.headers.get('access-control-allow-origin')).not.toBe('https://evil.example');
  // The pass opens nothing else.
  const asToken = decodeURIComponent(cookie.replace('adp-codec=', ''));
  expect((await stand.bearing('admin', asToken).get('/health')).status).toBe(401);
  for (const role of ['REVIEWER', 'SUPPORT'] as const) {
    const { id } = await makeOperator(stand.database.db, role);
    expect((await stand.as('admin', id).post('/codec/pass')).status).toBe(403);
  }
  await stand.database.pool.query(
    'UPDATE operators SET token_version = token_version + 1 WHERE id = $1',
    [operatorId],
  );
  expect((await decode({ cookie })).status).toBe(401);
  await stand.database.pool.query(
    'UPDATE operators SET token_version = token_version - 1 WHERE id = $1',
    [operatorId],
  );
  expect((await decode({ cookie })).status).toBe(200);
  expect(await readings()).toHaveLength(before.length + 1);
});

test('what was altered, is no payload, or was never sealed · refused, refused, and left as it is', async () => {
  const { cookie } = await pass();
  const [first] = sealed.map(shown);
  const bytes = Buffer.from(first?.data ?? '', 'base64');
  bytes[bytes.length - 1] = (bytes.at(-1) ?? 0) ^ 1;
  const altered = { ...first, data: bytes.toString('base64') };
  expect((await decode({ cookie }, [altered])).status).toBe(422);
  expect((await decode({ cookie }, [{ data: 'not base64!' }])).status).toBe(422);
  const plain = { metadata: { encoding: 'anNvbi9wbGFpbg==' }, data: 'Int9Ig==' };
  const answer = await decode({ cookie }, [plain]);
  expect(await answer.json()).toEqual({ payloads: [plain] });
});
