import { makeAdvertiser, makeOperator } from '../support/make/account.ts';
import { makeCampaignTree } from '../support/make/campaign.ts';
import { makePlace } from '../support/make/place.ts';
import { CHROME } from '../support/agents.ts';
import { type Caller, dataOf } from '../support/call.ts';
import { ask } from '../support/serving.ts';
import { createStand, type FlowStand } from '../support/stand.ts';
import { until } from '../support/until.ts';

/**
 * The attack of issue 11.2: an approved ad is given the words and the address of somebody else. The
 * owner edits and the viewer looks over HTTP, the review is the real flow.
 */
const PHISHING = {
  title: 'PayPal: confirm your account',
  brand_name: 'PayPal',
  display_url: 'https://www.paypal.com/signin',
};
/** Serving had two seconds; what does not come in five does not come by itself. */
const LONG_ENOUGH_MS = 5_000;

let stand: FlowStand;
let reviewer: Caller;
let width = 8_000;

beforeAll(async () => {
  stand = await createStand({ flows: {}, realTime: true });
  await stand.startServing();
  reviewer = stand.as('admin', (await makeOperator(stand.database.db, 'REVIEWER')).id);
}, 90_000);
afterAll(async () => await stand?.close(), 60_000);

type Item = Awaited<ReturnType<typeof ask>>['body']['data']['ads'][number];

/** An approved ad in a zone of its own, as a viewer is served it. */
async function scene() {
  width += 1;
  const { db, pool } = stand.database;
  const advertiser = await makeAdvertiser(db, { balance: 100 });
  const { ad, campaign } = await makeCampaignTree(db, advertiser.id, {
    campaign: { pricingModel: 'CPC' },
    revision: { width },
    ad: { title: 'Ropes', brandName: 'Harbour Rope', displayUrl: 'shop.example' },
  });
  await pool.query('INSERT INTO approved_hosts (advertiser_id, host) VALUES ($1, $2)', [
    advertiser.id,
    'shop.example',
  ]);
  const { zone, publisher } = await makePlace(db, { zone: { width } });
  await stand.publish({ topic: 'advertiser', id: advertiser.id });
  await stand.publish({ topic: 'publisher', id: publisher.id });
  const served = async (): Promise<Item | undefined> =>
    (await ask(`${stand.url}/ad/request?zone_id=${zone.id}`)).body.data.ads?.[0];
  await until({ withinMs: 50_000 }, async () => (await served())?.['title'] === 'Ropes');
  return { owner: stand.as('advertiser', advertiser.id), ad, campaign, served };
}

interface OpenTask {
  id: number;
  findings: { code: string; field?: string; note?: string }[];
}

async function taskOf(type: string, id: number): Promise<OpenTask> {
  return await until(`a task of ${type} ${id}`, async () => {
    const { items } = dataOf(await reviewer.get(`/tasks?kind=${type}_review&status=open`)) as {
      items: (OpenTask & { subject: { id: number } })[];
    };
    return items.find(({ subject }) => subject.id === id);
  });
}

const decide = async (task: OpenTask, decision: object): Promise<number> =>
  (await reviewer.post(`/tasks/${task.id}/decision`, decision)).status;

/** Where a viewer who clicks is sent. */
async function landingOf(item: Item): Promise<string> {
  const trackId = new URL(String(item['click_url'])).pathname.split('/').at(-1) ?? '';
  const headers = { 'user-agent': CHROME, 'x-forwarded-for': '20.0.113.7' };
  const page = await (await fetch(`${stand.url}/track/click/${trackId}`, { headers })).text();
  const key = /data-key="([\w-]+)"/.exec(page)?.[1] ?? '';
  const answer = await fetch(`${stand.url}/track/click-verify`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify({ track_id: trackId, qa_k: key }),
  });
  return ((await answer.json()) as { data: { url: string } }).data.url;
}

