import { makeAdvertiser } from '../../support/make/account.ts';
import { makeCampaignTree } from '../../support/make/campaign.ts';
import { nanos } from '../../support/make/money.ts';
import { makePlace } from '../../support/make/place.ts';
import { createStand, type Stand } from '../../support/stand.ts';

/** How many open zones could show a campaign (interface 4.2). */
let stand: Stand;

beforeAll(async () => {
  stand = await createStand();
  const { db } = stand.database;
  const zone = { width: 300, height: 250 };
  await makePlace(db, { zone });
  await makePlace(db, { zone: { ...zone, floorPriceCpmNanos: nanos(3) } });
  await makePlace(db, { zone: { ...zone, pricingTypes: 'CPC' } });
  await makePlace(db, { zone: { width: 728, height: 90 } });
  await makePlace(db, { zone: { type: 'NATIVE' } });
  // None of these is open.
  await makePlace(db, { zone: { ...zone, status: 'PAUSED' } });
  await makePlace(db, { zone: { ...zone, auditStatus: 'PENDING' } });
  await makePlace(db, { zone, site: { status: 'PAUSED' } });
  const { publisher } = await makePlace(db, { zone });
  await publisher.update({ status: 'SUSPENDED' }, { hooks: false });
});
afterAll(async () => await stand?.close());

async function reachOf(
  options: Parameters<typeof makeCampaignTree>[2] = {},
): Promise<{ status: number; data: unknown; id: number }> {
  const { db } = stand.database;
  const { id: advertiserId } = await makeAdvertiser(db);
  const { campaign } = await makeCampaignTree(db, advertiserId, options);
  const caller = stand.as('advertiser', advertiserId);
  const { status, body } = await caller.get(`/campaigns/${campaign.id}/zone-reach`);
  return { status, data: body.data, id: campaign.id };
}

const KEPT_MS = 60_000;
const REACH = { open: 5, of_kind: 4, of_size: 3, of_pricing: 2, at_price: 1 };

test('a campaign · zones of other kinds, sizes, prices, and closed ones · each rule says what it leaves', async () => {
  const { status, data } = await reachOf();
  expect([status, data]).toEqual([
    200,
    { ...REACH, missing_sizes: [{ width: 728, height: 90, zones: 1 }] },
  ]);
});

test.each([
  ['an ad group bids more', { adGroup: { bidNanos: nanos(3) } }, { at_price: 2 }],
  ['it pays for clicks', { campaign: { pricingModel: 'CPC' } }, { of_pricing: 3, at_price: 3 }],
  ['it pays for actions', { campaign: { pricingModel: 'CPA' } }, { of_pricing: 2, at_price: null }],
  ['its only ad is archived', { ad: { status: 'ARCHIVED' } }, { of_kind: 4, of_size: 4 }],
  ['a creative that waits for review', { creative: { approvedRevision: null } }, REACH],
] as const)('a campaign · %s · is counted by that', async (_what, options, expected) => {
  expect((await reachOf(options as object)).data).toMatchObject(expected);
});

test('another’s campaign · asked for · is not found', async () => {
  const { id } = await reachOf();
  const other = stand.as('advertiser', (await makeAdvertiser(stand.database.db)).id);
  const { status, body } = await other.get(`/campaigns/${id}/zone-reach`);
  expect([status, body.data]).toMatchObject([404, { error: 'not_found' }]);
});

test('open zones · asked about again and again · are counted once a minute for all', async () => {
  stand.passTime(KEPT_MS);
  const [first, second] = await Promise.all([reachOf(), reachOf()]);
  await makePlace(stand.database.db, { zone: { width: 300, height: 250 } });
  const third = await reachOf();
  for (const { data } of [first, second, third]) expect(data).toMatchObject(REACH);
  stand.passTime(KEPT_MS);
  expect((await reachOf()).data).toMatchObject({ open: REACH.open + 1 });
});
