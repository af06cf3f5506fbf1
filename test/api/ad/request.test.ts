import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { adHandlers } from '../../../api/ad/surface.ts';
import { adRequestKey, obfuscate } from '../../../domain/tracking/obfuscation.ts';
import { isSignedBy } from '../../../domain/tracking/signature.ts';
import { TRACK_ID_CHARS } from '../../../domain/tracking/track-id.ts';
import { createTestDatabase, serviceUrl, type TestDatabase } from '../../support/database.ts';
import { CHROME, IPHONE } from '../../support/agents.ts';
import { ask, CDN_URL, type ServingStand, startServing, TRACK_URL } from '../../support/serving.ts';
import { until } from '../../support/until.ts';
import { makeAdvertiser } from '../../support/make/account.ts';
import { makeCampaignTree } from '../../support/make/campaign.ts';
import { nanos } from '../../support/make/money.ts';
import { makePlace } from '../../support/make/place.ts';

let database: TestDatabase;
let stand: ServingStand;

beforeAll(async () => {
  database = await createTestDatabase();
  stand = await startServing({ sql: database.pool, redisUrl: serviceUrl('REDIS_URL') });
});

afterAll(async () => {
  await stand.close();
  await database.close();
});

/** Each test has a zone type and size of its own, so that tests do not bid against each other. */
let width = 1_000;
async function scene(
  options: Parameters<typeof makeCampaignTree>[2] & {
    zone?: Parameters<typeof makePlace>[1];
    advertiser?: Parameters<typeof makeAdvertiser>[1];
  } = {},
) {
  width += 1;
  const { db } = database;
  const advertiser = await makeAdvertiser(db, { balance: 100, ...options.advertiser });
  const tree = await makeCampaignTree(db, advertiser.id, {
    ...options,
    revision: { width, height: 250, ...options.revision },
  });
  const place = await makePlace(db, {
    zone: { width, ...options.zone?.zone },
    ...(options.zone?.site === undefined ? {} : { site: options.zone.site }),
  });
  await refresh(advertiser.id, place);
  return { advertiser, ...tree, ...place, width };
}

async function refresh(
  advertiserId: number,
  { publisher, zone }: Pick<Awaited<ReturnType<typeof makePlace>>, 'publisher' | 'zone'>,
): Promise<void> {
  await stand.publish({ topic: 'advertiser', id: advertiserId });
  await stand.publish({ topic: 'publisher', id: publisher.id });
  await until(() => stand.inventory.roster().some((ad) => ad.advertiser.id === advertiserId));
  await until(() => stand.inventory.current().zones.ofId(zone.id) !== undefined);
}

