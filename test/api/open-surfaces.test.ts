import { runBooks } from '../../db/queries/books.ts';
import { createTrackSealer } from '../../domain/tracking/track-id.ts';
import { CHROME } from '../support/agents.ts';
import type { TestDatabase } from '../support/database.ts';
import {
  createRawClient,
  describe as shown,
  each,
  type RawAnswer,
  type RawClient,
  type RawRequest,
} from '../support/bad-input/client.ts';
import { tableHashes } from '../support/bad-input/tables.ts';
import { makeTenant, type Tenant } from '../support/bad-input/tenants.ts';
import { whenReadable } from '../support/settlement.ts';
import { until } from '../support/until.ts';
import { createStand, type Stand } from '../support/stand.ts';

/**
 * Hostile traffic on what anybody may call: ad requests, tracking and conversions. Never a fault of
 * ours, the answer of a beacon tells nothing, and nothing of it is ever charged.
 */
const GIF = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64');
const SERVED_TO = '198.51.100.7';
const LONG = 'x'.repeat(12_000);

/** Written by what the events of this test are turned into, and by them alone. */
const EVENT_TABLES = ['event_inbox', 'events', 'settlement_cursors', 'event_marks', 'conversions'];
const SERVING_TABLES = [
  'pages',
  'rollup_zone_hours',
  'rollup_zone_traits',
  'rollup_ad_hours',
  'rollup_ad_traits',
];

let stand: Stand;
let database: TestDatabase;
/** The process that serves everything, and one that serves no console. */
let clients: RawClient[];
let all: RawClient;
let tenant: Tenant;
let served: { id: string; impression_url: string; click_url: string };
let before: Record<string, string>;

beforeAll(async () => {
  stand = await createStand();
  ({ database } = stand);
  all = createRawClient(stand.port, () => undefined);
  clients = [all, createRawClient(stand.hotPort, () => undefined)];
  tenant = await makeTenant(database, all);
  await stand.startServing();
  served = await serve();
  before = await tableHashes(database, [...EVENT_TABLES, ...SERVING_TABLES]);
});

afterAll(async () => {
  for (const client of clients) client.close();
  await stand.close();
});

const agent = { 'User-Agent': CHROME };
/** The inventory's first load may be retried in the background, so the ad is waited for. */
async function serve(): Promise<typeof served> {
  return await until(async () => {
    const answer = await stand.anyone
      .get(`/ad/request?zone_id=${tenant.objects.zone}`)
      .set({ ...agent, 'X-Forwarded-For': SERVED_TO });
    return answer.body.data.ads?.[0] as typeof served | undefined;
  });
}

/** To both processes; the answers that are not as expected, as a list to read. */
async function storm(
  requests: readonly RawRequest[],
  isRight: (answer: RawAnswer) => boolean,
): Promise<string[]> {
  const findings: string[] = [];
  for (const client of clients) {
    await each(requests, async (request) => {
      const answer = await client.send({ ...request, headers: { ...agent, ...request.headers } });
      if (isRight(answer)) return;
      const text = answer.bytes.toString('utf8').slice(0, 160);
      findings.push(`${shown(request)} -> ${answer.status} ${text}`);
    });
  }
  return findings;
}

const status =
  (...wanted: number[]) =>
  (answer: RawAnswer): boolean =>
    wanted.includes(answer.status);

const isGif = (answer: RawAnswer): boolean =>
  answer.status === 200 &&
  answer.headers['content-type'] === 'image/gif' &&
  answer.bytes.equals(GIF);

/** Path segments that no honest page sends. */
const SEGMENTS = [
  'x',
  '0',
  '-1',
  'null',
  '%00',
  'a%00b',
  '%zz',
  '%',
  '%ff%fe',
  '%F0%9F%98%80',
  '..',
  '%2e%2e%2f%2e%2e',
  '%3Cscript%3Ealert(1)%3C%2Fscript%3E',
  "'%20OR%201=1--",
  '${1+1}',
  '__proto__',
  'constructor',
  LONG,
];
const SHORT = SEGMENTS.filter((segment) => segment !== LONG);

