import { type Caller, dataOf, faultsOf, idOf } from '../../support/call.ts';
import { approve, type Chain, makeChain } from '../../support/make/chain.ts';
import { createStand, type Stand } from '../../support/stand.ts';

let stand: Stand;
let owner: Caller;
let other: Caller;
let chain: Chain;
let foreign: Chain;

beforeAll(async () => {
  stand = await createStand();
  owner = await stand.newAdvertiser();
  other = await stand.newAdvertiser();
  chain = await makeChain(owner);
  foreign = await makeChain(other);
});
afterAll(async () => await stand.close());

const body = () => ({ adgroup_id: chain.adGroupId, creative_id: chain.creativeId, name: 'Ad' });

describe('ad · created', () => {
  test('with copy · answers the whole record and enters review', async () => {
    const copy = {
      landing_url: 'https://shop.example/?c={click_id}',
      title: 'Sale',
      description: 'All of it',
      button_text: 'Buy',
      brand_name: 'Shop',
      display_url: 'shop.example',
      weight: 80,
    };
    const answer = await owner.post('/ads', { ...body(), ...copy });
    expect(answer.status).toBe(201);
    expect(dataOf(answer)).toMatchObject({
      ...body(),
      ...copy,
      campaign_id: chain.campaignId,
      status: 'ACTIVE',
      audit_status: 'PENDING',
    });
    expect(dataOf(answer)['delivery_reasons']).toEqual([
      'CAMPAIGN_PENDING',
      'BALANCE_INSUFFICIENT',
      'ADGROUP_PENDING',
      'AD_PENDING',
      'NO_APPROVED_CREATIVE',
    ]);
  });

  test('without landing page or weight · falls back', async () => {
    expect(dataOf(await owner.post('/ads', body()))).toMatchObject({
      landing_url: null,
      weight: 50,
    });
  });

  test('in the ad group or with the creative of another · names both', async () => {
    const answer = await owner.post('/ads', {
      name: 'Ad',
      adgroup_id: foreign.adGroupId,
      creative_id: foreign.creativeId,
    });
    expect([answer.status, faultsOf(answer)]).toEqual([
      422,
      ['adgroup_id unknown', 'creative_id unknown'],
    ]);
  });

  test.each<[string, object, string[]]>([
    ['a weight of 0', { weight: 0 }, ['weight min']],
    ['a weight of 101', { weight: 101 }, ['weight max']],
    ['half a weight', { weight: 1.5 }, ['weight integer']],
    ['a script for a landing page', { landing_url: 'javascript:alert(1)' }, ['landing_url url']],
    [
      'a landing page with a user',
      { landing_url: 'https://a:b@shop.example' },
      ['landing_url url'],
    ],
    [
      'a macro that steers the host',
      { landing_url: 'https://shop.${AUCTION_ID}.example/' },
      ['landing_url macro_in_host'],
    ],
    [
      'fields of the platform',
      { campaign_id: 1, advertiser_id: 1, audit_status: 'APPROVED' },
      ['advertiser_id unknown_field', 'audit_status unknown_field', 'campaign_id unknown_field'],
    ],
    ['a title of 121 characters', { title: 't'.repeat(121) }, ['title max']],
  ])('%s · is 422', async (_name, fields, expected) => {
    const answer = await owner.post('/ads', { ...body(), ...fields });
    expect([answer.status, faultsOf(answer)]).toEqual([422, expected]);
  });
});

describe('ad · updated', () => {
  test('name and weight · keep an approval; copy, landing page and creative do not', async () => {
    const id = idOf(await owner.post('/ads', body()));
    await approve(stand, 'ads', id);
    const quiet = await owner.put(`/ads/${id}`, { name: 'Renamed', weight: 7, title: null });
    expect(dataOf(quiet)).toMatchObject({ name: 'Renamed', weight: 7, audit_status: 'APPROVED' });
    const creative = idOf(
      await owner.post('/creatives', { name: 'Second', creative_type: 'text' }),
    );
    for (const edit of [
      { title: 'New' },
      { landing_url: 'https://new.example/' },
      { creative_id: creative },
    ]) {
      await approve(stand, 'ads', id);
      const answer = await owner.put(`/ads/${id}`, edit);
      expect(dataOf(answer)).toMatchObject({ ...edit, audit_status: 'PENDING' });
    }
    const { rows } = await stand.database.pool.query(
      `SELECT round, status FROM reviews WHERE subject_type = 'ad' AND subject_id = $1 ORDER BY round`,
      [id],
    );
    expect(rows.map((row: { round: number; status: string }) => row.status)).toEqual([
      'APPROVED',
      'APPROVED',
      'APPROVED',
      'OPEN',
    ]);
  });

  test('an edit while a review is open · voids that round', async () => {
    const id = idOf(await owner.post('/ads', body()));
    await owner.put(`/ads/${id}`, { title: 'Again' });
    const { rows } = await stand.database.pool.query(
      `SELECT status FROM reviews WHERE subject_type = 'ad' AND subject_id = $1 ORDER BY round`,
      [id],
    );
    expect(rows).toEqual([{ status: 'VOID' }, { status: 'OPEN' }]);
  });

  test('to a foreign creative or another ad group · is 422 on both', async () => {
    const id = idOf(await owner.post('/ads', body()));
    const answer = await owner.put(`/ads/${id}`, {
      creative_id: foreign.creativeId,
      adgroup_id: foreign.adGroupId,
    });
    expect([answer.status, faultsOf(answer)]).toEqual([
      422,
      ['adgroup_id immutable', 'creative_id unknown'],
    ]);
  });
});

describe('ad · of another advertiser', () => {
  test('every route · is 404, and no list shows it', async () => {
    const id = chain.adId;
    for (const attempt of [
      other.get(`/ads/${id}`),
      other.put(`/ads/${id}`, { name: 'Mine' }),
      other.delete(`/ads/${id}`),
      other.post(`/ads/${id}/toggle`),
      other.post(`/ads/${id}/submit-audit`),
    ]) {
      expect((await attempt).status).toBe(404);
    }
    const listed = dataOf(await other.get(`/ads?adgroup_id=${chain.adGroupId}`));
    expect(listed).toMatchObject({ total: 0, items: [] });
  });
});
