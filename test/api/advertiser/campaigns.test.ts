import request from 'supertest';
import { type Caller, dataOf, faultsOf, idOf } from '../../support/call.ts';
import { approve, CAMPAIGN, makeChain } from '../../support/make/chain.ts';
import { createStand, type Stand } from '../../support/stand.ts';
import { makePlace } from '../../support/make/place.ts';

let stand: Stand;
let owner: Caller;
let other: Caller;

beforeAll(async () => {
  stand = await createStand();
  owner = await stand.newAdvertiser();
  other = await stand.newAdvertiser();
});
afterAll(async () => await stand.close());

async function outboxOf(id: number): Promise<string[]> {
  const { rows } = await stand.database.pool.query<{ workflow_id: string }>(
    `SELECT payload ->> 'workflowId' AS workflow_id FROM outbox
     WHERE payload ->> 'workflowId' LIKE 'review:campaign:' || $1 || ':%' AND kind = 'workflow_start' ORDER BY id`,
    [id],
  );
  return rows.map((row) => row.workflow_id);
}

async function publishedFor(advertiserId: number): Promise<number> {
  const { rows } = await stand.database.pool.query<{ count: string }>(
    `SELECT count(*) FROM outbox WHERE kind = 'publish' AND payload = $1`,
    [JSON.stringify({ topic: 'advertiser', id: advertiserId })],
  );
  return Number(rows[0]?.count);
}

async function reject(id: number): Promise<void> {
  const { pool } = stand.database;
  await pool.query(`UPDATE campaigns SET audit_status = 'REJECTED' WHERE id = $1`, [id]);
  await pool.query(
    `UPDATE reviews SET status = 'REJECTED' WHERE subject_id = $1 AND subject_type = 'campaign'`,
    [id],
  );
}

