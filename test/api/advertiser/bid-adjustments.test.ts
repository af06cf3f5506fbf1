import fc from 'fast-check';
import { CHROME, IPHONE } from '../../support/agents.ts';
import { ask } from '../../support/serving.ts';
import { until } from '../../support/until.ts';
import { makeAdvertiser, makeOperator } from '../../support/make/account.ts';
import { type CampaignTree, makeCampaignTree } from '../../support/make/campaign.ts';
import { nanos } from '../../support/make/money.ts';
import { makePlace } from '../../support/make/place.ts';
import { type Caller, dataOf, faultsOf } from '../../support/call.ts';
import { createStand, type FlowStand } from '../../support/stand.ts';

/** interface 2.4 from the request that saves it to the price that an ad is sealed with. */
/** By its notice: the look at everything comes every 30 s. How fast it is, the bench says. */
const SOON_MS = 10_000;
const IN_THE_US = '8.8.8.8';

let stand: FlowStand;

beforeAll(async () => {
  // With flows a notice is delivered when its request has committed, as in a whole process.
  stand = await createStand({ flows: {} });
  await stand.startServing();
});
afterAll(async () => await stand.close());

describe.each(['campaigns', 'adgroups'] as const)('%s · bid_adjustments saved', (noun) => {
  let owner: Caller;
  let path: string;
  let campaignId: number;

  beforeAll(async () => {
    const { id } = await makeAdvertiser(stand.database.db, { balance: 100 });
    const { campaign, adGroup } = await makeCampaignTree(stand.database.db, id);
    owner = stand.as('advertiser', id);
    campaignId = campaign.id;
    path = noun === 'campaigns' ? `/campaigns/${campaign.id}` : `/adgroups/${adGroup.id}`;
  });

  const put = async (adjustments: unknown) =>
    await owner.put(path, { bid_adjustments: adjustments });

  it.each([
    ['values in lower case', { geo: { us: 20 } }, { geo: { US: 20 } }],
    ['beyond both ends', { os: { ios: -100, android: 900 } }, { os: { IOS: -90, ANDROID: 500 } }],
    ['at both ends', { os: { IOS: -90, ANDROID: 500 } }, { os: { IOS: -90, ANDROID: 500 } }],
    ['a zero among others', { device: { MOBILE: 0, TABLET: 5 } }, { device: { TABLET: 5 } }],
    ['what cannot be parsed', { device: { MOBILE: 'much' }, os: { IOS: 3 } }, { os: { IOS: 3 } }],
    ['numbers as text', { geo: { DE: '-12.5' } }, { geo: { DE: -12.5 } }],
    [
      'all three',
      { device: { A: 1 }, geo: { B: 2 }, os: { C: 3 } },
      { device: { A: 1 }, geo: { B: 2 }, os: { C: 3 } },
    ],
    ['only zeros', { device: { MOBILE: 0 }, geo: {} }, null],
    ['an empty object', {}, null],
    ['null', null, null],
  ])('%s · answers and keeps the rule', async (_what, sent, kept) => {
    await put({ device: { DESKTOP: 77 } });
    const answer = await put(sent);
    expect(answer.status).toBe(200);
    expect(dataOf(answer)['bid_adjustments']).toEqual(kept);
    expect(dataOf(await owner.get(path))['bid_adjustments']).toEqual(kept);
  });

  it.each([
    [{ browser: { CHROME: 5 } }, ['bid_adjustments.browser unknown_field']],
    [{ DEVICE: { MOBILE: 5 } }, ['bid_adjustments.DEVICE unknown_field']],
    [{ geo: 5, os: [] }, ['bid_adjustments.geo type', 'bid_adjustments.os type']],
    ['twenty', ['bid_adjustments type']],
    [[], ['bid_adjustments type']],
  ])('%j · 422 names it, and what was kept stays', async (sent, faults) => {
    await put({ device: { DESKTOP: 77 } });
    const answer = await put(sent);
    expect(answer.status).toBe(422);
    expect(faultsOf(answer)).toEqual(faults);
    expect(dataOf(await owner.get(path))['bid_adjustments']).toEqual({
      device: { DESKTOP: 77 },
    });
  });

  it('an edit that does not speak of it · leaves it', async () => {
    await put({ device: { DESKTOP: 77 } });
    const answer = await owner.put(path, { name: 'Other' });
    expect(dataOf(answer)['bid_adjustments']).toEqual({ device: { DESKTOP: 77 } });
  });

  it('any percentages · saved and read · are within bounds, and saved again stay the same', async () => {
    const entries = fc.dictionary(
      fc.constantFrom('us', 'DE', ' fr ', 'mobile', 'iOS'),
      fc.oneof(fc.integer({ min: -1_000, max: 1_000 }), fc.double({ noNaN: true }), fc.string()),
      { maxKeys: 5 },
    );
    const adjustments = fc.record({ device: entries, geo: entries, os: entries });
    await fc.assert(
      fc.asyncProperty(adjustments, async (sent) => {
        const first = await put(sent);
        expect(first.status).toBe(200);
        const kept = dataOf(first)['bid_adjustments'] as Record<string, object> | null;
        const percents = Object.values(kept ?? {}).flatMap((each) => Object.entries(each));
        expect(kept === null).toBe(percents.length === 0);
        for (const [value, percent] of percents) {
          expect(value).toBe(value.trim().toUpperCase());
          expect(percent).not.toBe(0);
          expect(Math.abs((percent as number) - 205)).toBeLessThanOrEqual(295);
        }
        expect(dataOf(await put(kept))['bid_adjustments']).toEqual(kept);
      }),
      { numRuns: 25 },
    );
  });

  it('at creation · by the same rule', async () => {
    const parent =
      noun === 'campaigns' ? { ad_type: 'BANNER', bid: 1 } : { campaign_id: campaignId };
    const answer = await owner.post(`/${noun}`, {
      ...parent,
      name: 'New',
      bid_adjustments: { geo: { us: 600, de: 0 } },
    });
    expect(answer.status).toBe(201);
    expect(dataOf(answer)['bid_adjustments']).toEqual({ geo: { US: 500 } });
  });
});