describe('GET /ad/request', () => {
  test('ad request · by numeric id · answers the whole ad item of interface 2.11', async () => {
    const { zone, ad, campaign, creative, advertiser } = await scene();
    const answer = await ask(`${stand.url}/ad/request?zone_id=${zone.id}`);
    expect(answer.status).toBe(200);
    expect(answer.headers.get('access-control-allow-origin')).toBe('*');
    expect(answer.headers.get('cache-control')).toBe('no-store');
    const { data } = answer.body;
    expect(answer.body).toMatchObject({ code: 0, message: 'ok' });
    expect(data.request_id).toMatch(/^[0-9a-f]{32}$/);
    expect(data.zone).toEqual({
      id: zone.id,
      code: zone.zoneKey,
      width: zone.width,
      height: 250,
      type: 'BANNER',
      refresh: 0,
    });
    expect(data._v).toBe(1);
    expect(data.qa_k).toHaveLength(58);
    expect(data._rand).toBe(stand.sessionKeys.randOf(data.qa_k));
    expect(Math.abs(data._ts - Date.now() / 1_000)).toBeLessThan(5);
    const [item] = data.ads;
    const id = String(item?.['id']);
    expect(id).toHaveLength(TRACK_ID_CHARS);
    expect(item).toEqual({
      id,
      creative_id: creative.id,
      type: 'IMAGE',
      title: 'A title',
      description: 'A description',
      button_text: '',
      brand_name: '',
      image_url: expect.stringMatching(`^${CDN_URL}/media/ab/[0-9a-f]{32}.png$`),
      image_url_2: null,
      video_url: null,
      icon_url: null,
      display_url: '',
      landing_url: `${TRACK_URL}/track/click/${id}`,
      click_url: `${TRACK_URL}/track/click/${id}`,
      impression_url: `${TRACK_URL}/track/impression/${id}`,
      width: zone.width,
      height: 250,
      pricing_model: 'CPM',
      html: expect.stringContaining(`${TRACK_URL}/track/impression/${id}"`),
    });
    expect(item?.['html']).toContain('>AD</span>');
    expect(stand.sealer.open(id)).toMatchObject({
      requestId: data.request_id,
      advertiserId: advertiser.id,
      campaignId: campaign.id,
      adId: ad.id,
      creativeId: creative.id,
      zoneId: zone.id,
      protocol: 1,
      channel: 'page',
      pricingModel: 'CPM',
      priceNanos: nanos(0.000_1) + 1n,
      country: 'US',
      device: 'DESKTOP',
      os: 'WINDOWS',
    });
  });

  test('zone reference · key, key in the path, digits, zone_digits · is the same zone', async () => {
    const { zone } = await scene();
    for (const path of [
      `?zone=${zone.zoneKey}`,
      `?zone=${zone.id}`,
      `?zone_id=${zone.zoneKey}`,
      `/${zone.id}`,
      `/${zone.zoneKey}`,
      `/zone_${zone.id}`,
      `?zone=zone_${zone.id}`,
    ]) {
      const answer = await ask(`${stand.url}/ad/request${path}`);
      expect([path, answer.body.data.zone?.['id']]).toEqual([path, zone.id]);
    }
  });

  test('protocol 2 · a page that signs · seals protocol 2 and signs the pixel inside html', async () => {
    const { zone } = await scene();
    const { data } = (await ask(`${stand.url}/ad/request?zone_id=${zone.id}&_v=2`)).body;
    const [item] = data.ads;
    expect(data._v).toBe(2);
    expect(stand.sealer.open(String(item?.['id']))?.protocol).toBe(2);
    const pixel = /src="([^"]*\/track\/impression\/[^"]*)"/.exec(String(item?.['html']))?.[1] ?? '';
    const query = new URL(pixel.replaceAll('&amp;', '&')).searchParams;
    expect(query.get('_v')).toBe('2');
    expect(query.get('qa_k')).toBe(data.qa_k);
    expect(query.get('_r')).toMatch(/^\d{13}\.[A-Za-z0-9_-]{16}$/);
    expect(query.get('_s')).toMatch(/^[A-Za-z0-9_-]{43}$/);
    expect(item?.['impression_url']).not.toContain('?');
  });

  test('second price · two advertisers and a floor · the runner-up and one nano, sealed', async () => {
    const { zone, publisher } = await scene({ zone: { zone: { floorPriceCpmNanos: nanos(0.5) } } });
    const rival = await makeAdvertiser(database.db, { balance: 100 });
    await makeCampaignTree(database.db, rival.id, {
      campaign: { bidNanos: nanos(1.25) },
      revision: { width: zone.width },
    });
    await refresh(rival.id, { publisher, zone });
    const { data } = (await ask(`${stand.url}/ad/request?zone_id=${zone.id}&limit=2`)).body;
    const prices = data.ads.map((item) => stand.sealer.open(String(item['id']))?.priceNanos);
    expect(prices).toEqual([nanos(0.00125) + 1n, nanos(0.0005) + 1n]);
  });

  test('reserve · an operator changes the platform’s floor · the next answers pay it', async () => {
    const { zone } = await scene();
    const priceOf = async (): Promise<bigint | undefined> => {
      const { data } = (await ask(`${stand.url}/ad/request?zone_id=${zone.id}`)).body;
      return stand.sealer.open(String(data.ads[0]?.['id']))?.priceNanos;
    };
    expect(await priceOf()).toBe(nanos(0.000_1) + 1n);
    const { settings } = database.db.models;
    await settings.upsert({ key: 'auction.floor_cpm', value: 0.5 });
    await stand.publish({ topic: 'settings' });
    await until(async () => (await priceOf()) === nanos(0.000_5) + 1n);
    await settings.destroy({ where: { key: 'auction.floor_cpm' } });
    await stand.publish({ topic: 'settings' });
    await until(async () => (await priceOf()) === nanos(0.000_1) + 1n);
  });

  test('no ad · nothing fits, or the zone is paused · empty list and its message', async () => {
    const { zone, publisher } = await scene();
    const other = await ask(`${stand.url}/ad/request?zone_id=${zone.id}`, { agent: '' });
    expect(other.status).toBe(200);
    await zone.update({ status: 'PAUSED' }, { hooks: false });
    await stand.publish({ topic: 'publisher', id: publisher.id });
    await until(async () => {
      const { body } = await ask(`${stand.url}/ad/request?zone_id=${zone.id}`);
      return body.data.ads.length === 0;
    });
    const { status, body } = await ask(`${stand.url}/ad/request?zone_id=${zone.id}`);
    expect(status).toBe(200);
    expect(body).toMatchObject({ code: 0, message: 'No ad available', data: { ads: [] } });
    expect(body.data.qa_k).toHaveLength(58);
  });

  test('targeting · another country or device than the ad wants · no ad', async () => {
    const { zone } = await scene({
      campaign: { targetCountries: ['US'], targetDevices: ['DESKTOP'] },
    });
    const adsOf = async (init: Parameters<typeof ask>[1]): Promise<number> =>
      (await ask(`${stand.url}/ad/request?zone_id=${zone.id}`, init)).body.data.ads.length;
    expect(await adsOf({})).toBe(1);
    expect(await adsOf({ address: '21.1.100.3' })).toBe(0);
    expect(await adsOf({ agent: IPHONE })).toBe(0);
  });

  test('ad group · own bid, targeting and adjustments · override the campaign all or nothing', async () => {
    const { zone } = await scene({
      campaign: {
        bidNanos: nanos(1),
        bidAdjustments: { geo: { US: 400 } },
        targetCountries: ['DE'],
      },
      adGroup: {
        bidNanos: nanos(3),
        bidAdjustments: { os: { WINDOWS: 100 } },
        targetCountries: ['US'],
      },
      zone: { zone: { floorPriceCpmNanos: nanos(5.9) } },
    });
    const { data } = (await ask(`${stand.url}/ad/request?zone_id=${zone.id}`)).body;
    expect(data.ads).toHaveLength(1);
  });

  test('zone of a type · pop-up, couplet, rewarded, exit intent · carries its configuration', async () => {
    const keys = [
      ['POPUP', ['trigger', 'frequency', 'popup']],
      ['COUPLET', ['couplet']],
      ['REWARDED', ['rewarded']],
      ['EXIT_INTENT', ['frequency']],
    ] as const;
    for (const [type, extra] of keys) {
      const { zone } = await scene({ zone: { zone: { type } } });
      const { data } = (await ask(`${stand.url}/ad/request?zone_id=${zone.id}`)).body;
      expect(Object.keys(data.zone).slice(6).sort()).toEqual(extra.toSorted());
    }
  });
});