describe('campaign · created', () => {
  test('with the fewest fields · has the documented defaults and enters review', async () => {
    const published = await publishedFor(owner.id);
    const answer = await owner.post('/campaigns', CAMPAIGN);
    expect(answer.status).toBe(201);
    const record = dataOf(answer);
    expect(record).toMatchObject({
      name: 'Spring sale',
      ad_type: 'BANNER',
      price: null,
      bid: 0.5,
      pricing_model: 'CPC',
      type: 'PERFORMANCE',
      objective: 'TRAFFIC',
      rotation_mode: 'EVEN',
      daily_budget: null,
      start_date: null,
      target_countries: null,
      bid_adjustments: null,
      status: 'ACTIVE',
      audit_status: 'PENDING',
      audit_reasons: [],
      delivery_status: 'PENDING',
    });
    expect(record['delivery_reasons']).toEqual([
      'CAMPAIGN_PENDING',
      'BALANCE_INSUFFICIENT',
      'NO_ADS',
    ]);
    expect(String(record['created_at'])).toMatch(/^\d{4}-\d\d-\d\dT.*Z$/);
    expect(await outboxOf(idOf(answer))).toEqual([`review:campaign:${idOf(answer)}:1`]);
    expect(await publishedFor(owner.id)).toBe(published + 1);
    expect(dataOf(await owner.get(`/campaigns/${idOf(answer)}`))).toEqual(record);
  });

  test('with every field · answers what was stored, normalised', async () => {
    const body = {
      ...CAMPAIGN,
      pricing_model: 'CPM',
      bid: 1.234567,
      daily_budget: 50,
      total_budget: 1000.5,
      start_date: '2030-01-01',
      end_date: '',
      type: 'BRAND',
      objective: 'AWARENESS',
      rotation_mode: 'ASAP',
      target_countries: ['us', 'DE', 'us'],
      target_devices: ['mobile'],
      target_os: ['IOS', 'ANDROID'],
      target_browsers: [],
      target_keywords: [' Trail  Shoes', 'running', 'RUNNING'],
      target_categories: [],
      target_languages: ['zh-CN', 'en'],
      target_hours: [9, 8, 9],
      weekdays: [7, 1],
      bid_adjustments: { geo: { us: 700, de: 0 }, device: { mobile: '-95' } },
      frequency_cap: { impressions: 3, window_seconds: 3600 },
    };
    expect(dataOf(await owner.post('/campaigns', body))).toMatchObject({
      bid: 1.234567,
      daily_budget: 50,
      total_budget: 1000.5,
      start_date: '2030-01-01',
      end_date: null,
      type: 'BRAND',
      rotation_mode: 'ASAP',
      target_countries: ['US', 'DE'],
      target_devices: ['MOBILE'],
      target_os: ['IOS', 'ANDROID'],
      target_browsers: null,
      target_keywords: ['trail shoes', 'running'],
      target_categories: null,
      target_languages: ['zh-cn', 'en'],
      target_hours: [8, 9],
      weekdays: [1, 7],
      bid_adjustments: { geo: { US: 500 }, device: { MOBILE: -90 } },
      frequency_cap: { impressions: 3, window_seconds: 3600, per: 'campaign' },
    });
  });

  test('with a price and no bid · bids the price', async () => {
    const { bid: _bid, ...rest } = CAMPAIGN;
    expect(dataOf(await owner.post('/campaigns', { ...rest, price: 2 }))).toMatchObject({
      bid: 2,
      price: 2,
    });
    const both = await owner.post('/campaigns', { ...CAMPAIGN, bid: 3, price: 2 });
    expect(dataOf(both)).toMatchObject({ bid: 3, price: 2 });
  });

  test('price and bid · changed one by one · a bid of its own stays, else it follows the price', async () => {
    const { bid: _bid, ...rest } = CAMPAIGN;
    const id = idOf(await owner.post('/campaigns', { ...rest, price: 2 }));
    const put = async (fields: object) => {
      const answer = await owner.put(`/campaigns/${id}`, fields);
      const { bid, price } = dataOf(answer);
      return [bid, price];
    };
    expect(await put({ price: 3 })).toEqual([3, 3]);
    // The record as it was read: its bid is no change, so it follows the price still.
    expect(await put({ ...dataOf(await owner.get(`/campaigns/${id}`)), price: 4 })).toEqual([4, 4]);
    expect(await put({ bid: 5 })).toEqual([5, 4]);
    expect(await put({ price: 6 })).toEqual([5, 6]);
    expect(await put({ bid: null })).toEqual([6, 6]);
    const neither = await owner.put(`/campaigns/${id}`, { price: null });
    expect([neither.status, faultsOf(neither)]).toEqual([422, ['bid required']]);
    expect(await put({ bid: 7, price: null })).toEqual([7, null]);
    const copy = await owner.post(`/campaigns/${id}/copy`);
    expect(dataOf(copy)).toMatchObject({ bid: 7, price: null });
    const none = await owner.post('/campaigns', { ...rest, bid: null, price: null });
    expect([none.status, faultsOf(none)]).toEqual([422, ['bid required']]);
  });

  test('with a campaign option and no ad_type · takes the ad type of the option', async () => {
    const options = dataOf(await owner.get('/campaigns/options'))['items'] as {
      id: number;
      ad_type: string;
    }[];
    const native = options.find((option) => option.ad_type === 'NATIVE');
    const { ad_type: _adType, ...rest } = CAMPAIGN;
    const answer = await owner.post('/campaigns', { ...rest, campaign_option_id: native?.id });
    expect(dataOf(answer)).toMatchObject({ ad_type: 'NATIVE', campaign_option_id: native?.id });
    const clash = await owner.post('/campaigns', { ...CAMPAIGN, campaign_option_id: native?.id });
    expect([clash.status, faultsOf(clash)]).toEqual([422, ['campaign_option_id mismatch']]);
    const none = await owner.post('/campaigns', { ...rest, campaign_option_id: 999_999 });
    expect([none.status, faultsOf(none)]).toEqual([422, ['campaign_option_id unknown']]);
    const id = idOf(answer);
    const moved = await owner.put(`/campaigns/${id}`, { ad_type: 'VIDEO' });
    expect([moved.status, faultsOf(moved)]).toEqual([422, ['campaign_option_id mismatch']]);
    const freed = await owner.put(`/campaigns/${id}`, {
      ad_type: 'VIDEO',
      campaign_option_id: null,
    });
    expect(dataOf(freed)).toMatchObject({ ad_type: 'VIDEO', campaign_option_id: null });
  });

  test('as a draft · stays DRAFT, and no review begins', async () => {
    const answer = await owner.post('/campaigns', { ...CAMPAIGN, save_as_draft: true });
    expect(dataOf(answer)).toMatchObject({
      audit_status: 'DRAFT',
      delivery_status: 'NOT_ELIGIBLE',
    });
    expect(await outboxOf(idOf(answer))).toEqual([]);
  });

  test('by an account without a basic profile · is 412 and stores nothing', async () => {
    const fresh = await stand.newAdvertiser({ basic: false });
    const answer = await fresh.post('/campaigns', CAMPAIGN);
    expect([answer.status, answer.body.code]).toEqual([412, 41200]);
    expect(dataOf(await fresh.get('/campaigns'))['total']).toBe(0);
  });

  test('without a token · is 401', async () => {
    const answer = await request(stand.app).post('/api/advertiser/campaigns').send(CAMPAIGN);
    expect([answer.status, answer.body.code]).toEqual([401, 40100]);
  });
});

