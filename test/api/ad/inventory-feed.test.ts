import { request as httpRequest } from 'node:http';
import type pg from 'pg';
import { explainAuction } from '../../../domain/auction/explain.ts';
import type { NoBidReason } from '../../../domain/auction/types.ts';
import { openPool } from '../../../db/postgres.ts';
import { type Cuttable, cuttable } from '../../support/cuttable.ts';
import { createTestDatabase, serviceUrl, type TestDatabase } from '../../support/database.ts';
import { ask, type ServingStand, startServing } from '../../support/serving.ts';
import { pause, until } from '../../support/until.ts';
import { makeAdvertiser } from '../../support/make/account.ts';
import { type CampaignTree, makeCampaignTree } from '../../support/make/campaign.ts';
import { fundAdvertiser, nanos } from '../../support/make/money.ts';
import { makePlace } from '../../support/make/place.ts';

let database: TestDatabase;
let postgres: Cuttable;
let redis: Cuttable;
let pool: pg.Pool;
let stand: ServingStand;

beforeAll(async () => {
  database = await createTestDatabase();
  postgres = await cuttable(database.url);
  redis = await cuttable(serviceUrl('REDIS_URL'));
  pool = openPool({ url: postgres.url, poolMax: 4, applicationName: 'serving' });
  stand = await startServing({ sql: pool, redisUrl: redis.url });
});

afterAll(async () => {
  await stand.close();
  await pool.end();
  await postgres.close();
  await redis.close();
  await database.close();
});

let width = 3_000;
interface Scene extends CampaignTree {
  advertiserId: number;
  publisherId: number;
  zoneId: number;
  siteId: number;
}

async function scene(options: Parameters<typeof makeCampaignTree>[2] = {}): Promise<Scene> {
  width += 1;
  const advertiser = await makeAdvertiser(database.db, { balance: 100 });
  const tree = await makeCampaignTree(database.db, advertiser.id, {
    ...options,
    revision: { width, ...options.revision },
  });
  const { zone, site, publisher } = await makePlace(database.db, { zone: { width } });
  await stand.publish({ topic: 'advertiser', id: advertiser.id });
  await stand.publish({ topic: 'publisher', id: publisher.id });
  const built = {
    ...tree,
    advertiserId: advertiser.id,
    publisherId: publisher.id,
    zoneId: zone.id,
    siteId: site.id,
  };
  await until(() => stand.inventory.current().zones.ofId(zone.id) !== undefined);
  await until(() => hasAd(built));
  return built;
}

async function hasAd({ zoneId }: { zoneId: number }): Promise<boolean> {
  const { body } = await ask(`${stand.url}/ad/request?zone_id=${zoneId}`);
  return body.data.ads.length > 0;
}

const hasNoAd = async (place: Scene): Promise<boolean> => !(await hasAd(place));

/** Whether a load that began at this moment or later has ended; `at` is of performance.now. */
const hasLoadedSince = (at: number): boolean => {
  const { ageSeconds } = stand.feed.stats();
  return ageSeconds !== null && performance.now() - ageSeconds * 1_000 >= at;
};

/** Why the scene's ad is not shown now, by the auction's own account. */
function reasonOf({ zoneId, ad }: Scene): NoBidReason | undefined {
  const snapshot = stand.inventory.current();
  const zone = snapshot.zones.ofId(zoneId);
  if (zone === undefined) throw new Error('zone is not loaded');
  const viewer = { country: 'US', device: 'DESKTOP', os: 'WINDOWS', browser: 'CHROME' } as const;
  const terms = { zone, viewer, now: new Date(), roll: 0.5, limit: 1, firstPrice: false };
  return explainAuction(stand.inventory.roster(), terms).refusals.get(ad.id);
}

/** By its notice: the look at everything comes every 30 s. How fast it is, the bench says. */
const SOON_MS = 10_000;

