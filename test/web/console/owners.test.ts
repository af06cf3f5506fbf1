import { type Account, type ConsoleStand, startConsole } from '../../support/console.ts';
import { image } from '../../support/images.ts';
import { makeSite } from '../../support/make/place.ts';
import { until } from '../../support/until.ts';

/** What owners do now and then: appeal, keep a view, try a tracker, have their server told. */
let stand: ConsoleStand;

beforeAll(async () => {
  stand = await startConsole();
}, 120_000);
afterAll(async () => await stand?.close(), 60_000);

/** A reviewer's no to the newest question about a creative. */
async function reject(creativeId: number): Promise<void> {
  const { api } = await stand.operator('REVIEWER');
  const task = await until('the task of the creative', async () => {
    const query = `status=open&subject_type=creative&subject_id=${creativeId}`;
    const { items } = await api.must<{ items: { id: number }[] }>('GET', `/tasks?${query}`);
    return items[0];
  });
  const reasons = [{ code: 'MISLEADING', note: 'No rope lasts for ever' }];
  await api.must('POST', `/tasks/${task.id}/decision`, { decision: 'reject', reasons });
}

async function rejectedCreative({ api }: Account): Promise<number> {
  const form = new FormData();
  const bytes = await image('png', { width: 300, height: 250, colour: '#0a5cad' });
  form.set('file', new Blob([new Uint8Array(bytes)], { type: 'image/png' }), 'rope.png');
  const { id: picture } = await api.must<{ id: number }>('POST', '/creatives/upload', form);
  const { id } = await api.must<{ id: number }>('POST', '/creatives', {
    name: 'Miracle rope',
    image_media_id: picture,
    width: 300,
    height: 250,
  });
  await reject(id);
  await until(
    'the creative is rejected',
    async () =>
      (await api.must<{ audit_status: string }>('GET', `/creatives/${id}`)).audit_status ===
      'REJECTED',
  );
  return id;
}

test('a rejection · appealed where it is shown · is read and accepted by another operator in two clicks', async () => {
  const owner = await stand.newAccount('advertiser', 'Harbour');
  const id = await rejectedCreative(owner);
  const person = await stand.newPerson({ as: ['advertiser', owner] });
  await person.open(`/advertiser/creatives/${id}`);
  await person.page.getByText('No rope lasts for ever').waitFor();
  await person.button('Appeal').click();
  expect(await person.barriers()).toEqual([]);
  await person
    .field(/^Why the rejection is wrong/)
    .fill('The warranty of 25 years is on the page.');
  await person.button('Send the appeal').click();
  await person.page.getByText('Your appeal is with the reviewers', { exact: true }).waitFor();
  await person.settled();
  expect(await person.barriers()).toEqual([]);
  const operator = await stand.newPerson({ as: ['admin', await stand.operator('ADMIN')] });
  await operator.open('/operator');
  await operator.link(new RegExp(`Appeal of creative ${id}`)).click();
  await operator.page.getByText('The owner appeals the rejection before').waitFor();
  await operator.page.getByText(/^Rejected for:.*No rope lasts for ever/).waitFor();
  await operator.settled();
  expect(await operator.barriers()).toEqual([]);
  const decision = operator.page.getByRole('region', { name: 'Your decision' });
  await decision.getByRole('button', { name: /^Approve/ }).click();
  await decision.getByText(/^Approve: sent in/).waitFor();
  // From the desk; it is sent by itself when nobody takes it back.
  expect((await operator.counted()).clicks).toBe(2);
  await decision.getByRole('button', { name: /^Send now/ }).click();
  await until('the appeal is accepted', async () => {
    const row = await owner.api.must<{ appeal: { status: string } | null }>(
      'GET',
      `/creatives/${id}`,
    );
    return row.appeal?.status === 'accepted';
  });
  await person.open(`/advertiser/creatives/${id}`);
  await person.page.getByText('Your appeal was accepted').waitFor();
});

