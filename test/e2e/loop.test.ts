import type { Browser, BrowserContext } from 'playwright-core';
import sharp from 'sharp';
import { demoAnswer } from '../../dev/demo-pages.ts';
import { untilClickable } from '../support/by-hand.ts';
import { type Platform, startPlatform } from '../support/platform.ts';
import { replayAllHistories } from './replay.ts';
import { until } from '../support/until.ts';
import { SCHEDULED_FLOWS } from '../../workflows/contracts/schedules.ts';
import { launchBrowser, PERSON_AGENT } from '../support/browser.ts';
import { ApiClient } from '../support/call.ts';
import { type LocalSites, startLocalSites } from '../support/local-sites.ts';

/**
 * The whole loop, from two registrations to balanced books, over HTTP and Chromium only. The
 * database is read at the very end, to compare to the nano what the API shows to the micro.
 */
const PASSWORD = 'correct-horse-battery-9';

interface World {
  platform: Platform;
  sites: LocalSites;
  browser: Browser;
  person: BrowserContext;
  advertiser: ApiClient;
  publisher: ApiClient;
  reviewer: ApiClient;
  finance: ApiClient;
  admin: ApiClient;
}

interface Zone {
  id: number;
  zone_key: string;
}

let world: World;

beforeAll(async () => {
  const sites = await startLocalSites();
  const platform = await startPlatform({
    // Flows in threads of their own, as in production.
    TEMPORAL_DEBUG: '',
    DEV_HOSTS: `gazette.example.com=127.0.0.1:${sites.port},shop.example.com=127.0.0.1:${sites.port}`,
  });
  const browser = await launchBrowser(
    `MAP gazette.example.com 127.0.0.1:${sites.port}, MAP shop.example.com 127.0.0.1:${sites.port}`,
  );
  const client = (realm: string): ApiClient => new ApiClient(`${platform.baseUrl}/api/${realm}`);
  const operators = await platform.createOperators(PASSWORD);
  world = {
    platform,
    sites,
    browser,
    person: await browser.newContext(),
    advertiser: client('advertiser'),
    publisher: client('publisher'),
    reviewer: await client('admin').login(operators.REVIEWER, PASSWORD),
    finance: await client('admin').login(operators.FINANCE, PASSWORD),
    admin: await client('admin').login(operators.ADMIN, PASSWORD),
  };
}, 120_000);

afterAll(async () => {
  await world?.browser.close();
  await world?.platform.close();
  await world?.sites.close();
}, 60_000);

/** Decides the open task of a subject through the API, as a reviewer's client would. */
async function decide(
  operator: ApiClient,
  subject: { type: string; id: number },
  decision = 'approve',
) {
  const task = await until(`a task for ${subject.type} ${subject.id}`, async () => {
    const page = await operator.must<{
      items: { id: number; subject: { type: string; id: number } }[];
    }>('GET', '/tasks?status=open&page_size=100');
    return page.items.find(
      (item) => item.subject.type === subject.type && item.subject.id === subject.id,
    );
  });
  await operator.must('POST', `/tasks/${task.id}/decision`, { decision });
}

async function approved(client: ApiClient, path: string): Promise<void> {
  await until(`${path} is approved`, async () => {
    const record = await client.must<{ audit_status: string }>('GET', path);
    return record.audit_status === 'APPROVED';
  });
}

