import { randomUUID } from 'node:crypto';
import type { TrackPayload } from '../../../domain/tracking/facts.ts';
import type { Caller } from '../../support/call.ts';
import { makeOperator } from '../../support/make/account.ts';
import { makeZone } from '../../support/make/place.ts';
import { makeReviewRows } from '../../support/make/review-rows.ts';
import { createStand, type Stand } from '../../support/stand.ts';

const track: TrackPayload = {
  requestId: 'ab'.repeat(16),
  bidId: 'cd'.repeat(8),
  advertiserId: 1,
  campaignId: 2,
  adId: 3,
  creativeId: 4,
  zoneId: 5,
  issuedAt: 1_767_225_600,
  protocol: 2,
  channel: 'page',
  pricingModel: 'CPC',
  priceNanos: 1_500_000_000n,
  uaHash: '00112233',
  ipHash: '44556677',
  country: 'DE',
  device: 'MOBILE',
  os: 'IOS',
};
const other = { ...track, bidId: 'ef'.repeat(8) };
const clickId = 'click-1';

let stand: Stand;
let support: Caller;

beforeAll(async () => {
  stand = await createStand();
  support = stand.as('admin', (await makeOperator(stand.database.db, 'SUPPORT')).id);
  const event = async (row: { kind: string; bid: string; reason: string | null; at: string }) =>
    await stand.database.pool.query(
      `INSERT INTO events (day, id, shard, kind, received_at, request_id, bid_id, advertiser_id, campaign_id, zone_id,
         billable, status, reason, reasons, price_nanos, publisher_nanos, batch_id, page_id, click_id)
       VALUES (current_date, $1, 0, $2, $3, $4, $5, 1, 2, 5, $6, $7, $8, $9, $10, 0, $11, 77, $12)`,
      [
        randomUUID(),
        row.kind,
        row.at,
        track.requestId,
        row.bid,
        row.reason === null,
        row.reason === null ? 'valid' : 'invalid',
        row.reason,
        JSON.stringify(row.reason === null ? [] : [row.reason]),
        row.reason === null ? 1_500_000_000 : 0,
        row.reason === null ? 9 : null,
        row.kind === 'click_verify' ? clickId : null,
      ],
    );
  await stand.database.pool.query(
    `INSERT INTO pages (id, host, url, keywords, categories, tags, seen_on)
     VALUES (77, 'news.example', 'https://news.example/a', '["shoes"]', '[]', '[]', current_date)`,
  );
  await event({
    kind: 'impression',
    bid: track.bidId,
    reason: 'BOT_UA',
    at: '2026-01-01T00:00:01Z',
  });
  await event({ kind: 'click_verify', bid: track.bidId, reason: null, at: '2026-01-01T00:00:09Z' });
  await event({
    kind: 'impression',
    bid: other.bidId,
    reason: 'DUPLICATE_IMPRESSION',
    at: '2026-01-01T00:00:02Z',
  });
  await stand.database.pool.query(
    `INSERT INTO clicks (id, click_id, shard, status, verify_by, clicked_at, verified_at, request_id, bid_id, advertiser_id,
       campaign_id, adgroup_id, ad_id, creative_id, zone_id, bid_price_nanos, pricing_model)
     VALUES ($1, $2, 0, 'valid', now(), now(), now(), $3, $4, 1, 2, 6, 3, 4, 5, 1500000000, 'CPC')`,
    [randomUUID(), clickId, track.requestId, track.bidId],
  );
});
afterAll(async () => await stand.close());

const trace = (query: string) => support.get(`/events${query}`);