describe('what an owner, reviewer or operator changes', () => {
  const changes: [string, (place: Scene) => Promise<unknown>, NoBidReason][] = [
    [
      'campaign paused',
      ({ campaign }) => campaign.update({ status: 'PAUSED' }, { hooks: false }),
      'CAMPAIGN_STATUS',
    ],
    [
      'campaign back in review',
      ({ campaign }) => campaign.update({ auditStatus: 'PENDING' }, { hooks: false }),
      'CAMPAIGN_AUDIT',
    ],
    [
      'ad group paused',
      ({ adGroup }) => adGroup.update({ status: 'PAUSED' }, { hooks: false }),
      'ADGROUP_STATUS',
    ],
    [
      'ad group rejected',
      ({ adGroup }) => adGroup.update({ auditStatus: 'REJECTED' }, { hooks: false }),
      'ADGROUP_AUDIT',
    ],
    ['ad paused', ({ ad }) => ad.update({ status: 'PAUSED' }, { hooks: false }), 'AD_STATUS'],
    [
      'ad as draft, which has no approved revision',
      ({ ad }) => ad.update({ auditStatus: 'DRAFT', approvedRevision: null }, { hooks: false }),
      'AD_AUDIT',
    ],
    [
      'creative paused',
      ({ creative }) => creative.update({ status: 'PAUSED' }, { hooks: false }),
      'CREATIVE_STATUS',
    ],
    [
      'approval withdrawn',
      ({ creative }) => creative.update({ approvedRevision: null }),
      'CREATIVE_AUDIT',
    ],
    [
      'advertiser suspended',
      ({ advertiserId }) =>
        database.db.models.accounts.update(
          { status: 'SUSPENDED' },
          { hooks: false, where: { id: advertiserId } },
        ),
      'ADVERTISER_SUSPENDED',
    ],
    ['bid lowered to nothing', ({ campaign }) => campaign.update({ bidNanos: 0n }), 'ZERO_BID'],
    ['flight over', ({ campaign }) => campaign.update({ endDate: '2020-01-01' }), 'SCHEDULE'],
    [
      'other countries only',
      ({ adGroup }) => adGroup.update({ targetCountries: ['DE'] }),
      'TARGET_COUNTRY',
    ],
    ['a smaller revision', ({ revision }) => revision.update({ width: 1 }), 'SIZE'],
    [
      'a budget of nothing',
      ({ campaign }) => campaign.update({ dailyBudgetNanos: 0n }),
      'BUDGET_DAILY',
    ],
  ];

  test.each(changes)(
    '%s · published · serving stops by its notice, by name',
    async (_what, change, reason) => {
      const place = await scene();
      await change(place);
      await stand.publish({ topic: 'advertiser', id: place.advertiserId });
      await until({ withinMs: SOON_MS }, () => hasNoAd(place));
      expect(reasonOf(place)).toBe(reason);
    },
  );

  test('resume · published · serves again by its notice', async () => {
    const place = await scene();
    for (const [status, state] of [
      ['PAUSED', hasNoAd],
      ['ACTIVE', hasAd],
    ] as const) {
      await place.campaign.update({ status }, { hooks: false });
      await stand.publish({ topic: 'advertiser', id: place.advertiserId });
      await until({ withinMs: SOON_MS }, () => state(place));
    }
  });

  test('archived campaign · published · is forgotten altogether', async () => {
    const place = await scene();
    await place.campaign.update({ status: 'ARCHIVED' }, { hooks: false });
    await stand.publish({ topic: 'advertiser', id: place.advertiserId });
    await until({ withinMs: SOON_MS }, () => hasNoAd(place));
    expect(stand.inventory.roster().some((ad) => ad.adId === place.ad.id)).toBe(false);
  });

  test('an edit that waits for review · published · the approved revision keeps serving', async () => {
    const place = await scene();
    await database.db.models.creativeRevisions.create({
      creativeId: place.creative.id,
      revision: 2,
      width: 1,
      height: 1,
      auditStatus: 'PENDING',
    });
    await place.creative.update({ latestRevision: 2, auditStatus: 'PENDING' }, { hooks: false });
    const publishedAt = performance.now();
    await stand.publish({ topic: 'advertiser', id: place.advertiserId });
    await until(() => hasLoadedSince(publishedAt));
    expect(await hasAd(place)).toBe(true);
  });

  test.each([
    [
      'zone paused',
      (place: Scene) =>
        database.db.models.zones.update(
          { status: 'PAUSED' },
          { hooks: false, where: { id: place.zoneId } },
        ),
    ],
    [
      'site suspended',
      (place: Scene) =>
        database.db.models.sites.update(
          { auditStatus: 'SUSPENDED' },
          { hooks: false, where: { id: place.siteId } },
        ),
    ],
    [
      'publisher suspended',
      (place: Scene) =>
        database.db.models.accounts.update(
          { status: 'SUSPENDED' },
          { hooks: false, where: { id: place.publisherId } },
        ),
    ],
  ])('%s · published · no ad by its notice', async (_what, change) => {
    const place = await scene();
    await change(place);
    await stand.publish({ topic: 'publisher', id: place.publisherId });
    await until({ withinMs: SOON_MS }, () => hasNoAd(place));
  });

  test('first price · switched on by an operator · is charged by its notice', async () => {
    const place = await scene();
    const { settings: Setting } = database.db.models;
    const priceOf = async (): Promise<bigint | undefined> => {
      const { body } = await ask(`${stand.url}/ad/request?zone_id=${place.zoneId}`);
      return stand.sealer.open(String(body.data.ads[0]?.['id']))?.priceNanos;
    };
    expect(await priceOf()).toBe(nanos(0.000_1) + 1n);
    await Setting.upsert({ key: 'ad.first_price', value: true });
    await stand.publish({ topic: 'settings' });
    await until({ withinMs: SOON_MS }, async () => (await priceOf()) === nanos(0.002));
    await Setting.destroy({ where: { key: 'ad.first_price' } });
    await stand.publish({ topic: 'settings' });
    await until({ withinMs: SOON_MS }, async () => (await priceOf()) === nanos(0.000_1) + 1n);
  });
});