describe('ad requests', () => {
  test('a zone · that nobody has, or that is no zone · is 400, 404 or 422', async () => {
    const refused = status(400, 404, 422);
    const requests = SEGMENTS.flatMap((segment) => [
      { method: 'GET', path: `/ad/request?zone_id=${segment}` },
      { method: 'GET', path: `/ad/request?zone=${segment}` },
      { method: 'GET', path: `/ad/request/${segment}` },
      { method: 'GET', path: `/ad/render/${segment}` },
      { method: 'POST', path: '/ad/request', body: { zone: segment } },
    ]);
    expect(await storm(requests, refused)).toEqual([]);
    const absent = [
      '/ad/request',
      '/ad/request?',
      '/ad/request?zone_id=',
      '/ad/request?zone_id=99999999999999999999',
      '/ad/request?zone_id=1e400',
      '/ad/request/',
      '/ad/render/',
      '/ad',
      '/ad/',
      '/ad/nothing',
      '/ad/request/1/2',
    ].map((path) => ({ method: 'GET', path }));
    expect(await storm(absent, refused)).toEqual([]);
  });

  test('a parameter · out of its bounds · is named; an odd one is answered', async () => {
    const zone = `zone_id=${tenant.objects.zone}`;
    const ask = (query: string): RawRequest => ({
      method: 'GET',
      path: `/ad/request?${zone}&${query}`,
    });
    const wrong = [
      'limit=0',
      'limit=-1',
      'limit=11',
      'limit=abc',
      'limit=1e3',
      'limit=1.5',
      'limit=%00',
      'limit=1&limit=2',
      'zone_id=2',
      'limit[]=1',
      'page_url[a]=x',
      'gdpr=1&gdpr=0',
      '_v=-1',
      '_v=x',
      '_v=1e9',
      '_v=99999999999',
    ];
    expect(await storm(wrong.map(ask), status(422))).toEqual([]);
    const odd = [
      'page_url=%00',
      'page_url=javascript:alert(1)',
      `page_title=${LONG}`,
      'page_tags=%zz',
      '_d=%00%ff',
      `_d=${LONG}`,
      '_v=2&_d=not-obfuscated',
      'gdpr=x&gpp=%00&coppa=-1',
      '__proto__=1&constructor=2',
      Array.from({ length: 1_500 }, (_, at) => `p${at}=1`).join('&'),
    ];
    expect(await storm(odd.map(ask), status(200))).toEqual([]);
  });

  test('a body · that is no JSON object, of wrong types, or too large · is refused', async () => {
    const post = (body: unknown, headers = {}): RawRequest => ({
      method: 'POST',
      path: '/ad/request',
      body,
      headers,
    });
    const malformed = [
      '{',
      '[]',
      'null',
      '"text"',
      '7',
      '\u0000',
      'zone_id=1',
      `${'['.repeat(7_000)}`,
    ].map((body) => post(body));
    expect(await storm(malformed, status(400))).toEqual([]);
    const wrong = [
      { zone_id: {} },
      { zone_id: [] },
      { zone_id: true },
      { zone_id: tenant.objects.zone, limit: {} },
      { zone_id: tenant.objects.zone, limit: 1.5 },
      { zone_id: tenant.objects.zone, page_url: {} },
      { zone_id: tenant.objects.zone, _d: [1] },
      {},
    ].map((body) => post(body));
    expect(await storm(wrong, status(422))).toEqual([]);
    const deep = `{"zone_id":${tenant.objects.zone},"x":${'['.repeat(7_000)}${']'.repeat(7_000)}}`;
    expect(await storm([post(deep)], status(200, 400))).toEqual([]);
    const large = [post('x'.repeat(300_000)), post(`{"a":"${'x'.repeat(40_000)}"}`)];
    expect(await storm(large, status(413))).toEqual([]);
  });

  test('a method · that the path does not have · is 404, and HEAD and OPTIONS tell nothing', async () => {
    const methods = ['PUT', 'DELETE', 'PATCH', 'TRACE', 'PROPFIND'];
    const paths = ['/ad/request', '/ad/request/1', '/ad/render/1'];
    const requests = methods.flatMap((method) => paths.map((path) => ({ method, path })));
    expect(await storm(requests, status(404))).toEqual([]);
    const quiet = ['HEAD', 'OPTIONS'].flatMap((method) => paths.map((path) => ({ method, path })));
    expect(await storm(quiet, status(200, 204, 404, 422))).toEqual([]);
  });

  test('headers · of any kind · are no reason for a fault', async () => {
    const path = `/ad/request?zone_id=${tenant.objects.zone}`;
    const requests = ODD_HEADERS.map((headers) => ({ method: 'GET', path, headers }));
    expect(await storm(requests, status(200))).toEqual([]);
  });
});

