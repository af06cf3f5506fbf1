import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import express, { type Express } from 'express';
import request from 'supertest';
import { consolePages } from '../../api/console-pages.ts';
import { packFiles } from '../../web/pack-files.ts';

/** The consoles as files of a build, without the build. */
let folder: string;
let app: Express;
const LARGE = 'export const words = 1;\n'.repeat(100);

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'console-pages-'));
  for (const inside of ['assets', '.vite']) {
    await mkdir(path.join(folder, 'console', inside), { recursive: true });
  }
  const files = {
    'sdk.js': '/* sdk */',
    'prebid-adapter.js': '/* bidder */',
    'console/index.html': '<head><meta name="csp-nonce" content="__NONCE__"></head><p>console</p>',
    'console/sandbox.html': '<p>sandbox</p>',
    'console/icon.svg': '<svg xmlns="http://www.w3.org/2000/svg"/>',
    'console/assets/main-abc.js': 'export {};',
    'console/assets/large-abc.js': LARGE,
    'console/.vite/page-files.json': JSON.stringify({
      files: ['assets/frame.js', 'assets/list.js', 'assets/new.js', 'assets/one.js'],
      pages: {
        '/advertiser/campaigns/$id': [0, 3],
        '/advertiser/campaigns/new': [0, 2],
        '/advertiser/campaigns': [0, 1],
      },
    }),
  };
  for (const [name, text] of Object.entries(files)) await writeFile(path.join(folder, name), text);
  await packFiles(path.join(folder, 'console/assets'));
  const urls = { base: '', track: '', sdk: '', cdn: 'https://cdn.example' };
  app = express().use(consolePages(folder, { urls }));
});
afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
});

const nonceOf = (text: string): string | undefined => /content="([^"]+)"/.exec(text)?.[1];

it.each(['sdk.js', 'prebid-adapter.js'])('/%s · may be loaded by any page', async (file) => {
  const answer = await request(app).get(`/${file}`).expect(200);
  expect(answer.headers['content-type']).toMatch(/^text\/javascript/);
  expect(answer.headers['access-control-allow-origin']).toBe('*');
  expect(answer.headers['cache-control']).toBe('public, max-age=300');
});

it('the root · leads to the console', async () => {
  const answer = await request(app).get('/').expect(302);
  expect(answer.headers['location']).toBe('/console/');
});

it.each([
  '/console',
  '/console/',
  '/console/index.html',
  '/console/advertiser/campaigns/12',
  '/console/publisher/login',
  '/console/operator',
])('%s · is the app, to be asked for anew each time', async (address) => {
  const answer = await request(app).get(address).expect(200);
  expect(answer.text).toContain('<p>console</p>');
  expect(answer.headers['cache-control']).toBe('no-store');
});

it.each([
  '/console/elsewhere',
  '/console/advertiser/../../package.json',
  '/console/advertiser/__proto__.json',
  '/console/assets/no-such.js',
  '/console/assets/..%2findex.html',
  '/console/.env',
])('%s · is no page of it · 404', async (address) => {
  const { status } = await request(app).get(address);
  expect([400, 403, 404]).toContain(status);
});

it('an address of words that is none · is the app, which says so, with 404', async () => {
  const answer = await request(app).get('/console/elsewhere').expect(404);
  expect(answer.text).toContain('<p>console</p>');
});

it.each([
  ['/console/advertiser/campaigns', ['frame', 'list']],
  ['/console/advertiser/campaigns/', ['frame', 'list']],
  ['/console/advertiser/campaigns/12', ['frame', 'one']],
  ['/console/advertiser/campaigns/new', ['frame', 'new']],
  ['/console/advertiser/campaigns/12/none', []],
  ['/console/elsewhere', []],
])('%s · names what its page loads, so that it is asked for at once', async (address, files) => {
  const { text } = await request(app).get(address);
  const named = [...text.matchAll(/<link rel="modulepreload" crossorigin href="([^"]+)">/g)];
  expect(named.map(([, href]) => href)).toEqual(files.map((file) => `/console/assets/${file}.js`));
});

it('each answer · has a nonce of its own, in the page as in its policy', async () => {
  const [one, other] = [await request(app).get('/console/'), await request(app).get('/console/')];
  const nonce = nonceOf(one.text);
  expect(nonce).toMatch(/^[\w+/]{22}==$/);
  expect(nonceOf(other.text)).not.toBe(nonce);
  const policy = one.headers['content-security-policy'];
  // By its path: what anybody could put elsewhere at the same origin is no script of a console.
  const own = /script-src (\S+) /.exec(policy ?? '')?.[1];
  expect(own).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/console\/assets\/$/);
  expect(policy).toContain(`script-src ${own} 'nonce-${nonce}';`);
  expect(policy).toContain(`style-src ${own} 'nonce-${nonce}';`);
  expect(policy).toContain("frame-src 'self' blob: https://cdn.example;");
  expect(policy).toContain("default-src 'none'");
  expect(policy).toContain("frame-ancestors 'none'");
  expect(policy).not.toMatch(/unsafe-(inline|eval)/);
});

it('the sandbox · has no origin of its own even when it is opened by itself', async () => {
  const { headers } = await request(app).get('/console/sandbox.html').expect(200);
  expect(headers['content-security-policy']).toMatch(/^sandbox allow-scripts;/);
  expect(headers['content-security-policy']).not.toContain('allow-same-origin');
  expect(headers['content-security-policy']).toContain("frame-ancestors 'self'");
});

it('a file named after what it holds · is kept for a year, and never sniffed', async () => {
  const { headers } = await request(app).get('/console/assets/main-abc.js').expect(200);
  expect(headers['cache-control']).toContain('immutable');
  expect(headers['x-content-type-options']).toBe('nosniff');
});

it.each([
  ['br, gzip', 'br'],
  ['gzip, deflate', 'gzip'],
  ['identity', undefined],
  ['br;q=0, gzip;q=0', undefined],
])('a file of the build · asked for with %s · comes packed as %s', async (accepted, encoding) => {
  const answer = await request(app)
    .get('/console/assets/large-abc.js')
    .set('Accept-Encoding', accepted)
    .buffer(true)
    .expect(200);
  expect(answer.headers['content-encoding']).toBe(encoding);
  expect(answer.headers['vary']).toContain('Accept-Encoding');
  expect(answer.headers['content-type']).toMatch(/^text\/javascript/);
  expect(answer.headers['cache-control']).toContain('immutable');
  const sent = Number(answer.headers['content-length']);
  if (encoding === undefined) expect(sent).toBe(LARGE.length);
  else expect(sent).toBeLessThan(LARGE.length / 4);
  if (encoding !== 'br') expect(answer.text).toBe(LARGE);
});

it('a part of a file of the build · is a part of what is sent, packed or not', async () => {
  const part = request(app).get('/console/assets/large-abc.js').set('Range', 'bytes=0-9');
  const plain = await part.set('Accept-Encoding', 'identity').expect(206);
  expect(plain.headers['content-length']).toBe('10');
  expect(plain.headers['content-encoding']).toBeUndefined();
});