describe('what settlement tells', () => {
  const today = (): string => new Date().toISOString().slice(0, 10);
  const nothing = () => ({ day: today(), available: {}, campaigns: {}, adgroups: {} });

  const SPENT_TODAY = `INSERT INTO budget_days (scope, scope_id, day, cap_nanos, spent_nanos)
    VALUES ($1, $2, (now() AT TIME ZONE 'UTC')::date, $3, $3)`;

  test('daily budget spent · noticed · stops at once; another day does not', async () => {
    const place = await scene({ campaign: { dailyBudgetNanos: nanos(5) } });
    const neighbour = await scene({ campaign: { dailyBudgetNanos: nanos(5) } });
    const spentOf = ({ campaign }: Scene) => ({
      [campaign.id]: { today: nanos(5).toString(), total: nanos(5).toString() },
    });
    await stand.publish({
      topic: 'budgets',
      budgets: { ...nothing(), day: '2020-01-01', campaigns: spentOf(place) },
    });
    // Notices come in the order of their publishing: when this one has been taken, so was that one.
    await stand.publish({
      topic: 'budgets',
      budgets: { ...nothing(), campaigns: spentOf(neighbour) },
    });
    await until({ withinMs: SOON_MS }, () => hasNoAd(neighbour));
    expect(await hasAd(place)).toBe(true);
    await stand.publish({
      topic: 'budgets',
      budgets: { ...nothing(), campaigns: spentOf(place) },
    });
    await until({ withinMs: SOON_MS }, () => hasNoAd(place));
    expect(reasonOf(place)).toBe('BUDGET_DAILY');
  });

  test('total budget and ad group budget spent · noticed · stop by their names', async () => {
    const total = await scene({ campaign: { totalBudgetNanos: nanos(5) } });
    const group = await scene({ adGroup: { dailyBudgetNanos: nanos(1) } });
    await stand.publish({
      topic: 'budgets',
      budgets: {
        ...nothing(),
        campaigns: { [total.campaign.id]: { today: '0', total: nanos(5).toString() } },
        adgroups: { [group.adGroup.id]: nanos(1).toString() },
      },
    });
    await until(
      { withinMs: SOON_MS },
      async () => (await hasNoAd(total)) && (await hasNoAd(group)),
    );
    expect([reasonOf(total), reasonOf(group)]).toEqual(['BUDGET_TOTAL', 'ADGROUP_BUDGET']);
  });

  test('balance gone, then a deposit · noticed, then reloaded · stops and serves again', async () => {
    const place = await scene();
    await stand.publish({
      topic: 'budgets',
      budgets: { ...nothing(), available: { [place.advertiserId]: '0' } },
    });
    await until({ withinMs: SOON_MS }, () => hasNoAd(place));
    expect(reasonOf(place)).toBe('BALANCE');
    await fundAdvertiser(database.db, place.advertiserId, nanos(10));
    await stand.publish({ topic: 'advertiser', id: place.advertiserId });
    await until({ withinMs: SOON_MS }, () => hasAd(place));
  });

  test('spend in the database · loaded · counts without a notice', async () => {
    const place = await scene({ campaign: { dailyBudgetNanos: nanos(5) } });
    await pool.query(SPENT_TODAY, ['campaign', place.campaign.id, nanos(5).toString()]);
    await stand.publish({ topic: 'advertiser', id: place.advertiserId });
    await until({ withinMs: SOON_MS }, () => hasNoAd(place));
    expect(reasonOf(place)).toBe('BUDGET_DAILY');
  });

  test('money moved in the database · never noticed · counts after the next look at everything', async () => {
    const day = await scene({ campaign: { dailyBudgetNanos: nanos(5) } });
    const group = await scene({ adGroup: { dailyBudgetNanos: nanos(5) } });
    const total = await scene({ campaign: { totalBudgetNanos: nanos(5) } });
    const rich = await scene();
    const paused = await scene();
    const available = { [rich.advertiserId]: '0' };
    await stand.publish({ topic: 'budgets', budgets: { ...nothing(), available } });
    await until({ withinMs: SOON_MS }, () => hasNoAd(rich));
    redis.cut();
    // One look has brought these advertisers; the next one finds them as they were, money aside.
    await paused.campaign.update({ status: 'PAUSED' }, { hooks: false });
    await until({ withinMs: 8_000 }, () => hasNoAd(paused));
    expect(await hasAd(rich)).toBe(true);
    const budget = nanos(5).toString();
    await pool.query(SPENT_TODAY, ['campaign', day.campaign.id, budget]);
    await pool.query(SPENT_TODAY, ['adgroup', group.adGroup.id, budget]);
    await pool.query(
      'INSERT INTO campaign_totals (campaign_id, cap_nanos, spent_nanos) VALUES ($1, $2, $2)',
      [total.campaign.id, budget],
    );
    await until({ withinMs: 8_000 }, async () => {
      for (const place of [day, group, total]) if (await hasAd(place)) return false;
      return true;
    });
    redis.mend();
    await until({ withinMs: 10_000 }, () => stand.feed.stats().notices && stand.redis.isReady);
    expect([day, group, total].map(reasonOf)).toEqual([
      'BUDGET_DAILY',
      'ADGROUP_BUDGET',
      'BUDGET_TOTAL',
    ]);
    expect(await hasAd(rich)).toBe(true);
  });

  test('unreadable notices · published · change nothing', async () => {
    const place = await scene();
    for (const junk of [
      '',
      '{',
      'null',
      '{"topic":"budgets"}',
      '{"topic":"advertiser","id":"x"}',
    ]) {
      await stand.redis.publish('adp:inventory', junk);
    }
    await stand.redis.publish(
      'adp:inventory',
      JSON.stringify({ topic: 'budgets', budgets: { day: 'x', available: { 1: 'much' } } }),
    );
    expect(await hasAd(place)).toBe(true);
    await place.campaign.update({ status: 'PAUSED' }, { hooks: false });
    await stand.publish({ topic: 'advertiser', id: place.advertiserId });
    await until({ withinMs: SOON_MS }, () => hasNoAd(place));
  });
});