describe('the page that asks', () => {
  const said = {
    page_url: 'https://News.example/shoes/trail?user=me#top',
    page_title: 'Trail shoes',
    page_keywords: 'running, outdoor',
    page_category: 'Sports',
    page_type: 'article',
    page_tags: 'winter',
    page_lang: 'en-GB',
  };
  const served = async (
    zoneId: number,
    fields: Record<string, string>,
    init: Parameters<typeof ask>[1] = {},
  ) => {
    const query = new URLSearchParams({ zone_id: String(zoneId), ...fields });
    const { data } = (await ask(`${stand.url}/ad/request?${query.toString()}`, init)).body;
    return data.ads.map((item) => stand.sealer.open(String(item['id'])));
  };
  const kept = async (id: number | undefined): Promise<object | undefined> => {
    await stand.pages.flush();
    const { rows } = await database.pool.query('SELECT * FROM pages WHERE id = $1', [id ?? 0]);
    return rows[0] as object | undefined;
  };

  test('all it says · is kept once, and sealed with the ad', async () => {
    const { zone } = await scene();
    const [first] = await served(zone.id, said);
    const [again] = await served(zone.id, {
      ...said,
      page_url: 'https://news.example/shoes/trail?x',
    });
    expect(first?.pageId).toBeGreaterThan(0);
    expect(again?.pageId).toBe(first?.pageId);
    expect(await kept(first?.pageId)).toMatchObject({
      host: 'news.example',
      url: 'https://news.example/shoes/trail',
      title: 'Trail shoes',
      keywords: ['running', 'outdoor'],
      categories: ['sports'],
      tags: ['winter'],
      type: 'article',
      lang: 'en-gb',
    });
    const other = await served(zone.id, { ...said, page_title: 'Another' });
    expect(other[0]?.pageId).not.toBe(first?.pageId);
  });

  test('no page_url, or an empty one · the Referer is the page; without both there is none', async () => {
    const { zone } = await scene();
    const headers = { referer: 'https://blog.example/a?b=c' };
    const [referred] = await served(zone.id, { page_url: '' }, { headers });
    expect(await kept(referred?.pageId)).toMatchObject({
      host: 'blog.example',
      url: 'https://blog.example/a',
      title: null,
      keywords: [],
    });
    const [unknown] = await served(zone.id, {});
    expect(unknown).toBeDefined();
    expect(unknown).not.toHaveProperty('pageId');
  });

  test('targeted by campaign and ad group · is met or not, and the ad group’s own words win', async () => {
    const { zone } = await scene({
      campaign: {
        targetKeywords: ['skiing'],
        targetCategories: ['sports'],
        targetLanguages: ['en'],
      },
      adGroup: { targetKeywords: ['trail shoes'] },
    });
    expect(await served(zone.id, said)).toHaveLength(1);
    expect(await served(zone.id, { ...said, page_category: 'Money' })).toHaveLength(0);
    expect(await served(zone.id, { ...said, page_lang: 'de' })).toHaveLength(0);
    expect(await served(zone.id, { ...said, page_title: 'Skiing' })).toHaveLength(0);
    expect(await served(zone.id, {})).toHaveLength(0);
  });

  test('_d of the device · is sealed as its fingerprint, unless privacy signals restrict', async () => {
    const { zone } = await scene();
    const nonce = `${Date.now()}.AAECAwQFBgcICQoL`;
    const data = { v: 1, l: 'de-DE', tz: 'Europe/Berlin', pf: 'Win32', hc: 8, s: [1, 2] };
    const key = adRequestKey(String(zone.id), nonce);
    const fields = { _v: '2', _r: nonce, _d: obfuscate(data, { key, nonce }) };
    const [sealed] = await served(zone.id, fields);
    const { l: language, tz: timezone, pf: platform } = data;
    const fingerprint = stand.deps.fingerprintOf({ language, timezone, platform });
    expect(fingerprint).not.toBeNull();
    expect(sealed?.fingerprint).toBe(fingerprint);
    const without: [Record<string, string>, object][] = [
      [{ ...fields, _d: 'junk' }, {}],
      [{ ...fields, _r: '' }, {}],
      [fields, { 'sec-gpc': '1' }],
      [{ ...fields, coppa: '1' }, {}],
    ];
    for (const [at, [asked, headers]] of without.entries()) {
      const [ad] = await served(zone.id, asked, { headers: { ...headers } });
      expect(ad).toBeDefined();
      expect(ad).not.toHaveProperty('fingerprint');
      expect(ad?.isRestricted).toBe(at < 2 ? undefined : true);
    }
  });

  test.each([
    [true, true],
    [1, true],
    [false, undefined],
    [undefined, undefined],
    ['yes', undefined],
  ])(
    '_d whose wd is %p · is sealed as webdriver %p, whatever it asks of privacy',
    async (wd, sealed) => {
      const { zone } = await scene();
      const nonce = `${Date.now()}.AAECAwQFBgcICQoL`;
      const key = adRequestKey(String(zone.id), nonce);
      const fields = { _r: nonce, _d: obfuscate({ v: 1, wd }, { key, nonce }) };
      for (const version of ['1', '2']) {
        for (const headers of [{}, { 'sec-gpc': '1' }]) {
          const [ad] = await served(
            zone.id,
            { ...fields, _v: version },
            { headers: { ...headers } },
          );
          expect(ad?.webdriver).toBe(sealed);
        }
      }
    },
  );
});

