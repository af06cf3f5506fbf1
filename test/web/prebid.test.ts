import type { Browser, Page } from 'playwright-core';
import { bidder, type BidRequest } from '../../web/prebid/adapter.ts';
import { launchBrowser } from '../support/browser.ts';
import { type Listener, startListener } from '../support/listener.ts';
import { makeAdvertiser } from '../support/make/account.ts';
import { makeCampaignTree } from '../support/make/campaign.ts';
import { makePlace } from '../support/make/place.ts';
import {
  type AdUnit,
  bidsFor,
  buildPrebid,
  drawBid,
  PREBID_SCRIPTS,
  type PrebidBid,
} from '../support/prebid.ts';
import { ask } from '../support/serving.ts';
import { createStand, type Stand } from '../support/stand.ts';
import { until } from '../support/until.ts';

/** The bidder inside Prebid.js 11 itself, in Chromium, over our ad server. */
const WIDTH = 300;

let stand: Stand;
let browser: Browser;
/** The publisher's site, and where tracks are said to be. */
let site: Listener;
let scripts: Record<string, string>;
let zoneKey: string;
const tracked: string[] = [];

beforeAll(async () => {
  scripts = await buildPrebid();
  site = await startListener((req, res) => {
    const url = req.url ?? '';
    if (url.startsWith('/track/')) tracked.push(url);
    const [type, body] = answerTo(url);
    res.writeHead(200, { 'Content-Type': type }).end(body);
  });
  stand = await createStand({ env: { TRACK_URL: site.url, CDN_URL: site.url } });
  await stand.startServing();
  browser = await launchBrowser('');
  zoneKey = await soldZone();
}, 120_000);

afterAll(async () => {
  await browser?.close();
  await stand?.close();
  await site?.close();
});

beforeEach(() => {
  tracked.length = 0;
});

function answerTo(url: string): [string, string] {
  const script = scripts[url];
  if (script !== undefined) return ['text/javascript', script];
  if (url === '/') return ['text/html', PAGE];
  return ['image/gif', ''];
}

const PAGE = `<!doctype html><title>Publisher</title>${PREBID_SCRIPTS}`;

/** Of a width of its own, so that none but these creatives fit it. */
async function soldZone(width = WIDTH, creatives = 1): Promise<string> {
  const { db } = stand.database;
  for (let made = 0; made < creatives; made += 1) {
    const advertiser = await makeAdvertiser(db, { balance: 100 });
    await makeCampaignTree(db, advertiser.id, { revision: { width, height: 250 } });
    await stand.publish({ topic: 'advertiser', id: advertiser.id });
  }
  const { zone, publisher } = await makePlace(db, { zone: { width } });
  await stand.publish({ topic: 'publisher', id: publisher.id });
  await until('the zone is sold', async () => {
    const answer = await ask(`${stand.url}/ad/request?zone_id=${zone.id}&limit=10`);
    return answer.status === 200 && answer.body.data.ads.length === creatives;
  });
  return zone.zoneKey;
}

/** Of one unit of its own. */
const bidsOf = async (page: Page, unit: AdUnit): Promise<PrebidBid[]> =>
  (await bidsFor(page, [unit])).flat();

async function opened(): Promise<Page> {
  const page = await browser.newPage();
  await page.goto(site.url);
  return page;
}