describe('bid_adjustments · at serving', () => {
  let tree: CampaignTree;
  let owner: Caller;
  let zoneId: number;

  beforeAll(async () => {
    const { id } = await makeAdvertiser(stand.database.db, { balance: 100 });
    owner = stand.as('advertiser', id);
    // A size of its own: nobody else bids here.
    tree = await makeCampaignTree(stand.database.db, id, { revision: { width: 777 } });
    const { zone, publisher } = await makePlace(stand.database.db, { zone: { width: 777 } });
    zoneId = zone.id;
    await stand.publish({ topic: 'advertiser', id });
    await stand.publish({ topic: 'publisher', id: publisher.id });
    await until(() => stand.inventory.current().zones.ofId(zoneId) !== undefined);
    await until(async () => (await priceOf()) !== undefined);
  });

  /** Of one impression, in nanos; undefined when no ad is shown. A desktop with Windows in the US. */
  async function priceOf(agent = CHROME): Promise<bigint | undefined> {
    const url = `${stand.url}/ad/request?zone_id=${zoneId}`;
    const { body } = await ask(url, { address: IN_THE_US, agent });
    return stand.sealer.open(String(body.data.ads[0]?.['id']))?.priceNanos;
  }

  const put = async (noun: 'campaigns' | 'adgroups', fields: object): Promise<void> => {
    const id = noun === 'campaigns' ? tree.campaign.id : tree.adGroup.id;
    const answer = await owner.put(`/${noun}/${id}`, fields);
    expect(answer.status).toBe(200);
  };

  it('first price switched on by an operator · is what serving charges by its notice', async () => {
    expect(await priceOf()).toBe(nanos(0.000_1) + 1n);
    const admin = stand.as('admin', (await makeOperator(stand.database.db, 'ADMIN')).id);
    expect((await admin.put('/settings/ad.first_price', { value: true })).status).toBe(200);
    await until({ withinMs: SOON_MS }, async () => (await priceOf()) === 2_000_000n);
  });

  it.each([
    ['none', null, null, 2_000_000n],
    ['one of the campaign', { device: { desktop: 50 } }, null, 3_000_000n],
    [
      'all three of the campaign, summed',
      { device: { DESKTOP: 10 }, geo: { US: 20 }, os: { WINDOWS: -5 } },
      null,
      2_500_000n,
    ],
    ['a sum of -120, none shown', { device: { DESKTOP: -60 }, geo: { US: -60 } }, null, undefined],
    [
      'its own on the ad group, not one of the campaign',
      { device: { DESKTOP: 50 }, geo: { US: 400 } },
      { os: { WINDOWS: 100 } },
      4_000_000n,
    ],
    [
      'one of its own that does not match, still not the campaign',
      { device: { DESKTOP: 50 } },
      { os: { IOS: 100 } },
      2_000_000n,
    ],
    ['an empty one on the ad group, the campaign', { geo: { US: 25 } }, {}, 2_500_000n],
  ])('%s · prices by its notice', async (_what, campaign, adGroup, price) => {
    await put('campaigns', { bid_adjustments: campaign });
    await put('adgroups', { bid_adjustments: adGroup });
    await until({ withinMs: SOON_MS }, async () => (await priceOf()) === price);
  });

  it('an entry of another device · does not touch this one', async () => {
    await put('adgroups', { bid_adjustments: null });
    await put('campaigns', { bid_adjustments: { device: { MOBILE: 300 } } });
    await until({ withinMs: SOON_MS }, async () => (await priceOf(IPHONE)) === 8_000_000n);
    expect(await priceOf()).toBe(2_000_000n);
  });
});