describe('campaign · refused', () => {
  test('nothing at all · names every required field at once', async () => {
    const answer = await owner.post('/campaigns', {});
    expect([answer.status, answer.body.code]).toEqual([422, 42200]);
    expect(faultsOf(answer)).toEqual(['ad_type required', 'bid required', 'name required']);
  });

  test('fields that are not the owner’s to set · are all refused by name', async () => {
    const answer = await owner.post('/campaigns', {
      ...CAMPAIGN,
      id: 1,
      advertiser_id: other.id,
      audit_status: 'APPROVED',
      status: 'ACTIVE',
      audit_round: 9,
      bidNanos: 1,
    });
    expect(answer.status).toBe(422);
    expect(faultsOf(answer)).toEqual([
      'advertiser_id unknown_field',
      'audit_round unknown_field',
      'audit_status unknown_field',
      'bidNanos unknown_field',
      'id unknown_field',
      'status unknown_field',
    ]);
  });

  test.each<[string, object, string[]]>([
    ['an amount as text that is none', { bid: '1e3' }, ['bid type']],
    ['a negative bid', { bid: -1 }, ['bid amount']],
    ['seven decimals', { daily_budget: 0.0000001 }, ['daily_budget amount']],
    ['a daily budget of 0', { daily_budget: 0 }, ['daily_budget min']],
    ['a total budget of 0', { total_budget: 0 }, ['total_budget min']],
    ['an unknown ad type', { ad_type: 'HOLOGRAM' }, ['ad_type one_of']],
    ['an unknown pricing model', { pricing_model: 'CPX' }, ['pricing_model one_of']],
    ['CPA without a tracker', { pricing_model: 'CPA' }, ['tracker_id required']],
    ['CPS without a tracker', { pricing_model: 'CPS', tracker_id: null }, ['tracker_id required']],
    [
      'an end before the start',
      { start_date: '2030-02-01', end_date: '2030-01-01' },
      ['end_date min'],
    ],
    ['a day that does not exist', { start_date: '2030-02-30' }, ['start_date day']],
    ['no web address', { landing_url: 'javascript:alert(1)' }, ['landing_url url']],
    [
      'a macro in the host',
      { landing_url: 'https://{click_id}.evil.example/' },
      ['landing_url macro_in_host'],
    ],
    ['an unknown country', { target_countries: ['US', 'XX'] }, ['target_countries[1] one_of']],
    ['a country as text', { target_countries: 'US' }, ['target_countries type']],
    ['an unknown device', { target_devices: ['FRIDGE'] }, ['target_devices[0] one_of']],
    ['a list as one keyword', { target_keywords: ['a,b'] }, ['target_keywords[0] word']],
    ['no word at all', { target_categories: [' - '] }, ['target_categories[0] word']],
    ['no language', { target_languages: ['english'] }, ['target_languages[0] word']],
    ['a keyword too long', { target_keywords: ['x'.repeat(65)] }, ['target_keywords[0] max']],
    ['an hour of 24', { target_hours: [24] }, ['target_hours[0] max']],
    ['a weekday of 0', { weekdays: [0] }, ['weekdays[0] min']],
    [
      'an unknown dimension',
      { bid_adjustments: { browser: {}, geo: 5 } },
      ['bid_adjustments.browser unknown_field', 'bid_adjustments.geo type'],
    ],
    [
      'an unknown part of the cap',
      { frequency_cap: { impressions: 1, window_seconds: 60, x: 1 } },
      ['frequency_cap.x unknown_field'],
    ],
    [
      'a cap without its window',
      { frequency_cap: { impressions: 1 } },
      ['frequency_cap.window_seconds required'],
    ],
    ['an empty name', { name: ' ' }, ['name matches']],
  ])('%s · is 422 on its field', async (_name, fields, expected) => {
    const answer = await owner.post('/campaigns', { ...CAMPAIGN, ...fields });
    expect([answer.status, faultsOf(answer)]).toEqual([422, expected]);
  });

  test('a tracker of another advertiser · reads as unknown', async () => {
    const foreign = await stand.database.db.models.trackers.create({
      advertiserId: other.id,
      name: 'T',
      trackingCode: `t${Math.random()}`,
    });
    const answer = await owner.post('/campaigns', {
      ...CAMPAIGN,
      pricing_model: 'CPA',
      tracker_id: foreign.id,
    });
    expect([answer.status, faultsOf(answer)]).toEqual([422, ['tracker_id unknown']]);
    const own = await other.post('/campaigns', {
      ...CAMPAIGN,
      pricing_model: 'CPA',
      tracker_id: foreign.id,
    });
    expect([own.status, dataOf(own)['tracker_id']]).toEqual([201, foreign.id]);
    const orphaned = await other.put(`/campaigns/${idOf(own)}`, { tracker_id: null });
    expect([orphaned.status, faultsOf(orphaned)]).toEqual([422, ['tracker_id required']]);
  });

  test('a body that is no JSON object · is 400', async () => {
    const send = (text: string) =>
      owner.post('/campaigns').set('Content-Type', 'application/json').send(text);
    for (const text of ['{', '[]', '"x"']) {
      const answer = await send(text);
      expect([text, answer.status, answer.body.code]).toEqual([text, 400, 40000]);
    }
  });
});