const ODD_HEADERS: Record<string, string>[] = [
  { 'User-Agent': '' },
  { 'User-Agent': 'x'.repeat(7_000) },
  { 'User-Agent': 'caf\u00e9 \u00ff' },
  { 'User-Agent': `${'('.repeat(500)}${'Mozilla/5.0 '.repeat(100)}` },
  { 'X-Forwarded-For': 'nonsense' },
  { 'X-Forwarded-For': '999.1.1.1' },
  { 'X-Forwarded-For': '1.2.3.4, evil, , 5.6.7.8' },
  { 'X-Forwarded-For': '::ffff:1.2.3.4%eth0' },
  { 'X-Forwarded-For': Array.from({ length: 500 }, () => '127.0.0.1').join(',') },
  { Referer: 'x'.repeat(7_000) },
  { Referer: 'http://%00' },
  { 'Accept-Language': ';q=x,,,' },
  { 'Sec-CH-UA': '"' },
  { Cookie: `a=${'x'.repeat(7_000)}` },
];

/** What the seal must not take for its own: the one that was served, spoilt in every way. */
function spoilt(trackId: string): string[] {
  const foreign = createTrackSealer([{ id: 0, secret: Buffer.alloc(32, 7) }]);
  const payload = stand.sealer.open(trackId);
  if (payload === null) throw new Error('the served track_id does not open');
  const other = (char: string): string => (char === 'A' ? 'B' : 'A');
  const flipped = Array.from(
    trackId,
    (char, at) => trackId.slice(0, at) + other(char) + trackId.slice(at + 1),
  );
  const neighbours = Array.from('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_')
    .map((char) => trackId.slice(0, -1) + char)
    .filter((id) => id !== trackId);
  return [
    ...flipped,
    ...neighbours,
    trackId.slice(0, -1),
    trackId.slice(1),
    trackId.slice(0, 40),
    `${trackId}=`,
    `${trackId}A`,
    `${trackId}%00`,
    `${trackId}.gif`,
    `%${trackId.charCodeAt(0).toString(16)}${trackId.slice(1)}`,
    trackId + trackId,
    trackId.toLowerCase(),
    trackId.toUpperCase(),
    Array.from(trackId).reverse().join(''),
    foreign.seal(payload),
    stand.sealer.seal({ ...payload, issuedAt: payload.issuedAt - 90_000 }),
  ].filter((id) => id !== trackId);
}

