import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { readFileSync } from 'node:fs';
import type { Socket } from 'node:net';
import type { Response } from 'supertest';
import { createSafeFetch } from '../activities/providers/safe-fetch.ts';
import type { EventFacts } from '../domain/tracking/facts.ts';
import { adRequestKey, obfuscate } from '../domain/tracking/obfuscation.ts';
import { unpackFacts } from '../domain/tracking/packed-facts.ts';
import { signRequest } from '../domain/tracking/signature.ts';
import { CHROME, IPHONE } from './support/agents.ts';
import { type Listener, startListener } from './support/listener.ts';
import { makeAdvertiser } from './support/make/account.ts';
import { makeCampaignTree, makeVideoTree } from './support/make/campaign.ts';
import { nanos } from './support/make/money.ts';
import { makePlace } from './support/make/place.ts';
import { whenReadable } from './support/settlement.ts';
import { createStand, type Stand } from './support/stand.ts';

/**
 * The nine properties that serving and tracking must never lose, each as the attack on it: an ad is asked
 * for, reported and judged, and the rows are read back. Where a room's own tests are that attack, on a
 * browser's page or on a socket, they are named.
 */
const CLICK_SECONDS = 300;
const REWARD_SECONDS = 15;
const BOT = 'Googlebot/2.1 (+http://www.google.com/bot.html)';

let stand: Stand;
let zones: Record<'shown' | 'clicked' | 'rewarded', number>;

beforeAll(async () => {
  stand = await createStand();
  const { db } = stand.database;
  const { id } = await makeAdvertiser(db, { balance: 10_000 });
  await makeCampaignTree(db, id, { campaign: { bidNanos: nanos(5) } });
  await makeCampaignTree(db, id, { campaign: { pricingModel: 'CPC', bidNanos: nanos(1) } });
  await makeVideoTree(db, id, {
    seconds: 20,
    campaign: { adType: 'REWARDED', bidNanos: nanos(5) },
  });
  const settings: object = { rewarded: { watch_seconds: REWARD_SECONDS, reward_amount: 25 } };
  zones = {
    shown: (await makePlace(db, { zone: { pricingTypes: 'CPM' } })).zone.id,
    clicked: (await makePlace(db, { zone: { pricingTypes: 'CPC' } })).zone.id,
    rewarded: (await makePlace(db, { zone: { type: 'REWARDED', settings } })).zone.id,
  };
  await stand.startServing();
});
afterAll(async () => {
  await stand.close();
});

/** Somebody with a network of their own. */
interface Person {
  agent: string;
  address: string;
}
let people = 0;
const person = (agent = CHROME): Person => {
  people += 1;
  return { agent, address: `198.${18 + (people >> 8)}.${people & 255}.7` };
};
const headersOf = ({ agent, address }: Person): Record<string, string> => ({
  'user-agent': agent,
  'x-forwarded-for': address,
});
const get = async (path: string, by: Person): Promise<Response> =>
  await stand.anyone.get(path).set(headersOf(by));
const post = async (path: string, body: object, by: Person): Promise<Response> =>
  await stand.anyone.post(path, body).set(headersOf(by));

interface Asked {
  by: Person;
  trackId: string;
  key: string;
}

async function ask(zone: keyof typeof zones, version = 1, by = person()): Promise<Asked> {
  const { body } = await get(`/ad/request?zone_id=${zones[zone]}&_v=${version}`, by);
  const { ads, qa_k: key } = body.data as { ads: { id: string }[]; qa_k: string };
  const [ad] = ads;
  if (ad === undefined) throw new Error('no ad was served');
  return { by, trackId: ad.id, key };
}

const pathOf = ({ trackId }: Asked, name = 'impression'): string => `/track/${name}/${trackId}`;

/** How far the platform's clock is ahead of this process's. */
let aheadMs = 0;
function pass(ms: number): void {
  aheadMs += ms;
  stand.passServingTime(ms);
}