test('a view · kept, left, chosen, renamed, deleted · is the address that it was kept of', async () => {
  const owner = await stand.newAccount('advertiser', 'Lantern');
  const person = await stand.newPerson({ as: ['advertiser', owner] });
  const search = (): string => new URL(person.page.url()).search;
  const item = (name: string | RegExp) => person.page.getByRole('menuitem', { name });
  await person.open('/advertiser/campaigns?status=PAUSED&sort=-bid');
  await person.button('Views').click();
  await item('Save this view…').click();
  await person.field(/^Name \*/).fill('Dear and idle');
  expect(await person.barriers()).toEqual([]);
  await person.button('Save').click();
  await person.button('View: Dear and idle').waitFor();
  await person.button('View: Dear and idle').click();
  await item('Everything, unfiltered').click();
  await person.button('Views').waitFor();
  expect(search()).toBe('');
  await person.button('Views').click();
  expect(await person.barriers()).toEqual([]);
  await item('Dear and idle').click();
  await person.button('View: Dear and idle').waitFor();
  expect(Object.fromEntries(new URLSearchParams(search()))).toEqual({
    sort: '-bid',
    status: 'PAUSED',
  });
  await person.button('View: Dear and idle').click();
  await item('Manage views…').click();
  expect(await person.dialogBarriers()).toEqual([]);
  await person.button('Actions: Dear and idle').click();
  await item('Rename').click();
  expect(await person.dialogBarriers()).toEqual([]);
  await person.field(/^Name \*/).fill('Idle');
  await person.button('Save').click();
  await person.button('Actions: Idle').click();
  await item('Delete').click();
  await person.button('Delete').waitFor();
  expect(await person.dialogBarriers()).toEqual([]);
  await person.button('Delete').click();
  await person.page.getByText('No view is kept of this page yet.').waitFor();
  await person.settled();
  expect(await person.barriers()).toEqual([]);
});

test('a tracker · tried · shows the report as it comes, and what its own server answered', async () => {
  const owner = await stand.newAccount('advertiser', 'Rope');
  stand.sites.pages.set('/sold', { type: 'text/plain', body: 'thanks, noted' });
  const { id } = await owner.api.must<{ id: number }>('POST', '/trackers', {
    name: 'Checkout',
    event_type: 'PURCHASE',
    postback_url: 'http://shop.example.com/sold?c={click_id}',
  });
  const person = await stand.newPerson({ as: ['advertiser', owner] });
  await person.open(`/advertiser/trackers/${id}?tab=test`);
  await person.button('Begin a test').click();
  await person.page.getByText('Waiting for a report.').waitFor();
  const url = await person.field('By the conversion address').innerText();
  const reported = await fetch(`${url}&value=12.5&txid=o-7`);
  expect(await reported.json()).toMatchObject({ code: 0, msg: 'test: would be accepted' });
  await person.page.getByText('It would be accepted', { exact: true }).waitFor();
  await person.page.getByText('Your server took it').waitFor();
  expect(await person.field('Beginning of the answer').innerText()).toBe('thanks, noted');
  await person.settled();
  expect(await person.barriers()).toEqual([]);
  const { total } = await owner.api.must<{ total: number }>('GET', `/trackers/${id}/conversions`);
  expect(total).toBe(0);
});

test('a new tracker · its fields side by side, also with one that is wrong · stand at one height', async () => {
  const owner = await stand.newAccount('advertiser', 'Level');
  const person = await stand.newPerson({ as: ['advertiser', owner] });
  await person.open('/advertiser/trackers/new');
  await person.field(/^Validation window, days/).fill('120');
  await person.button('Create').click();
  await person.page.getByText('At most 90.', { exact: true }).waitFor();
  const pairs = [
    [/^Tracking method/, /^Event/],
    [/^Counting/, /^Attribution window/],
    [/^Validation window, days/, /^Default value/],
  ];
  const topOf = async (label: RegExp) =>
    Math.round((await person.field(label).first().boundingBox())?.y ?? -1);
  const tops = pairs.map(async (pair) => await Promise.all(pair.map(topOf)));
  for (const [left, right] of await Promise.all(tops)) expect(left).toBe(right);
});

test('a zone · its edit undone in the history · has its price and its settings again', async () => {
  const seller = await stand.newAccount('publisher', 'Pier');
  const { id: publisherId } = await seller.api.must<{ id: number }>('GET', '/auth/profile');
  const site = await makeSite(stand.platform.db, publisherId);
  const kept = { floor_price_cpm: 0.1, trigger: { type: 'LOAD' } };
  const { id } = await seller.api.must<{ id: number }>('POST', '/zones', {
    site_id: site.id,
    name: 'Top',
    type: 'POPUP',
    ...kept,
  });
  await seller.api.must('PUT', `/zones/${id}`, {
    floor_price_cpm: 0.3,
    trigger: { type: 'DELAY', delay_seconds: 9 },
  });
  const person = await stand.newPerson({ as: ['publisher', seller] });
  await person.open('/publisher/history');
  await person.button('Undo').click();
  const dialog = person.page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Undo this change' }).waitFor();
  await dialog.getByRole('button', { name: 'Undo this change' }).click();
  await person.page.getByText('Undone.').waitFor();
  expect(await seller.api.must('GET', `/zones/${id}`)).toMatchObject(kept);
});

