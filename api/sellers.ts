import { Router } from 'express';
import { adsTxtDomain } from '../activities/providers/outbound.ts';
import { runner } from '../db/postgres.ts';
import { readSellers, type SellerRow } from '../db/queries/sellers.ts';
import { sellerId } from '../domain/lifecycle/site-proof.ts';
import type { ConsoleDeps } from './deps.ts';
import { kept } from './kept.ts';

/** Buyers' crawlers come once a day; anybody may ask, so that asking often costs no query. */
const KEPT_MS = 300_000;

/** interface 4.9: whom we sell for, and what a publisher's own file has to say. At the root. */
export function sellerRoutes(deps: ConsoleDeps): Router {
  const router = Router();
  const { db, clock, config } = deps;
  const sellersJson = kept({ forMs: KEPT_MS, clock }, async () =>
    bodyOf(await readSellers(runner(db))),
  );

  router.get('/sellers.json', async (_req, res) => {
    const body = await sellersJson();
    res.set('Access-Control-Allow-Origin', '*').set('Cache-Control', 'public, max-age=300');
    res.type('json').send(body);
  });

  router.get('/ads.txt', (_req, res) => {
    res.set('Cache-Control', 'public, max-age=3600').type('text/plain');
    res.send(adsTxt(config.urls.base));
  });

  return router;
}

/** IAB sellers.json 1.0. A seller who has not said who it is, or proven where, is confidential. */
function bodyOf(rows: readonly SellerRow[]): string {
  return JSON.stringify({ version: '1.0', sellers: rows.map(sellerOf) });
}

function sellerOf({ publisherId, companyName, domain }: SellerRow): object {
  const common = { seller_id: sellerId(publisherId), seller_type: 'PUBLISHER' };
  return companyName === null || companyName === '' || domain === null
    ? { ...common, is_confidential: 1 }
    : { ...common, name: companyName, domain, is_confidential: 0 };
}

/** ads.txt 1.1, 3.2.1: a host that sells no place of its own says so by the placeholder. */
function adsTxt(baseUrl: string): string {
  const domain = adsTxtDomain(baseUrl);
  return [
    `# ${domain} sells ads on its publishers' sites and none on this host.`,
    'placeholder.example.com, placeholder, DIRECT, placeholder',
    '#',
    '# Publishers: put this line into ads.txt at the root of your domain, for apps into',
    '# app-ads.txt on your developer site. Your id is in GET /api/publisher/sites/{id}/ads-txt.',
    `# ${domain}, pub-<your publisher id>, DIRECT`,
    `# Whom we sell for: ${baseUrl}/sellers.json`,
    '',
  ].join('\n');
}
