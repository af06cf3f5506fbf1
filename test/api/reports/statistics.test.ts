import type { Caller } from '../../support/call.ts';
import type { TestDatabase } from '../../support/database.ts';
import { makePublisher } from '../../support/make/account.ts';
import { makeSite, makeZone } from '../../support/make/place.ts';
import { createStand, type Stand } from '../../support/stand.ts';

/** About when everything here was seen; each call comes a second later. */
const NOW = Date.parse('2026-11-21T12:00:00Z');

/** No conversion of these days waited for its advertiser. */
const NOTHING_HELD = {
  pending_conversions: 0,
  approved_conversions: 0,
  rejected_conversions: 0,
  pending_spend: 0,
  approved_spend: 0,
  rejected_spend: 0,
};

describe('reports', () => {
  let stand: Stand;
  let database: TestDatabase;
  let buyer: Caller;
  let otherBuyer: Caller;
  let seller: Caller;
  let otherSeller: Caller;
  let campaigns: number[];
  let siteId: number;
  let zones: number[];

  beforeAll(async () => {
    stand = await createStand({ realTime: true });
    ({ database } = stand);
    stand.passTime(NOW - Date.now());
    const newPublisher = async () => stand.as('publisher', (await makePublisher(database.db)).id);
    [buyer, otherBuyer] = [await stand.newAdvertiser(), await stand.newAdvertiser()];
    [seller, otherSeller] = [await newPublisher(), await newPublisher()];
    await fill();
  });
  afterAll(async () => {
    await stand.close();
  });

  /** Three hours around the turn of a day, two campaigns, two zones; and somebody else's rows. */
  async function fill(): Promise<void> {
    const campaign = async (advertiserId: number, name: string) =>
      (
        await database.db.models.campaigns.create({
          advertiserId,
          name,
          adType: 'BANNER',
          bidNanos: 1n,
        })
      ).id;
    campaigns = [
      await campaign(buyer.id, 'Autumn'),
      await campaign(buyer.id, 'Winter'),
      await campaign(otherBuyer.id, 'Foreign'),
    ];
    const site = await makeSite(database.db, seller.id, { name: 'News' });
    siteId = site.id;
    zones = [
      (await makeZone(database.db, site, { name: 'Top' })).id,
      (await makeZone(database.db, site)).id,
    ];
    const [autumn, winter, foreign] = campaigns;
    // hour, owner, campaign, impressions, clicks, conversions, removed, spend
    const ads: unknown[][] = [
      ['2026-11-19T23:00:00Z', buyer.id, autumn, 1_000, 10, 1, 5, '2000000000'],
      ['2026-11-20T00:00:00Z', buyer.id, autumn, 500, 5, 0, 0, '1000000001'],
      ['2026-11-20T00:00:00Z', buyer.id, winter, 200, 1, 0, 1, '300000000'],
      ['2026-11-20T23:00:00Z', buyer.id, winter, 10, 0, 0, 0, '7'],
      ['2026-11-20T00:00:00Z', otherBuyer.id, foreign, 9_999, 99, 9, 9, '99000000000'],
    ];
    for (const row of ads) {
      await database.pool.query(
        `INSERT INTO rollup_ad_hours (hour, advertiser_id, campaign_id, adgroup_id, ad_id, creative_id,
           impressions, clicks, conversions, removed, spend_nanos) VALUES ($1, $2, $3, 1, 1, 1, $4, $5, $6, $7, $8)`,
        row,
      );
    }
    const traits: unknown[][] = [
      ['2026-11-20', buyer.id, autumn, 'DE', 'MOBILE', 300, 3, '600000000'],
      ['2026-11-20', buyer.id, autumn, 'US', 'DESKTOP', 200, 2, '400000001'],
      ['2026-11-20', otherBuyer.id, foreign, 'DE', 'MOBILE', 9_999, 99, '99000000000'],
    ];
    for (const row of traits) {
      await database.pool.query(
        `INSERT INTO rollup_ad_traits (day, advertiser_id, campaign_id, country, device, os, browser,
           impressions, clicks, spend_nanos) VALUES ($1, $2, $3, $4, $5, 'OTHER', 'OTHER', $6, $7, $8)`,
        row,
      );
    }
    const [top, side] = zones;
    const served: unknown[][] = [
      ['2026-11-20T10:00:00Z', seller.id, siteId, top, 400, 100, 2, '70000000'],
      ['2026-11-20T11:00:00Z', seller.id, siteId, top, 100, 50, 1, '35000000'],
      ['2026-11-20T11:00:00Z', seller.id, siteId, side, 40, 10, 0, '1'],
      ['2026-11-20T11:00:00Z', otherSeller.id, 1_000_000, 1_000_000, 1, 1, 1, '1000000000'],
    ];
    for (const row of served) {
      await database.pool.query(
        `INSERT INTO rollup_zone_hours (hour, publisher_id, site_id, zone_id, requests, impressions, clicks, revenue_nanos)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
        row,
      );
    }
  }

  const report = async (path: string, query: object = {}, who = buyer) =>
    await who.get(`/statistics${path}`).query(query);
  const days = { start_date: '2026-11-19', end_date: '2026-11-20' };

  it('report · not told anything · by date, from 7 days ago until today', async () => {
    const res = await report('/report');
    expect(res.status).toBe(200);
    expect(res.body.data).toMatchObject({
      start_date: '2026-11-14',
      end_date: '2026-11-21',
      group_by: ['date'],
      timezone: 'UTC',
    });
    expect(res.body.data.items).toEqual([
      {
        date: '2026-11-19',
        requests: null,
        impressions: 1_000,
        viewable: 0,
        views: 0,
        clicks: 10,
        conversions: 1,
        removed: 5,
        ...NOTHING_HELD,
        spend: 2,
        ctr: 0.01,
        cvr: 0.1,
        ecpm: 2,
      },
      {
        date: '2026-11-20',
        requests: null,
        impressions: 710,
        viewable: 0,
        views: 0,
        clicks: 6,
        conversions: 0,
        removed: 1,
        ...NOTHING_HELD,
        spend: 1.3,
        ctr: 0.008451,
        cvr: 0,
        ecpm: 1.830986,
      },
    ]);
    expect(res.body.data.totals).toMatchObject({
      impressions: 1_710,
      clicks: 16,
      removed: 6,
      ...NOTHING_HELD,
      spend: 3.3,
    });
  });

  it.each([
    [
      'UTC',
      [
        ['2026-11-19', 1_000],
        ['2026-11-20', 710],
      ],
    ],
    ['Europe/Berlin', [['2026-11-20', 1_700]]],
    [
      'America/New_York',
      [
        ['2026-11-19', 1_700],
        ['2026-11-20', 10],
      ],
    ],
    ['Pacific/Kiritimati', [['2026-11-20', 1_700]]],
  ])('report · days of %s · events fall into its days', async (timezone, expected) => {
    const { items } = (await report('/report', { ...days, timezone })).body.data;
    expect(
      items.map((item: { date: string; impressions: number }) => [item.date, item.impressions]),
    ).toEqual(expected);
  });

  it('report · one UTC day · its first and last hour are in, its neighbours out', async () => {
    const { totals } = (
      await report('/report', { start_date: '2026-11-20', end_date: '2026-11-20' })
    ).body.data;
    expect(totals.impressions).toBe(710);
  });

  it('report · by campaign and hour, one campaign · named, in order', async () => {
    const res = await report('/report', {
      ...days,
      group_by: 'campaign,hour',
      campaign_id: campaigns[0],
    });
    expect(res.body.data.items).toMatchObject([
      { campaign_id: campaigns[0], campaign_name: 'Autumn', hour: 0, impressions: 500 },
      { campaign_id: campaigns[0], campaign_name: 'Autumn', hour: 23, impressions: 1_000 },
    ]);
  });

  it('report · an empty range · no items, zero totals', async () => {
    const { data } = (await report('/report', { start_date: '2026-01-01', end_date: '2026-01-31' }))
      .body;
    expect(data.items).toEqual([]);
    expect(data.totals).toEqual({
      requests: null,
      impressions: 0,
      viewable: 0,
      views: 0,
      clicks: 0,
      conversions: 0,
      removed: 0,
      ...NOTHING_HELD,
      spend: 0,
      ctr: 0,
      cvr: 0,
      ecpm: 0,
    });
  });

  it.each([
    ['/campaigns', 'campaign_name', ['Autumn', 'Winter']],
    ['/region', 'country', ['DE', 'US']],
    ['/device', 'device', ['DESKTOP', 'MOBILE']],
    ['/hourly', 'hour', [0, 23]],
  ])('preset %s · read · grouped by its own dimension', async (path, key, values) => {
    const res = await report(path, days);
    expect(res.body.data.items.map((item: Record<string, unknown>) => item[key])).toEqual(values);
  });

  it.each([
    [{ group_by: 'colour' }, 'group_by'],
    [{ group_by: 'ad,ad' }, 'group_by'],
    [{ group_by: 'date,campaign,ad,os' }, 'group_by'],
    [{ group_by: 'ad,country', start_date: '2026-08-01' }, 'start_date'],
    [{ end_date: '9999-12-31' }, 'end_date'],
    [{ timezone: 'Mars/Olympus' }, 'timezone'],
    [{ start_date: '2026-13-01' }, 'start_date'],
    [{ start_date: '2026-11-20', end_date: '2026-11-19' }, 'end_date'],
    [{ campaign_id: 'x' }, 'campaign_id'],
    [{ colour: 'red' }, 'colour'],
  ])('report · %j · 422', async (query, field) => {
    const res = await report('/report', query);
    expect(res.status).toBe(422);
    expect(res.body.data.errors[0].field).toBe(field);
  });

  it('report · by what no rollup holds, of more events than an answer counts · 422, and not otherwise', async () => {
    await database.pool.query(
      `INSERT INTO rollup_ad_hours (hour, advertiser_id, campaign_id, adgroup_id, ad_id, creative_id, impressions)
       VALUES ('2026-10-01T10:00Z', $1, $2, 1, 1, 1, 1000001)`,
      [buyer.id, campaigns[0]],
    );
    const october = { start_date: '2026-10-01', end_date: '2026-10-01' };
    const counted = await report('/report', { ...october, group_by: 'ad,country' });
    expect(counted.status).toBe(422);
    expect(counted.body.data.errors).toMatchObject([{ code: 'too_many_events' }]);
    expect(
      (await report('/report', { ...october, group_by: 'ad' })).body.data.totals.impressions,
    ).toBe(1_000_001);
    expect((await report('/report', { ...days, group_by: 'ad,country' })).status).toBe(200);
  });

  it('report · a publisher by what its pages carry · 422: that is the advertisers business', async () => {
    const res = await report('/report', { group_by: 'campaign' }, seller);
    expect(res.status).toBe(422);
    expect(res.body.data.errors).toMatchObject([{ field: 'group_by', code: 'one_of' }]);
  });

  it('report · a foreign or unknown thing as filter · 404', async () => {
    expect((await report('/report', { campaign_id: campaigns[2] })).status).toBe(404);
    expect((await report('/report', { campaign_id: 99_999_999 })).status).toBe(404);
    expect((await report('/report', { adgroup_id: 1 })).status).toBe(404);
    expect((await report('/report', { ad_id: 1 })).status).toBe(404);
    expect((await report('/report', { site_id: siteId }, otherSeller)).status).toBe(404);
  });

  it('stats of one campaign · mine, foreign · the report narrowed to it, 404', async () => {
    const mine = await buyer.get(`/campaigns/${campaigns[1]}/stats`).query(days);
    expect(mine.body.data.totals).toMatchObject({ impressions: 210, spend: 0.3 });
    expect((await buyer.get(`/campaigns/${campaigns[2]}/stats`)).status).toBe(404);
    expect((await buyer.get('/adgroups/1/stats')).status).toBe(404);
    expect((await buyer.get('/ads/x/stats')).status).toBe(404);
  });

  it('publisher · by zone, of one site, of one zone · revenue and requests of mine alone', async () => {
    const byZone = (await report('/zones', days, seller)).body.data;
    expect(byZone.items).toMatchObject([
      {
        zone_id: zones[0],
        zone_name: 'Top',
        requests: 500,
        impressions: 150,
        revenue: 0.105,
        ecpm: 0.7,
      },
      { zone_id: zones[1], requests: 40, impressions: 10, revenue: 0 },
    ]);
    expect(byZone.totals).toMatchObject({ requests: 540, impressions: 160, revenue: 0.105 });
    const bySite = (await report('/sites', days, seller)).body.data;
    expect(bySite.items).toMatchObject([{ site_id: siteId, site_name: 'News', requests: 540 }]);
    expect((await seller.get(`/sites/${siteId}/stats`).query(days)).body.data.totals.requests).toBe(
      540,
    );
    const zone = (await seller.get(`/zones/${zones[1]}/stats`).query(days)).body.data;
    expect(zone.totals.requests).toBe(40);
    expect((await report('/report', days, otherSeller)).body.data.totals.revenue).toBe(1);
  });

  it('as_of and is_final · settlement not begun, behind, caught up · told', async () => {
    expect((await report('/report', days)).body.data).toMatchObject({
      as_of: null,
      is_final: false,
    });
    await database.pool.query(`SELECT ensure_event_partitions('2026-11-20', 2)`);
    await database.pool.query(
      `INSERT INTO settlement_cursors (shard, cluster)
       SELECT shard, system_identifier FROM generate_series(0, 1) AS shard, pg_control_system()`,
    );
    await database.pool.query(
      `INSERT INTO event_inbox (day, id, shard, kind, received_at, facts)
       VALUES ('2026-11-20', gen_random_uuid(), 1, 'impression', '2026-11-20T23:59:59Z', '{}')`,
    );
    expect((await report('/report', days)).body.data).toMatchObject({
      as_of: '2026-11-20T23:59:59.000Z',
      is_final: false,
    });
    await database.pool.query(
      `UPDATE settlement_cursors c SET xid = i.xid, seq = i.seq FROM event_inbox i WHERE i.shard = c.shard`,
    );
    const before = stand.deps.clock().getTime();
    const final = (await report('/report', days)).body.data;
    expect(final.is_final).toBe(true);
    expect(Date.parse(final.as_of)).toBeGreaterThanOrEqual(before);
    expect(Date.parse(final.as_of)).toBeLessThanOrEqual(stand.deps.clock().getTime());
    const open = (await report('/report')).body.data;
    expect(open).toMatchObject({ end_date: '2026-11-21', is_final: false });
  });
});