describe('ad request that is wrong', () => {
  test.each([
    ['no zone', '', 422, 42200, 'validation_failed', ['zone_id']],
    ['unknown id', '?zone_id=999999999', 404, 40400, 'not_found', undefined],
    ['unknown key', '?zone=zone_nothere1', 404, 40400, 'not_found', undefined],
    ['not a reference', '?zone=%27%3B--', 404, 40400, 'not_found', undefined],
    ['limit 0', '?zone_id=1&limit=0', 422, 42200, 'validation_failed', ['limit']],
    ['limit 11', '?zone_id=1&limit=11', 422, 42200, 'validation_failed', ['limit']],
    [
      'numbers of programs',
      '?zone_id=1&limit=0x1&_v=%201',
      422,
      42200,
      'validation_failed',
      ['limit', '_v'],
    ],
    [
      'limit and version',
      '?zone_id=1&limit=x&_v=1.5',
      422,
      42200,
      'validation_failed',
      ['limit', '_v'],
    ],
    [
      'a parameter twice',
      '?zone_id=1&zone_id=2&limit=1&limit=2',
      422,
      42200,
      'validation_failed',
      ['zone_id', 'limit'],
    ],
    ['a list', '?zone_id[]=1&zone_id=1', 422, 42200, 'validation_failed', ['zone_id']],
    [
      'a list, encoded',
      '?zone_id=1&page_url%5B%5D=a%20b',
      422,
      42200,
      'validation_failed',
      ['page_url'],
    ],
  ])('%s · %s · %i', async (_what, query, status, code, error, fields) => {
    const answer = await ask(`${stand.url}/ad/request${query}`);
    expect(answer.status).toBe(status);
    expect(answer.body).toMatchObject({ code, data: { error } });
    expect(answer.body.data.request_id).toMatch(/^[0-9a-f]{32}$/);
    expect(answer.body.data.errors?.map((fault) => fault.field)).toEqual(fields);
    expect(answer.headers.get('access-control-allow-origin')).toBe('*');
  });

  const post = (body: string, type = 'application/json') =>
    ask(`${stand.url}/ad/request`, { method: 'POST', body, headers: { 'content-type': type } });

  test.each([
    ['not JSON', '{"zone_id":', 400, 40000],
    ['a list', '[1]', 400, 40000],
    ['null', 'null', 400, 40000],
    ['over 32 KB', `{"page_title":"${'x'.repeat(40_000)}"}`, 413, 41300],
    ['empty', '', 422, 42200],
    ['wrong types', '{"zone_id":{},"limit":[1],"page_url":{"a":1}}', 422, 42200],
  ])('POST · %s · refused', async (_what, body, status, code) => {
    const answer = await post(body);
    expect(answer.status).toBe(status);
    expect(answer.body.code).toBe(code);
  });

  test('POST · JSON, text/plain or a form · answers like GET', async () => {
    const { zone } = await scene();
    const json = JSON.stringify({ zone_id: zone.id, limit: 1, page_url: 'https://pub.example/' });
    for (const answer of [
      await post(json),
      await post(json, 'text/plain'),
      await post(`zone=${zone.zoneKey}`, 'application/x-www-form-urlencoded'),
      await post(`zone=${zone.zoneKey}`, 'Application/X-WWW-Form-URLEncoded; charset=UTF-8'),
    ]) {
      expect(answer.status).toBe(200);
      expect(answer.body.data.ads).toHaveLength(1);
    }
  });

  test('preflight · from any origin · is answered', async () => {
    const response = await fetch(`${stand.url}/ad/request`, {
      method: 'OPTIONS',
      headers: { origin: 'https://pub.example', 'access-control-request-method': 'POST' },
    });
    expect(response.status).toBe(204);
    expect(response.headers.get('access-control-allow-origin')).toBe('*');
    expect(response.headers.get('access-control-allow-credentials')).toBeNull();
  });
});