describe('tracking', () => {
  test('an impression or view · of any track_id · answers the same GIF', async () => {
    const ids = [...SEGMENTS, ...spoilt(served.id)];
    const requests = ['impression', 'view'].flatMap((name) =>
      ids.map((id) => ({ method: 'GET', path: `/track/${name}/${id}` })),
    );
    expect(await storm(requests, isGif)).toEqual([]);
  });

  test('an impression · with any protocol parameters · answers the same GIF', async () => {
    const [id = ''] = spoilt(served.id);
    const queries = [
      '_v=2',
      '_v=99999999999999999999',
      '_v=NaN&_d=x',
      '_v=2&_d=%00&_s=%00&qa_k=%00&_r=%00',
      `_v=2&_d=${LONG}`,
      `_v=2&qa_k=${LONG}`,
      '_v=2&qa_k=a.b.c&_r=1-x&_s=AAAA',
      `_v=2&qa_k=x&_s=${'A'.repeat(43)}&_r=${Date.now()}-abcdefgh`,
      '_v=2&_v=3&_s=1&_s=2',
      '_v=2&_r=-9999999999999-abcdefgh',
      '__proto__=1&constructor=1',
      '%zz=%zz&%=%',
      's=viewable',
      Array.from({ length: 1_500 }, (_, at) => `p${at}=1`).join('&'),
    ];
    const requests = queries.flatMap((query) =>
      ['impression', 'view'].map((name) => ({
        method: 'GET',
        path: `/track/${name}/${id}?${query}`,
      })),
    );
    expect(await storm(requests, isGif)).toEqual([]);
    const byHeader = ODD_HEADERS.map((headers) => ({
      method: 'GET',
      path: `/track/impression/${id}`,
      headers,
    }));
    expect(await storm(byHeader, isGif)).toEqual([]);
  });

  test('a click · of any track_id · shows the same page, with nothing of the caller in it', async () => {
    const ids = [...SEGMENTS, ...spoilt(served.id)];
    const requests = ids.map((id) => ({ method: 'GET', path: `/track/click/${id}?_p=%3Cb%3E` }));
    const sizes = new Set<number>();
    const findings = await storm(requests, (answer) => {
      const page = answer.bytes.toString('utf8');
      sizes.add(answer.bytes.length);
      const segment = answer.request.path.split('/').at(-1)?.split('?')[0] ?? '';
      const reflects = segment.length > 9 && page.includes(segment);
      return (
        answer.status === 200 && !reflects && !page.includes('alert(1)') && !page.includes('<b>')
      );
    });
    expect(findings).toEqual([]);
    expect(sizes.size).toBe(1);
  });

  test('click-verify · with a body that is none, or a key that is none · is refused in the envelope', async () => {
    const post = (body: unknown, headers = {}): RawRequest => ({
      method: 'POST',
      path: '/track/click-verify',
      body,
      headers,
    });
    const malformed = ['', '{', '[]', 'null', '7', '"x"', '\u0000', 'a=1&b=2', '['.repeat(4_000)];
    expect(
      await storm(
        malformed.map((body) => post(body)),
        status(400),
      ),
    ).toEqual([]);
    const good = { track_id: served.id, qa_k: 'x' };
    const wrong = [
      {},
      { track_id: 'x' },
      { qa_k: 'x' },
      { track_id: {}, qa_k: [] },
      { track_id: 1, qa_k: true },
      { ...good, _r: {} },
      { ...good, _s: 1 },
      { ...good, device_data: 'x' },
      { ...good, device_data: [1] },
    ];
    expect(
      await storm(
        wrong.map((body) => post(body)),
        status(422),
      ),
    ).toEqual([]);
    const deep = `{"track_id":"x","qa_k":"y","_s":"z","device_data":{"a":${'['.repeat(3_900)}${']'.repeat(3_900)}}}`;
    const keys = [
      ...['x', '\u0000', '.', 'a.b', 'a.b.c', '\ud800', 'x'.repeat(7_000)].map((qa_k) => ({
        ...good,
        qa_k,
      })),
      ...spoilt(served.id)
        .slice(0, 20)
        .map((track_id) => ({ track_id, qa_k: 'x' })),
      { ...good, _r: '\u0000', _s: '\u0000', device_data: { webdriver: 'x', __proto__: {} } },
      { ...good, no_such: 1 },
    ];
    expect(await storm([...keys.map((body) => post(body)), post(deep)], status(400, 409))).toEqual(
      [],
    );
    expect(await storm([post('x'.repeat(300_000))], status(413))).toEqual([]);
  });

  test('a method or path · that tracking does not have · is 404', async () => {
    const paths = ['impression', 'view', 'click'].map((name) => `/track/${name}/${served.id}`);
    const methods = ['POST', 'PUT', 'DELETE', 'PATCH', 'HEAD', 'OPTIONS'];
    const requests = [
      ...methods.flatMap((method) => paths.map((path) => ({ method, path, body: undefined }))),
      ...['GET', 'PUT', 'DELETE'].map((method) => ({ method, path: '/track/click-verify' })),
      ...[
        '/track',
        '/track/',
        '/track/impression',
        '/track/impression/',
        '/track/impression/a/b',
        '/track/nothing/x',
        '/track/__proto__/x',
        '/track/constructor/x',
        '/track/%zz/x',
        '//track/impression/x',
      ].map((path) => ({ method: 'GET', path })),
    ];
    expect(await storm(requests, status(404))).toEqual([]);
    const preflight = { method: 'OPTIONS', path: '/track/click-verify' };
    expect(await storm([preflight], status(204))).toEqual([]);
  });
});