describe('GET /events', () => {
  test('by track_id · of one ad · opens the seal and tells each verdict', async () => {
    const { status, body } = await trace(`?track_id=${stand.sealer.seal(track)}`);
    expect(status).toBe(200);
    expect(body.data.track).toMatchObject({
      request_id: track.requestId,
      price: 1.5,
      issued_at: '2026-01-01T00:00:00.000Z',
    });
    expect(body.data.events).toEqual([
      expect.objectContaining({
        kind: 'impression',
        billable: false,
        reason: 'BOT_UA',
        reasons: ['BOT_UA'],
        price: 0,
        page: expect.objectContaining({ host: 'news.example', keywords: ['shoes'], lang: null }),
      }),
      expect.objectContaining({
        kind: 'click_verify',
        billable: true,
        reason: null,
        price: 1.5,
        ledger_batch_id: 9,
      }),
    ]);
    expect(body.data.clicks).toEqual([
      expect.objectContaining({ click_id: clickId, status: 'valid' }),
    ]);
    expect(body.data.conversions).toEqual([]);
  });

  test('by request_id · of an answer with two ads · tells both', async () => {
    const { data } = (await trace(`?request_id=${track.requestId}`)).body;
    expect(data.track).toBeNull();
    expect(data.events.map(({ reason }: { reason: string | null }) => reason)).toEqual([
      'BOT_UA',
      'DUPLICATE_IMPRESSION',
      null,
    ]);
  });

  test('by click_id · of a known click · tells its ad', async () => {
    expect((await trace(`?click_id=${clickId}`)).body.data.events).toHaveLength(2);
  });

  test.each([
    ['?track_id=BROKEN', 404],
    ['?track_id=nonsense', 404],
    ['?click_id=unknown', 404],
    ['', 422],
    ['?request_id=a&click_id=b', 422],
    ['?request_id=%00', 422],
    ['?other=1', 422],
  ])('query %s · is %i', async (query, status) => {
    const [one, two] = [track, other].map((ad) => stand.sealer.seal(ad));
    const broken = `${one?.slice(0, -20)}${two?.slice(-20)}`;
    expect((await trace(query.replace('BROKEN', broken))).status).toBe(status);
  });

  test('unknown request · is an empty trace, as nothing was received', async () => {
    expect((await trace('?request_id=nope')).body.data).toEqual({
      track: null,
      events: [],
      clicks: [],
      conversions: [],
      names: [],
    });
  });

  test('what an ad is of and where it was shown · by name, the sealed one before anything was received', async () => {
    const { database } = stand;
    const rows = await makeReviewRows(database);
    const { advertiserId, campaignId, adGroupId, adId, creativeId, publisherId, siteId } = rows;
    const { id: zoneId } = await makeZone(
      database.db,
      { id: siteId, publisherId },
      { name: 'Top' },
    );
    await database.db.models.accounts.update(
      { companyName: 'Harbour Ltd' },
      { where: { id: advertiserId } },
    );
    const won = { ...track, bidId: '12'.repeat(8), requestId: '34'.repeat(16) };
    const ofAd = { ...won, advertiserId, campaignId, adId, creativeId, zoneId };
    const sealed = await trace(`?track_id=${stand.sealer.seal(ofAd)}`);
    const name = (type: string, id: number, called: unknown = expect.any(String)) => ({
      type,
      id,
      name: called,
    });
    const known = [
      name('advertiser', advertiserId, 'Harbour Ltd'),
      name('campaign', campaignId, 'Spring'),
      name('ad', adId),
      name('creative', creativeId),
      name('zone', zoneId, 'Top'),
    ];
    expect(sealed.body.data.names).toEqual(known);
    await database.pool.query(
      `INSERT INTO events (day, id, shard, kind, received_at, request_id, bid_id, advertiser_id, campaign_id, adgroup_id,
         ad_id, creative_id, publisher_id, site_id, zone_id, billable, status, reasons, price_nanos, publisher_nanos)
       VALUES (current_date, $1, 0, 'impression', now(), $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, false, 'invalid', '[]', 0, 0)`,
      [
        randomUUID(),
        won.requestId,
        won.bidId,
        advertiserId,
        campaignId,
        adGroupId,
        adId,
        creativeId,
        publisherId,
        siteId,
        zoneId,
      ],
    );
    const { data } = (await trace(`?request_id=${won.requestId}`)).body;
    expect(data.names).toHaveLength(8);
    expect(data.names).toEqual(
      expect.arrayContaining([
        ...known,
        name('adgroup', adGroupId, 'Spring'),
        name('publisher', publisherId),
        name('site', siteId, 'Gazette'),
      ]),
    );
  });
});