let nonces = 0;
function freshNonce(): string {
  nonces += 1;
  return `${Date.now() + aheadMs}.${String(nonces).padStart(16, 'A')}`;
}

/** As the SDK reports: its frame loads the ad's document, whose pixel we have signed ourselves and which says no `_d`. */
async function pixelOf({ by, trackId }: Asked): Promise<string> {
  const { text } = await get(`/ad/render/ad/${trackId}`, by);
  const src = /<img class="p" src="([^"]+)"/.exec(text)?.[1] ?? '';
  const { pathname, search } = new URL(src.replaceAll('&amp;', '&'));
  return pathname + search;
}

/** As a page's own client may report an ad that it asked for under v2. */
function signed(
  asked: Asked,
  said: { name?: string; key?: string; device?: object; params?: string } = {},
): string {
  const { name, key = asked.key, device = { wd: false, pl: [300, 250] } } = said;
  const nonce = freshNonce();
  const params = new URLSearchParams(said.params);
  params.set('_v', '2');
  params.set('qa_k', key);
  params.set('_r', nonce);
  params.set('_d', obfuscate(device, { key, nonce }));
  const path = pathOf(asked, name);
  params.set('_s', signRequest(key, { method: 'GET', path, params }));
  return `${path}?${params.toString()}`;
}

async function settle(): Promise<void> {
  await whenReadable(stand.database);
  while ((await stand.activities.settleBatch({ shard: 0 })).events > 0);
}

interface Judged {
  kind: string;
  billable: boolean;
  reason: string | null;
}

/** What became of everything that names this ad. */
async function judged({ trackId }: Asked): Promise<Judged[]> {
  await settle();
  const { rows } = await stand.database.pool.query<Judged>(
    'SELECT kind, billable, reason FROM events WHERE bid_id = $1 ORDER BY received_at, id',
    [stand.sealer.open(trackId)?.bidId],
  );
  return rows;
}
const billed = async (asked: Asked): Promise<number> =>
  (await judged(asked)).filter(({ billable }) => billable).length;

/** All that a caller sees of an answer. */
function seenOf({ status, headers, body, text }: Response): unknown {
  const { date: _date, ...others } = headers as Record<string, string>;
  return { status, headers: others, bytes: Buffer.isBuffer(body) ? body.toString('hex') : text };
}

/** The character at this place, made another one of its alphabet. */
const altered = (text: string, at: number): string =>
  `${text.slice(0, at)}${text[at] === 'A' ? 'B' : 'A'}${text.slice(at + 1)}`;

describe('1. one changed character', () => {
  test.each(['track_id', 'qa_k', '_r', '_d', '_s'])(
    'of %s · is never billed, and is answered as the good one',
    async (part) => {
      // The SDK's pixel has no `_d`; a client of a page's own may say it.
      const report = part === '_d' ? signed : pixelOf;
      const good = await ask('shown', 2);
      const reference = seenOf(await get(await report(good), good.by));
      for (const share of [0, 0.3, 0.6, 0.99]) {
        const asked = await ask('shown', 2);
        const target = await report(asked);
        const value =
          part === 'track_id'
            ? asked.trackId
            : (new URL(target, stand.url).searchParams.get(part) ?? '');
        const from = target.indexOf(value, target.indexOf(part === 'track_id' ? '/' : `${part}=`));
        const changed = altered(target, from + Math.floor(share * value.length));
        expect(changed).not.toBe(target);
        expect(seenOf(await get(changed, asked.by))).toEqual(reference);
        expect(await billed(asked)).toBe(0);
      }
      expect(await judged(good)).toEqual([{ kind: 'impression', billable: true, reason: null }]);
    },
  );

  test('answers · to a valid, a forged, a repeated, an expired and a bot’s report · are byte for byte one', async () => {
    const asked = await ask('shown');
    const late = await ask('shown');
    const answers = [
      await get(pathOf(asked), asked.by),
      await get(pathOf(asked), asked.by),
      await get('/track/impression/forged', asked.by),
      await get(altered(pathOf(asked), 30), asked.by),
      await get(pathOf(await ask('shown')), person(BOT)),
    ];
    pass(3_601_000);
    answers.push(await get(pathOf(late), late.by));
    pass(-3_601_000);
    for (const answer of answers) expect(seenOf(answer)).toEqual(seenOf(answers[0] as Response));
    expect(await billed(late)).toBe(0);
  });
});