describe('conversions', () => {
  const only = async (
    requests: readonly RawRequest[],
    isRight: (answer: RawAnswer) => boolean,
  ): Promise<string[]> => {
    const findings: string[] = [];
    await each(requests, async (request) => {
      const answer = await all.send(request);
      if (!isRight(answer)) {
        findings.push(
          `${shown(request)} -> ${answer.status} ${answer.bytes.toString().slice(0, 160)}`,
        );
      }
    });
    return findings;
  };
  const isFlat =
    (...wanted: number[]) =>
    (answer: RawAnswer): boolean =>
      wanted.includes(answer.status) &&
      typeof answer.json?.msg === 'string' &&
      answer.json['conversion_id'] === 0 &&
      answer.json.data === undefined;

  test('the GIF · with any parameters · answers the same GIF', async () => {
    const queries = [
      '',
      ...SEGMENTS.map((segment) => `c=${segment}`),
      ...SHORT.map((segment) => `c=${tenant.trackingCode}&value=${segment}&currency=${segment}`),
      'c[]=1',
      'c=1&c=2',
      '%zz',
    ];
    const requests = queries.map((query) => ({
      method: 'GET',
      path: `/track/conversion.gif?${query}`,
    }));
    expect(await only(requests, isGif)).toEqual([]);
  });

  test('a report · without code and click, with an unknown code or a bad value · is refused, flat', async () => {
    const at = ['/track/conversion', '/track/postback'];
    const both = (method: string, query: string, body?: unknown): RawRequest[] =>
      at.map((path) => ({ method, path: `${path}?${query}`, body }));
    const none = ['', 'type=x', 'value=1', 'c=', 'code=%20&c='].flatMap((query) =>
      both('GET', query),
    );
    expect(await only(none, isFlat(400, 404))).toEqual([]);
    const unknown = SEGMENTS.flatMap((segment) => both('GET', `code=${segment}`));
    expect(await only(unknown, isFlat(404))).toEqual([]);
    const code = tenant.trackingCode;
    const values = [
      'NaN',
      '-1',
      '1e99',
      '0x10',
      '1,5',
      'Infinity',
      '0.0000001',
      '99999999999',
      '%00',
      LONG,
      'abc',
    ];
    const bad = values.flatMap((value) => both('GET', `code=${code}&value=${value}`));
    const texts = [
      `currency=${LONG}`,
      'currency=12',
      'txid=%00',
      `txid=${LONG}`,
      `event=${LONG}`,
      'event=a%0Ab',
    ];
    const badText = texts.flatMap((text) => both('GET', `code=${code}&${text}`));
    expect(await only([...bad, ...badText], isFlat(400))).toEqual([]);
    const bodies = [
      '{',
      '[]',
      'null',
      '"x"',
      '[{}]',
      '\u0000',
      { code: {} },
      { code: [[1]] },
      { code: true },
      { code, value: {} },
      { code, value: [{}] },
      { code, currency: 1 },
    ];
    const posted = bodies.flatMap((body) => both('POST', '', body));
    expect(await only(posted, isFlat(400, 404))).toEqual([]);
    const large = both('POST', '', `{"code":"${'x'.repeat(300_000)}"}`);
    expect(await only(large, isFlat(413))).toEqual([]);
    const form = { 'Content-Type': 'application/x-www-form-urlencoded' };
    const manyParams = Array.from({ length: 400 }, (_, index) => `p${index}=1`).join('&');
    const forms = both('POST', '', manyParams).map((request) => ({ ...request, headers: form }));
    expect(await only(forms, isFlat(400, 413))).toEqual([]);
    const deep = `{"code":"x","a":${'['.repeat(7_000)}${']'.repeat(7_000)}}`;
    expect(await only(both('POST', '', deep), isFlat(400, 404))).toEqual([]);
    const encoded = both('POST', '', 'x').map((request) => ({
      ...request,
      headers: { 'Content-Type': 'application/json', 'Content-Encoding': 'snappy' },
    }));
    expect(await only(encoded, isFlat(415))).toEqual([]);
  });

  test('a report · of a click that nobody made · is kept, and counts for nothing', async () => {
    const requests = SHORT.map((segment, at) => ({
      method: at % 2 === 0 ? 'GET' : 'POST',
      path: `/track/postback?code=${tenant.trackingCode}&click_id=${segment}&txid=t${at}`,
    }));
    expect(await only(requests, status(200))).toEqual([]);
    await stand.activities.decideConversions();
    // The tenant has one of its own, which was rejected before.
    const { rows } = await database.pool.query<{ status: string }>(
      'SELECT DISTINCT status FROM conversions WHERE public_id <> $1',
      [tenant.objects.conversion],
    );
    expect(rows.map((row) => row.status)).toEqual(['UNATTRIBUTED']);
  });
});