describe('when a store is away', () => {
  test('Redis cut · requests go on · changes arrive by reload, then by notice again', async () => {
    const place = await scene();
    const capped = await scene({
      campaign: { frequencyCap: { impressions: 9, window_seconds: 60, per: 'campaign' } },
    });
    redis.cut();
    await until(() => !stand.feed.stats().notices && !stand.redis.isReady);
    expect(await hasAd(place)).toBe(true);
    expect(await hasNoAd(capped)).toBe(true);
    expect(reasonOf(capped)).toBe('FREQUENCY_UNKNOWN');
    await place.campaign.update({ status: 'PAUSED' }, { hooks: false });
    await until({ withinMs: 8_000 }, () => hasNoAd(place));
    redis.mend();
    await until({ withinMs: 10_000 }, () => stand.feed.stats().notices && stand.redis.isReady);
    await place.campaign.update({ status: 'ACTIVE' }, { hooks: false });
    await stand.publish({ topic: 'advertiser', id: place.advertiserId });
    await until({ withinMs: 2_000 }, () => hasAd(place));
    await until({ withinMs: 2_000 }, () => hasAd(capped));
  });

  test('PostgreSQL cut · requests go on and its age is told · catches up when it is back', async () => {
    const place = await scene();
    postgres.cut();
    await stand.publish({ topic: 'advertiser', id: place.advertiserId });
    await until(() => stand.feed.stats().failures > 0);
    expect(await hasAd(place)).toBe(true);
    await database.db.models.campaigns.update(
      { status: 'PAUSED' },
      { hooks: false, where: { id: place.campaign.id } },
    );
    await until(() => (stand.feed.stats().ageSeconds ?? 0) > 1);
    await stand.counters.flush();
    postgres.mend();
    await until({ withinMs: 5_000 }, () => hasNoAd(place));
    expect(stand.feed.stats()).toMatchObject({ failures: 0, notices: true });
    await stand.counters.flush();
    const { rows } = await database.pool.query<{ requests: string }>(
      'SELECT sum(requests) AS requests FROM rollup_zone_hours WHERE zone_id = $1',
      [place.zoneId],
    );
    expect(Number(rows[0]?.requests)).toBeGreaterThan(1);
  });

  test('never loaded · a request · is unavailable, not "unknown zone"', async () => {
    const dead = await startServing({
      sql: { query: () => Promise.reject(new Error('connection refused')) },
      redisUrl: serviceUrl('REDIS_URL'),
    });
    const answer = await ask(`${dead.url}/ad/request?zone_id=1`);
    expect(answer.status).toBe(503);
    expect(answer.body).toMatchObject({ code: 50300, data: { error: 'unavailable' } });
    const frame = await fetch(`${dead.url}/ad/render/1`);
    expect(frame.status).toBe(503);
    await dead.close();
  });

  test('client leaves in the middle of its body · nothing is answered or logged, others go on', async () => {
    const place = await scene();
    await new Promise<void>((resolve) => {
      const call = httpRequest(`${stand.url}/ad/request`, {
        method: 'POST',
        headers: { 'content-length': '100' },
      });
      call.on('error', () => resolve());
      call.write('{"zone_id":');
      void pause(50, 'the first bytes arrive').then(() => call.destroy());
    });
    expect(await hasAd(place)).toBe(true);
  });
});