test('a zone · whose site has a domain that is not proved yet · says that the proof is missing', async () => {
  const seller = await stand.newAccount('publisher', 'Moved');
  const { id: publisherId } = await seller.api.must<{ id: number }>('GET', '/auth/profile');
  const site = await makeSite(stand.platform.db, publisherId);
  const zone = { site_id: site.id, name: 'Top', type: 'BANNER' };
  const { id } = await seller.api.must<{ id: number }>('POST', '/zones', zone);
  await seller.api.must('PUT', `/sites/${site.id}`, { domain: 'moved.example.org' });
  const person = await stand.newPerson({ as: ['publisher', seller] });
  await person.open(`/publisher/zones/${id}`);
  await person.page.getByText(/^Its site waits for its proof/).waitFor();
  expect(await person.page.getByText('Its site is with the reviewers.').count()).toBe(0);
  await person.page.getByText('Floor price, CPC', { exact: true }).waitFor();
  await person.link('Open the site').click();
  await person
    .heading('Verify that it is yours')
    .or(person.button(/Verify|Check/))
    .first()
    .waitFor();
});

test('a webhook · added, tried, its secret replaced, deleted · tells how the server answered', async () => {
  const owner = await stand.newAccount('publisher', 'Gazette');
  stand.sites.pages.set('/hooks', { type: 'text/plain', body: 'got it' });
  const person = await stand.newPerson({ as: ['publisher', owner] });
  await person.open('/publisher');
  await person.link('Webhooks').click();
  await person.heading('Webhooks').waitFor();
  await person.field(/^Address of your server/).fill('http://shop.example.com/hooks');
  expect(await person.barriers()).toEqual([]);
  await person.page.getByRole('radio', { name: 'Only this' }).check();
  await person.button('Add webhook').click();
  await person.page.getByText('Required.', { exact: true }).waitFor();
  await person.page.getByRole('checkbox', { name: 'A withdrawal was paid' }).check();
  expect(await person.barriers()).toEqual([]);
  await person.button('Add webhook').click();
  await person.page.getByText('The secret, shown this once').waitFor();
  const secret = await person.page.getByLabel('Secret', { exact: true }).innerText();
  expect(secret).toMatch(/^whsec_/);
  await person.settled();
  expect(await person.barriers()).toEqual([]);
  await person.link('Go on to this webhook').click();
  await person.heading('shop.example.com').waitFor();
  const kinds = async (): Promise<string[]> =>
    (await owner.api.must<{ items: { kinds: string[] }[] }>('GET', '/webhooks')).items.flatMap(
      (each) => each.kinds,
    );
  expect(await kinds()).toEqual(['withdrawal_sent']);
  await person.page.getByRole('radio', { name: 'Everything' }).check();
  await person.button('Save').click();
  await until('everything is told', async () => (await kinds()).length > 10);
  await person.button('Send a test').click();
  await person.page.getByText('Delivered').first().waitFor();
  await person.page.getByRole('cell', { name: 'HTTP 200', exact: true }).waitFor();
  await person.button(/^Actions: msg_test_/).click();
  await person.page.getByRole('menuitem', { name: 'Details' }).click();
  expect(await person.field('Beginning of the answer').innerText()).toBe('got it');
  expect(await person.field('What is sent').innerText()).toContain('"type": "test"');
  await person.settled();
  expect(await person.barriers()).toEqual([]);
  await person.button('Close').click();
  await person.button('Actions: http://shop.example.com/hooks').click();
  await person.page.getByRole('menuitem', { name: 'New secret' }).click();
  await person.button('New secret').waitFor();
  expect(await person.dialogBarriers()).toEqual([]);
  await person.button('New secret').click();
  await person.page.getByText('The secret, shown this once').waitFor();
  expect(await person.page.getByLabel('Secret', { exact: true }).innerText()).not.toBe(secret);
  await person.button('Actions: http://shop.example.com/hooks').click();
  await person.page.getByRole('menuitem', { name: 'Delete' }).click();
  await person.button('Delete').waitFor();
  expect(await person.dialogBarriers()).toEqual([]);
  await person.button('Delete').click();
  await person.page.getByText('No server is told yet').waitFor();
});