describe('files', () => {
  const get = (path: string, headers: Record<string, string> = {}): RawRequest => ({
    method: 'GET',
    path,
    headers,
  });

  test('a path · that leads out of its folder, or to no file · is 404', async () => {
    const folders = ['/console', '/media/a', '/media'];
    const ways = [
      '..',
      '%2e%2e%2f',
      '..%2f..%2fpackage.json',
      '%00',
      'a%00.png',
      '%5c..%5cx',
      '.env',
      '%ff',
      '__proto__',
    ];
    const requests = folders.flatMap((folder) => ways.map((way) => get(`${folder}/${way}`)));
    expect(await storm(requests, status(400, 403, 404))).toEqual([]);
    expect(await storm([get('/console/%zz'), get('/media/%zz/x')], status(400, 404))).toEqual([]);
  });

  test('a file · asked for with conditions that do not hold · is no fault', async () => {
    const conditions = [
      { Range: 'bytes=99999-' },
      { Range: 'bytes=9-1' },
      { Range: 'nonsense' },
      { 'If-Match': '"no such"' },
      { 'If-Unmodified-Since': 'Thu, 01 Jan 1970 00:00:00 GMT' },
      { 'If-None-Match': '*', Range: 'bytes=0-0,1-1,2-2' },
    ];
    const requests = ['/sdk.js', '/prebid-adapter.js', '/console/', '/console/index.html'].flatMap(
      (path) => conditions.map((headers) => get(path, headers)),
    );
    const isAnswered = (answer: RawAnswer): boolean => answer.status < 500;
    expect(await storm(requests, isAnswered)).toEqual([]);
    for (const method of ['POST', 'PUT', 'DELETE']) {
      expect(await storm([{ method, path: '/sdk.js' }], status(404))).toEqual([]);
    }
  });
});

describe('after the storm', () => {
  const settleAll = async (): Promise<{ events: number; billable: number }> => {
    const sum = { events: 0, billable: 0 };
    // Tests beside this one hold transactions open on the same server.
    await whenReadable(database);
    for (;;) {
      const { events, billable } = await stand.activities.settleBatch({ shard: 0 });
      if (events === 0) return sum;
      sum.events += events;
      sum.billable += billable;
    }
  };

  test('no event · of all · opened a seal, and none waits in the spool', async () => {
    const { rows } = await database.pool.query<{ kind: string; opened: string; stored: string }>(
      `SELECT kind, count(*) AS stored,
              count(*) FILTER (WHERE facts->>'f' LIKE 'ok|%' AND kind <> 'click_verify') AS opened
       FROM event_inbox GROUP BY kind ORDER BY kind`,
    );
    expect(rows.map(({ kind, opened }) => [kind, opened])).toEqual([
      ['click', '0'],
      ['click_verify', '0'],
      ['impression', '0'],
      ['view', '0'],
    ]);
    for (const { stored } of rows) expect(Number(stored)).toBeGreaterThan(0);
    expect(await stand.spooled()).toEqual([]);
  });

  test('settlement · of every hostile event · charges nothing, and the books agree', async () => {
    const settled = await settleAll();
    expect(settled.events).toBeGreaterThan(0);
    expect(settled.billable).toBe(0);
    const after = await tableHashes(database, [...EVENT_TABLES, ...SERVING_TABLES]);
    expect(after).toEqual(before);
    expect((await runBooks(database.pool)).filter(({ ok }) => !ok)).toEqual([]);
  });

  test('settlement · of the one honest impression · charges it', async () => {
    const path = new URL(served.impression_url).pathname;
    const headers = { ...agent, 'X-Forwarded-For': SERVED_TO };
    expect(isGif(await all.send({ method: 'GET', path, headers }))).toBe(true);
    expect(await settleAll()).toEqual({ events: 1, billable: 1 });
    expect((await runBooks(database.pool)).filter(({ ok }) => !ok)).toEqual([]);
  });

  test('no answer · of all · was a fault of ours, or an error without its envelope', () => {
    const sent = clients.reduce((sum, client) => sum + client.sent(), 0);
    console.info(`${sent} requests were sent to the open surfaces`);
    expect(stand.faults).toEqual([]);
    expect(clients.flatMap(({ faults }) => faults)).toEqual([]);
  });
});
