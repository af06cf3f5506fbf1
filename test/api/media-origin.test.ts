import type { AddressInfo } from 'node:net';
import { createCdnApp } from '../../api/app.ts';
import { createExpressServer } from '../../api/http/express-server.ts';
import { type Caller, dataOf, idOf } from '../support/call.ts';
import { approve } from '../support/make/chain.ts';
import { makeAdvertiser } from '../support/make/account.ts';
import { createStand, type Stand } from '../support/stand.ts';
import { html5Zip } from '../support/zips.ts';
import { eventually } from '../support/until.ts';

/**
 * The attack of issue 11.5: an HTML5 zip that nobody has looked at is opened as a page of the platform.
 * Assets have an origin of their own, and there what is not approved is found by signed addresses only.
 */
let stand: Stand;
let owner: Caller;
let accountId: number;
let cdn: { url: string; close: () => void };
let main: { url: string; close: () => void };

beforeAll(async () => {
  // Any port but 0 says that assets live elsewhere; where, the listeners below say.
  stand = await createStand({ env: { CDN_PORT: '1', CDN_URL: 'http://cdn.example' } });
  accountId = (await makeAdvertiser(stand.database.db)).id;
  owner = stand.as('advertiser', accountId);
  cdn = await open(createCdnApp(stand.deps));
  main = await open(stand.app);
});
afterAll(async () => {
  cdn?.close();
  main?.close();
  await stand?.close();
});

async function open(app: ReturnType<typeof createCdnApp>): Promise<typeof cdn> {
  const server = createExpressServer(app);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { url, close: () => server.close() };
}

/** As a browser asks that opens the address as `dest`. */
const load = async (from: string, path: string, dest?: string): Promise<Response> =>
  await fetch(`${from}${path}`, dest === undefined ? {} : { headers: { 'sec-fetch-dest': dest } });

const unsigned = (path: string): string => path.replace(/^\/media\/signed\/[^/]+/, '/media');

async function creative() {
  const index = `<!doctype html><head><meta name="ad.size" content="width=300,height=250"><script>var clickTag = "${Math.random()}"</script></head>`;
  const asset = dataOf(await owner.upload('/media/upload', await html5Zip([], index), 'ad.zip'));
  const body = { name: 'Zip', creative_type: 'html5', html5_media_id: asset['id'] };
  const made = await owner.post('/creatives', body);
  return { id: idOf(made), page: new URL(String(dataOf(made)['html5_url'])).pathname };
}

test('a zip that nobody has looked at · is no page of ours, and found by its owner’s address alone', async () => {
  const { page } = await creative();
  for (const path of [page, unsigned(page)]) {
    expect((await load(main.url, path, 'document')).status).toBe(404);
    expect((await load(main.url, path)).status).toBe(404);
  }
  expect((await load(cdn.url, unsigned(page))).status).toBe(404);
  const framed = await load(cdn.url, page, 'iframe');
  expect(framed.status).toBe(200);
  const policy = framed.headers.get('content-security-policy') ?? '';
  expect(policy).toContain('sandbox allow-scripts');
  expect(policy).not.toContain('allow-same-origin');
  expect(policy).toContain(`frame-ancestors ${stand.config.urls.base}`);
  expect(framed.headers.get('x-content-type-options')).toBe('nosniff');
  expect(framed.headers.get('cache-control')).toContain('private');
  // What lies beside it is found by its relative name.
  const script = await load(cdn.url, page.replace('index.html', 'js/main.js'), 'script');
  expect(script.status).toBe(200);
  for (const dest of ['document', 'embed', 'object']) {
    expect((await load(cdn.url, page, dest)).status).toBe(404);
  }
});

test('a signed address · of another file, altered, or old · opens nothing', async () => {
  const [one, other] = [await creative(), await creative()];
  const seal = one.page.split('/')[3] ?? '';
  const theirs = other.page.split('/')[3] ?? '';
  expect((await load(cdn.url, other.page.replace(theirs, seal), 'iframe')).status).toBe(404);
  const later = seal.replace(/^\d+/, (until) => String(Number(until) + 600));
  expect((await load(cdn.url, one.page.replace(seal, later), 'iframe')).status).toBe(404);
  expect((await load(cdn.url, one.page.replace(seal, 'x'), 'iframe')).status).toBe(404);
  expect((await load(cdn.url, one.page, 'iframe')).status).toBe(200);
  stand.passTime(21 * 60_000);
  expect((await load(cdn.url, one.page, 'iframe')).status).toBe(404);
});

test('an approval · publishes, an archive and a suspension take away; as a page it opens never', async () => {
  const { id, page } = await creative();
  const open = async (): Promise<number> => (await load(cdn.url, unsigned(page), 'iframe')).status;
  expect(await open()).toBe(404);
  await approve(stand, 'creatives', id);
  await eventually({ withinMs: 10_000 }, async () => expect(await open()).toBe(200));
  expect((await load(cdn.url, unsigned(page), 'document')).status).toBe(404);
  const { pool } = stand.database;
  await pool.query(`UPDATE accounts SET status = 'SUSPENDED' WHERE id = $1`, [accountId]);
  await eventually({ withinMs: 10_000 }, async () => expect(await open()).toBe(404));
  await pool.query(`UPDATE accounts SET status = 'ACTIVE' WHERE id = $1`, [accountId]);
  await eventually({ withinMs: 10_000 }, async () => expect(await open()).toBe(200));
  expect((await owner.delete(`/creatives/${id}`)).status).toBe(200);
  await eventually({ withinMs: 10_000 }, async () => expect(await open()).toBe(404));
});

test('where assets live · nothing else is', async () => {
  for (const path of [
    '/',
    '/console/',
    '/api/advertiser/campaigns',
    '/sdk.js',
    '/prebid-adapter.js',
    '/docs',
    '/ad/request',
  ]) {
    expect((await load(cdn.url, path)).status).toBe(404);
  }
});
