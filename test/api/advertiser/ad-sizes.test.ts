import type { Caller } from '../../support/call.ts';
import { makeCampaignTree } from '../../support/make/campaign.ts';
import { fundAdvertiser, UNIT } from '../../support/make/money.ts';
import { makePlace } from '../../support/make/place.ts';
import { createStand, type Stand } from '../../support/stand.ts';

/** An ad that no open place can take for its size is told so; the auction's own rule says which. */
let stand: Stand;
let buyer: Caller;

beforeAll(async () => {
  stand = await createStand();
  buyer = await stand.newAdvertiser();
  await fundAdvertiser(stand.database.db, buyer.id, 10n * UNIT);
  const { db } = stand.database;
  await makePlace(db, { zone: { type: 'BANNER', width: 300, height: 250 } });
  await makePlace(db, { zone: { type: 'INTERSTITIAL', width: 640, height: 480 } });
  const { zone } = await makePlace(db, { zone: { type: 'BANNER', width: 728, height: 90 } });
  await stand.database.pool.query(`UPDATE zones SET status = 'PAUSED' WHERE id = $1`, [zone.id]);
});
afterAll(async () => await stand.close());

const ODD = 'NO_ZONE_OF_ITS_SIZE';

async function reasonsOf(path: string, id: number): Promise<string[][]> {
  const shown = (await buyer.get(`${path}/${id}`)) as { body: { data: Answer } };
  const listed = (await buyer.get(path)) as { body: { data: { items: Answer[] } } };
  const row = listed.body.data.items.find((each) => each.id === id);
  return [shown.body.data.delivery_reasons, row?.delivery_reasons ?? ['is not in its list']];
}
interface Answer {
  id: number;
  delivery_reasons: string[];
}

test.each([
  ['BANNER', 300, 250, false],
  ['BANNER', 640, 480, true],
  ['BANNER', 250, 300, true],
  // There is such a zone, and it is paused.
  ['BANNER', 728, 90, true],
  ['BANNER', null, null, false],
  ['RESPONSIVE', 640, 480, false],
  ['INTERSTITIAL', 300, 250, false],
  // Nobody has a zone of this type: what keeps it out is not its size.
  ['POPUP', 640, 480, false],
] as const)('%s · a creative of %s × %s · odd: %s', async (adType, width, height, isOdd) => {
  const { db } = stand.database;
  const { campaign, adGroup, ad } = await makeCampaignTree(db, buyer.id, {
    campaign: { adType },
    revision: { width, height },
  });
  const odd = isOdd ? [ODD] : [];
  for (const [path, id] of [
    ['/campaigns', campaign.id],
    ['/adgroups', adGroup.id],
    ['/ads', ad.id],
  ] as const) {
    const kept = (await reasonsOf(path, id)).map((reasons) =>
      reasons.filter((reason) => reason !== 'NO_ZONE_TAKES_IT'),
    );
    expect([path, ...kept]).toEqual([path, odd, odd]);
  }
});

test('a campaign with one ad of a usual size · serves by it', async () => {
  const { db } = stand.database;
  const { campaign, adGroup } = await makeCampaignTree(db, buyer.id, {
    revision: { width: 640, height: 480 },
  });
  expect(await reasonsOf('/campaigns', campaign.id)).toEqual([[ODD], [ODD]]);
  const { ad } = await makeCampaignTree(db, buyer.id, {});
  await stand.database.pool.query(
    'UPDATE ads SET campaign_id = $1, adgroup_id = $2 WHERE id = $3',
    [campaign.id, adGroup.id, ad.id],
  );
  expect(await reasonsOf('/campaigns', campaign.id)).toEqual([[], []]);
});