describe('campaign · of another advertiser', () => {
  test('every route · answers 404 and changes nothing', async () => {
    const id = idOf(await owner.post('/campaigns', CAMPAIGN));
    const before = dataOf(await owner.get(`/campaigns/${id}`));
    const attempts = [
      other.get(`/campaigns/${id}`),
      other.put(`/campaigns/${id}`, { name: 'Mine' }),
      other.delete(`/campaigns/${id}`),
      other.post(`/campaigns/${id}/toggle`),
      other.post(`/campaigns/${id}/copy`),
      other.post(`/campaigns/${id}/submit-audit`),
    ];
    for (const attempt of attempts) {
      const answer = await attempt;
      expect([answer.status, answer.body.code]).toEqual([404, 40400]);
    }
    const batch = await other.post('/campaigns/batch-submit-audit', { ids: [id] });
    expect(dataOf(batch)['items']).toEqual([{ id, audit_status: null, error: 'not_found' }]);
    expect(dataOf(await owner.get(`/campaigns/${id}`))).toEqual(before);
  });

  test.each(['0', '-1', 'abc', '1.5', '99999999999999999999'])('id %s · is 404', async (id) => {
    expect((await owner.get(`/campaigns/${id}`)).status).toBe(404);
  });
});

describe('campaign · updated', () => {
  test('bids, budgets, schedule and targeting · keep an approval', async () => {
    const id = idOf(await owner.post('/campaigns', CAMPAIGN));
    await approve(stand, 'campaigns', id);
    const answer = await owner.put(`/campaigns/${id}`, {
      bid: 2,
      daily_budget: 19.990000000000002,
      end_date: '2040-01-01',
      target_countries: ['FR'],
      bid_adjustments: { os: { ios: 10 } },
    });
    expect(answer.status).toBe(200);
    expect(dataOf(answer)).toMatchObject({
      bid: 2,
      daily_budget: 19.99,
      target_countries: ['FR'],
      audit_status: 'APPROVED',
    });
    expect(await outboxOf(id)).toHaveLength(1);
    const none = await owner.put(`/campaigns/${id}`, { daily_budget: 0 });
    expect([none.status, none.body.data.errors]).toEqual([
      422,
      [{ field: 'daily_budget', code: 'min', message: 'must be above 0; null means no limit' }],
    ]);
    const cleared = await owner.put(`/campaigns/${id}`, {
      daily_budget: null,
      end_date: '',
      target_countries: [],
    });
    expect(dataOf(cleared)).toMatchObject({
      daily_budget: null,
      end_date: null,
      target_countries: null,
    });
  });

  test('name or landing page · are reviewed again, in a round of their own', async () => {
    const id = idOf(await owner.post('/campaigns', CAMPAIGN));
    await approve(stand, 'campaigns', id);
    const same = await owner.put(`/campaigns/${id}`, {
      name: CAMPAIGN.name,
      landing_url: CAMPAIGN.landing_url,
    });
    expect(dataOf(same)['audit_status']).toBe('APPROVED');
    const answer = await owner.put(`/campaigns/${id}`, {
      landing_url: 'https://shop.example/summer',
    });
    expect(dataOf(answer)).toMatchObject({
      audit_status: 'PENDING',
      landing_url: 'https://shop.example/summer',
    });
    expect(await outboxOf(id)).toEqual([`review:campaign:${id}:1`, `review:campaign:${id}:2`]);
  });

  test('a draft · stays a draft', async () => {
    const id = idOf(await owner.post('/campaigns', { ...CAMPAIGN, save_as_draft: true }));
    expect(dataOf(await owner.put(`/campaigns/${id}`, { name: 'Later' }))).toMatchObject({
      audit_status: 'DRAFT',
    });
    expect(await outboxOf(id)).toEqual([]);
  });

  test('a contradiction with what is stored · is 422', async () => {
    const id = idOf(await owner.post('/campaigns', { ...CAMPAIGN, start_date: '2030-05-01' }));
    const answer = await owner.put(`/campaigns/${id}`, {
      end_date: '2030-04-01',
      pricing_model: 'CPA',
    });
    expect([answer.status, faultsOf(answer)]).toEqual([
      422,
      ['end_date min', 'tracker_id required'],
    ]);
  });

  test('a status of its own choice · is read over, as audit_status is; a word of neither is refused', async () => {
    const id = idOf(await owner.post('/campaigns', CAMPAIGN));
    const answer = await owner.put(`/campaigns/${id}`, {
      status: 'RUNNING',
      audit_status: 'APPROVED',
      advertiser_id: 1,
    });
    expect(faultsOf(answer)).toEqual(['advertiser_id unknown_field', 'status read_only']);
    const read = await owner.put(`/campaigns/${id}`, {
      status: 'PAUSED',
      audit_status: 'APPROVED',
    });
    expect(dataOf(read)).toMatchObject({ status: 'ACTIVE', audit_status: 'PENDING' });
  });
});