/** Campaign, ad group, creative and ad for one pricing model; answers their ids. */
async function buildCampaign(
  pricing: { pricing_model: string; price: number; tracker_id?: number },
  imageId: number,
) {
  const { advertiser } = world;
  const campaign = await advertiser.must<{ id: number }>('POST', '/campaigns', {
    name: `Harbour ${pricing.pricing_model}`,
    ad_type: 'BANNER',
    daily_budget: 50,
    rotation_mode: 'ASAP',
    landing_url: 'http://shop.example.com/landing?cid={click_id}&model=' + pricing.pricing_model,
    ...pricing,
  });
  const group = await advertiser.must<{ id: number }>('POST', '/adgroups', {
    campaign_id: campaign.id,
    name: 'Everyone',
  });
  const creative = await advertiser.must<{ id: number }>('POST', '/creatives', {
    name: `Rope ${pricing.pricing_model}`,
    creative_type: 'image',
    type: 'IMAGE',
    width: 300,
    height: 250,
    image_media_id: imageId,
  });
  const ad = await advertiser.must<{ id: number }>('POST', '/ads', {
    adgroup_id: group.id,
    creative_id: creative.id,
    name: 'Rope ad',
    title: 'Rope & twine <for sailors>',
    description: 'Strong',
    button_text: 'Buy',
    brand_name: 'Harbour Rope',
  });
  return { campaignId: campaign.id, groupId: group.id, creativeId: creative.id, adId: ad.id };
}