describe('the bidder in Prebid.js', () => {
  test('a sold zone · bids the publisher’s own price; drawn, it is counted and seen', async () => {
    const page = await opened();
    expect(await page.evaluate('pbjs.version')).toMatch(/^v?11\./);
    const params = { zone: zoneKey, base: stand.url, cpm: 1.25, currency: 'USD' };
    const bids = await bidsOf(page, { params });
    expect(bids).toHaveLength(1);
    expect(bids[0]).toMatchObject({ cpm: 1.25, currency: 'USD', width: WIDTH, height: 250 });
    expect(bids[0]?.adUrl).toMatch(/\/ad\/render\/ad\/[\w-]+$/);
    // A bid is no impression.
    expect(tracked).toEqual([]);
    await drawBid(page, bids[0] as PrebidBid);
    await until('it is counted', () => tracked.some((url) => url.startsWith('/track/impression/')));
    await until('it is seen', () => tracked.some((url) => url.startsWith('/track/view/')));
    const ad = await until('it is drawn', () =>
      page.frames().find((frame) => frame.url().includes('/ad/render/ad/')),
    );
    expect(await ad.evaluate('origin')).toBe('null');
    expect(await ad.textContent('.g')).toBe('AD');
    await page.close();
  });

  test.each([
    ['a person’s', {}, { fingerprint: expect.stringMatching(/^[0-9a-f]{10}$/) as string }],
    ['one that asks for privacy', { globalPrivacyControl: true }, { fingerprint: undefined }],
    ['an automated one', { webdriver: true }, { webdriver: true }],
  ])('the browser is %s · is sealed with the ad', async (_what, said, sealed) => {
    const page = await browser.newPage();
    for (const [name, value] of Object.entries(said)) {
      await page.addInitScript(`Object.defineProperty(navigator,'${name}',{value:${value}})`);
    }
    await page.goto(site.url);
    const [bid] = await bidsOf(page, { params: { zone: zoneKey, base: stand.url, cpm: 1 } });
    const track = stand.sealer.open(bid?.adUrl.split('/').at(-1) ?? '');
    expect({ fingerprint: undefined, ...track }).toMatchObject(sealed);
    await page.close();
  });

  test('another size, no such zone, no ad, wrong parameters · no bid', async () => {
    const page = await opened();
    const params = { zone: zoneKey, base: stand.url, cpm: 1 };
    expect(await bidsOf(page, { params, width: 970 })).toEqual([]);
    expect(await bidsOf(page, { params: { ...params, zone: 'zone_nothere1' } })).toEqual([]);
    const { zone } = await makePlace(stand.database.db, { zone: { width: 728 } });
    expect(await bidsOf(page, { params: { ...params, zone: zone.zoneKey } })).toEqual([]);
    expect(await bidsOf(page, { params: { ...params, cpm: 0 } })).toEqual([]);
    expect(tracked).toEqual([]);
    await page.close();
  });
});

describe('one page · never draws one creative twice', () => {
  const two = { width: 320 } as const;
  let keyOfTwo: string;
  beforeAll(async () => {
    keyOfTwo = await soldZone(two.width, 2);
  });
  const unitOf = (code: string, zone = keyOfTwo): AdUnit => ({
    ...two,
    code,
    params: { zone, base: stand.url, cpm: 1 },
  });
  const creatives = (bids: PrebidBid[][]): (string | undefined)[] =>
    bids.map(([bid]) => bid?.creativeId);

  test('three units of one zone with two creatives · two bid, each another one', async () => {
    const page = await opened();
    const found = creatives(
      await bidsFor(
        page,
        ['a', 'b', 'c'].map((code) => unitOf(code)),
      ),
    );
    expect(found.filter((id) => id !== undefined)).toHaveLength(2);
    expect(new Set(found).size).toBe(3);
    await page.close();
  });

  test('two zones that the same creative fits · one auction · one of them bids it', async () => {
    const page = await opened();
    const width = 336;
    const { zone, publisher } = await makePlace(stand.database.db, { zone: { width } });
    await stand.publish({ topic: 'publisher', id: publisher.id });
    const units = [zone.zoneKey, await soldZone(width)].map((key) => unitOf(key, key));
    const found = await bidsFor(
      page,
      units.map((unit) => ({ ...unit, width })),
    );
    expect(found.flat()).toHaveLength(1);
    await page.close();
  });

  test('a refresh · of what was drawn · is another one, then none', async () => {
    const page = await opened();
    const [first = [], second = [], third] = await [1, 2, 3].reduce<Promise<PrebidBid[][]>>(
      async (before) => {
        const bids = await before;
        const found = await bidsOf(page, unitOf('a'));
        if (found[0] !== undefined) await drawBid(page, found[0]);
        return [...bids, found];
      },
      Promise.resolve([]),
    );
    expect(new Set(creatives([first, second])).size).toBe(2);
    expect([first.length, second.length, third]).toEqual([1, 1, []]);
    await page.close();
  });

  test('a refresh · of a bid that was not drawn · may be bid again', async () => {
    const page = await opened();
    for (let round = 0; round < 3; round += 1) {
      expect(await bidsFor(page, [unitOf('a'), unitOf('b')])).toEqual([
        [expect.anything()],
        [expect.anything()],
      ]);
    }
    await page.close();
  });

  test('a unit that comes later · does not get what another may still draw', async () => {
    const page = await opened();
    const found = [await bidsOf(page, unitOf('a')), await bidsOf(page, unitOf('b'))];
    expect(new Set(creatives(found)).size).toBe(2);
    expect(await bidsOf(page, unitOf('c'))).toEqual([]);
    await page.close();
  });
});

