import type { Browser } from 'playwright-core';
import { ask } from '../../support/serving.ts';
import { type Listener, startListener } from '../../support/listener.ts';
import { pause, until } from '../../support/until.ts';
import { makeAdvertiser } from '../../support/make/account.ts';
import { makeCampaignTree } from '../../support/make/campaign.ts';
import { makePlace } from '../../support/make/place.ts';
import { createStand, type Stand } from '../../support/stand.ts';
import { launchBrowser } from '../../support/browser.ts';
import { buildSdk } from '../../support/format-pages.ts';

/** An advertiser's code in a real browser, told by what it reports of itself. */
let stand: Stand;
let browser: Browser;
let witness: Listener;
let witnessUrl: string;
let seen: string[] = [];
let page = '';
let sdk = '';

beforeAll(async () => {
  witness = await startListener((req, res) => {
    const url = req.url ?? '';
    if (url === '/page') {
      res.writeHead(200, { 'content-type': 'text/html', 'set-cookie': 'secret=publisher' });
      res.end(page);
      return;
    }
    if (url === '/sdk.js') {
      res.writeHead(200, { 'content-type': 'text/javascript' }).end(sdk);
      return;
    }
    // The SDK asks where it came from, and loads the document of what was won from there.
    if (url.startsWith('/ad/')) {
      stand.app(req, res);
      return;
    }
    seen.push(url);
    res.writeHead(200, { 'content-type': 'image/gif' });
    res.end();
  });
  witnessUrl = witness.url;
  stand = await createStand({ env: { TRACK_URL: witnessUrl, CDN_URL: witnessUrl } });
  await stand.startServing();
  browser = await launchBrowser('');
  sdk = await buildSdk();
});

afterAll(async () => {
  await browser.close();
  await stand.close();
  await witness.close();
});

beforeEach(() => {
  seen = [];
});

/** Tries everything that a sandbox must refuse and reports what came of it. */
const hostileCode = (): string => `<p>creative</p><script>
  const tell = (what) => { new Image().src = ${JSON.stringify(witnessUrl)} + '/told/' + what; };
  const attempt = (name, run) => { try { run(); tell(name + '-done'); } catch { tell(name + '-refused'); } };
  attempt('cookie', () => { if (document.cookie === undefined) throw 1; });
  attempt('storage', () => localStorage.setItem('a', '1'));
  attempt('parent', () => parent.document.title);
  attempt('top', () => top.document.title);
  attempt('frames', () => parent.frames[0].parent.document.cookie);
  attempt('steer', () => { top.location.href = ${JSON.stringify(witnessUrl)} + '/steered'; });
  attempt('replace', () => top.location.replace(${JSON.stringify(witnessUrl)} + '/steered'));
  attempt('script', () => { top.location = 'javascript:new Image().src=' + JSON.stringify(${JSON.stringify(witnessUrl)} + '/steered'); });
  const led = document.body.appendChild(document.createElement('a'));
  Object.assign(led, { href: ${JSON.stringify(witnessUrl)} + '/steered', target: '_top' }).click();
  const form = document.body.appendChild(document.createElement('form'));
  Object.assign(form, { action: ${JSON.stringify(witnessUrl)} + '/steered', target: '_top' }).submit();
  tell('ran');
</script>`;

async function zoneWithCode(width: number): Promise<{ id: number; zoneKey: string }> {
  const advertiser = await makeAdvertiser(stand.database.db, { balance: 100 });
  await makeCampaignTree(stand.database.db, advertiser.id, {
    creative: { creativeType: 'html', type: 'HTML' },
    revision: { width, height: 250, imageMediaId: null, htmlCode: hostileCode() },
  });
  const { zone, publisher } = await makePlace(stand.database.db, { zone: { width } });
  await stand.publish({ topic: 'advertiser', id: advertiser.id });
  await stand.publish({ topic: 'publisher', id: publisher.id });
  await until(async () => {
    const answer = await ask(`${stand.url}/ad/request?zone_id=${zone.id}`);
    return answer.status === 200 && answer.body.data.ads.length === 1;
  });
  return zone;
}

async function openPage(): Promise<void> {
  const tab = await browser.newPage();
  await tab.goto(`${witnessUrl}/page`);
  await until(() => seen.some((url) => url.endsWith('/told/ran')));
  await until(() => seen.some((url) => url.startsWith('/track/impression/')));
  await pause(300, 'the creative may try to lead the page away');
  expect(tab.url()).toBe(`${witnessUrl}/page`);
  await tab.close();
}

function expectIsolated(): void {
  const told = seen.filter((url) => url.startsWith('/told/')).map((url) => url.slice(6));
  expect(told).toEqual(
    expect.arrayContaining([
      'cookie-refused',
      'storage-refused',
      'parent-refused',
      'top-refused',
      'frames-refused',
      'ran',
    ]),
  );
  expect(seen).not.toContain('/steered');
  expect(seen.filter((url) => url.startsWith('/track/impression/'))).toHaveLength(1);
}

describe('advertiser code in a browser', () => {
  test('html as srcdoc · on a publisher page that sandboxes nothing · runs, counts, reaches nothing', async () => {
    const { id } = await zoneWithCode(4_001);
    const { body } = await ask(`${stand.url}/ad/request?zone_id=${id}`);
    page = `<title>Publisher</title><iframe width="4001" height="250"></iframe><script>
      document.querySelector('iframe').srcdoc = ${JSON.stringify(body.data.ads[0]?.['html']).replaceAll('<', '\\u003c')};
    </script>`;
    await openPage();
    expectIsolated();
  });

  test('/ad/render as src · on the same page · runs, counts, reaches nothing', async () => {
    const { id } = await zoneWithCode(4_002);
    page = `<title>Publisher</title><iframe src="${stand.url}/ad/render/${id}"></iframe>`;
    await openPage();
    expectIsolated();
  });

  test('the SDK · on the same page, from the publisher’s own origin · runs, counts, reaches nothing', async () => {
    const { zoneKey } = await zoneWithCode(4_004);
    page = `<title>Publisher</title><div data-adp-zone="${zoneKey}"></div><script async src="/sdk.js"></script>`;
    await openPage();
    expectIsolated();
  });
});