/** A campaign with a group, an ad and a creative, all of them drafts; the creative still has no code. */
async function drafts({ api }: Account, name: string): Promise<number> {
  const make = async (kind: string, body: object): Promise<number> =>
    (await api.must<{ id: number }>('POST', `/${kind}`, { ...body, name, save_as_draft: true })).id;
  const campaign = await make('campaigns', {
    ad_type: 'BANNER',
    pricing_model: 'CPC',
    bid: 0.2,
    landing_url: 'https://shop.example.com/rope',
  });
  const group = await make('adgroups', { campaign_id: campaign });
  const creative = await make('creatives', { creative_type: 'html' });
  await make('ads', { adgroup_id: group, creative_id: creative });
  return campaign;
}

const statesOf = async ({ api }: Account, name: string): Promise<Record<string, string>> => {
  const found: Record<string, string> = {};
  for (const kind of ['campaigns', 'adgroups', 'ads', 'creatives']) {
    const list = await api.must<{ items: { name: string; audit_status: string }[] }>(
      'GET',
      `/${kind}`,
    );
    found[kind] = list.items.find((row) => row.name === name)?.audit_status ?? '';
  }
  return found;
};

test('drafts · submitted from a row, a remedy or for many at once · go with what is below, and each that does not says why', async () => {
  const owner = await stand.newAccount('advertiser', 'Buoy');
  const names = ['Row', 'Remedy', 'Many'];
  const ids = [];
  for (const name of names) ids.push(await drafts(owner, name));
  const person = await stand.newPerson({ as: ['advertiser', owner] });
  const { page } = person;
  const REFUSED = /Creative “\w+”: .*html_code: Type html needs it/;
  await person.open('/advertiser/campaigns');
  await person.button('Actions: Row').click();
  await page.getByRole('menuitem', { name: 'Submit for review' }).click();
  await page.getByRole('alert').filter({ hasText: REFUSED }).waitFor();
  expect(await person.barriers()).toEqual([]);
  await person.open(`/advertiser/campaigns/${ids[1]}`);
  const remedy = page.locator('[data-reason="CAMPAIGN_DRAFT"]');
  await remedy.getByRole('button', { name: 'Submit for review' }).click();
  await page.getByRole('alert').filter({ hasText: REFUSED }).waitFor();
  await person.open('/advertiser/campaigns');
  await page.getByRole('row', { name: /Many/ }).getByRole('checkbox').check();
  await person.button('Submit for review').click();
  await person.button('Do it').click();
  await page.getByRole('dialog').getByText(REFUSED).waitFor();
  expect(await person.dialogBarriers()).toEqual([]);
  for (const name of names) {
    const { creatives, ...others } = await statesOf(owner, name);
    expect(creatives).toBe('DRAFT');
    expect(Object.values(others)).not.toContain('DRAFT');
  }
});

test('an ad of words · as it is written, and on its page · is shown as viewers read it', async () => {
  const owner = await stand.newAccount('advertiser', 'Anchor');
  const person = await stand.newPerson({ as: ['advertiser', owner] });
  const { page } = person;
  const shown = page.frameLocator('iframe[title="Ropes that hold"]');
  await person.open('/advertiser/campaigns/new');
  await page.getByRole('combobox', { name: /^Ad type/ }).click();
  await page.getByRole('option', { name: 'Text', exact: true }).click();
  await person.field(/^Title/).fill('Ropes that hold');
  await person.field(/^Description/).fill('In any sea');
  await shown.getByText('In any sea').waitFor();
  await person.field(/^Landing page/).fill('https://shop.example.com/rope');
  await person.field(/^Your bid/).fill('0.2');
  await person.field(/^Campaign name/).fill('Words');
  await person.button('Create and submit for review').click();
  await page.waitForURL(/\/campaigns\/\d+$/);
  const { items } = await owner.api.must<{ items: { id: number }[] }>('GET', '/ads');
  await person.open(`/advertiser/ads/${items[0]?.id}`);
  await shown.getByText('In any sea').waitFor();
  expect(await person.barriers()).toEqual([]);
});

