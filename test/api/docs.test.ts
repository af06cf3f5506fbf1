import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import express from 'express';
import type { Browser } from 'playwright-core';
import request from 'supertest';
import { parse } from 'yaml';
import { docsPages } from '../../api/docs.ts';
import { launchBrowser } from '../support/browser.ts';
import { RUNBOOK_PAGES } from '../../web/console/routes/operator/_in/-platform/runbooks.ts';
import { buildBrowserCode } from '../support/platform.ts';

let server: Server;
let browser: Browser;
let base: string;

beforeAll(async () => {
  const app = express();
  await buildBrowserCode();
  app.use(docsPages('dist/web'));
  server = createServer(app);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  browser = await launchBrowser('MAP * ~NOTFOUND, EXCLUDE 127.0.0.1');
  // The browser's code is made once a run, by whoever needs it first.
}, 180_000);

afterAll(async () => {
  await browser?.close();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

describe('documents', () => {
  test('/openapi.json · to anybody · is the committed document', async () => {
    const answer = await request(server).get('/openapi.json').expect(200);
    expect(answer.headers['access-control-allow-origin']).toBe('*');
    expect(answer.body).toEqual(parse(readFileSync('docs/openapi.yaml', 'utf8')));
    const { etag } = answer.headers;
    await request(server).get('/openapi.json').set('If-None-Match', String(etag)).expect(304);
  });

  test('/docs/interface · to anybody · has every section that the document links', async () => {
    const { text } = await request(server).get('/docs/interface').expect(200);
    const links = readFileSync('docs/openapi.yaml', 'utf8').matchAll(
      /\/docs\/interface#([\w.-]+)/g,
    );
    const linked = new Set([...links].map(([, section = '']) => section));
    expect(linked.size).toBeGreaterThan(20);
    expect([...linked].filter((section) => !text.includes(`<a id="${section}">`))).toEqual([]);
  });

  test('the text pages · each address of ours that they name · is served', async () => {
    const pages = await Promise.all(
      ['/docs/interface', '/docs/glossary', '/docs/webhooks'].map(
        async (at) => (await request(server).get(at).expect(200)).text,
      ),
    );
    const hrefs = new Set(
      pages.flatMap((text) =>
        [...text.matchAll(/href="(\/[^"#]+)"/g)].map(([, href = '']) => href),
      ),
    );
    expect([...hrefs]).toEqual(
      expect.arrayContaining(['/docs/', '/docs/glossary', '/docs/webhooks']),
    );
    for (const href of hrefs) await request(server).get(href).expect(200);
  });

  test('/docs/runbooks · what the consoles say to do · is served, and leads to pages that are', async () => {
    for (const at of RUNBOOK_PAGES.map((name) => `/docs/runbooks/${name}`)) {
      const { text } = await request(server).get(at).expect(200);
      for (const [, href = ''] of text.matchAll(/<a href="([^"#]+)"/g)) {
        await request(server).get(href).expect(200);
      }
    }
    await request(server).get('/docs/runbooks/README').expect(200);
  });

  test('/docs · in a browser that reaches no other host · shows the routes under its policy', async () => {
    const page = await browser.newPage();
    const refused: string[] = [];
    const asked = new Set<string>();
    page.on('console', (message) => {
      if (message.type() === 'error') refused.push(message.text());
    });
    page.on('pageerror', (error) => refused.push(error.message));
    page.on('request', (sent) => asked.add(new URL(sent.url()).origin));
    const answer = await page.goto(`${base}/docs/`);
    expect(answer?.headers()['content-security-policy']).toContain("default-src 'none'");
    const tag = page.locator('[id="operations-tag-advertiser_campaigns"]');
    await tag.click();
    await page.locator('#operations-advertiser_campaigns-postAdvertiserCampaigns').click();
    await page.getByText('Create a campaign; it enters review').first().waitFor();
    await page.locator('.opblock-body').first().waitFor();
    const rule = page.locator('.opblock-body a[href$="/docs/interface#interface-2.3"]');
    expect(await rule.textContent()).toBe('2.3');
    await page.goto(`${base}${await rule.getAttribute('href')}`);
    await page.locator('h3:has(> a:target)', { hasText: '2.3 Campaign' }).waitFor();
    expect(refused).toEqual([]);
    expect([...asked].filter((origin) => origin !== base && origin !== 'null')).toEqual([]);
    await page.close();
  });
});