describe('campaign · life', () => {
  test('toggle · flips between ACTIVE and PAUSED', async () => {
    const id = idOf(await owner.post('/campaigns', CAMPAIGN));
    expect(dataOf(await owner.post(`/campaigns/${id}/toggle`))).toMatchObject({
      status: 'PAUSED',
      delivery_status: 'PAUSED',
    });
    expect(dataOf(await owner.post(`/campaigns/${id}/toggle`))).toMatchObject({ status: 'ACTIVE' });
    expect(faultsOf(await owner.post(`/campaigns/${id}/toggle`, { status: 'PAUSED' }))).toEqual([
      'status unknown_field',
    ]);
  });

  test('submit-audit · is legal from DRAFT and REJECTED, otherwise 409', async () => {
    const id = idOf(await owner.post('/campaigns', { ...CAMPAIGN, save_as_draft: true }));
    expect(dataOf(await owner.post(`/campaigns/${id}/submit-audit`))).toMatchObject({
      audit_status: 'PENDING',
    });
    const pending = await owner.post(`/campaigns/${id}/submit-audit`);
    expect([pending.status, pending.body.code]).toEqual([409, 40900]);
    await approve(stand, 'campaigns', id);
    expect((await owner.post(`/campaigns/${id}/submit-audit`)).status).toBe(409);
    await reject(id);
    expect(dataOf(await owner.put(`/campaigns/${id}`, { name: 'Mended' }))).toMatchObject({
      audit_status: 'REJECTED',
    });
    expect(dataOf(await owner.post(`/campaigns/${id}/submit-audit`))).toMatchObject({
      audit_status: 'PENDING',
    });
    expect(await outboxOf(id)).toEqual([`review:campaign:${id}:1`, `review:campaign:${id}:2`]);
  });

  test('two submissions at once · begin one round', async () => {
    const id = idOf(await owner.post('/campaigns', { ...CAMPAIGN, save_as_draft: true }));
    const answers = await Promise.all(
      [1, 2].map(async () => await owner.post(`/campaigns/${id}/submit-audit`)),
    );
    expect(new Set(answers.map((answer) => answer.status))).toEqual(new Set([200, 409]));
    expect(await outboxOf(id)).toHaveLength(1);
  });

  test('batch submit · tells each campaign’s own outcome', async () => {
    const draft = idOf(await owner.post('/campaigns', { ...CAMPAIGN, save_as_draft: true }));
    const pending = idOf(await owner.post('/campaigns', CAMPAIGN));
    const foreign = idOf(await other.post('/campaigns', { ...CAMPAIGN, save_as_draft: true }));
    const answer = await owner.post('/campaigns/batch-submit-audit', {
      ids: [draft, pending, foreign, draft],
    });
    expect(dataOf(answer)).toEqual({
      items: [
        { id: draft, audit_status: 'PENDING', error: null },
        { id: pending, audit_status: 'PENDING', error: 'state_conflict' },
        { id: foreign, audit_status: null, error: 'not_found' },
      ],
      submitted: 1,
      refused: 2,
    });
    for (const ids of [[], Array.from({ length: 101 }, (_, i) => i + 1), ['1'], undefined]) {
      expect((await owner.post('/campaigns/batch-submit-audit', { ids })).status).toBe(422);
    }
  });

  test('delete · archives the campaign with what hangs below, and voids open reviews', async () => {
    const { campaignId, adGroupId, adId } = await makeChain(owner);
    expect((await owner.delete(`/campaigns/${campaignId}`)).status).toBe(200);
    for (const target of [`/campaigns/${campaignId}`, `/adgroups/${adGroupId}`, `/ads/${adId}`]) {
      expect([target, (await owner.get(target)).status]).toEqual([target, 404]);
    }
    const { rows } = await stand.database.pool.query(
      `SELECT status, count(*)::int FROM reviews WHERE (subject_type, subject_id) IN
         (VALUES ('campaign', $1::bigint), ('adgroup', $2), ('ad', $3)) GROUP BY status`,
      [campaignId, adGroupId, adId],
    );
    expect(rows).toEqual([{ status: 'VOID', count: 3 }]);
    for (const again of [
      owner.delete(`/campaigns/${campaignId}`),
      owner.put(`/campaigns/${campaignId}`, { bid: 1 }),
      owner.post(`/campaigns/${campaignId}/toggle`),
      owner.post(`/campaigns/${campaignId}/submit-audit`),
      owner.post(`/campaigns/${campaignId}/copy`),
    ]) {
      expect((await again).status).toBe(404);
    }
    const group = await owner.post('/adgroups', { campaign_id: campaignId, name: 'Late' });
    expect(faultsOf(group)).toEqual(['campaign_id unknown']);
  });

  test('copy · of a name as long as it may be, of characters that take two units · is cut between two', async () => {
    const name = '😀'.repeat(255);
    const id = idOf(await owner.post('/campaigns', { ...CAMPAIGN, name }));
    const copied = dataOf(await owner.post(`/campaigns/${id}/copy`));
    expect(copied).toMatchObject({ name: `${'😀'.repeat(248)} (copy)` });
    const tooLong = await owner.post('/campaigns', { ...CAMPAIGN, name: `${name}x` });
    expect([tooLong.status, faultsOf(tooLong)]).toEqual([422, ['name max']]);
  });

  test('copy · is a draft with the ad groups and ads of its source', async () => {
    const { campaignId, adGroupId, creativeId } = await makeChain(owner);
    const empty = idOf(await owner.post('/adgroups', { campaign_id: campaignId, name: 'Empty' }));
    const gone = idOf(await owner.post('/adgroups', { campaign_id: campaignId, name: 'Gone' }));
    await owner.delete(`/adgroups/${gone}`);
    await owner.put(`/adgroups/${adGroupId}`, { bid: 0.75, bid_adjustments: { geo: { us: 20 } } });
    const answer = await owner.post(`/campaigns/${campaignId}/copy`);
    expect(answer.status).toBe(201);
    const copyId = idOf(answer);
    expect(dataOf(answer)).toMatchObject({
      name: 'Spring sale (copy)',
      audit_status: 'DRAFT',
      status: 'ACTIVE',
      bid: 0.5,
      landing_url: CAMPAIGN.landing_url,
    });
    const groups = dataOf(await owner.get(`/adgroups?campaign_id=${copyId}`))['items'] as Record<
      string,
      unknown
    >[];
    expect(groups.map((group) => [group['name'], group['audit_status'], group['bid']])).toEqual([
      ['Empty', 'DRAFT', null],
      ['Group', 'DRAFT', 0.75],
    ]);
    expect(groups[1]?.['bid_adjustments']).toEqual({ geo: { US: 20 } });
    expect(groups.map((group) => group['id'])).not.toContain(empty);
    const ads = dataOf(await owner.get(`/ads?campaign_id=${copyId}`))['items'] as Record<
      string,
      unknown
    >[];
    expect(ads).toHaveLength(1);
    expect(ads[0]).toMatchObject({
      adgroup_id: groups[1]?.['id'],
      creative_id: creativeId,
      audit_status: 'DRAFT',
    });
    expect(await outboxOf(copyId)).toEqual([]);
  });

  test('copy · of the longest name · stays within the limit', async () => {
    const id = idOf(await owner.post('/campaigns', { ...CAMPAIGN, name: 'n'.repeat(255) }));
    const name = String(dataOf(await owner.post(`/campaigns/${id}/copy`))['name']);
    expect([name.length, name.endsWith(' (copy)')]).toEqual([255, true]);
  });

  test('an approved chain with money · is ELIGIBLE all the way down', async () => {
    const rich = await stand.newAdvertiser();
    const { campaignId, adGroupId, creativeId, adId } = await makeChain(rich);
    for (const [table, id] of [
      ['campaigns', campaignId],
      ['ad_groups', adGroupId],
      ['creatives', creativeId],
      ['ads', adId],
    ] as const) {
      await approve(stand, table, id);
    }
    const { pool } = stand.database;
    await pool.query(`SELECT * FROM ledger_hold_accounts($1, 'USD')`, [
      ['w:test', `adv:${rich.id}:available`],
    ]);
    await pool.query(`INSERT INTO ledger_batches (idempotency_key, kind) VALUES ('t', 't')`);
    await pool.query(
      `INSERT INTO ledger_transfers (batch_id, currency, debit_id, credit_id, amount_nanos, type)
       SELECT b.id, 'USD', d.id, c.id, 5000000000, 't' FROM ledger_batches b, ledger_accounts d, ledger_accounts c
       WHERE b.idempotency_key = 't' AND d.code = 'w:test' AND c.code = $1`,
      [`adv:${rich.id}:available`],
    );
    for (const target of [
      `/campaigns/${campaignId}`,
      `/adgroups/${adGroupId}`,
      `/ads/${adId}`,
      `/creatives/${creativeId}`,
    ]) {
      expect(dataOf(await rich.get(target))).toMatchObject({
        delivery_status: 'ELIGIBLE',
        delivery_reasons: [],
      });
    }
    await rich.post(`/creatives/${creativeId}/toggle`);
    expect(dataOf(await rich.get(`/ads/${adId}`))['delivery_reasons']).toEqual([
      'NO_APPROVED_CREATIVE',
    ]);
    expect(dataOf(await rich.get(`/campaigns/${campaignId}`))['delivery_reasons']).toEqual([
      'NO_APPROVED_CREATIVE',
    ]);
  });
});