test('a change · undone in the history · is given back if nobody changed it since, and is told', async () => {
  const owner = await stand.newAccount('advertiser', 'Rewind');
  const id = await drafts(owner, 'Rewinds');
  const path = `/campaigns/${id}`;
  const campaign = async () =>
    await owner.api.must<{ name: string; bid: number; daily_budget: number | null }>('GET', path);
  await owner.api.must('PUT', path, { name: 'Forwards', bid: 0.3, daily_budget: 20 });
  await owner.api.must('PUT', path, { bid: 0.5 });
  const person = await stand.newPerson({ as: ['advertiser', owner] });
  person.expects(/status of 412/);
  const { page } = person;
  const dialog = page.getByRole('dialog');
  // One change or two are said in the row, more of them by name.
  const changed = (fields: string) =>
    fields.includes(',')
      ? page.locator('summary', { hasText: new RegExp(`^${fields}$`) })
      : page.locator('td div', { hasText: new RegExp(`^${fields}: \\S`) });
  const undo = (fields: string) =>
    page
      .getByRole('row')
      .filter({ has: changed(fields) })
      .getByRole('button', { name: 'Undo' });
  await person.open('/advertiser/history');
  // Of what was made, and of the account, there is no such way back.
  await undo('Bid').waitFor();
  expect(await page.getByRole('button', { name: 'Undo' }).count()).toBe(2);
  await undo('Name, Bid, Daily budget').click();
  await dialog.getByText('This was changed again since').waitFor();
  await dialog.getByRole('row').nth(1).waitFor();
  expect(await dialog.getByRole('row').allInnerTexts()).toEqual([
    expect.stringMatching(/^Field/),
    expect.stringMatching(/^Bid\s+\$0\.30\s+\$0\.50$/),
  ]);
  expect(await dialog.getByRole('button', { name: 'Undo this change' }).count()).toBe(0);
  expect(await person.barriers()).toEqual([]);
  await dialog.getByRole('button', { name: 'Close' }).last().click();

  // Somebody writes the same field while the question stands there.
  await undo('Bid').click();
  await dialog.getByRole('button', { name: 'Undo this change' }).waitFor();
  expect(await person.barriers()).toEqual([]);
  await owner.api.must('PUT', path, { bid: 0.7 });
  await dialog.getByRole('button', { name: 'Undo this change' }).click();
  await dialog.getByText('This was changed again since').waitFor();
  expect(await campaign()).toMatchObject({ bid: 0.7 });
  // The list behind the dialog tells of them too.
  await changed('Bid').nth(1).waitFor();
  await owner.api.must('PUT', path, { bid: 0.3 });

  // Now the bid is as the first change left it.
  await person.open('/advertiser/history');
  await undo('Name, Bid, Daily budget').click();
  await dialog.getByRole('button', { name: 'Undo this change' }).click();
  await page.getByText('Undone.').waitFor();
  expect(await campaign()).toMatchObject({ name: 'Rewinds', bid: 0.2, daily_budget: null });
  await changed('Name, Bid, Daily budget').nth(1).waitFor();
  expect(await person.barriers()).toEqual([]);

  // A state is said as everywhere.
  await owner.api.must('POST', `${path}/toggle`);
  await person.open('/advertiser/history');
  await page.getByRole('cell', { name: 'Status: Active → Paused', exact: true }).waitFor();
});

/** More than a page of any list holds. */
const MANY = 101;

test('a campaign past the first hundred · in a report, a form and by typing · is called by its name', async () => {
  const owner = await stand.newAccount('advertiser', 'Fleet');
  const { id: advertiserId } = await owner.api.must<{ id: number }>('GET', '/auth/profile');
  const made: number[] = [];
  for (let at = 1; at <= MANY; at += 1) {
    const { id } = await stand.platform.db.models.campaigns.create({
      advertiserId,
      name: `Rope ${at}`,
      adType: 'TEXT',
      bidNanos: 200_000_000n,
      pricingModel: 'CPC',
      rotationMode: 'ASAP',
    });
    made.push(id);
  }
  const [first] = made;
  const person = await stand.newPerson({ as: ['advertiser', owner] });
  const { page } = person;
  const field = page.getByRole('combobox', { name: /^Campaign/ });
  const reads = async (name: string): Promise<void> => {
    await until(`the field reads ${name}`, async () => (await field.inputValue()) === name);
  };
  for (const address of ['reports', 'ad-groups/new']) {
    await person.open(`/advertiser/${address}?campaign_id=${first}`);
    await reads('Rope 1');
    // The first ones at once, another by its name.
    await field.click();
    await page.getByRole('option', { name: 'Rope 101', exact: true }).waitFor();
    await field.fill('rope 2');
    await page.getByRole('option', { name: 'Rope 29', exact: true }).waitFor();
    await page.getByRole('option', { name: 'Rope 101', exact: true }).waitFor({ state: 'hidden' });
    expect(await person.barriers()).toEqual([]);
    await field.press('ArrowDown');
    await field.press('Enter');
    await reads('Rope 29');
  }
  await person.field(/^Name/).fill('Of one far down');
  await person.button('Create').click();
  await page.waitForURL(/ad-groups\/\d+$/);
  const { items } = await owner.api.must<{ items: { campaign_id: number }[] }>('GET', '/adgroups');
  expect(items[0]?.campaign_id).toBe(made[28]);
});