describe('an approved ad', () => {
  test('given the words of PayPal · serves what was approved until a person has looked', async () => {
    const { owner, ad, served } = await scene();
    const edited = await owner.put(`/ads/${ad.id}`, PHISHING);
    expect(dataOf(edited)).toMatchObject({
      ...PHISHING,
      audit_status: 'PENDING',
      revision: 2,
      approved_revision: 1,
      delivery_status: 'ELIGIBLE',
      delivery_reasons: ['REVISION_PENDING'],
    });
    const task = await taskOf('ad', ad.id);
    expect(task.findings.map(({ code, field }) => `${code} ${field ?? ''}`)).toEqual([
      'COPY_NEW title',
      'DISPLAY_HOST_DIFFERS display_url',
      'BRAND_NAMED title',
      'BRAND_NAMED brand_name',
      'BRAND_NAMED display_url',
    ]);
    const from = Date.now();
    while (Date.now() - from < LONG_ENOUGH_MS) {
      expect(await served()).toMatchObject({
        title: 'Ropes',
        brand_name: 'Harbour Rope',
        display_url: 'shop.example',
      });
    }
    const { detail } = dataOf(await reviewer.get(`/tasks/${task.id}`)) as {
      detail: Record<string, unknown>;
    };
    expect(detail).toMatchObject({
      ad_revision: { ...PHISHING, revision: 2, is_serving: false },
      ad_revision_before: { title: 'Ropes', revision: 1, is_serving: true },
    });
    expect(detail['ad_changes']).toEqual([
      { field: 'title', before: 'Ropes', after: PHISHING.title },
      { field: 'brand_name', before: 'Harbour Rope', after: 'PayPal' },
      { field: 'display_url', before: 'shop.example', after: PHISHING.display_url },
    ]);
    expect(await decide(task, { decision: 'reject', reasons: [{ code: 'MISLEADING' }] })).toBe(200);
    await until(
      async () => dataOf(await owner.get(`/ads/${ad.id}`))['audit_status'] === 'REJECTED',
    );
    expect((await served())?.['title']).toBe('Ropes');

    await owner.put(`/ads/${ad.id}`, {
      title: 'Better ropes',
      brand_name: null,
      display_url: null,
    });
    expect(await decide(await taskOf('ad', ad.id), { decision: 'approve' })).toBe(200);
    await until({ withinMs: 20_000 }, async () => (await served())?.['title'] === 'Better ropes');
    const { items } = dataOf(await owner.get(`/ads/${ad.id}/revisions`)) as { items: object[] };
    expect(items).toMatchObject([
      { revision: 3, audit_status: 'APPROVED', is_serving: true, decided_by: 'OPERATOR' },
      { revision: 2, audit_status: 'REJECTED', is_serving: false, ...PHISHING },
      { revision: 1, audit_status: 'APPROVED', is_serving: false, title: 'Ropes' },
    ]);
  });

  test('led somewhere else · viewers are sent to the page that was approved', async () => {
    const { owner, ad, campaign, served } = await scene();
    const item = await served();
    await owner.put(`/ads/${ad.id}`, { landing_url: 'https://evil.example/' });
    expect((await taskOf('ad', ad.id)).findings.map(({ code }) => code)).toEqual([
      'LANDING_HOST_NEW',
      'DISPLAY_HOST_DIFFERS',
    ]);
    expect(await landingOf(item as Item)).toBe('https://shop.example/landing');

    const other = await served();
    await owner.put(`/campaigns/${campaign.id}`, { landing_url: 'https://evil.example/' });
    expect((await taskOf('campaign', campaign.id)).findings.map(({ code }) => code)).toEqual([
      'LANDING_HOST_NEW',
      'DISPLAY_HOST_DIFFERS',
    ]);
    expect(await landingOf(other as Item)).toBe('https://shop.example/landing');
  });

  test('edited where no viewer sees it · goes on without a review', async () => {
    const { owner, ad, campaign } = await scene();
    const quiet = await owner.put(`/ads/${ad.id}`, { name: 'Renamed', weight: 7 });
    expect(dataOf(quiet)).toMatchObject({ audit_status: 'APPROVED', revision: 1 });
    const terms = { name: 'Renamed', daily_budget: 12, bid: 0.7, end_date: '2100-01-01' };
    const edited = await owner.put(`/campaigns/${campaign.id}`, terms);
    expect(dataOf(edited)).toMatchObject({ ...terms, audit_status: 'APPROVED' });
  });

  test('copied with its campaign · says the same, and needs no second look at its words', async () => {
    const { owner, ad, campaign } = await scene();
    const copy = Number(dataOf(await owner.post(`/campaigns/${campaign.id}/copy`))['id']);
    const { items } = dataOf(await owner.get(`/ads?campaign_id=${copy}`)) as {
      items: { id: number }[];
    };
    const id = items[0]?.id ?? 0;
    await owner.post(`/ads/${id}/submit-audit`);
    const shown = await until({ withinMs: 20_000 }, async () => {
      const data = dataOf(await owner.get(`/ads/${id}`));
      return data['audit_status'] === 'APPROVED' ? data : undefined;
    });
    expect(shown).toMatchObject({ approved_revision: 1, title: ad.title });
  });
});
