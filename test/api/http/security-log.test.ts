import { readdirSync, readFileSync } from 'node:fs';
import { dataOf } from '../../support/call.ts';
import { makeAdvertiser, makeOperator } from '../../support/make/account.ts';
import { createStand, type Stand } from '../../support/stand.ts';

/** What the log tells of an attack, and what it never holds (docs/logging.md). */
interface Line {
  level: number;
  time: number;
  msg: string;
  request_id?: string;
  [name: string]: unknown;
}
let stand: Stand;
let lines: Line[] = [];
let text = '';

const PASSWORD = 'correct-horse-battery-9';
const EMAIL = 'logged.person@example.com';

beforeAll(async () => {
  stand = await createStand({
    onLog: (line) => {
      text += line;
      lines.push(JSON.parse(line) as Line);
    },
  });
});
afterAll(async () => await stand.close());
beforeEach(() => {
  lines = [];
  text = '';
});

const refusals = (): unknown[] =>
  lines.filter(({ msg }) => msg === 'refused').map(({ security }) => security);

async function registered(): Promise<{ token: string; id: number }> {
  const made = await stand.anyone.post('/api/advertiser/auth/register', {
    email: EMAIL,
    password: PASSWORD,
  });
  const { token, user } = dataOf(made) as { token: string; user: { id: number } };
  return { token, id: user.id };
}

test('a login that fails and one that opens a session · are lines with who, how and the request’s id', async () => {
  const { id } = await registered();
  lines = [];
  const login = async (password: string) =>
    await stand.anyone.post('/api/advertiser/auth/login', { username: EMAIL, password });
  const refused = await login('wrong-password-1');
  const opened = await login(PASSWORD);
  expect([refused.status, opened.status]).toEqual([401, 200]);
  expect(lines.filter(({ security }) => security !== undefined)).toMatchObject([
    {
      level: 40,
      security: 'bad_credentials',
      method: 'POST',
      path: '/api/advertiser/auth/login',
      request_id: refused.headers['x-request-id'],
    },
    {
      level: 30,
      security: 'session_opened',
      realm: 'advertiser',
      account: id,
      by: 'login',
      proven: false,
      request_id: opened.headers['x-request-id'],
    },
  ]);
});

test('what one may not, in another realm, by another’s role, too often · each is a line of its own', async () => {
  const advertiser = stand.as('advertiser', (await makeAdvertiser(stand.database.db)).id);
  const reviewer = stand.as('admin', (await makeOperator(stand.database.db, 'REVIEWER')).id);
  lines = [];
  await stand.bearing('admin', advertiser.token).get('/tasks');
  await reviewer.get('/withdrawals');
  await stand.bearing('advertiser').get('/campaigns');
  await stand.bearing('advertiser', 'forged.token.here').get('/campaigns');
  expect(refusals()).toEqual(['wrong_realm', 'forbidden_role', 'token_missing', 'token_expired']);
  expect(lines.find(({ security }) => security === 'forbidden_role')).toMatchObject({
    realm: 'admin',
    account: reviewer.id,
    path: '/api/admin/withdrawals',
  });
  lines = [];
  for (let n = 0; n < 8; n += 1) {
    const guess = { username: 'nobody_here', password: `guess-number-${n}` };
    await stand.anyone.post('/api/publisher/auth/login', guess);
  }
  expect(refusals()).toContain('rate_limited');
});

test('every line · is one JSON object with time, level and the request it is of', async () => {
  await stand.bearing('advertiser').get('/campaigns');
  await stand.anyone.get('/api/nowhere');
  const ids = lines.map(({ request_id: id }) => id);
  expect(lines.length).toBeGreaterThan(2);
  for (const line of lines) {
    expect(line).toMatchObject({ level: expect.any(Number), time: expect.any(Number) });
    expect(line.request_id).toMatch(/^[0-9a-f-]{36}$/);
    // Since the epoch: the same moment on every machine.
    expect(Math.abs(Date.now() - line.time)).toBeLessThan(3_600_000);
  }
  expect(new Set(ids).size).toBe(2);
});

test('names, passwords, tokens, addresses and forged lines · are in none of them', async () => {
  const { token } = await registered().catch(() => ({ token: 'none' }));
  const secret = 'sEcReT-9f3b';
  const forged = '\n{"level":60,"msg":"forged"}\n';
  await stand
    .bearing('advertiser', token)
    .post('/campaigns', { name: `${secret}${forged}`, no_such_field: secret });
  await stand.bearing('advertiser', token).get(`/campaigns?keyword=${secret}`);
  await stand
    .bearing('advertiser', `${secret}.${secret}.${secret}`)
    .get('/campaigns')
    .set('X-Forwarded-For', '203.0.113.77')
    .set('User-Agent', secret);
  await stand.anyone.post('/api/advertiser/auth/login', { username: EMAIL, password: secret });
  await stand.bearing('advertiser', token).get(`/campaigns/1%0A%7B%22msg%22%3A%22forged%22%7D`);
  expect(lines.length).toBeGreaterThan(4);
  for (const kept of [secret, EMAIL, PASSWORD, token, '203.0.113.77']) {
    expect([kept, text.includes(kept)]).toEqual([kept, false]);
  }
  expect(lines.filter(({ msg }) => msg === 'forged')).toEqual([]);
  expect(text.trimEnd().split('\n')).toHaveLength(lines.length);
});

test('the inventory of logs · names every place that writes one, and none is a file', () => {
  const root = new URL('../../../', import.meta.url);
  const writers: string[] = [];
  for (const room of ['activities', 'api', 'db', 'domain', 'metrics', 'worker', 'workflows']) {
    for (const name of readdirSync(new URL(room, root), { recursive: true, encoding: 'utf8' })) {
      if (!name.endsWith('.ts')) continue;
      const made =
        readFileSync(new URL(`${room}/${name}`, root), 'utf8').match(/\bpino\(.*/g) ?? [];
      if (made.length === 0) continue;
      writers.push(`${room}/${name}`);
      expect([name, made.filter((text) => /destination|transport/.test(text))]).toEqual([name, []]);
    }
  }
  const document = readFileSync(new URL('../../../docs/logging.md', import.meta.url), 'utf8');
  expect(writers.filter((name) => !document.includes(`\`${name}\``))).toEqual([]);
  expect(writers.length).toBeGreaterThan(1);
});
