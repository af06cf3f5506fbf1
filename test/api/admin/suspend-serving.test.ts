import { Router } from 'express';
import supertest from 'supertest';
import { createDispatcher } from '../../../activities/core/dispatch.ts';
import { createActivities } from '../../../activities/index.ts';
import { createOutbox } from '../../../activities/core/outbox.ts';
import { composeProviders } from '../../../activities/providers/compose.ts';
import { adminAccountRoutes } from '../../../api/admin/accounts.ts';
import { createTestDatabase, serviceUrl, type TestDatabase } from '../../support/database.ts';
import { ask, type ServingStand, startServing } from '../../support/serving.ts';
import { took, until } from '../../support/until.ts';
import { makeAdvertiser, makeOperator } from '../../support/make/account.ts';
import { makeCampaignTree } from '../../support/make/campaign.ts';
import { makePlace } from '../../support/make/place.ts';
import { createTestApp, type TestApp } from '../../support/app.ts';
import { testApp } from '../../support/mounts.ts';

/** From an operator's request to the ad that is no longer served. */
const SOON_MS = 1_000;

let database: TestDatabase;
let testConsole: TestApp;
let stand: ServingStand;
let app: ReturnType<typeof testApp>;
let bearer: { Authorization: string };

beforeAll(async () => {
  database = await createTestDatabase();
  testConsole = await createTestApp(database, { realTime: true });
  stand = await startServing({ sql: database.pool, redisUrl: serviceUrl('REDIS_URL') });
  const { deps } = testConsole;
  deliverAtOnce(deps);
  const admin = Router().use(deps.auth.require('admin'), adminAccountRoutes(deps));
  app = testApp({ '/api/admin': admin });
  const id = (await makeOperator(database.db, 'ADMIN')).id;
  const { token } = deps.auth.issue('admin', { id, tokenVersion: 1 });
  bearer = { Authorization: `Bearer ${token}` };
});
afterAll(async () => {
  await stand.close();
  await testConsole.close();
  await database.close();
});

/** As api/server.ts composes it: what a request committed is published when it has committed. */
function deliverAtOnce(deps: TestApp['deps']): void {
  const { db, log, clock, config } = deps;
  const dispatcher = createDispatcher({
    db,
    redis: stand.redis,
    // A notice to serving never reaches Temporal.
    temporal: {} as Parameters<typeof createDispatcher>[0]['temporal'],
    log,
    onUpdateRefused: () => Promise.resolve(),
  });
  const outbox = createOutbox(db, (outboxId) => {
    void dispatcher.dispatch(outboxId);
  });
  const providers = composeProviders(config);
  deps.activities = createActivities({ db, outbox, log, clock, providers });
}

let width = 7_000;
async function scene() {
  width += 1;
  const advertiser = await makeAdvertiser(database.db, { balance: 100 });
  await makeCampaignTree(database.db, advertiser.id, { revision: { width } });
  const { zone, publisher } = await makePlace(database.db, { zone: { width } });
  await stand.publish({ topic: 'advertiser', id: advertiser.id });
  await stand.publish({ topic: 'publisher', id: publisher.id });
  const ads = async (): Promise<number> => {
    const { status, body } = await ask(`${stand.url}/ad/request?zone_id=${zone.id}`);
    return status === 200 ? body.data.ads.length : 0;
  };
  await until({ withinMs: SOON_MS * 5 }, async () => (await ads()) === 1);
  return { advertisers: advertiser.id, publishers: publisher.id, ads };
}

const move = async (path: string) =>
  (await supertest(app).post(`/api/admin/${path}`).set(bearer).send({})).status;

it.each(['advertisers', 'publishers'] as const)(
  'one of the %s · suspended, then restored · serving stops, and goes on, within a second each',
  async (realm) => {
    const place = await scene();
    expect(await move(`${realm}/${place[realm]}/suspend`)).toBe(200);
    expect(
      await took(() => until({ withinMs: SOON_MS }, async () => (await place.ads()) === 0)),
    ).toBeLessThan(SOON_MS);
    expect(await move(`${realm}/${place[realm]}/restore`)).toBe(200);
    expect(
      await took(() => until({ withinMs: SOON_MS }, async () => (await place.ads()) === 1)),
    ).toBeLessThan(SOON_MS);
  },
);

it('a suspension · of one advertiser · leaves the others served', async () => {
  const [one, other] = [await scene(), await scene()];
  expect(await move(`advertisers/${one.advertisers}/suspend`)).toBe(200);
  await until({ withinMs: SOON_MS }, async () => (await one.ads()) === 0);
  expect(await other.ads()).toBe(1);
});
