import { type Caller, dataOf, faultsOf, idOf } from '../../support/call.ts';
import { approve, CAMPAIGN } from '../../support/make/chain.ts';
import { createStand, type Stand } from '../../support/stand.ts';

let stand: Stand;
let owner: Caller;
let other: Caller;
let campaignId: number;
let foreignCampaignId: number;

beforeAll(async () => {
  stand = await createStand();
  owner = await stand.newAdvertiser();
  other = await stand.newAdvertiser();
  campaignId = idOf(await owner.post('/campaigns', CAMPAIGN));
  foreignCampaignId = idOf(await other.post('/campaigns', CAMPAIGN));
});
afterAll(async () => await stand.close());

describe('ad group · created', () => {
  test('with name and campaign · inherits everything and enters review', async () => {
    const answer = await owner.post('/adgroups', { campaign_id: campaignId, name: 'Group' });
    expect(answer.status).toBe(201);
    expect(dataOf(answer)).toMatchObject({
      campaign_id: campaignId,
      name: 'Group',
      bid: null,
      daily_budget: null,
      target_countries: null,
      bid_adjustments: null,
      frequency_cap: null,
      status: 'ACTIVE',
      audit_status: 'PENDING',
      delivery_status: 'PENDING',
      delivery_reasons: ['CAMPAIGN_PENDING', 'BALANCE_INSUFFICIENT', 'ADGROUP_PENDING', 'NO_ADS'],
    });
    expect(dataOf(await owner.get(`/adgroups/${idOf(answer)}`))).toEqual(dataOf(answer));
  });

  test('with fields of its own · answers them normalised', async () => {
    const answer = await owner.post('/adgroups', {
      campaign_id: campaignId,
      name: 'Own',
      bid: 0.25,
      daily_budget: 10,
      target_os: ['ios'],
      weekdays: [6, 7],
      bid_adjustments: { device: { tablet: 30 } },
      frequency_cap: { impressions: 2, window_seconds: 86400, per: 'ad' },
      start_date: '2031-01-01',
      save_as_draft: true,
    });
    expect(dataOf(answer)).toMatchObject({
      bid: 0.25,
      daily_budget: 10,
      target_os: ['IOS'],
      weekdays: [6, 7],
      bid_adjustments: { device: { TABLET: 30 } },
      frequency_cap: { impressions: 2, window_seconds: 86400, per: 'ad' },
      audit_status: 'DRAFT',
    });
    expect(dataOf(answer)['delivery_reasons']).toContain('ADGROUP_NOT_STARTED');
  });

  test('a cap that says no scope · counts per ad group', async () => {
    const cap = { impressions: 2, window_seconds: 60 };
    const answer = await owner.post('/adgroups', {
      campaign_id: campaignId,
      name: 'Cap',
      frequency_cap: cap,
    });
    expect(dataOf(answer)['frequency_cap']).toEqual({ ...cap, per: 'adgroup' });
  });

  test('in the campaign of another advertiser · reads as unknown', async () => {
    const answer = await owner.post('/adgroups', { campaign_id: foreignCampaignId, name: 'Group' });
    expect([answer.status, faultsOf(answer)]).toEqual([422, ['campaign_id unknown']]);
  });

  test.each<[string, object, string[]]>([
    ['nothing', {}, ['campaign_id required', 'name required']],
    [
      'foreign fields',
      { campaign_id: 1, name: 'x', audit_status: 'APPROVED', ad_type: 'BANNER' },
      ['ad_type unknown_field', 'audit_status unknown_field'],
    ],
    [
      'wrong types',
      { campaign_id: '1', name: 5, bid: null, daily_budget: [] },
      ['campaign_id type', 'daily_budget type', 'name type'],
    ],
  ])('%s · is 422 with every field', async (_name, body, expected) => {
    const answer = await owner.post('/adgroups', body);
    expect([answer.status, faultsOf(answer)]).toEqual([422, expected]);
  });
});

describe('ad group · kept by its owner', () => {
  test('an edit · needs no new review, and null inherits again', async () => {
    const id = idOf(
      await owner.post('/adgroups', { campaign_id: campaignId, name: 'Group', bid: 3 }),
    );
    await approve(stand, 'ad_groups', id);
    const answer = await owner.put(`/adgroups/${id}`, {
      name: 'Other',
      bid: null,
      campaign_id: campaignId,
    });
    expect(dataOf(answer)).toMatchObject({ name: 'Other', bid: null, audit_status: 'APPROVED' });
  });

  test('a move to another campaign · is 422', async () => {
    const id = idOf(await owner.post('/adgroups', { campaign_id: campaignId, name: 'Group' }));
    const second = idOf(await owner.post('/campaigns', CAMPAIGN));
    const answer = await owner.put(`/adgroups/${id}`, { campaign_id: second });
    expect([answer.status, faultsOf(answer)]).toEqual([422, ['campaign_id immutable']]);
  });

  test('every route of another advertiser · is 404', async () => {
    const id = idOf(await owner.post('/adgroups', { campaign_id: campaignId, name: 'Group' }));
    for (const attempt of [
      other.get(`/adgroups/${id}`),
      other.put(`/adgroups/${id}`, { bid: 1 }),
      other.delete(`/adgroups/${id}`),
      other.post(`/adgroups/${id}/toggle`),
      other.post(`/adgroups/${id}/submit-audit`),
    ]) {
      expect((await attempt).status).toBe(404);
    }
    expect(dataOf(await other.get('/adgroups'))['total']).toBe(0);
  });

  test('toggle, submit-audit and delete · follow the same tables as a campaign', async () => {
    const body = { campaign_id: campaignId, name: 'Group', save_as_draft: true };
    const id = idOf(await owner.post('/adgroups', body));
    expect(dataOf(await owner.post(`/adgroups/${id}/toggle`))['status']).toBe('PAUSED');
    expect(dataOf(await owner.post(`/adgroups/${id}/submit-audit`))['audit_status']).toBe(
      'PENDING',
    );
    expect((await owner.post(`/adgroups/${id}/submit-audit`)).status).toBe(409);
    expect(dataOf(await owner.delete(`/adgroups/${id}`))).toEqual({ id, status: 'ARCHIVED' });
    expect((await owner.get(`/adgroups/${id}`)).status).toBe(404);
  });

  test('list of one campaign · holds its groups only', async () => {
    const second = idOf(await owner.post('/campaigns', CAMPAIGN));
    const id = idOf(await owner.post('/adgroups', { campaign_id: second, name: 'Only' }));
    const listed = dataOf(await owner.get(`/adgroups?campaign_id=${second}`));
    expect(listed['total']).toBe(1);
    expect(listed['items']).toEqual([dataOf(await owner.get(`/adgroups/${id}`))]);
  });
});