test('a parameter that is empty, and the cache’s own · count as absent on every route', async () => {
  const { zone } = await scene();
  const empty = ['limit', '_v', 'page_url', 'page_lang', 'seen', '_d', '_r', 'gdpr', 'coppa']
    .map((name) => `${name}=&_=17&${name}=`)
    .join('&');
  for (const way of [`?zone_id=&zone=${zone.zoneKey}`, `/${zone.id}?zone=`]) {
    const { status, body } = await ask(`${stand.url}/ad/request${way}&${empty}`);
    expect([way, status, body.data.ads.length, body.data._v]).toEqual([way, 200, 1, 1]);
  }
  const frame = await fetch(`${stand.url}/ad/render/${zone.id}?${empty}`, {
    headers: { 'user-agent': IPHONE },
  });
  expect([frame.status, (await frame.text()).includes('/track/click/')]).toEqual([200, true]);
  const vast = await fetch(`${stand.url}/ad/render/vast/${zone.id}?version=&v=&vast=&${empty}`);
  expect([vast.status, await vast.text()]).toEqual([200, expect.stringContaining('<VAST')]);
});

describe('what a page has just shown', () => {
  const winners = async (zoneId: number, seen: string): Promise<number[]> => {
    const url = `${stand.url}/ad/request?zone_id=${zoneId}&seen=${encodeURIComponent(seen)}`;
    const { data } = (await ask(url)).body;
    return data.ads.map((item) => Number(item['creative_id']));
  };

  test('seen · inside the window · another creative, or none; past it and forged ones say nothing', async () => {
    const { zone, publisher, creative } = await scene();
    const { data } = (await ask(`${stand.url}/ad/request?zone_id=${zone.id}`)).body;
    const id = String(data.ads[0]?.['id']);
    expect(await winners(zone.id, `0.${id}`)).toEqual([]);
    expect(await winners(zone.id, `64.${id}`)).toEqual([]);
    for (const past of [
      `65.${id}`,
      `.${id}`,
      `-1.${id}`,
      id,
      `0.${id}x`,
      '0.',
      ',,,',
      'x'.repeat(5_000),
    ]) {
      expect([past, await winners(zone.id, past)]).toEqual([past, [creative.id]]);
    }
    const rival = await makeAdvertiser(database.db, { balance: 100 });
    const lesser = await makeCampaignTree(database.db, rival.id, {
      campaign: { bidNanos: nanos(0.5) },
      revision: { width: zone.width },
    });
    await refresh(rival.id, { publisher, zone });
    expect(await winners(zone.id, '')).toEqual([creative.id]);
    expect(await winners(zone.id, `99999.${id},5.${id}`)).toEqual([lesser.creative.id]);
  });

  test('seen · of a page with many zones · is read as far as fifty', async () => {
    const { zone, creative } = await scene();
    const { data } = (await ask(`${stand.url}/ad/request?zone_id=${zone.id}`)).body;
    const id = String(data.ads[0]?.['id']);
    const winner = async (before: number): Promise<unknown[]> => {
      const seen = [...Array.from({ length: before }, () => `99.${id}`), `0.${id}`].join();
      const body = JSON.stringify({ zone_id: zone.id, seen });
      const answer = await ask(`${stand.url}/ad/request`, { method: 'POST', body });
      return answer.body.data.ads.map((item) => item['creative_id']);
    };
    expect(await winner(49)).toEqual([]);
    expect(await winner(50)).toEqual([creative.id]);
  });

  test('seen · with the window off · says nothing', async () => {
    const { zone, creative } = await scene();
    const { data } = (await ask(`${stand.url}/ad/request?zone_id=${zone.id}`)).body;
    const { settings } = stand.inventory.current();
    stand.inventory.applySettings({ ...settings, 'ad.impression_dedup_seconds': 0 });
    expect(await winners(zone.id, `0.${String(data.ads[0]?.['id'])}`)).toEqual([creative.id]);
    stand.inventory.applySettings(settings);
  });
});