describe('the bidder by itself', () => {
  const spec = bidder((zone, isPrivate) => ({
    _r: 'nonce',
    _d: isPrivate ? 'next to nothing' : `of ${zone}`,
  }));
  const bid: BidRequest = {
    bidId: 'bid-1',
    params: { zone: 'zone_a1', base: 'https://ads.example', cpm: 2 },
    mediaTypes: { banner: { sizes: [[300, 250]] } },
  };

  test.each([
    ['no zone', { ...bid, params: { ...bid.params, zone: '' } }],
    ['a zone that is no key', { ...bid, params: { ...bid.params, zone: 'a&b=1' } }],
    ['no base', { ...bid, params: { zone: 'zone_a1', cpm: 2 } }],
    ['a base with a path', { ...bid, params: { ...bid.params, base: 'https://ads.example/x' } }],
    ['a base that is no address', { ...bid, params: { ...bid.params, base: 'javascript:1' } }],
    ['no price', { ...bid, params: { zone: 'zone_a1', base: 'https://ads.example' } }],
    ['a price of nothing', { ...bid, params: { ...bid.params, cpm: -1 } }],
    ['no banner', { bidId: bid.bidId, params: bid.params }],
  ])('%s · is no valid bid', (_what, request) => {
    expect(spec.isBidRequestValid(request)).toBe(false);
    expect(spec.isBidRequestValid(bid)).toBe(true);
  });

  test('what the visitor has said of privacy · goes with the request', () => {
    const [request] = spec.buildRequests([bid], {
      refererInfo: { page: 'https://pub.example/a' },
      gdprConsent: { gdprApplies: true, consentString: 'CP' },
      gppConsent: { gppString: 'DB', applicableSections: [7, 8] },
      uspConsent: '1YYN',
      ortb2: { regs: { coppa: 1 } },
    });
    expect(request?.url).toBe('https://ads.example/ad/request');
    expect(request?.options).toEqual({ withCredentials: false });
    expect(request?.data).toEqual({
      zone: 'zone_a1',
      limit: '1',
      _v: '1',
      _r: 'nonce',
      _d: 'next to nothing',
      page_url: 'https://pub.example/a',
      gdpr: '1',
      gdpr_consent: 'CP',
      gpp: 'DB',
      gpp_sid: '7,8',
      us_privacy: '1YYN',
      coppa: '1',
    });
  });

  test.each([
    ['Canada', 5, 'next to nothing'],
    ['the US', 7, 'next to nothing'],
    ['none that says anything of it', 3, 'of zone_a1'],
  ])('a section of %s applies · says of the device %s: %s', (_what, section, said) => {
    const gppConsent = { gppString: 'DB', applicableSections: [section] };
    const [request] = spec.buildRequests([bid], { gppConsent });
    expect(request?.data['_d']).toBe(said);
  });

  test('a floor above the price · is not asked for', () => {
    const asked = (floor: number): number => {
      const getFloor = function (this: BidRequest) {
        expect(this.bidId).toBe('bid-1');
        return { floor, currency: 'USD' };
      };
      return spec.buildRequests([{ ...bid, getFloor }], {}).length;
    };
    expect([asked(1.99), asked(2), asked(2.01)]).toEqual([1, 1, 0]);
  });

  test('an answer that is refused or of another form · is no bid', () => {
    const [request] = spec.buildRequests([bid], {});
    if (request === undefined) throw new Error('it is asked');
    const bodies = [null, {}, { code: 40_400 }, { code: 0, data: {} }];
    for (const answer of [{}, ...bodies.map((body) => ({ body }))]) {
      expect(spec.interpretResponse(answer, request)).toEqual([]);
    }
  });
});
