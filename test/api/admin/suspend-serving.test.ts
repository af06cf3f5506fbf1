import { ask } from '../../support/serving.ts';
import { until } from '../../support/until.ts';
import type { Caller } from '../../support/call.ts';
import { makeAdvertiser, makeOperator } from '../../support/make/account.ts';
import { makeCampaignTree } from '../../support/make/campaign.ts';
import { makePlace } from '../../support/make/place.ts';
import { createStand, type FlowStand } from '../../support/stand.ts';

/** From an operator's request to the ad that is no longer served. */
const SOON_MS = 10_000;

let stand: FlowStand;
let admin: Caller;

beforeAll(async () => {
  // With flows a notice is delivered when its request has committed, as in a whole process.
  stand = await createStand({ flows: {} });
  await stand.startServing();
  admin = stand.as('admin', (await makeOperator(stand.database.db, 'ADMIN')).id);
});
afterAll(async () => await stand.close());

let width = 7_000;
async function scene() {
  width += 1;
  const advertiser = await makeAdvertiser(stand.database.db, { balance: 100 });
  await makeCampaignTree(stand.database.db, advertiser.id, { revision: { width } });
  const { zone, publisher } = await makePlace(stand.database.db, { zone: { width } });
  await stand.publish({ topic: 'advertiser', id: advertiser.id });
  await stand.publish({ topic: 'publisher', id: publisher.id });
  const ads = async (): Promise<number> => {
    const { status, body } = await ask(`${stand.url}/ad/request?zone_id=${zone.id}`);
    return status === 200 ? body.data.ads.length : 0;
  };
  await until({ withinMs: SOON_MS * 5 }, async () => (await ads()) === 1);
  return { advertisers: advertiser.id, publishers: publisher.id, ads };
}

const move = async (path: string) => (await admin.post(`/${path}`, {})).status;

it.each(['advertisers', 'publishers'] as const)(
  'one of the %s · suspended, then restored · serving stops, and goes on, by a notice each',
  async (realm) => {
    const place = await scene();
    expect(await move(`${realm}/${place[realm]}/suspend`)).toBe(200);
    await until({ withinMs: SOON_MS }, async () => (await place.ads()) === 0);
    expect(await move(`${realm}/${place[realm]}/restore`)).toBe(200);
    await until({ withinMs: SOON_MS }, async () => (await place.ads()) === 1);
  },
);

it('a suspension · of one advertiser · leaves the others served', async () => {
  const [one, other] = [await scene(), await scene()];
  expect(await move(`advertisers/${one.advertisers}/suspend`)).toBe(200);
  await until({ withinMs: SOON_MS }, async () => (await one.ads()) === 0);
  expect(await other.ads()).toBe(1);
});
