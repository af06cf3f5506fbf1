import { runBooks } from '../../../db/queries/books.ts';
import type { TrackPayload } from '../../../domain/tracking/facts.ts';
import { createTrackSealer } from '../../../domain/tracking/track-id.ts';
import { CHROME } from '../../support/agents.ts';
import type { TestDatabase } from '../../support/database.ts';
import { whenReadable } from '../../support/settlement.ts';
import {
  createRawClient,
  describe as shown,
  each,
  type RawAnswer,
  type RawClient,
  type RawRequest,
} from '../../support/bad-input/client.ts';
import { tableHashes } from '../../support/bad-input/tables.ts';
import { makeAdvertiser } from '../../support/make/account.ts';
import { makeVideoTree } from '../../support/make/campaign.ts';
import { nanos } from '../../support/make/money.ts';
import { makePlace } from '../../support/make/place.ts';
import { createStand, type Stand } from '../../support/stand.ts';

/**
 * Hostile traffic on what video players and rewarded pages may call: never a fault of ours, a
 * beacon's answer tells nothing, nothing is charged and nothing is granted.
 */
const GIF = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64');
const LONG = 'x'.repeat(12_000);
const SEGMENTS = [
  'x',
  '0',
  '-1',
  'null',
  '%00',
  'a%00b',
  '%ff%fe',
  '%F0%9F%98%80',
  '%2e%2e%2f%2e%2e',
  '%3Cscript%3Ealert(1)%3C%2Fscript%3E',
  "'%20OR%201=1--",
  '__proto__',
  'constructor',
  LONG,
];

let stand: Stand;
let database: TestDatabase;
let all: RawClient;
let hot: RawClient;
let zoneId: number;
let trackId: string;
let payload: TrackPayload;
let before: Record<string, string>;
/** Written by what these events are turned into, and by them alone. */
const EVENT_TABLES = [
  'event_inbox',
  'events',
  'settlement_cursors',
  'event_marks',
  'rollup_zone_hours',
];

beforeAll(async () => {
  stand = await createStand();
  ({ database } = stand);
  const { db } = database;
  const advertiser = await makeAdvertiser(db, { balance: 100 });
  await makeVideoTree(db, advertiser.id, {
    campaign: { adType: 'REWARDED', pricingModel: 'CPV', bidNanos: nanos(1) },
  });
  zoneId = (await makePlace(db, { zone: { type: 'REWARDED' } })).zone.id;
  await stand.startServing();
  all = createRawClient(stand.port, () => undefined);
  hot = createRawClient(stand.hotPort, () => undefined);
  const asked = stand.anyone.get(`/ad/request?zone_id=${zoneId}`).set('User-Agent', CHROME);
  trackId = (await asked).body.data.ads[0].id;
  payload = stand.sealer.open(trackId) as TrackPayload;
  before = await tableHashes(database, EVENT_TABLES);
});
afterAll(async () => {
  all.close();
  hot.close();
  await stand.close();
});

