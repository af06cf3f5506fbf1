import { createHash, randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { request as httpRequest, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import express from 'express';
import { pino } from 'pino';
import { createTrackSurface, type TrackDeps } from '../../../api/track/surface.ts';
import { createPageReader } from '../../../api/pages.ts';
import { createViewerReader } from '../../../api/viewer.ts';
import { createPostgresEventLog } from '../../../db/events/event-log-postgres.ts';
import { type EventLog, timeOfEventId } from '../../../db/events/event-log.ts';
import { openGeo } from '../../../db/geo.ts';
import { makePendingClicks, pendingClick } from '../../../db/queries/click-rows.ts';
import type { EventFacts, TrackPayload } from '../../../domain/tracking/facts.ts';
import { adRequestKey, obfuscate } from '../../../domain/tracking/obfuscation.ts';
import type { PageContext } from '../../../domain/page-context.ts';
import { unpackFacts } from '../../../domain/tracking/packed-facts.ts';
import { createFingerprints } from '../../../domain/tracking/fingerprint.ts';
import { createSessionKeys } from '../../../domain/tracking/session-key.ts';
import { bodyParams, signRequest } from '../../../domain/tracking/signature.ts';
import { createTrackSealer } from '../../../domain/tracking/track-id.ts';
import { CHROME, IPHONE } from '../../support/agents.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { makeAdvertiser, makeOperator } from '../../support/make/account.ts';
import { makeCampaignTree } from '../../support/make/campaign.ts';

const log = pino({ level: 'silent' });
const hashKey = randomBytes(32);
const readViewer = createViewerReader({ hashKey, geo: openGeo(), trustedProxies: ['127.0.0.1'] });
const sealer = createTrackSealer([{ id: 0, secret: randomBytes(32) }]);
const sessionKeys = createSessionKeys(hashKey);
const fingerprintOf = createFingerprints(hashKey);
const noted = new Map<number, PageContext>();
let database: TestDatabase;
let spoolDir: string;
let eventLog: EventLog;
let server: Server;
let now = new Date();
let failing = false;
let isKeyless = false;
let adId = 0;

beforeAll(async () => {
  database = await createTestDatabase();
  spoolDir = mkdtempSync(path.join(tmpdir(), 'track-'));
  eventLog = createPostgresEventLog({ pool: database.pool, spoolDir, log });
  const deps: TrackDeps = {
    pool: database.pool,
    eventLog: {
      ...eventLog,
      append: async (event) => {
        if (failing) throw new Error('neither PostgreSQL nor spool');
        await eventLog.append(event);
      },
      store: (event, done) => {
        if (failing) done(new Error('neither PostgreSQL nor spool'));
        else eventLog.store(event, done);
      },
    },
    sealer,
    sessionKeys: {
      ...sessionKeys,
      mintClick: (terms) => {
        if (isKeyless) throw new Error('no key can be made');
        return sessionKeys.mintClick(terms);
      },
    },
    readViewer,
    fingerprintOf,
    readPage: createPageReader(),
    pages: {
      note: ({ id, context }) => noted.set(id, context),
    },
    shards: 2,
    clock: () => now,
    log,
  };
  const app = express().use('/track', createTrackSurface(deps));
  server = app.listen(0, '127.0.0.1');
  adId = await insertAd('https://shop.example/p?c={click_id}&z=${AUCTION_IMP_ID}&u={unknown}');
});
afterAll(async () => {
  server.closeAllConnections();
  server.close();
  await eventLog.close();
  await database.close();
  rmSync(spoolDir, { recursive: true });
});
beforeEach(async () => {
  now = new Date();
  failing = false;
  isKeyless = false;
  await database.pool.query('DELETE FROM event_inbox');
  await database.pool.query('DELETE FROM clicks');
});

async function insertAd(landingUrl: string): Promise<number> {
  const { id } = await makeAdvertiser(database.db);
  return (await makeCampaignTree(database.db, id, { campaign: { landingUrl } })).ad.id;
}

interface Answer {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  body: string;
}
interface Ask {
  method?: string;
  agent?: string;
  body?: string;
  headers?: Record<string, string>;
}

async function ask(target: string, options: Ask = {}): Promise<Answer> {
  const { port } = server.address() as AddressInfo;
  return await new Promise((resolve, reject) => {
    const req = httpRequest(
      {
        port,
        host: '127.0.0.1',
        path: target,
        method: options.method ?? 'GET',
        headers: {
          ...(options.agent === '' ? {} : { 'user-agent': options.agent ?? CHROME }),
          'x-forwarded-for': '8.8.8.8',
          ...options.headers,
        },
      },
      (res) => {
        const chunks: Buffer[] = [];
        res.on('data', (chunk: Buffer) => chunks.push(chunk));
        res.on('end', () => {
          const { date: _date, ...headers } = res.headers;
          resolve({
            status: res.statusCode ?? 0,
            headers,
            body: Buffer.concat(chunks).toString('latin1'),
          });
        });
      },
    );
    req.on('error', reject);
    req.end(options.body);
  });
}

const payload = (over: Partial<TrackPayload> = {}): TrackPayload => ({
  requestId: randomBytes(16).toString('hex'),
  bidId: randomBytes(8).toString('hex'),
  advertiserId: 7,
  campaignId: 2,
  adId,
  creativeId: 42,
  zoneId: 5,
  issuedAt: Math.floor(now.getTime() / 1000),
  protocol: 1,
  channel: 'page',
  pricingModel: 'CPM',
  priceNanos: 2_500_000n,
  uaHash: viewerOf().uaHash,
  ipHash: viewerOf().ipHash,
  country: 'US',
  device: 'DESKTOP',
  os: 'WINDOWS',
  ...over,
});
function viewerOf(agent = CHROME) {
  const req = {
    headers: { 'user-agent': agent, 'x-forwarded-for': '8.8.8.8' },
    socket: { remoteAddress: '127.0.0.1' },
  };
  return readViewer(req as unknown as Parameters<typeof readViewer>[0]);
}
interface Stored {
  id: string;
  kind: string;
  shard: number;
  facts: EventFacts;
}
const stored = async (): Promise<Stored[]> => {
  const { rows } = await database.pool.query<Stored>(
    'SELECT id, kind, shard, facts FROM event_inbox ORDER BY seq',
  );
  return rows.map((row) => ({ ...row, facts: unpackFacts(row.facts) as EventFacts }));
};
const storedFacts = async (): Promise<EventFacts[]> => (await stored()).map((row) => row.facts);
const altered = (text: string, at: number): string =>
  text.slice(0, at) + (text[at] === 'A' ? 'B' : 'A') + text.slice(at + 1);

describe('impression', () => {
  test('impression · good · is stored with its facts and answers the GIF', async () => {
    const sealed = payload();
    const answer = await ask(`/track/impression/${sealer.seal(sealed)}`);
    expect(answer.status).toBe(200);
    expect(answer.headers['content-type']).toBe('image/gif');
    expect(answer.headers['cache-control']).toContain('no-store');
    expect(answer.body.startsWith('GIF89a')).toBe(true);
    const [row] = await stored();
    expect(row).toMatchObject({ kind: 'impression', shard: 1 });
    expect(row?.facts).toEqual({
      track: { ...sealed, priceNanos: '2500000' },
      seal: 'ok',
      protocol: 1,
      signature: 'none',
      session: 'none',
      clock: 'ok',
      nonce: null,
      userAgent: 'ok',
      uaHash: sealed.uaHash,
      ipHash: sealed.ipHash,
      viewerKey: viewerOf().viewerKey,
      ipPrefix: '8.8.8.0/24',
      country: 'US',
      device: 'DESKTOP',
      os: 'WINDOWS',
      browser: 'CHROME',
      prefetch: false,
      datacenter: false,
      webdriver: null,
      placement: null,
    });
    expect(JSON.stringify(row?.facts)).not.toContain('8.8.8.8');
  });

  test('impression · forged, altered, expired, bot, empty agent, prefetch, repeated · same bytes and headers as a good one', async () => {
    const good = sealer.seal(payload());
    const old = sealer.seal(payload({ issuedAt: Math.floor(now.getTime() / 1000) - 3_601 }));
    const asks: [string, Ask?][] = [
      [good],
      [good],
      ['forged'],
      [altered(good, 0)],
      [altered(good, 75)],
      [good.slice(1)],
      [old],
      ['%ff%zz'],
      ['..%2f'],
      ['x'.repeat(5_000)],
      [good, { agent: 'curl/8.5.0-very-long' }],
      [good, { agent: '' }],
      [good, { headers: { 'sec-purpose': 'prefetch' } }],
      [`${good}?_v=2&qa_k=bad&_s=bad&_r=bad&_d=bad`],
    ];
    const answers: Answer[] = [];
    for (const [id, options] of asks) answers.push(await ask(`/track/impression/${id}`, options));
    for (const answer of answers) expect(answer).toEqual(answers[0]);
    const facts = await storedFacts();
    expect(facts.map(({ seal }) => seal)).toEqual([
      'ok',
      'ok',
      'invalid',
      'invalid',
      'invalid',
      'invalid',
      'expired',
      'invalid',
      'invalid',
      'invalid',
      'ok',
      'ok',
      'ok',
      'ok',
    ]);
    expect(facts[2]).toMatchObject({ track: null });
    expect(facts.slice(10).map(({ userAgent, prefetch }) => [userAgent, prefetch])).toEqual([
      ['bot', false],
      ['empty', false],
      ['ok', true],
      ['ok', false],
    ]);
  });

  test('impression · the hour passed on our clock · expires to the second', async () => {
    const text = sealer.seal(payload({ issuedAt: 1_760_000_000 }));
    now = new Date(1_760_003_600_000);
    await database.pool.query('SELECT ensure_event_partitions($1::date, 1)', ['2025-10-09']);
    await ask(`/track/impression/${text}`);
    now = new Date(1_760_003_600_001);
    await ask(`/track/impression/${text}`);
    expect((await storedFacts()).map(({ seal }) => seal)).toEqual(['ok', 'expired']);
  });

  test('impression · HEAD or POST · is not a view of the ad, nothing is stored', async () => {
    const text = sealer.seal(payload());
    for (const method of ['HEAD', 'POST', 'OPTIONS']) {
      expect((await ask(`/track/impression/${text}`, { method })).status).toBe(404);
    }
    expect(await stored()).toHaveLength(0);
  });

  test('impression · not durable · answers an empty 503, never the GIF', async () => {
    failing = true;
    const answer = await ask(`/track/impression/${sealer.seal(payload())}`);
    expect([answer.status, answer.body]).toEqual([503, '']);
    expect((await ask(`/track/click/${sealer.seal(payload())}`)).status).toBe(503);
    expect(await stored()).toHaveLength(0);
  });

  test('one that cannot be answered · stored with others in one batch · takes none of them with it', async () => {
    isKeyless = true;
    const kinds = ['impression', 'click', 'impression', 'view', 'click', 'impression'];
    const answers = await Promise.all(
      kinds.map(async (kind) => await ask(`/track/${kind}/${sealer.seal(payload())}`)),
    );
    expect(answers.map(({ status }) => status)).toEqual([200, 503, 200, 200, 503, 200]);
    expect(await stored()).toHaveLength(kinds.length);
  });
});

describe('v2 impression', () => {
  function signed(
    options: { over?: Record<string, string>; payload?: TrackPayload; requestId?: string } = {},
  ): string {
    const sealed = options.payload ?? payload({ protocol: 2 });
    const trackId = sealer.seal(sealed);
    const key = sessionKeys.mintSession({
      requestId: options.requestId ?? sealed.requestId,
      viewer: viewerOf(),
      now,
    });
    const nonce = `${now.getTime()}.AAECAwQFBgcICQoL`;
    const query = new URLSearchParams({
      _v: '2',
      qa_k: key,
      _r: nonce,
      _d: obfuscate({ wd: false, pl: [300, 250] }, { key, nonce }),
      ...options.over,
    });
    const target = `/track/impression/${trackId}`;
    query.set(
      '_s',
      signRequest(query.get('qa_k') ?? '', { method: 'GET', path: target, params: query }),
    );
    return `${target}?${query.toString()}`;
  }

  test('v2 impression · signed · facts say so, with nonce, webdriver and placement', async () => {
    await ask(signed());
    expect((await storedFacts())[0]).toMatchObject({
      protocol: 2,
      signature: 'ok',
      session: 'ok',
      clock: 'ok',
      nonce: `${now.getTime()}.AAECAwQFBgcICQoL`,
      webdriver: false,
      placement: { width: 300, height: 250 },
    });
  });

  test('v2 impression · issued under v2, reported v1-style · both protocols are in the facts', async () => {
    await ask(`/track/impression/${sealer.seal(payload({ protocol: 2 }))}`);
    expect((await storedFacts())[0]).toMatchObject({
      protocol: 1,
      signature: 'none',
      track: { protocol: 2 },
    });
  });

  test('v2 impression · any one-character change · is never told, and never passes', async () => {
    const target = signed();
    const good = await ask(target);
    const start = target.indexOf('/track/impression/') + '/track/impression/'.length;
    const positions = Array.from(
      { length: target.length - start },
      (_, index) => start + index,
    ).filter((at) => at % 5 === 0 && /[A-Za-z0-9_-]/.test(target[at] ?? ''));
    await database.pool.query('TRUNCATE event_inbox');
    for (const at of positions) expect(await ask(altered(target, at))).toEqual(good);
    const passed = (await storedFacts()).filter(
      ({ seal, protocol, signature, session, clock }) =>
        seal === 'ok' && protocol === 2 && signature === 'ok' && session === 'ok' && clock === 'ok',
    );
    expect(passed).toHaveLength(0);
    expect(await stored()).toHaveLength(positions.length);
  });

  test.each([
    ['of another request', { requestId: 'f'.repeat(32) }, { signature: 'ok', session: 'bad' }],
    ['without session key', { over: { qa_k: '' } }, { signature: 'missing', session: 'none' }],
    [
      'with a made-up session key',
      { over: { qa_k: 'A'.repeat(58) } },
      { signature: 'ok', session: 'bad' },
    ],
    [
      'with a clock 301 s away',
      { over: { _r: `${Date.now() - 301_000}.AAECAwQFBgcICQoL` } },
      { signature: 'ok', clock: 'skew' },
    ],
    ['without nonce', { over: { _r: '' } }, { clock: 'skew', nonce: null }],
  ])('v2 impression · %s · is stored as such', async (_name, options, facts) => {
    await ask(signed(options));
    expect((await storedFacts())[0]).toMatchObject(facts);
  });

  test('v2 impression · whose _d says what the device is · stores its fingerprint', async () => {
    const nonce = `${now.getTime()}.AAECAwQFBgcICQoL`;
    const key = sessionKeys.mintSession({
      requestId: payload().requestId,
      viewer: viewerOf(),
      now,
    });
    const data = { l: 'de', tz: 'UTC', pf: 'Win32', hc: 4 };
    const _d = obfuscate(data, { key, nonce });
    await ask(signed({ over: { qa_k: key, _r: nonce, _d } }));
    const traits = { language: 'de', timezone: 'UTC', platform: 'Win32' };
    expect((await storedFacts())[0]?.fingerprint).toBe(fingerprintOf(traits));
  });

  test('v2 impression · an empty _s · is as good as none', async () => {
    await ask(signed().replace(/&_s=.*/, '&_s='));
    expect((await storedFacts())[0]).toMatchObject({ signature: 'missing' });
  });

  test('v2 impression · unsigned, or with the session over · is stored as such', async () => {
    const target = signed();
    await ask(target.replace(/&_s=.*/, ''));
    now = new Date(now.getTime() + 3_601_000);
    await ask(target);
    expect(await storedFacts()).toMatchObject([
      { signature: 'missing' },
      { session: 'expired', clock: 'skew' },
    ]);
  });

  test('view · viewable and not · store the outcome', async () => {
    const text = sealer.seal(payload());
    const gif = await ask(`/track/view/${text}?s=viewable`);
    expect(await ask(`/track/view/${text}?s=notviewable`)).toEqual(gif);
    expect(await ask('/track/view/forged?s=viewable')).toEqual(gif);
    expect(await stored()).toMatchObject([
      { kind: 'view', facts: { viewable: true, seal: 'ok' } },
      { kind: 'view', facts: { viewable: false, seal: 'ok' } },
      { kind: 'view', facts: { viewable: true, seal: 'invalid' } },
    ]);
  });
});

const keyIn = (page: Answer): string => /data-key="([\w-]+)"/.exec(page.body)?.[1] ?? '';
async function verify(
  body: object,
  options: Ask = {},
): Promise<{ status: number; json: Record<string, unknown> }> {
  const answer = await ask('/track/click-verify', {
    method: 'POST',
    body: JSON.stringify(body),
    ...options,
  });
  return { status: answer.status, json: JSON.parse(answer.body) as Record<string, unknown> };
}
async function click(
  sealed = payload({ pricingModel: 'CPC' }),
): Promise<{ trackId: string; key: string }> {
  const trackId = sealer.seal(sealed);
  return { trackId, key: keyIn(await ask(`/track/click/${trackId}`)) };
}

/** As settlement does. */
async function writeClicks(rows?: readonly Stored[]): Promise<void> {
  const clicks = (rows ?? (await stored())).flatMap(({ id, kind, shard, facts }) =>
    kind !== 'click' || facts.track === null
      ? []
      : pendingClick({ id, shard, clickedAtMs: timeOfEventId(id), track: facts.track }),
  );
  await makePendingClicks(database.pool, clicks);
}

describe('click', () => {
  test('click · good · is stored, the page may run nothing but its own script', async () => {
    const trackId = sealer.seal(payload());
    const page = await ask(`/track/click/${trackId}`);
    expect(page.status).toBe(200);
    expect(page.headers).toMatchObject({
      'cache-control': 'no-store',
      'x-robots-tag': 'noindex, nofollow',
    });
    const script = /<script>(.*)<\/script>/s.exec(page.body)?.[1] ?? '';
    const hash = createHash('sha256').update(script).digest('base64');
    expect(page.headers['content-security-policy']).toContain(`script-src 'sha256-${hash}';`);
    expect(Number(page.headers['content-length'])).toBe(page.body.length);
    expect(page.body).toContain('<noscript>');
    expect(page.body).not.toContain(trackId);
    const [row] = await stored();
    expect(row).toMatchObject({ kind: 'click', shard: 1, facts: { seal: 'ok' } });
    expect(timeOfEventId(row?.id ?? '')).toBe(now.getTime());
  });

  test('click · forged, altered, expired, bot · the same page but for a key of one length', async () => {
    const good = sealer.seal(payload());
    const old = sealer.seal(payload({ issuedAt: Math.floor(now.getTime() / 1000) - 86_401 }));
    const blank = (page: Answer): unknown => {
      const key = keyIn(page);
      expect(key).not.toBe('');
      return JSON.stringify(page).replace(key, 'K'.repeat(key.length));
    };
    const reference = blank(await ask(`/track/click/${good}`));
    for (const id of ['forged', altered(good, 9), old, '"><svg%20onload=alert(1)>']) {
      expect(blank(await ask(`/track/click/${id}?_p=junk`))).toEqual(reference);
    }
    expect(
      blank(await ask(`/track/click/${good}`, { agent: 'Googlebot/2.1 (+http://x)' })),
    ).toEqual(reference);
    expect((await storedFacts()).map(({ seal }) => seal)).toEqual([
      'ok',
      'invalid',
      'invalid',
      'expired',
      'invalid',
      'ok',
    ]);
  });
});

describe('_p of a click', () => {
  const said = { u: 'https://blog.example/post?me=1', r: 'https://search.example/', t: 'A post' };
  const nonce = `${Date.now()}.AAECAwQFBgcICQoL`;
  const pageOf = (trackId: string): string =>
    `${nonce}.${obfuscate(said, { key: adRequestKey(trackId, nonce), nonce })}`;

  test('of an ad whose request named no page · names it', async () => {
    const trackId = sealer.seal(payload());
    await ask(`/track/click/${trackId}?_p=${pageOf(trackId)}`);
    const [facts] = await storedFacts();
    expect(noted.get(facts?.pageId ?? 0)).toMatchObject({
      host: 'blog.example',
      url: 'https://blog.example/post',
      title: 'A post',
    });
  });

  test.each([
    ['of an ad whose request named one', payload({ pageId: 7 }), pageOf],
    ['of another track_id', payload(), () => pageOf('another')],
    ['that is junk', payload(), () => 'junk'],
    ['that is empty', payload(), () => ''],
  ])('%s · adds nothing', async (_what, sealed, sent) => {
    const trackId = sealer.seal(sealed);
    await ask(`/track/click/${trackId}?_p=${sent(trackId)}`);
    expect((await storedFacts())[0]).not.toHaveProperty('pageId');
  });
});

describe('a browser that says it is automated', () => {
  const automated = () => sealer.seal(payload({ webdriver: true, viewSeconds: 20 }));

  test.each(['impression/%', 'view/%?s=viewable', 'video/%?e=complete', 'click/%'])(
    'as the ad was asked for · /track/%s, which says nothing · is stored as a robot’s',
    async (path) => {
      await ask(`/track/${path.replace('%', automated())}`);
      expect((await storedFacts())[0]).toMatchObject({ seal: 'ok', webdriver: true });
    },
  );

  test.each(['view/%?s=viewable&wd=1', 'video/%?e=complete&wd=1'])(
    'as a document of ours reports · /track/%s · is stored so',
    async (path) => {
      const trackId = sealer.seal(payload({ viewSeconds: 20 }));
      await ask(`/track/${path.replace('%', trackId)}`);
      await ask(`/track/${path.replace('%', trackId).replace('wd=1', 'wd=0')}`);
      const facts = await storedFacts();
      expect(facts.map(({ webdriver }) => webdriver)).toEqual([true, null]);
    },
  );
});

describe('click-verify', () => {
  test('click-verify · good · answers the landing page with macros, without timestamp, and logs the event with it', async () => {
    const { trackId, key } = await click();
    const { status, json } = await verify({
      track_id: trackId,
      qa_k: key,
      device_data: { webdriver: false },
    });
    const [clickRow] = (await database.pool.query('SELECT * FROM clicks')).rows;
    expect(status).toBe(200);
    expect(json).toEqual({
      code: 0,
      message: 'ok',
      data: {
        url: `https://shop.example/p?c=${clickRow.click_id}&z=5&u={unknown}`,
        click_id: clickRow.click_id,
      },
    });
    expect(clickRow.status).toBe('verified');
    const [, event] = await stored();
    expect(event).toMatchObject({
      kind: 'click_verify',
      shard: 1,
      facts: {
        seal: 'ok',
        session: 'ok',
        webdriver: false,
        clickEventId: clickRow.id,
        clickId: clickRow.click_id,
      },
    });
  });

  test('click-verify · twenty at once · exactly one succeeds and one event can bill', async () => {
    const { trackId, key } = await click();
    const answers = await Promise.all(
      Array.from({ length: 20 }, async () => await verify({ track_id: trackId, qa_k: key })),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(19);
    const facts = (await storedFacts()).slice(1);
    expect(facts.filter(({ session }) => session === 'ok')).toHaveLength(1);
    expect(
      facts.filter(
        ({ session, clickEventId }) => session === 'expired' && clickEventId === undefined,
      ),
    ).toHaveLength(19);
  });

  test('click-verify · before and after settlement made the row · is answered with one public id, the event’s', async () => {
    const first = await click();
    const second = await click();
    const rows = await stored();
    await writeClicks(rows.slice(1));
    for (const [at, { trackId, key }] of [first, second].entries()) {
      const { status, json } = await verify({ track_id: trackId, qa_k: key });
      expect(status).toBe(200);
      expect(json).toMatchObject({ data: { click_id: rows[at]?.id.replaceAll('-', '') } });
    }
  });

  test('click-verify · of an ad id that was a day old when it was clicked · 409 and no row, though the key is good', async () => {
    const issuedAt = Math.floor(now.getTime() / 1000) - 86_401;
    const { trackId, key } = await click(payload({ issuedAt, pricingModel: 'CPC' }));
    expect((await verify({ track_id: trackId, qa_k: key })).status).toBe(409);
    expect((await database.pool.query('SELECT 1 FROM clicks')).rowCount).toBe(0);
  });

  test('click-verify · of an ad id that grew a day old since it was clicked · is good', async () => {
    const issuedAt = Math.floor(now.getTime() / 1000) - 86_390;
    const { trackId, key } = await click(payload({ issuedAt, pricingModel: 'CPC' }));
    now = new Date(now.getTime() + 60_000);
    expect((await verify({ track_id: trackId, qa_k: key })).status).toBe(200);
  });

  test('click-verify · deadline passed on the database clock · 409, and no row is made or moved', async () => {
    // The node's clock is late: to it the key is still good.
    now = new Date(now.getTime() - 310_000);
    const gone = await click();
    expect((await verify({ track_id: gone.trackId, qa_k: gone.key })).status).toBe(409);
    expect((await database.pool.query('SELECT 1 FROM clicks')).rowCount).toBe(0);
    const { trackId, key } = await click();
    await writeClicks();
    const { status, json } = await verify({ track_id: trackId, qa_k: key });
    expect(status).toBe(409);
    expect(json).toMatchObject({ code: 40900, data: { error: 'state_conflict' } });
    expect(json).not.toHaveProperty('timestamp');
    expect((await database.pool.query('SELECT DISTINCT status FROM clicks')).rows).toEqual([
      { status: 'verify_pending' },
    ]);
  });

  test('click-verify · key 301 s old, of another click, another browser, edited, or of a forged id · same 409', async () => {
    const { trackId, key } = await click();
    const other = await click();
    const forgedKey = keyIn(await ask('/track/click/forged'));
    await writeClicks();
    const refusals = [
      await verify({ track_id: trackId, qa_k: other.key }),
      await verify({ track_id: other.trackId, qa_k: key }),
      await verify({ track_id: trackId, qa_k: altered(key, 20) }),
      await verify({ track_id: altered(trackId, 20), qa_k: key }),
      await verify({ track_id: 'forged', qa_k: forgedKey }),
      await verify({ track_id: trackId, qa_k: key }, { agent: IPHONE }),
      await verify({
        track_id: trackId,
        qa_k: sessionKeys.mintSession({ requestId: 'a', viewer: viewerOf(), now }),
      }),
    ];
    now = new Date(now.getTime() + 301_000);
    refusals.push(await verify({ track_id: trackId, qa_k: key }));
    const shape = ({ status, json }: (typeof refusals)[number]) => {
      const { request_id: _id, ...data } = json['data'] as Record<string, unknown>;
      return { status, ...json, data };
    };
    for (const refusal of refusals) expect(shape(refusal)).toEqual(shape(refusals[0] ?? refusal));
    expect(refusals[0]?.status).toBe(409);
    const rows = (await database.pool.query('SELECT DISTINCT status FROM clicks')).rows;
    expect(rows).toEqual([{ status: 'verify_pending' }]);
    const facts = (await storedFacts()).filter(({ session }) => session !== 'none');
    expect(facts.map(({ session }) => session)).toEqual([
      'bad',
      'bad',
      'bad',
      'bad',
      'expired',
      'bad',
      'bad',
      'expired',
    ]);
    expect(facts.every(({ clickEventId }) => clickEventId === undefined)).toBe(true);
  });

  test('click-verify · wrong bodies · 400, 413, 422 with every field, nothing stored', async () => {
    const send = async (body: string) => await ask('/track/click-verify', { method: 'POST', body });
    for (const body of ['', '{', '[]', '"x"', 'null']) {
      const answer = await send(body);
      expect([answer.status, JSON.parse(answer.body).code]).toEqual([400, 40000]);
    }
    expect((await send(`{"track_id":"${'x'.repeat(9_000)}"}`)).status).toBe(413);
    const missing = await send('{}');
    expect(missing.status).toBe(422);
    expect(
      JSON.parse(missing.body).data.errors.map((error: { field: string }) => error.field),
    ).toEqual(['track_id', 'qa_k']);
    const wrong = await send('{"track_id":1,"qa_k":[],"_r":2,"device_data":"x"}');
    expect(JSON.parse(wrong.body).data.errors).toHaveLength(4);
    expect(await stored()).toHaveLength(0);
  });

  test('click-verify · _s over the body · is checked, also with objects', async () => {
    const { trackId, key } = await click();
    const body = { track_id: trackId, qa_k: key, device_data: { webdriver: true, a: [1] } };
    const signature = signRequest(key, {
      method: 'POST',
      path: '/track/click-verify',
      params: bodyParams(body),
    });
    await verify({ ...body, _s: altered(signature, 3) });
    const again = await click();
    const good = { ...body, track_id: again.trackId, qa_k: again.key };
    await verify({
      ...good,
      _s: signRequest(again.key, {
        method: 'POST',
        path: '/track/click-verify',
        params: bodyParams(good),
      }),
    });
    const facts = (await stored())
      .filter(({ kind }) => kind === 'click_verify')
      .map((row) => row.facts);
    expect(facts).toMatchObject([{ signature: 'bad', webdriver: true }, { signature: 'ok' }]);
  });

  test('click-verify · what the device says of itself · is stored as its fingerprint', async () => {
    const { trackId, key } = await click();
    const traits = { language: 'de', timezone: 'UTC', os: 'Win32' };
    await verify({ track_id: trackId, qa_k: key, device_data: { ...traits, screen: {} } });
    const other = await click();
    await verify({
      track_id: other.trackId,
      qa_k: other.key,
      device_data: { fingerprint: 'abc', os: 'Windows' },
    });
    const facts = (await stored())
      .filter(({ kind }) => kind === 'click_verify')
      .map((row) => row.facts);
    expect(facts[0]?.fingerprint).toBe(fingerprintOf({ ...traits, platform: traits.os }));
    expect(facts[1]).not.toHaveProperty('fingerprint');
  });

  test('click-verify · preflight and text body · pages of any origin may send it', async () => {
    const preflight = await ask('/track/click-verify', { method: 'OPTIONS' });
    expect(preflight.status).toBe(204);
    expect(preflight.headers['access-control-allow-origin']).toBe('*');
    const { trackId, key } = await click();
    const options = { headers: { 'content-type': 'text/plain' } };
    expect((await verify({ track_id: trackId, qa_k: key }, options)).status).toBe(200);
  });

  test.each([
    ['the ad', 'https://ad.example/', 'https://cdn.example/c', 'https://ad.example/'],
    ['the creative', null, 'https://cdn.example/c?{zone_id}', 'https://cdn.example/c?5'],
    ['the campaign', null, '', 'https://shop.example/c'],
  ])('click-verify · leads where %s says', async (_who, adUrl, clickUrl, expected) => {
    const { id } = await makeAdvertiser(database.db);
    const tree = await makeCampaignTree(database.db, id, {
      campaign: { landingUrl: 'https://shop.example/c' },
      revision: { clickUrl },
      ad: { landingUrl: adUrl },
    });
    const { trackId, key } = await click(
      payload({ adId: tree.ad.id, creativeId: tree.creative.id }),
    );
    const { json } = await verify({ track_id: trackId, qa_k: key });
    expect(json['data']).toMatchObject({ url: expected });
  });

  test('click-verify · the advertiser was suspended since the ad was shown · is verified and leads nowhere', async () => {
    const { id } = await makeAdvertiser(database.db);
    const tree = await makeCampaignTree(database.db, id, {
      campaign: { landingUrl: 'https://shop.example/c', status: 'PAUSED' },
    });
    const shown = payload({ adId: tree.ad.id, creativeId: tree.creative.id });
    const urlOf = async (): Promise<unknown> => {
      const { trackId, key } = await click({ ...shown, bidId: randomBytes(8).toString('hex') });
      const { status, json } = await verify({ track_id: trackId, qa_k: key });
      return [status, (json['data'] as { url: string }).url];
    };
    // Whoever pauses has paid for this click and is sent it.
    expect(await urlOf()).toEqual([200, 'https://shop.example/c']);
    await database.db.models.accounts.update(
      { status: 'SUSPENDED' },
      { where: { id }, hooks: false },
    );
    expect(await urlOf()).toEqual([200, '']);
    await database.db.models.accounts.update({ status: 'ACTIVE' }, { where: { id }, hooks: false });
    expect(await urlOf()).toEqual([200, 'https://shop.example/c']);
  });

  test.each(['the ad', 'its creative', 'its ad group', 'its campaign'])(
    'click-verify · %s was taken back into review since the ad was shown · is verified and leads nowhere',
    async (what) => {
      const { id } = await makeAdvertiser(database.db);
      const tree = await makeCampaignTree(database.db, id, {
        ad: { landingUrl: 'https://shop.example/ad' },
      });
      const shown = payload({ adId: tree.ad.id, creativeId: tree.creative.id });
      const urlOf = async (): Promise<unknown> => {
        const { trackId, key } = await click({ ...shown, bidId: randomBytes(8).toString('hex') });
        const { status, json } = await verify({ track_id: trackId, qa_k: key });
        return [status, (json['data'] as { url: string }).url];
      };
      expect(await urlOf()).toEqual([200, 'https://shop.example/ad']);
      // As activities/review/recalls.ts leaves them.
      const silent = { hooks: false } as const;
      if (what === 'the ad') await tree.ad.update({ approvedRevision: null }, silent);
      else if (what === 'its creative') {
        await tree.creative.update({ approvedRevision: null }, silent);
      } else {
        const type = what === 'its campaign' ? 'campaign' : 'adgroup';
        const { id: subjectId } = type === 'campaign' ? tree.campaign : tree.adGroup;
        const { campaigns, adGroups, reviews } = database.db.models;
        const judged = async (to: {
          auditStatus?: 'PENDING' | 'APPROVED';
          auditRound?: number;
        }) => {
          const options = { where: { id: subjectId }, ...silent };
          await (type === 'campaign'
            ? campaigns.update(to, options)
            : adGroups.update(to, options));
        };
        const round = 7;
        await judged({ auditStatus: 'PENDING', auditRound: round });
        // Its owner's own edit keeps what was approved.
        expect(await urlOf()).toEqual([200, 'https://shop.example/ad']);
        const operator = await makeOperator(database.db, 'REVIEWER');
        const begin = async (of: object) =>
          await reviews.create({
            subjectType: type,
            subjectId,
            round,
            accountId: id,
            workflowId: `review:${type}:${subjectId}`,
            ...of,
          });
        const recalled = await begin({ recalledBy: operator.id, recallNote: 'Malware' });
        expect(await urlOf()).toEqual([200, '']);
        // An edit begins a round of its own: what was taken back stays so until somebody approves.
        await recalled.update({ status: 'VOID' }, silent);
        const edited = await begin({ round: round + 1 });
        await judged({ auditRound: round + 1 });
        expect(await urlOf()).toEqual([200, '']);
        await edited.update({ status: 'APPROVED' }, silent);
        await judged({ auditStatus: 'APPROVED' });
        expect(await urlOf()).toEqual([200, 'https://shop.example/ad']);
        await judged({ auditStatus: 'PENDING', auditRound: round + 2 });
        expect(await urlOf()).toEqual([200, 'https://shop.example/ad']);
        return;
      }
      expect(await urlOf()).toEqual([200, '']);
    },
  );

  test('click-verify · a landing page steered by its macro · leads nowhere', async () => {
    const { trackId, key } = await click(
      payload({ adId: await insertAd('https://{click_id}.evil.example/') }),
    );
    const { json } = await verify({ track_id: trackId, qa_k: key });
    expect(json['data']).toMatchObject({ url: '' });
  });
});

test('other paths of /track · pass on to the next router', async () => {
  for (const target of [
    '/track/conversion',
    '/track/impression',
    '/track/impression/',
    '/track/impression/a/b',
    '/track/',
  ]) {
    expect((await ask(target)).status).toBe(404);
  }
});
