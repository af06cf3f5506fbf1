import type { ZoneType } from '../../../domain/zone-settings.ts';
import { CDN_URL, TRACK_URL } from '../../support/serving.ts';
import { find, readNodes, vastFaults, type VastNode } from '../../support/vast-rules.ts';
import { until } from '../../support/until.ts';
import { makeAdvertiser } from '../../support/make/account.ts';
import { makeCampaignTree } from '../../support/make/campaign.ts';
import { nanos } from '../../support/make/money.ts';
import { makePlace } from '../../support/make/place.ts';
import { createStand, type Stand } from '../../support/stand.ts';

let stand: Stand;
let country = 0;

beforeAll(async () => {
  stand = await createStand({ env: { TRACK_URL, CDN_URL } });
  await stand.startServing();
});
afterAll(async () => await stand.close());

const OWN_DOCUMENT = `<VAST version="3.0"><Ad id="9"><InLine><AdSystem>theirs</AdSystem>
  <Impression><![CDATA[https://count.example/i]]></Impression><Creatives><Creative><Linear>
  <Duration>00:00:20</Duration><VideoClicks><ClickThrough>https://steer.example/</ClickThrough></VideoClicks>
  <MediaFiles><MediaFile delivery="progressive" type="video/webm" width="320" height="180">https://files.example/a.webm</MediaFile></MediaFiles>
  </Linear></Creative></Creatives></InLine></Ad></VAST>`;
const OTHER_SERVER =
  '<VAST version="2.0"><Ad id="9"><Wrapper><AdSystem>x</AdSystem><VASTAdTagURI>https://other.example/v?a=1&amp;b=2</VASTAdTagURI><Impression>https://count.example/w</Impression></Wrapper></Ad></VAST>';

type Tree = NonNullable<Parameters<typeof makeCampaignTree>[2]>;
interface SceneOptions {
  zoneType?: ZoneType;
  settings?: object;
  adType?: string;
  pricingModel?: 'CPC' | 'CPV';
  seconds?: number | null;
  /** Instead of a stored file. */
  vastXml?: string;
  vastUrl?: string;
  companion?: boolean;
  ads?: number;
  title?: null;
}

/** Each scene is alone by a floor that only its own bids reach: the later one pays more. */
async function scene(options: SceneOptions = {}) {
  const { db } = stand.database;
  country += 1;
  const bid = nanos(country * 10);
  const isFile = options.vastXml === undefined && options.vastUrl === undefined;
  const advertisers: number[] = [];
  for (let at = 0; at < (options.ads ?? 1); at += 1) {
    const { id } = await makeAdvertiser(db, { balance: 10_000 });
    advertisers.push(id);
    const video = await db.models.media.create({
      advertiserId: id,
      type: 'VIDEO',
      mime: 'video/mp4',
      width: 640,
      height: 360,
      bytes: 300_000,
      durationS: options.seconds === undefined ? 12.5 : options.seconds,
      sha256: `s${country}-${at}`,
      path: `vi/${'ab'.repeat(15)}${String(country * 10 + at).padStart(2, '0')}.mp4`,
    });
    const tree: Tree = {
      campaign: {
        adType: options.adType ?? options.zoneType ?? 'VIDEO',
        pricingModel: options.pricingModel ?? 'CPM',
        bidNanos: bid,
      },
      creative: { creativeType: isFile ? 'video' : 'vast', type: 'VIDEO' },
      revision: {
        width: null,
        height: null,
        ...(options.companion === true ? {} : { imageMediaId: null }),
        videoMediaId: isFile ? video.id : null,
        vastXml: options.vastXml ?? null,
        vastUrl: options.vastUrl ?? null,
      },
      ad: {
        title: options.title === null ? null : 'A <title>',
        description: 'Words & more',
        brandName: 'Brand',
      },
    };
    await makeCampaignTree(db, id, tree);
  }
  const place = await makePlace(db, {
    zone: {
      type: options.zoneType ?? 'VIDEO',
      ...(options.settings === undefined ? {} : { settings: options.settings }),
      floorPriceCpmNanos: options.pricingModel === undefined ? bid - nanos(1) : 0n,
    },
  });
  for (const id of advertisers) await stand.publish({ topic: 'advertiser', id });
  await stand.publish({ topic: 'publisher', id: place.publisher.id });
  await until(() => stand.inventory.current().zones.ofId(place.zone.id) !== undefined);
  await until(() => {
    const loaded = new Set(stand.inventory.roster().map((ad) => ad.advertiser.id));
    return advertisers.every((id) => loaded.has(id));
  });
  return { ...place, advertisers, zoneId: place.zone.id };
}