describe('the whole loop', () => {
  let siteId: number;
  let imageId: number;
  let depositId: number;
  const zones: Record<string, Zone> = {};
  const campaigns: Record<string, Awaited<ReturnType<typeof buildCampaign>>> = {};
  let trackerCode: string;
  let clickId: string;

  test('accounts · both sides register · each has a token and an empty balance', async () => {
    const { advertiser, publisher } = world;
    const fields = { password: PASSWORD, company_name: 'Harbour Rope Ltd', contact_name: 'Ada' };
    advertiser.token = (
      await advertiser.must<{ token: string }>('POST', '/auth/register', {
        ...fields,
        email: 'ada@rope.example.com',
      })
    ).token;
    publisher.token = (
      await publisher.must<{ token: string }>('POST', '/auth/register', {
        ...fields,
        email: 'bob@gazette.example.com',
      })
    ).token;
    expect(await advertiser.must('GET', '/deposits/balance')).toMatchObject({
      balance: 0,
      available: 0,
    });
    expect(await publisher.must('GET', '/withdrawals/balance')).toMatchObject({ balance: 0 });
    const foreign = await new ApiClient(`${world.platform.baseUrl}/api/advertiser`).call(
      'GET',
      '/campaigns',
    );
    expect(foreign.status).toBe(401);
  });

  test('deposit · the operator receives exactly the ordered amount · it is paid and credited', async () => {
    const { advertiser, finance } = world;
    const order = await advertiser.must<{ id: number; status: string }>('POST', '/deposits', {
      amount: 100,
      payment_method: 'BANK',
    });
    expect(order.status).toBe('PENDING');
    depositId = order.id;
    await finance.must('POST', `/deposits/${order.id}/receipts`, {
      amount: 100,
      reference: 'CASH-1',
    });
    await until('the deposit is paid', async () => {
      const { status } = await advertiser.must<{ status: string }>('GET', `/deposits/${order.id}`);
      return status === 'PAID';
    });
    expect(await advertiser.must('GET', '/deposits/balance')).toMatchObject({
      balance: 100,
      available: 100,
    });
  });

  test('site · the code is put on the server and a reviewer approves · zones may be made', async () => {
    const { publisher, reviewer, sites } = world;
    const site = await publisher.must<{ id: number }>('POST', '/sites', {
      name: 'Harbour Gazette',
      domain: 'gazette.example.com',
    });
    siteId = site.id;
    const early = await publisher.call('POST', '/zones', {
      name: 'Too early',
      site_id: siteId,
      type: 'BANNER',
    });
    expect([409, 422]).toContain(early.status);
    const { methods } = await publisher.must<{
      methods: { method: string; location: string; value: string }[];
    }>('GET', `/sites/${siteId}/verify-code`);
    const file = methods.find((entry) => entry.method === 'FILE');
    if (file === undefined) throw new Error('FILE is not offered');
    sites.pages.set('/.well-known/adplatform.txt', { type: 'text/plain', body: file.value });
    const started = await publisher.call('POST', `/sites/${siteId}/verify`, { method: 'file' });
    expect(started.status).toBe(202);
    await until('the site is verified', async () => {
      const record = await publisher.must<{ verify_status: string }>('GET', `/sites/${siteId}`);
      return record.verify_status === 'VERIFIED';
    });
    await decide(reviewer, { type: 'site', id: siteId });
    await approved(publisher, `/sites/${siteId}`);
    for (const model of ['CPM', 'CPC', 'CPA']) {
      zones[model] = await publisher.must<Zone>('POST', '/zones', {
        name: `Article ${model}`,
        site_id: siteId,
        type: 'BANNER',
        width: 300,
        height: 250,
        pricing_types: model,
        floor_price_cpm: model === 'CPM' ? 1.5 : 0,
        floor_price_cpc: model === 'CPC' ? 0.25 : 0,
      });
      await approved(publisher, `/zones/${zones[model].id}`);
    }
  }, 60_000);

  test('campaigns · built with an uploaded image · the creative waits for a person', async () => {
    const { advertiser } = world;
    const image = await sharp({
      create: { width: 300, height: 250, channels: 3, background: '#0a5cad' },
    })
      .png()
      .toBuffer();
    const form = new FormData();
    form.set('file', new Blob([new Uint8Array(image)], { type: 'image/png' }), 'rope.png');
    imageId = (await advertiser.must<{ id: number }>('POST', '/creatives/upload', form)).id;
    const tracker = await advertiser.must<{ id: number; tracking_code: string }>(
      'POST',
      '/trackers',
      {
        name: 'Sale',
        type: 'POSTBACK',
        event_type: 'PURCHASE',
        conversion_value: 9.99,
      },
    );
    trackerCode = tracker.tracking_code;
    campaigns['CPM'] = await buildCampaign({ pricing_model: 'CPM', price: 5 }, imageId);
    campaigns['CPC'] = await buildCampaign({ pricing_model: 'CPC', price: 0.5 }, imageId);
    campaigns['CPA'] = await buildCampaign(
      // What a thousand impressions are worth by it is above the platform's floor.
      { pricing_model: 'CPA', price: 5, tracker_id: tracker.id },
      imageId,
    );
    const waiting = await advertiser.must<{ audit_status: string }>(
      'GET',
      `/creatives/${campaigns['CPM'].creativeId}`,
    );
    expect(waiting.audit_status).toBe('PENDING');
  });

  test('operator desk · a reviewer decides · creatives and ads are approved', async () => {
    const { advertiser, reviewer } = world;
    for (const { creativeId, campaignId, groupId, adId } of Object.values(campaigns)) {
      await decide(reviewer, { type: 'creative', id: creativeId });
      await approved(advertiser, `/creatives/${creativeId}`);
      // A landing host that nobody has approved for this advertiser asks for a person, once.
      await until(`ad ${adId} is approved`, async () => {
        const record = await advertiser.must<{ audit_status: string }>('GET', `/ads/${adId}`);
        if (record.audit_status === 'APPROVED') return true;
        const open = await reviewer.must<{
          items: { id: number; subject: { type: string; id: number } }[];
        }>('GET', '/tasks?status=open&page_size=100');
        for (const task of open.items) {
          if (['ad', 'campaign', 'adgroup'].includes(task.subject.type)) {
            await reviewer.call('POST', `/tasks/${task.id}/decision`, { decision: 'approve' });
          }
        }
        return undefined;
      });
      await approved(advertiser, `/campaigns/${campaignId}`);
      await approved(advertiser, `/adgroups/${groupId}`);
    }
  }, 90_000);

  test('serving · each zone is asked · the ad item has every field and escapes what it shows', async () => {
    const { platform } = world;
    const zone = zones['CPM'];
    if (zone === undefined) throw new Error('no zone');
    const item = await until('an ad is served', async () => {
      const response = await fetch(`${platform.baseUrl}/ad/request?zone=${zone.zone_key}`, {
        headers: { 'User-Agent': PERSON_AGENT },
      });
      const answer = (await response.json()) as { data: { ads: Record<string, unknown>[] } };
      return answer.data.ads[0];
    });
    for (const field of [
      'id',
      'type',
      'title',
      'description',
      'button_text',
      'brand_name',
      'image_url',
      'image_url_2',
      'video_url',
      'icon_url',
      'display_url',
      'landing_url',
      'click_url',
      'impression_url',
      'width',
      'height',
      'pricing_model',
      'html',
    ]) {
      expect(item).toHaveProperty(field);
    }
    expect(item['html']).not.toContain('<for sailors>');
    const image = await fetch(String(item['image_url']));
    expect(image.headers.get('content-type')).toMatch(/^image\//);
  });

  test('page · a person sees and clicks the ads · impressions, a click and its landing page', async () => {
    const { platform, sites, person } = world;
    // The demo publisher's own page, with two more places on it.
    const more = [zones['CPC'], zones['CPA']].map(
      (zone) => `<div data-adp-zone="${zone?.zone_key}"></div>`,
    );
    const zone_key = zones['CPM']?.zone_key ?? '';
    const paper = demoAnswer('/', { zone_key }, platform.baseUrl)?.body.toString() ?? '';
    const html = paper.replace('</body>', `${more.join('')}</body>`);
    const style = demoAnswer('/style.css', {}, platform.baseUrl);
    if (style !== undefined) sites.pages.set('/style.css', style);
    sites.pages.set('/', { type: 'text/html', body: html });
    sites.pages.set('/landing', { type: 'text/html', body: '<!doctype html><h1>Rope shop</h1>' });
    const page = await person.newPage();
    await page.goto('http://gazette.example.com/');
    await page.waitForFunction(`document.querySelectorAll('[data-adp-state=filled]').length === 3`);
    // The pixel inside each frame fires when it begins to render, a view a second after that.
    await until('three impressions and a view are stored', async () => {
      const { rows } = await platform.pool.query<{ kind: string }>('SELECT kind FROM event_inbox');
      const stored = (kind: string): number => rows.filter((row) => row.kind === kind).length;
      return stored('impression') >= 3 && stored('view') >= 1;
    });
    await untilClickable();
    for (const model of ['CPC', 'CPA']) {
      const frame = page.frameLocator(`[data-adp-zone="${zones[model]?.zone_key}"] iframe`);
      const [landing] = await Promise.all([
        person.waitForEvent('page'),
        frame.locator('a').first().click(),
      ]);
      await landing.waitForURL(/shop\.example\.com\/landing/, { timeout: 20_000 });
      expect(await landing.textContent('h1')).toBe('Rope shop');
      const cid = new URL(landing.url()).searchParams.get('cid');
      expect(cid).toMatch(/^[0-9a-f]{32}$/);
      if (model === 'CPA') clickId = cid ?? '';
      await landing.close();
    }
    await page.close();
  }, 60_000);

  test('conversion · reported by the shop twice · one conversion, answered alike', async () => {
    const { platform } = world;
    const report = async (): Promise<{ code: number; msg: string; conversion_id: number }> => {
      const response = await fetch(
        `${platform.baseUrl}/track/postback?code=${trackerCode}&click_id=${clickId}&value=42.5&txid=order-1`,
      );
      return (await response.json()) as { code: number; msg: string; conversion_id: number };
    };
    const first = await report();
    const second = await report();
    expect(first.code).toBe(0);
    expect(second).toMatchObject({ code: 0, msg: 'duplicate', conversion_id: first.conversion_id });
  });

  test('conversion · that nobody signed · waits for the advertiser, who approves it', async () => {
    const { advertiser } = world;
    const held = await until('one conversion waits', async () => {
      const { items } = await advertiser.must<{ items: { id: number; status: string }[] }>(
        'GET',
        '/conversions',
      );
      return items.find(({ status }) => status === 'PENDING');
    });
    await advertiser.must('POST', `/conversions/${held.id}/approve`);
  });

  test('money · when settlement has caught up · debit equals earning plus fee, reports equal the ledger', async () => {
    const { advertiser, publisher, admin, platform } = world;
    const today = new Date().toISOString().slice(0, 10);
    type Totals = { totals: Record<string, number> };
    const path = `/statistics/report?start_date=${today}&end_date=${today}`;
    const totals = await until(
      { what: 'three impressions, two clicks, one conversion', withinMs: 30_000 },
      async () => {
        const report = await advertiser.must<Totals>('GET', path);
        const { impressions, clicks, conversions } = report.totals;
        return impressions === 3 && clicks === 2 && conversions === 1 ? report.totals : undefined;
      },
    );
    const earned = await publisher.must<Totals>('GET', path);
    expect(earned.totals).toMatchObject({ impressions: 3, clicks: 2, conversions: 1 });
    // The demo page's own place stands in the first screen, in view for more than a second.
    expect(totals['viewable']).toBeGreaterThanOrEqual(1);
    // Nobody else bids: one CPM impression at the floor of 1.5 per mille, one click at 0.25 and a nano.
    expect(totals['spend']).toBeGreaterThanOrEqual(0.2515);

    const { checks } = await admin.must<{ checks: { name: string; ok: boolean }[] }>(
      'GET',
      '/books',
    );
    expect(checks.length).toBeGreaterThan(10);
    expect(checks.filter((check) => !check.ok)).toEqual([]);

    const { rows } = await platform.pool.query<{ code: string; balance: string }>(
      'SELECT code, balance_nanos AS balance FROM ledger_accounts',
    );
    const sum = (pattern: RegExp): bigint =>
      rows
        .filter((row) => pattern.test(row.code))
        .reduce((total, row) => total + BigInt(row.balance), 0n);
    const debit = 100_000_000_000n - sum(/^adv:\d+:available$/);
    expect(debit).toBeGreaterThan(0n);
    expect(debit).toBe(sum(/^pub:/) + sum(/^platform:revenue/));
    expect(sum(/^clearing:/)).toBe(0n);

    const reported = await platform.pool.query<{ spend: string; revenue: string }>(
      `SELECT (SELECT sum(spend_nanos) FROM rollup_ad_hours)::text AS spend,
              (SELECT sum(revenue_nanos) FROM rollup_zone_hours)::text AS revenue`,
    );
    expect(BigInt(reported.rows[0]?.spend ?? 0)).toBe(debit);
    expect(BigInt(reported.rows[0]?.revenue ?? 0)).toBe(sum(/^pub:/));
    const balance = await advertiser.must<{ balance: number }>('GET', '/deposits/balance');
    expect(balance.balance).toBeCloseTo(100 - Number(debit) / 1e9, 6);
  }, 60_000);

  test('flows · at the end · each is completed or rightly waiting, and every history replays', async () => {
    const { advertiser, platform } = world;
    expect(
      (await advertiser.must<{ status: string }>('GET', `/deposits/${depositId}`)).status,
    ).toBe('PAID');
    const flows = await replayAllHistories(platform);
    const failed = flows.filter(
      (flow) => !['COMPLETED', 'RUNNING', 'CONTINUED_AS_NEW'].includes(flow.status),
    );
    expect(failed).toEqual([]);
    // A round of periodic work is begun by its schedule and ends by itself.
    const rounds = SCHEDULED_FLOWS.map(({ type }) => type);
    const running = flows
      .filter(({ status, type }) => status === 'RUNNING' && !rounds.includes(type))
      .map((flow) => flow.workflowId.replace(/:.*/, ''));
    expect([...new Set(running)].sort()).toEqual([
      'chains',
      'click-expiry',
      'conversions',
      'settlement',
    ]);
    const kinds = new Set(flows.map((flow) => flow.type));
    expect([...kinds].sort()).toEqual(
      expect.arrayContaining([
        'depositWorkflow',
        'reviewWorkflow',
        'settlementWorkflow',
        'siteVerificationWorkflow',
        ...rounds,
      ]),
    );
  }, 120_000);
});