describe('frequency caps', () => {
  const cap = { impressions: 2, window_seconds: 60, per: 'campaign' as const };

  test('cap of two · three requests of one viewer · the third gets no ad, another viewer does', async () => {
    const { zone } = await scene({ campaign: { frequencyCap: cap } });
    const agent = `${IPHONE} ${Math.random()}`;
    const address = `20.0.113.${1 + Math.floor(Math.random() * 200)}`;
    const filled = async (init: Parameters<typeof ask>[1]): Promise<boolean> => {
      const { body } = await ask(`${stand.url}/ad/request?zone_id=${zone.id}`, init);
      return body.data.ads.length === 1;
    };
    const served: boolean[] = [];
    for (let at = 0; at < 4; at += 1) {
      // Each answer's count is on the connection to Redis before the next request reads from it.
      served.push(await filled({ agent, address }));
    }
    expect(served).toEqual([true, true, false, false]);
    expect(await filled({ agent, address: '20.0.113.251' })).toBe(true);
  });

  test('ten an hour and two a day of one ad group · the hour is over · two a day still hold', async () => {
    const { zone, adGroup } = await scene({
      campaign: { frequencyCap: { impressions: 10, window_seconds: 3_600, per: 'adgroup' } },
      adGroup: { frequencyCap: { impressions: 2, window_seconds: 86_400, per: 'adgroup' } },
    });
    const from = { agent: `${IPHONE} ${Math.random()}`, address: '20.0.113.252' };
    const filled = async (): Promise<boolean> =>
      (await ask(`${stand.url}/ad/request?zone_id=${zone.id}`, from)).body.data.ads.length === 1;
    expect([await filled(), await filled(), await filled()]).toEqual([true, true, false]);
    const keys = await stand.redis.keys(`*:freq:adgroup:${adGroup.id}*`);
    const ends = await Promise.all(keys.map(async (key) => [key, await stand.redis.ttl(key)]));
    const hour = ends.filter(([, seconds]) => Number(seconds) <= 3_600).map(([key]) => String(key));
    expect([ends.length, hour.length]).toEqual([2, 1]);
    await stand.redis.del(hour);
    expect(await filled()).toBe(false);
  });

  test('HEAD · of whoever looks whether an address answers · is no ad request', async () => {
    const { zone } = await scene({ campaign: { frequencyCap: { ...cap, impressions: 1 } } });
    const from = { agent: `${IPHONE} ${Math.random()}`, address: '20.0.113.253' };
    for (const path of ['request?zone_id=', 'request/', 'render/', 'render/vast/', 'render/ad/']) {
      const url = `${stand.url}/ad/${path}${zone.id}`;
      const headers = { 'user-agent': from.agent, 'x-forwarded-for': from.address };
      const answer = await fetch(url, { method: 'HEAD', headers });
      expect([path, answer.status]).toEqual([path, 200]);
    }
    const { body } = await ask(`${stand.url}/ad/request?zone_id=${zone.id}`, from);
    expect(body.data.ads).toHaveLength(1);
  });

  test.each([
    ['Sec-GPC', '', { 'sec-gpc': '1' }],
    ['coppa', '&coppa=1', {}],
    ['us_privacy', '&us_privacy=1YYN', {}],
    ['gdpr without consent', '&gdpr=1', {}],
    ['gdpr with junk', '&gdpr=1&gdpr_consent=junk', {}],
    ['GPP of a US state', '&gpp=DBAA&gpp_sid=8', {}],
    ['GPP · targeting is opted out of', '&gpp=DBABLA~CVVpVVVVVQFU.QA&gpp_sid=7', {}],
    [
      'GPP · the EU’s section agrees to nothing',
      '&gpp=DBABMA~CPXxRfAPXxRfAAfKABENB-CgAAAAAAAAAAYgAAAAAAAA&gpp_sid=2',
      {},
    ],
    ['GPP · applies, without a string', '&gpp_sid=7', {}],
  ])('privacy · %s · nothing is counted, capped ads stay out', async (_what, query, headers) => {
    const { zone } = await scene({ campaign: { frequencyCap: cap } });
    const url = `${stand.url}/ad/request?zone_id=${zone.id}`;
    expect((await ask(url + query, { headers })).body.data.ads).toHaveLength(0);
  });

  test.each([
    ['nothing is opted out of', '&gpp=DBABLA~CVVqVVVVVQFU.QA&gpp_sid=7'],
    ['another section applies', '&gpp=DBABh4~BVpVVUFU~BVZVVRU&gpp_sid=8'],
    ['none applies', '&gpp=DBABLA~CVVpVVVVVQFU.QA&gpp_sid=-1'],
  ])('privacy · GPP · %s · capped ads are shown', async (_what, query) => {
    const { zone } = await scene({ campaign: { frequencyCap: cap } });
    const url = `${stand.url}/ad/request?zone_id=${zone.id}`;
    expect((await ask(url + query)).body.data.ads).toHaveLength(1);
  });
});

describe('the words of an ad', () => {
  test.each([
    ['&page_lang=de-AT', 'de', 'Anzeige', 'Anzeige schließen'],
    ['&page_lang=zh_TW', 'zh-Hant', '廣告', '關閉廣告'],
    ['&page_lang=%22%3E%3Cscript%3E', 'en', 'Advertisement', 'Close advertisement'],
    ['', 'en', 'Advertisement', 'Close advertisement'],
  ])('page_lang · %s · are %s', async (query, lang, ad, close) => {
    const { zone } = await scene({ ad: { title: null } });
    const { body } = await ask(`${stand.url}/ad/request?zone_id=${zone.id}&_v=2${query}`);
    expect(body.data.labels).toEqual({ lang, ad, close });
    const [item] = body.data.ads;
    const documents = [
      String(item?.['html']),
      ...(await Promise.all(
        [`ad/${String(item?.['id'])}?x=1`, `${zone.id}?x=1`].map(async (path) => {
          const headers = { 'user-agent': CHROME };
          const response = await fetch(`${stand.url}/ad/render/${path}${query}`, { headers });
          return await response.text();
        }),
      )),
    ];
    for (const html of documents) {
      expect(html).toMatch(/^<!doctype html><html lang=/);
      expect(html.slice(0, 40)).toContain(`<html lang=${lang}>`);
      expect(html).toContain(`alt="${ad}"`);
    }
  });
});