async function storm(
  requests: readonly RawRequest[],
  isRight: (answer: RawAnswer) => boolean,
  clients = [all, hot],
): Promise<string[]> {
  const findings: string[] = [];
  for (const client of clients) {
    await each(requests, async (request) => {
      const headers = { 'User-Agent': CHROME, ...request.headers };
      const answer = await client.send({ ...request, headers });
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
const isEmptyVast =
  (...wanted: number[]) =>
  (answer: RawAnswer): boolean => {
    const xml = answer.bytes.toString('utf8');
    return (
      wanted.includes(answer.status) &&
      answer.headers['content-type'] === 'application/xml; charset=utf-8' &&
      /^<\?xml [^>]*>\n<VAST version="(4\.2|2\.0)"/.test(xml) &&
      !xml.includes('<Ad ') &&
      !xml.includes('alert(1)')
    );
  };
const get = (path: string): RawRequest => ({ method: 'GET', path });

/** What the seal must not take for its own. */
function spoilt(): string[] {
  const foreign = createTrackSealer([{ id: 0, secret: Buffer.alloc(32, 7) }]);
  const other = (char: string): string => (char === 'A' ? 'B' : 'A');
  return [
    ...Array.from(
      trackId,
      (char, at) => trackId.slice(0, at) + other(char) + trackId.slice(at + 1),
    ),
    trackId.slice(0, -1),
    `${trackId}=`,
    `${trackId}A`,
    trackId + trackId,
    trackId.toLowerCase(),
    foreign.seal(payload),
    stand.sealer.seal({ ...payload, issuedAt: payload.issuedAt - 90_000 }),
  ].filter((id) => id !== trackId);
}

test('a VAST request · for no zone of ours, or with odd parameters · is an empty document', async () => {
  const texts = SEGMENTS.filter((segment) => segment !== '%ff%fe');
  const zones = texts.map((segment) => get(`/ad/render/vast/${segment}`));
  expect(await storm(zones, isEmptyVast(404))).toEqual([]);
  const versions = ['3', '4.3', '%00', 'x', LONG, '2.0%20'].map((version) =>
    get(`/ad/render/vast/${zoneId}?version=${version}`),
  );
  expect(await storm(versions, isEmptyVast(400))).toEqual([]);
  const limits = ['0', '11', 'x', '1e3', '-1'].map((limit) =>
    get(`/ad/render/vast/${zoneId}?limit=${limit}`),
  );
  expect(await storm(limits, isEmptyVast(422))).toEqual([]);
  const twice = [get(`/ad/render/vast/${zoneId}?version=4.2&version=2.0`)];
  expect(await storm(twice, isEmptyVast(422))).toEqual([]);
  const odd = ['%zz=1', '__proto__=1', `page_url=${LONG}`, 'a[]=1'];
  const requests = odd.map((query) => get(`/ad/render/vast/${zoneId}?${query}`));
  expect(await storm(requests, status(200))).toEqual([]);
  const broken = ['%zz', '%', '%ff%fe'].map((segment) => get(`/ad/render/vast/${segment}`));
  expect(await storm(broken, status(400))).toEqual([]);
  const methods = ['POST', 'PUT', 'DELETE', 'PATCH'].map((method) => ({
    method,
    path: `/ad/render/vast/${zoneId}`,
  }));
  expect(await storm(methods, status(404))).toEqual([]);
});

test('a video beacon or an error · of any track_id, with any words · answers the same GIF', async () => {
  const ids = [...SEGMENTS, '%zz', '%', ...spoilt()];
  const requests = ids.flatMap((id) => [
    get(`/track/video/${id}?e=complete`),
    get(`/track/video/${id}?e=view`),
    get(`/track/vast-error/${id}?code=405`),
  ]);
  expect(await storm(requests, isGif)).toEqual([]);
  const [id = ''] = spoilt();
  const queries = [
    'e=',
    'e=%00',
    'e=__proto__',
    `e=${LONG}`,
    'e=complete&e=start',
    'e=complete&_v=2&_s=x&qa_k=%00&_r=%00&_d=%ff',
    'code=%00',
    'code=-1',
    'code=99999999999999999999',
    `c=${LONG}`,
    '%zz=%zz',
  ];
  const odd = queries.flatMap((query) => [
    get(`/track/video/${id}?${query}`),
    get(`/track/vast-error/${id}?${query}`),
  ]);
  expect(await storm(odd, isGif)).toEqual([]);
  const paths = [`/track/video/${trackId}`, `/track/vast-error/${trackId}`];
  const methods = ['POST', 'PUT', 'HEAD', 'OPTIONS'].flatMap((method) =>
    paths.map((path) => ({ method, path })),
  );
  expect(await storm(methods, status(404))).toEqual([]);
  const nowhere = ['/track/video', '/track/video/', '/track/video/a/b', '/track/vast-error/'];
  expect(await storm(nowhere.map(get), status(404))).toEqual([]);
});

test('a reward · claimed with anything but a true seal · is refused in the envelope', async () => {
  const post = (path: string, body: unknown, headers = {}): RawRequest => ({
    method: 'POST',
    path: `/ad/reward/${path}`,
    body,
    headers,
  });
  const only = [all];
  const forged = spoilt()
    .slice(0, 60)
    .map((track_id) => post('token', { track_id }));
  expect(await storm(forged, status(403, 422), only)).toEqual([]);
  const old = stand.sealer.seal({ ...payload, issuedAt: payload.issuedAt - 3_700 });
  expect(await storm([post('token', { track_id: old })], status(410), only)).toEqual([]);
  const noZone = stand.sealer.seal({ ...payload, bidId: '00'.repeat(8), zoneId: 999_999 });
  expect(await storm([post('token', { track_id: noZone })], status(422), only)).toEqual([]);
  const tokens = [...SEGMENTS.filter((each_) => each_ !== LONG), 'A'.repeat(60), '_'.repeat(60)];
  const claims = tokens.flatMap((token) => [
    post('verify', { token }),
    get(`/ad/reward/verify?token=${token}`),
  ]);
  expect(await storm(claims, status(403), only)).toEqual([]);
  const malformed = ['{', '[]', 'null', '"x"', '7', '\u0000'].flatMap((body) => [
    post('token', body),
    post('verify', body),
  ]);
  expect(await storm(malformed, status(400, 422), only)).toEqual([]);
  const wrong = [
    {},
    { track_id: {} },
    { track_id: [trackId] },
    { track_id: trackId, user_id: {} },
    { track_id: trackId, user_id: 'a b' },
    { track_id: trackId, user_id: '\u0000' },
    { track_id: trackId, custom_data: LONG },
    { track_id: trackId, reward_amount: 1e6 },
    { track_id: trackId, bid_id: 'x' },
    { token: LONG },
    { token: 'x', completed: 'yes' },
    { token: 'x', verified: true },
  ].flatMap((body) => [post('token', body), post('verify', body)]);
  expect(await storm(wrong, status(422), only)).toEqual([]);
  expect(await storm([post('token', { track_id: LONG + LONG })], status(413), only)).toEqual([]);
  const form = { 'Content-Type': 'application/x-www-form-urlencoded' };
  expect(await storm([post('token', 'track_id=x', form)], status(415, 422), only)).toEqual([]);
});

test('a callback · that is not ours · is 400, 403 or 422; the keys take nothing', async () => {
  const queries = [
    '',
    'signature=x&key_id=1',
    'a=1',
    `transaction_id=x&signature=${'A'.repeat(96)}&key_id=1`,
    `transaction_id=x&signature=${'A'.repeat(96)}&key_id=99999999999`,
    `transaction_id=x&key_id=1&signature=${'A'.repeat(96)}`,
    `user_id=%00&signature=${'A'.repeat(96)}&key_id=1`,
    `user_id=a&user_id=b&signature=${'A'.repeat(96)}&key_id=1`,
    `user_id=${LONG}&signature=x&key_id=1`,
  ];
  const requests = queries.map((query) => get(`/ad/reward/ssv-callback?${query}`));
  expect(await storm(requests, status(400, 403, 422), [all])).toEqual([]);
  expect(await storm([get('/ad/reward/keys?x=1')], status(422), [all])).toEqual([]);
  const methods = ['PUT', 'DELETE', 'PATCH'].flatMap((method) =>
    ['token', 'verify', 'keys', 'ssv-callback'].map((path) => ({
      method,
      path: `/ad/reward/${path}`,
    })),
  );
  expect(await storm(methods, status(404), [all])).toEqual([]);
});

test('a reward · where no console is served · is not there at all', async () => {
  const paths = ['token', 'verify', 'keys', 'ssv-callback'].map((name) => `/ad/reward/${name}`);
  expect(await storm(paths.map(get), status(404), [hot])).toEqual([]);
});

test('after the storm · nothing was charged or granted, and no answer was a fault of ours', async () => {
  await whenReadable(database);
  let events = 0;
  for (;;) {
    const settled = await stand.activities.settleBatch({ shard: 0 });
    expect(settled.billable).toBe(0);
    if (settled.events === 0) break;
    events += settled.events;
  }
  expect(events).toBeGreaterThan(900);
  const { rows } = await database.pool.query<{ opened: string }>(
    `SELECT count(*) AS opened FROM event_inbox WHERE facts->>'f' LIKE 'ok|%'`,
  );
  expect(rows[0]?.opened).toBe('0');
  expect(await tableHashes(database, EVENT_TABLES)).toEqual(before);
  expect((await runBooks(database.pool)).filter(({ ok }) => !ok)).toEqual([]);
  expect(stand.faults).toEqual([]);
  expect([...all.faults, ...hot.faults]).toEqual([]);
  expect(await stand.spooled()).toEqual([]);
});