describe('campaign · listed', () => {
  let lister: Caller;
  beforeAll(async () => {
    lister = await stand.newAdvertiser();
    for (const name of ['alpha 50%', 'beta_1', 'gamma', 'alpha two']) {
      await lister.post('/campaigns', {
        ...CAMPAIGN,
        name,
        pricing_model: name === 'gamma' ? 'CPM' : 'CPC',
      });
    }
  });
  const names = async (query: string): Promise<unknown[]> => {
    const answer = await lister.get(`/campaigns${query}`);
    return (dataOf(answer)['items'] as { name: string }[]).map((item) => item.name);
  };

  test('pages · newest first, size clamped and echoed', async () => {
    const answer = await lister.get('/campaigns?page=2&page_size=3');
    expect(dataOf(answer)).toMatchObject({ total: 4, page: 2, page_size: 3, total_pages: 2 });
    expect(await names('?page=2&page_size=3')).toEqual(['alpha 50%']);
    expect(dataOf(await lister.get('/campaigns?page_size=1000'))).toMatchObject({ page_size: 100 });
    expect(dataOf(await lister.get('/campaigns?page=50'))).toMatchObject({ items: [], total: 4 });
  });

  test.each<[string, string[]]>([
    ['?keyword=ALPHA', ['alpha two', 'alpha 50%']],
    ['?keyword=%25', ['alpha 50%']],
    ['?keyword=_', ['beta_1']],
    ['?keyword=%5C', []],
    ['?pricing_model=CPM', ['gamma']],
    ['?status=PAUSED', []],
    ['?status=ARCHIVED', []],
    ['?audit_status=PENDING&keyword=beta', ['beta_1']],
    ['?start_date=2000-01-01&end_date=2000-12-31', []],
  ])('filter %s · finds what it says', async (query, expected) => {
    expect(await names(query)).toEqual(expected);
  });

  test('today · is inside a range that starts and ends today', async () => {
    const today = new Date().toISOString().slice(0, 10);
    expect(await names(`?start_date=${today}&end_date=${today}`)).toHaveLength(4);
  });

  test('an item · is exactly the record that show answers', async () => {
    const [item] = dataOf(await lister.get('/campaigns?page_size=1'))['items'] as { id: number }[];
    expect(item).toEqual(dataOf(await lister.get(`/campaigns/${item?.id}`)));
  });

  test.each([
    '?status=ON',
    '?pricing_model=x',
    '?page=0',
    '?page=x',
    '?start_date=1',
    '?advertiser_id=1',
  ])('query %s · is 422', async (query) => {
    expect((await lister.get(`/campaigns${query}`)).status).toBe(422);
  });
});