async function vast(
  ref: string | number,
  query = '',
  headers: Record<string, string> = {},
): Promise<{ status: number; headers: Headers; xml: string; root: VastNode }> {
  const response = await fetch(`${stand.url}/ad/render/vast/${ref}${query}`, {
    headers: { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) Chrome/140.0.0.0', ...headers },
  });
  const xml = await response.text();
  const [root] = readNodes(xml);
  if (root === undefined) throw new Error(`no document: ${xml.slice(0, 200)}`);
  expect(vastFaults(xml)).toEqual([]);
  return { status: response.status, headers: response.headers, xml, root };
}
const one = (root: VastNode, name: string): VastNode => {
  const [node] = find(root, name);
  if (node === undefined) throw new Error(`no ${name}`);
  return node;
};
const trackOf = (root: VastNode) => {
  const url = find(root, 'Impression')[0]?.text ?? '';
  const id = /\/track\/impression\/([^?]+)\?cb=\[CACHEBUSTING\]$/.exec(url)?.[1] ?? '';
  return stand.sealer.open(id);
};

describe('GET /ad/render/vast/{zone_id}', () => {
  test.each(['2.0', '4.2'])(
    'version %s · a stored file · is announced as it was probed',
    async (version) => {
      const { zone, zoneId } = await scene({ companion: true });
      for (const ref of [zoneId, zone.zoneKey]) {
        const { status, headers, root } = await vast(ref, `?version=${version}`);
        expect(status).toBe(200);
        expect(headers.get('content-type')).toBe('application/xml; charset=utf-8');
        expect(headers.get('cache-control')).toBe('no-store');
        expect(root.attributes['version']).toBe(version);
        expect(one(root, 'AdTitle').text).toBe('A <title>');
        expect(one(root, 'Duration').text).toBe(version === '2.0' ? '00:00:13' : '00:00:12.500');
        expect(one(root, 'MediaFile')).toMatchObject({
          text: expect.stringMatching(`^${CDN_URL}/media/vi/`) as string,
          attributes: { type: 'video/mp4', width: '640', height: '360', bitrate: '192' },
        });
        expect(one(root, 'StaticResource').attributes['creativeType']).toBe('image/png');
        expect(trackOf(root)).toMatchObject({
          channel: 'vast',
          protocol: 1,
          zoneId,
          viewSeconds: 12,
        });
        expect(one(root, 'ClickThrough').text).toMatch(`${TRACK_URL}/track/click/`);
      }
    },
  );

  test('the version · by each of its names · is understood; another one is 400 and empty', async () => {
    const { zoneId } = await scene();
    const written = async (query: string) => (await vast(zoneId, query)).root.attributes['version'];
    expect(await written('')).toBe('4.2');
    const behindPage = '?page_url=https://pub.example/?a=1&version=2';
    for (const query of ['?v=2', '?vast=2.0', '?version=2', behindPage])
      expect(await written(query)).toBe('2.0');
    for (const query of ['?v=4', '?vast=4.2', '?version='])
      expect(await written(query)).toBe('4.2');
    for (const query of ['?version=3.0', '?v=5', '?version=__proto__', '?vast=%00']) {
      const { status, root } = await vast(zoneId, query);
      expect([status, find(root, 'Ad').length]).toEqual([400, 0]);
    }
  });

  test('no ad · in a zone that nobody buys · is an empty document with 200', async () => {
    const { zoneId } = await scene({ seconds: null });
    const modern = await vast(zoneId);
    expect([modern.status, find(modern.root, 'Ad')]).toEqual([200, []]);
    expect(one(modern.root, 'Error').text).toBe(
      `${TRACK_URL}/track/vast-error/no-ad?code=[ERRORCODE]`,
    );
    const old = await vast(zoneId, '?v=2');
    expect([old.status, old.root.children]).toEqual([200, []]);
  });

  test('a zone · of pictures · has nothing for a player; one that nobody has is 404', async () => {
    const { zone } = await makePlace(stand.database.db, {});
    await stand.publish({ topic: 'publisher', id: zone.publisherId });
    await until(() => stand.inventory.current().zones.ofId(zone.id) !== undefined);
    expect((await vast(zone.id)).status).toBe(200);
    expect(find((await vast(zone.id)).root, 'Ad')).toEqual([]);
    for (const ref of ['999999999', 'zone_nothing1', 'x', '%00']) {
      expect((await vast(ref)).status).toBe(404);
    }
    expect((await vast(zone.id, '?limit=11')).status).toBe(422);
  });

  test('an own document · is written anew: its file, its beacons, our click', async () => {
    const { zoneId } = await scene({ vastXml: OWN_DOCUMENT });
    const { xml, root } = await vast(zoneId);
    expect(one(root, 'MediaFile').text).toBe('https://files.example/a.webm');
    expect(one(root, 'Duration').text).toBe('00:00:20');
    expect(find(root, 'Impression').map(({ text }) => text)).toContain('https://count.example/i');
    expect(xml).not.toContain('steer.example');
    expect(one(root, 'AdSystem').text).toBe('adplatform');
    expect(trackOf(root)).toMatchObject({ viewSeconds: 20 });
  });

  test.each([
    ['own document', { vastXml: OTHER_SERVER }, 'https://other.example/v?a=1&b=2'],
    ['address', { vastUrl: 'https://staff.example/tag' }, 'https://staff.example/tag'],
  ])('a wrapper by its %s · leads on, and its length is nobody’s', async (_name, source, tag) => {
    const { zoneId } = await scene(source);
    const { root } = await vast(zoneId);
    expect(one(root, 'VASTAdTagURI').text).toBe(tag);
    expect(one(root, 'Wrapper').attributes['followAdditionalWrappers']).toBe('true');
    expect(trackOf(root)?.viewSeconds).toBeUndefined();
  });

  test.each(['CPC', 'CPV'] as const)(
    'a wrapper · bought by %s · is not shown: nobody can verify it',
    async (pricingModel) => {
      const { zoneId } = await scene({ vastXml: OTHER_SERVER, pricingModel });
      const tags = find((await vast(zoneId)).root, 'VASTAdTagURI').map(({ text }) => text);
      expect(tags).not.toContain('https://other.example/v?a=1&b=2');
    },
  );

  test('a document of VAST · on a page · is not an ad there: a page has no player for it', async () => {
    const { zoneId } = await scene({ vastXml: OWN_DOCUMENT });
    expect(find((await vast(zoneId)).root, 'Ad')).toHaveLength(1);
    const page = await fetch(`${stand.url}/ad/request?zone_id=${zoneId}`);
    expect(((await page.json()) as { data: { ads: unknown[] } }).data.ads).toEqual([]);
  });

  test('a document that is no good any more · is not shown and disturbs nothing', async () => {
    const { zoneId } = await scene({ vastXml: '<!DOCTYPE x><VAST/>' });
    expect(find((await vast(zoneId)).root, 'Ad')).toEqual([]);
  });

  test.each(['2.0', '4.2'])(
    'version %s · ads without a title · are called so in the page’s language, one and a pod',
    async (version) => {
      const { zoneId } = await scene({ ads: 2, title: null });
      const titles = async (query: string): Promise<string[]> => {
        const { root } = await vast(zoneId, `?version=${version}${query}`);
        return find(root, 'AdTitle').map(({ text }) => text);
      };
      expect(await titles('')).toEqual(['Advertisement']);
      expect(await titles('&page_lang=fr')).toEqual(['Publicité']);
      expect(await titles('&page_lang=ar&limit=2')).toEqual(['إعلان', 'إعلان']);
    },
  );

  test('limit 2 · two buyers · is a pod in order', async () => {
    const { zoneId } = await scene({ ads: 2 });
    const { root } = await vast(zoneId, '?limit=2');
    expect(find(root, 'Ad').map(({ attributes }) => attributes['sequence'])).toEqual(['1', '2']);
    expect(find((await vast(zoneId)).root, 'Ad')[0]?.attributes['sequence']).toBeUndefined();
  });

  test('a rewarded zone · that lets skip after 5 s · says so to the player', async () => {
    const settings = { rewarded: { skippable_after_seconds: 5 } };
    const { zoneId } = await scene({ zoneType: 'REWARDED', settings });
    expect(one((await vast(zoneId)).root, 'Linear').attributes['skipoffset']).toBe('00:00:05');
  });

  test('a player · of any origin, with credentials or without · may read the answer', async () => {
    const { zoneId } = await scene();
    const from = await vast(zoneId, '', { origin: 'https://pages.example' });
    expect(from.headers.get('access-control-allow-origin')).toBe('https://pages.example');
    expect(from.headers.get('access-control-allow-credentials')).toBe('true');
    expect(from.headers.get('vary')).toBe('Origin');
    const direct = await vast(zoneId);
    expect(direct.headers.get('access-control-allow-origin')).toBe('*');
    expect(direct.headers.get('access-control-allow-credentials')).toBeNull();
    expect(direct.headers.get('set-cookie')).toBeNull();
  });
});