describe('2. once', () => {
  test('one signed address, ten times at once · is one billable event', async () => {
    const asked = await ask('shown', 2);
    const target = await pixelOf(asked);
    await Promise.all(Array.from({ length: 10 }, async () => await get(target, asked.by)));
    expect(await billed(asked)).toBe(1);
    expect(await judged(asked)).toHaveLength(10);
  });

  test('one qa_k, verified ten times at once · succeeds once, and bills once', async () => {
    const { asked, key } = await clicked();
    const answers = await Promise.all(
      Array.from({ length: 10 }, async () => await verify(asked, key)),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(9);
    expect(await billedClicks(asked)).toBe(1);
  });
});

/** Shown, long enough ago for a person to click, and clicked. */
async function clicked({ isShown = true } = {}): Promise<{ asked: Asked; key: string }> {
  const asked = await ask('clicked');
  if (isShown) await get(pathOf(asked), asked.by);
  pass(5_000);
  const { text } = await get(`/track/click/${asked.trackId}`, asked.by);
  return { asked, key: /data-key="([\w-]+)"/.exec(text)?.[1] ?? '' };
}
const verify = async (asked: Asked, key: string, by = asked.by): Promise<Response> =>
  await post(
    '/track/click-verify',
    { track_id: asked.trackId, qa_k: key, device_data: { webdriver: false } },
    by,
  );
const billedClicks = async (asked: Asked): Promise<number> =>
  (await judged(asked)).filter(({ kind, billable }) => kind === 'click_verify' && billable).length;

describe('3. the protocol that an ad was asked for under', () => {
  test('v2, reported as v1 · is not billed', async () => {
    const asked = await ask('shown', 2);
    await get(pathOf(asked), asked.by);
    expect(await judged(asked)).toMatchObject([{ billable: false }]);
  });

  test('the qa_k of another request of the same browser · is not billed', async () => {
    const asked = await ask('shown', 2);
    const other = await ask('shown', 2, asked.by);
    await get(signed(asked, { key: other.key }), asked.by);
    expect(await judged(asked)).toMatchObject([{ billable: false, reason: 'SESSION_EXPIRED' }]);
  });
});

describe('4. a click', () => {
  const waiting = async ({ trackId }: Asked): Promise<string[]> => {
    const { rows } = await stand.database.pool.query<{ status: string }>(
      'SELECT status FROM clicks WHERE bid_id = $1',
      [stand.sealer.open(trackId)?.bidId],
    );
    return rows.map(({ status }) => status);
  };

  test('verified as it should be · is billed', async () => {
    const { asked, key } = await clicked();
    expect((await verify(asked, key)).status).toBe(200);
    expect(await billedClicks(asked)).toBe(1);
    expect(await waiting(asked)).toEqual(['valid']);
  });

  test('of an ad that was never shown · is not billed', async () => {
    const { asked, key } = await clicked({ isShown: false });
    await verify(asked, key);
    expect(await billedClicks(asked)).toBe(0);
  });

  test('from another browser and system · is 409, and its row waits', async () => {
    const { asked, key } = await clicked();
    expect((await verify(asked, key, { ...asked.by, agent: IPHONE })).status).toBe(409);
    expect(await billedClicks(asked)).toBe(0);
    expect(await waiting(asked)).toEqual(['verify_pending']);
  });

  test('by a robot · is not billed, and its row waits', async () => {
    const { asked, key } = await clicked();
    expect((await verify(asked, key, { ...asked.by, agent: BOT })).status).toBe(409);
    expect(await billedClicks(asked)).toBe(0);
    expect(await waiting(asked)).toEqual(['verify_pending']);
  });

  test('after 301 s · is 409, and its row waits', async () => {
    const { asked, key } = await clicked();
    pass((CLICK_SECONDS + 1) * 1_000);
    expect((await verify(asked, key)).status).toBe(409);
    expect(await billedClicks(asked)).toBe(0);
    expect(await waiting(asked)).toEqual(['verify_pending']);
  });
});

test('5. a reward · is granted once, not before it was watched, and of the zone’s amount', async () => {
  const asked = await ask('rewarded');
  const issued = await post(
    '/ad/reward/token',
    { track_id: asked.trackId, reward_amount: 1_000_000 },
    asked.by,
  );
  // A word that nobody knows is refused; without it the amount is the zone's.
  expect(issued.status).toBe(422);
  const { body } = await post('/ad/reward/token', { track_id: asked.trackId }, asked.by);
  expect(body.data).toMatchObject({ reward_amount: 25, watch_seconds: REWARD_SECONDS });
  const { token } = body.data as { token: string };
  await get(pathOf(asked), asked.by);
  await settle();
  const grant = async (): Promise<Response> =>
    await post('/ad/reward/verify', { token, completed: true }, asked.by);
  expect((await grant()).status).toBe(409);
  stand.passTime(REWARD_SECONDS * 1_000);
  const grants = await Promise.all(Array.from({ length: 10 }, grant));
  expect(grants.filter(({ body: told }) => told.data.duplicate === false)).toHaveLength(1);
  expect(grants.map(({ body: told }) => told.data.reward_amount)).toEqual(
    Array.from({ length: 10 }, () => 25),
  );
});

describe('9. privacy', () => {
  const REFUSED: Record<string, string> = { 'sec-gpc': '1' };
  const rowsNaming = async (words: string): Promise<string[]> => {
    const { pool } = stand.database;
    const { rows } = await pool.query<{ name: string }>(
      `SELECT format('%I.%I', schemaname, tablename) AS name FROM pg_tables WHERE schemaname = 'public'`,
    );
    const found: string[] = [];
    for (const { name } of rows) {
      const { rowCount } = await pool.query(
        `SELECT 1 FROM ${name} t WHERE strpos(t::text, $1) > 0 LIMIT 1`,
        [words],
      );
      if ((rowCount ?? 0) > 0) found.push(name);
    }
    return found;
  };

  test('no table holds the whole address of anybody who saw, clicked or converted', async () => {
    const { asked, key } = await clicked();
    const answer = await verify(asked, key);
    const { click_id: clickId } = answer.body.data as { click_id: string };
    await get(`/track/conversion?click_id=${clickId}&value=1`, asked.by);
    await settle();
    expect(await rowsNaming(clickId)).toContain('public.clicks');
    expect(await rowsNaming(asked.by.address)).toEqual([]);
    const agent = 'Chrome/126.0.0.0';
    expect(asked.by.agent).toContain(agent);
    expect(await rowsNaming(agent)).toEqual([]);
  });

  /** Of each test another time zone, so that its rows can be told from those of the others. */
  const deviceIn = (tz: string) => ({ l: 'de', tz, pf: 'Win32', wd: false, pl: [333, 277] });
  type Device = ReturnType<typeof deviceIn>;
  interface Signal {
    query?: string;
    headers?: Record<string, string>;
  }
  const SIGNALS: [string, Signal][] = [
    ['Sec-GPC', { headers: { 'sec-gpc': '1' } }],
    ['coppa', { query: '&coppa=1' }],
    ['us_privacy', { query: '&us_privacy=1YYN' }],
    ['gdpr without consent', { query: '&gdpr=1' }],
    ['gdpr with consent that cannot be read', { query: '&gdpr=1&gdpr_consent=junk' }],
    ['gpp of a US state', { query: '&gpp=DBAA&gpp_sid=8' }],
  ];

  async function askFrom(
    zone: keyof typeof zones,
    device: Device,
    { query = '', headers = {} }: Signal,
  ) {
    const by = person();
    const nonce = freshNonce();
    const key = adRequestKey(String(zones[zone]), nonce);
    const data = obfuscate(device, { key, nonce });
    const path = `/ad/request?zone_id=${zones[zone]}&_v=2&_r=${nonce}&_d=${data}${query}`;
    const { body } = await stand.anyone.get(path).set({ ...headersOf(by), ...headers });
    const { ads, qa_k: sessionKey } = body.data as { ads: { id: string }[]; qa_k: string };
    return { by, trackId: ads[0]?.id ?? '', key: sessionKey };
  }

  /** All that browsers report of two ads, each with what its device is. */
  async function reportAll(
    { shown, clickedOn }: Record<'shown' | 'clickedOn', Asked>,
    device: Device,
    { query = '', headers = {} }: Signal,
  ): Promise<void> {
    const told = async (asked: Asked, name: string, own = ''): Promise<void> => {
      const path = signed(asked, { name, device, params: `${own}${query}`.slice(1) });
      await stand.anyone.get(path).set({ ...headersOf(asked.by), ...headers });
    };
    await told(shown, 'impression');
    await told(shown, 'view', '&s=viewable');
    await told(shown, 'video', '&e=start');
    await told(clickedOn, 'impression');
    pass(5_000);
    const { by, trackId } = clickedOn;
    const { text } = await stand.anyone
      .get(`/track/click/${trackId}?${query.slice(1)}`)
      .set({ ...headersOf(by), ...headers });
    const { l: language, tz: timezone, pf: os } = device;
    const body = {
      track_id: trackId,
      qa_k: /data-key="([\w-]+)"/.exec(text)?.[1] ?? '',
      device_data: { language, timezone, os, webdriver: false, screen: { width: 333 } },
      ...Object.fromEntries(new URLSearchParams(query)),
    };
    const answer = await stand.anyone
      .post('/track/click-verify', body)
      .set({ ...headersOf(by), ...headers });
    expect(answer.status).toBe(200);
  }

  /** What is stored of these ads, as the log and its readers have it. */
  async function storedOf(asked: readonly Asked[]): Promise<EventFacts[]> {
    await settle();
    const bids = asked.map(({ trackId }) => stand.sealer.open(trackId)?.bidId);
    const { rows } = await stand.database.pool.query<{ facts: unknown }>(
      `SELECT facts FROM event_inbox
       WHERE id IN (SELECT id FROM events WHERE bid_id = ANY ($1))`,
      [bids],
    );
    return rows.map(({ facts }) => unpackFacts(facts) as EventFacts);
  }

  async function reportedWith(signals: { request: Signal; event: Signal }, zone: string) {
    const device = deviceIn(zone);
    // Sealed with an ad that nobody reports.
    const { trackId } = await askFrom('shown', device, {});
    const shown = await askFrom('shown', device, signals.request);
    const clickedOn = await askFrom('clicked', device, signals.request);
    await reportAll({ shown, clickedOn }, device, signals.event);
    return {
      facts: await storedOf([shown, clickedOn]),
      judged: [...(await judged(shown)), ...(await judged(clickedOn))],
      fingerprint: stand.sealer.open(trackId)?.fingerprint ?? '',
    };
  }
  const KINDS = ['impression', 'view', 'video', 'impression', 'click', 'click_verify'];

  test('who asks for none · leaves a fingerprint, in the log alone, and is billed', async () => {
    const seen = await reportedWith({ request: {}, event: {} }, 'Europe/Berlin');
    expect(seen.judged.map(({ kind }) => kind)).toEqual(KINDS);
    expect(seen.judged.map(({ reason }) => reason)).toEqual(KINDS.map(() => null));
    const told = seen.facts.filter(({ fingerprint }) => fingerprint === seen.fingerprint);
    expect(told).toHaveLength(KINDS.length - 1);
    expect(await rowsNaming(seen.fingerprint)).toEqual(
      expect.arrayContaining(['public.event_inbox']),
    );
  });

  test.each(
    SIGNALS.flatMap(([name, signal]): [string, { request: Signal; event: Signal }][] => [
      [`${name}, of request and events`, { request: signal, event: signal }],
      [`${name}, of the request alone`, { request: signal, event: {} }],
      [`${name}, of events alone`, { request: {}, event: signal }],
    ]),
  )('%s · no row holds anything of the device, and all is billed', async (name, signals) => {
    const seen = await reportedWith(signals, `Zone/${name}`);
    expect(seen.facts).toHaveLength(KINDS.length);
    expect(seen.facts.filter(hasDevice)).toEqual([]);
    expect(await rowsNaming(seen.fingerprint)).toEqual([]);
    expect(seen.judged.map(({ kind }) => kind)).toEqual(KINDS);
    expect(seen.judged.map(({ reason }) => reason)).toEqual(KINDS.map(() => null));
  });

  const hasDevice = ({ fingerprint, track, webdriver, placement }: EventFacts): boolean =>
    fingerprint !== undefined ||
    track?.fingerprint !== undefined ||
    webdriver !== null ||
    placement !== null;

  test('a robot that asks for privacy · is refused all the same', async () => {
    const asked = await ask('shown', 2);
    const path = signed(asked, { device: { wd: true } });
    await stand.anyone.get(path).set({ ...headersOf(asked.by), ...REFUSED });
    expect(await judged(asked)).toMatchObject([{ billable: false, reason: 'WEBDRIVER' }]);
  });

  test('a robot whose request alone says so · shown, and clicked as by a person · is refused', async () => {
    const device = { ...deviceIn('Europe/Berlin'), wd: true };
    const shown = await askFrom('shown', device, {});
    await get(await pixelOf(shown), shown.by);
    expect(await judged(shown)).toMatchObject([{ billable: false, reason: 'WEBDRIVER' }]);
    const clickedOn = await askFrom('clicked', device, {});
    await get(await pixelOf(clickedOn), clickedOn.by);
    pass(5_000);
    const { text } = await get(`/track/click/${clickedOn.trackId}`, clickedOn.by);
    await verify(clickedOn, /data-key="([\w-]+)"/.exec(text)?.[1] ?? '');
    const seen = await judged(clickedOn);
    expect(seen.map(({ billable }) => billable)).toEqual([false, false, false]);
    expect(seen.at(-1)).toMatchObject({ kind: 'click_verify', reason: 'WEBDRIVER' });
  });

  test('who asks for privacy · leaves no fingerprint of the device in the seal', async () => {
    const sealedOf = async (signal: Signal) =>
      stand.sealer.open((await askFrom('shown', deviceIn('Europe/Berlin'), signal)).trackId);
    expect((await sealedOf({}))?.fingerprint).toMatch(/^[0-9a-f]{10}$/);
    for (const [, signal] of SIGNALS) {
      expect(await sealedOf(signal)).not.toHaveProperty('fingerprint');
    }
  });
});

describe('8. addresses that others choose', () => {
  const SPELLINGS = [
    '127.0.0.1',
    '127.1',
    '2130706433',
    '0x7f000001',
    '0177.0.0.1',
    '0',
    '[::1]',
    '[::ffff:127.0.0.1]',
    '[64:ff9b::7f00:1]',
    '169.254.169.254',
    '10.0.0.1',
    '100.64.0.1',
    '[fd00::1]',
    'localhost',
    'LOCALHOST.',
    'printer.local',
    '①②⑦.⓪.⓪.①',
    '%31%32%37.0.0.1',
  ];

  test.each(SPELLINGS)('%s · given wherever we are told to call · is refused', async (host) => {
    const advertiser = await stand.newAdvertiser();
    const { publisher, zone } = await makePlace(stand.database.db, { zone: { type: 'REWARDED' } });
    const owner = stand.as('publisher', publisher.id);
    const url = `http://${host}/told`;
    const answers = [
      await advertiser.post('/trackers', { name: 'Sale', postback_url: url }),
      await advertiser.post('/webhooks', { url, kinds: ['balance_low'] }),
      await owner.post('/webhooks', { url, kinds: ['withdrawal_sent'] }),
      await owner.put(`/zones/${zone.id}`, { reward_callback_url: url }),
      await owner.post('/sites', { name: 'Site', domain: host }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([422, 422, 422, 422, 422]);
  });

  describe('come to by a redirect, or by a name that leads there', () => {
    /** Where sockets of this process set out for, to the ports that may be called. */
    const reached: string[] = [];
    let witness: Listener;
    let location = '';
    const note = (message: unknown): void => {
      const { socket } = message as { socket: Socket };
      socket.on('connectionAttempt', (address: string, port: number) => {
        if (port === 80 || port === 443) reached.push(address);
      });
    };

    beforeAll(async () => {
      witness = await startListener((_req, res) => void res.writeHead(302, { location }).end());
      subscribe('net.client.socket', note);
    });
    afterAll(async () => {
      unsubscribe('net.client.socket', note);
      await witness.close();
    });
    beforeEach(() => {
      reached.length = 0;
    });

    test.each(SPELLINGS)('%s · is reached by no socket', async (host) => {
      const fetch = createSafeFetch({
        devHosts: new Map([['moved.example', witness.host]]),
        resolve: () => Promise.resolve([{ address: '127.0.0.1', family: 4 }]),
      });
      for (const target of [`http://${host}/`, `https://${host}/`, `//${host}/`]) {
        // As servers send it that write their bytes as they are; Node itself refuses to.
        location = Buffer.from(target).toString('latin1');
        expect(await fetch('http://moved.example/')).toMatchObject({ ok: false });
        expect(await fetch(target)).toMatchObject({ ok: false });
      }
      expect(await fetch('http://somebody.example/')).toMatchObject({ ok: false });
      expect(reached).toEqual([]);
    });
  });
});

/** Attacks on a page, a player or a socket, by the rooms that have one. */
const ELSEWHERE: readonly [property: string, tests: readonly (readonly [string, string])[]][] = [
  [
    '6. every VAST answer, 2.0 and 4.2, own and wrapped and empty, is valid, and plays in two players',
    [
      ['api/ad/vast', 'expect(vastFaults(xml)).toEqual([])'],
      ['api/ad/vast', 'no ad · in a zone that nobody buys · is an empty document with 200'],
      ['api/ad/vast-players', 'version %s · a %s · is played, and told of by all five events once'],
    ],
  ],
  [
    '7. an advertiser’s code reads nothing of the publisher’s page, by html, by /ad/render, by the SDK',
    [
      ['api/ad/creative-frame', 'html as srcdoc · on a publisher page that sandboxes nothing'],
      ['api/ad/creative-frame', '/ad/render as src · on the same page'],
      ['api/ad/creative-frame', 'the SDK · on the same page, from the publisher’s own origin'],
      ['api/ad/html5-frame', 'runs in a frame of its own'],
    ],
  ],
  [
    '8. no request of ours reaches an address that is not public, by any spelling, redirect or name',
    [
      ['activities/providers/safe-fetch', 'refused before a socket opens'],
      ['activities/providers/safe-fetch', 'redirect · to %s · refused as %s'],
      ['activities/providers/safe-fetch', '%s · judged · not public'],
    ],
  ],
];

test.each(ELSEWHERE)('%s', (_property, tests) => {
  for (const [file, title] of tests) {
    expect(readFileSync(`test/${file}.test.ts`, 'utf8')).toContain(title);
  }
});