describe('campaign · that no zone can take', () => {
  test('by ad type or pricing · says so in lists and alone, until a zone does', async () => {
    const { db, pool } = stand.database;
    const seller = await stand.newAdvertiser();
    await makePlace(db, { zone: { type: 'BANNER', pricingTypes: 'CPC,CPM' } });
    const closed = await makePlace(db, { zone: { type: 'POPUP', pricingTypes: 'CPV' } });
    await pool.query(`UPDATE zones SET status = 'PAUSED' WHERE id = $1`, [closed.zone.id]);
    const made = async (fields: object) =>
      idOf(await seller.post('/campaigns', { ...CAMPAIGN, ...fields }));
    const sold = await made({ ad_type: 'BANNER', pricing_model: 'CPM' });
    const anywhere = await made({ ad_type: 'RESPONSIVE', pricing_model: 'CPC' });
    const views = await made({ ad_type: 'BANNER', pricing_model: 'CPV' });
    const popup = await made({ ad_type: 'POPUP', pricing_model: 'CPV' });
    const named = async (): Promise<number[]> => {
      const { items } = dataOf(await seller.get('/campaigns')) as {
        items: { id: number; delivery_reasons: string[] }[];
      };
      return items
        .filter((row) => row.delivery_reasons.includes('NO_ZONE_TAKES_IT'))
        .map((row) => row.id)
        .toSorted((a, b) => a - b);
    };
    expect(await named()).toEqual([views, popup]);
    const group = idOf(await seller.post('/adgroups', { name: 'Below', campaign_id: views }));
    for (const path of [`/campaigns/${views}`, `/adgroups/${group}`]) {
      expect(dataOf(await seller.get(path))['delivery_reasons']).toContain('NO_ZONE_TAKES_IT');
    }
    await pool.query(`UPDATE zones SET status = 'ACTIVE' WHERE id = $1`, [closed.zone.id]);
    expect(await named()).toEqual([views]);
    // Open itself, but its site or its publisher is not.
    for (const [table, column, closing, opening, id] of [
      ['sites', 'status', 'PAUSED', 'ACTIVE', closed.site.id],
      ['sites', 'audit_status', 'SUSPENDED', 'APPROVED', closed.site.id],
      ['accounts', 'status', 'SUSPENDED', 'ACTIVE', closed.publisher.id],
    ] as const) {
      const set = async (value: string) =>
        await pool.query(`UPDATE ${table} SET ${column} = $1 WHERE id = $2`, [value, id]);
      await set(closing);
      expect([table, column, ...(await named())]).toEqual([table, column, views, popup]);
      await set(opening);
    }
    expect(await named()).toEqual([views]);
    expect([sold, anywhere].every((id) => id > 0)).toBe(true);
  });
});