describe('GET /ad/render', () => {
  test('render · a zone with an ad · a document of its own with the sandbox as policy', async () => {
    const { zone } = await scene();
    const response = await fetch(`${stand.url}/ad/render/${zone.zoneKey}`);
    const html = await response.text();
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
    const policy = response.headers.get('content-security-policy') ?? '';
    expect(policy).toContain('sandbox allow-scripts allow-popups');
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain('frame-ancestors *');
    expect(policy).not.toContain('allow-same-origin');
    const trackId = /track\/impression\/([A-Za-z0-9_-]+)/.exec(html)?.[1] ?? '';
    expect(stand.sealer.open(trackId)).toMatchObject({ channel: 'render', protocol: 1 });
  });

  const wonIn = async (
    zoneId: number,
  ): Promise<{ trackId: string; key: string; url: string; item: Record<string, unknown> }> => {
    const { data } = (await ask(`${stand.url}/ad/request?zone_id=${zoneId}&_v=2`)).body;
    const [item] = data.ads;
    const trackId = String(item?.['id']);
    const url = `${stand.url}/ad/render/ad/${trackId}`;
    return { trackId, key: data.qa_k, url, item: item ?? {} };
  };
  const documentAt = async (
    url: string,
    agent = CHROME,
  ): Promise<{ status: number; html: string; policy: string }> => {
    const response = await fetch(url, { headers: { 'user-agent': agent } });
    const policy = response.headers.get('content-security-policy') ?? '';
    return { status: response.status, html: await response.text(), policy };
  };

  test('document · of an ad that was won · the same ad, its pixel signed by a key of its own', async () => {
    const { zone } = await scene();
    const { trackId, key, url, item } = await wonIn(zone.id);
    const { status, html, policy } = await documentAt(url);
    expect(status).toBe(200);
    expect(policy).toMatch(/^sandbox allow-scripts allow-popups/);
    expect(policy).not.toMatch(/allow-same-origin|allow-forms|font-src/);
    // Served by us it is asked for by the document's script, and without scripts stands as it does in `html`.
    const withoutPixel = (text: string): string =>
      text
        .replace(/<img class="p" data-src="[^>]*><noscript>(<img[^>]*>)<\/noscript>/, '$1')
        .replace(/qa_k=[^"]*/, '');
    expect(withoutPixel(html)).toBe(withoutPixel(String(item['html'])));
    const pixel = /src="([^"]*\/track\/impression\/[^"]*)"/.exec(html)?.[1] ?? '';
    const { pathname, searchParams } = new URL(pixel.replaceAll('&amp;', '&'));
    const own = searchParams.get('qa_k') ?? '';
    expect(own).not.toBe(key);
    const signed = { method: 'GET', path: pathname, params: searchParams };
    expect(isSignedBy(own, signed, searchParams.get('_s') ?? '')).toBe(true);
    const track = stand.sealer.open(trackId);
    const viewer = { uaHash: track?.uaHash ?? '' };
    const owner = { requestId: track?.requestId ?? '', viewer, now: new Date() };
    expect(stand.sessionKeys.checkSession(own, owner)).toBe('ok');

    const page = '1764000000000.abcdefghij_-ABCD.cGFnZQ';
    const click = `href="${TRACK_URL}/track/click/${trackId}`;
    expect((await documentAt(`${url}?_p=${page}`)).html).toContain(`${click}?_p=${page}"`);
    for (const bad of ['', '"><script>', 'a&b', 'x'.repeat(4_001)]) {
      const odd = await documentAt(`${url}?_p=${encodeURIComponent(bad)}`);
      expect(odd.html).toContain(`${click}"`);
    }
    const again = await documentAt(`${url}?again=1`);
    expect(again.html).toContain(`/track/click/${trackId}`);
    expect(again.html).not.toContain('/track/impression/');
    const response = await fetch(url, { headers: { 'user-agent': CHROME, origin: 'null' } });
    expect(response.headers.get('access-control-allow-origin')).toBeNull();
  });

  test('document · forged, of another browser, too late or withdrawn · is empty', async () => {
    const { zone, advertiser, creative } = await scene();
    const { trackId, url } = await wonIn(zone.id);
    const base = `${stand.url}/ad/render/ad`;
    const isEmpty = async (address: string, agent?: string): Promise<void> => {
      const { status, html, policy } = await documentAt(address, agent);
      expect([status, html.includes('<title>No ad</title>')]).toEqual([404, true]);
      expect(policy).toContain("default-src 'none'");
    };
    const forged = `${trackId.slice(0, -2)}${trackId.endsWith('AA') ? 'BB' : 'AA'}`;
    await isEmpty(`${base}/${forged}`);
    await isEmpty(`${base}/<script>`);
    await isEmpty(url, IPHONE);
    const track = stand.sealer.open(trackId);
    if (track === null) throw new Error('it was sealed here');
    await isEmpty(`${base}/${stand.sealer.seal({ ...track, issuedAt: track.issuedAt - 3_601 })}`);
    await isEmpty(`${base}/${stand.sealer.seal({ ...track, creativeId: track.creativeId + 1 })}`);
    await isEmpty(`${base}/${stand.sealer.seal({ ...track, zoneId: 999_999_999 })}`);
    await isEmpty(`${base}/${stand.sealer.seal({ ...track, advertiserId: 999_999_999 })}`);
    expect((await documentAt(url)).status).toBe(200);
    await creative.update({ status: 'PAUSED' }, { hooks: false });
    await stand.publish({ topic: 'advertiser', id: advertiser.id });
    await until(async () => (await documentAt(url)).status === 404);
  });

  test('document · of an advertiser’s code · may load what code loads, and stays sandboxed', async () => {
    const { zone } = await scene({
      creative: { creativeType: 'html', type: 'HTML' },
      revision: { imageMediaId: null, htmlCode: '<p>code</p>' },
    });
    const { policy, html } = await documentAt((await wonIn(zone.id)).url);
    expect(html).toContain('<iframe sandbox="allow-scripts');
    expect(policy).toMatch(/^sandbox allow-scripts/);
    expect(policy).toContain('font-src https: data:');
    expect(policy).not.toContain('allow-same-origin');
  });

  test('render · no ad · an empty document', async () => {
    const { zone } = await makePlace(database.db, { zone: { width: 1, height: 1 } });
    await stand.publish({ topic: 'publisher', id: zone.publisherId });
    await until(() => stand.inventory.current().zones.ofId(zone.id) !== undefined);
    const response = await fetch(`${stand.url}/ad/render/${zone.id}`);
    expect(response.status).toBe(200);
    expect(await response.text()).toContain('<title>No ad</title>');
  });

  test('render · unknown zone · 404 and an empty document', async () => {
    const response = await fetch(`${stand.url}/ad/render/zone_nothere1`);
    expect(response.status).toBe(404);
    expect(await response.text()).toContain('<title>No ad</title>');
  });
});

describe('serving counters', () => {
  test('counters · three requests, two filled · one row per zone and hour, added up', async () => {
    const { zone, publisher, site, campaign } = await scene();
    const url = `${stand.url}/ad/request?zone_id=${zone.id}`;
    await ask(url);
    await stand.counters.flush();
    await ask(url);
    await campaign.update({ status: 'PAUSED' }, { hooks: false });
    await stand.publish({ topic: 'advertiser', id: campaign.advertiserId });
    await until(
      () =>
        !stand.inventory
          .roster()
          .some((ad) => ad.campaign.id === campaign.id && ad.campaign.status === 'ACTIVE'),
    );
    await ask(url);
    await stand.counters.flush();
    const { rows } = await database.pool.query(
      `SELECT publisher_id, site_id, zone_id, sum(requests)::int AS requests, sum(filled)::int AS filled
       FROM rollup_zone_hours WHERE zone_id = $1 GROUP BY 1, 2, 3`,
      [zone.id],
    );
    expect(rows).toEqual([
      {
        publisher_id: String(publisher.id),
        site_id: String(site.id),
        zone_id: String(zone.id),
        requests: 3,
        filled: 2,
      },
    ]);
  });
});

describe('bytes of the answer', () => {
  test('ad request · texts of several scripts · is one line of JSON as it would be written whole', async () => {
    const title = 'Größe “日本” שלום 🚀';
    const { zone } = await scene({ ad: { title } });
    for (const query of ['', '&_v=2', '&zone=x%20y&page_title=a+b']) {
      const response = await fetch(`${stand.url}/ad/request?zone_id=${zone.id}${query}`, {
        headers: { 'x-forwarded-for': '20.0.113.7', 'user-agent': IPHONE },
      });
      const bytes = Buffer.from(await response.arrayBuffer());
      const body = JSON.parse(bytes.toString()) as { data: { ads: { title: string }[] } };
      expect(body.data.ads[0]?.title).toBe(title);
      expect(bytes.toString()).toBe(JSON.stringify(body));
      expect(response.headers.get('content-length')).toBe(String(bytes.length));
    }
  });
});

describe('without Express', () => {
  test('handlers · on a bare Node server · answer the same', async () => {
    const { zone } = await scene();
    const handlers = adHandlers(stand.deps);
    const server = createServer((req, res) => {
      void handlers.request(req, res, { zone_id: String(zone.id) });
    });
    await new Promise<void>((resolve) => {
      server.listen(0, '127.0.0.1', resolve);
    });
    const { body } = await ask(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
    expect(body.data.zone['code']).toBe(zone.zoneKey);
    expect(body.data.ads).toHaveLength(1);
    server.closeAllConnections();
    server.close();
  });
});
