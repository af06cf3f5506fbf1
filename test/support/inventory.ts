import { createServer, type Server } from 'node:http';
import { type Express, Router } from 'express';
import request from 'supertest';
import { adGroupRoutes } from '../../api/advertiser/ad-groups.ts';
import { adRoutes } from '../../api/advertiser/ads.ts';
import { campaignRoutes } from '../../api/advertiser/campaigns.ts';
import { creativeRoutes } from '../../api/advertiser/creatives.ts';
import { mediaRoutes } from '../../api/advertiser/media.ts';
import type { ConsoleDeps } from '../../api/deps.ts';
import { mediaFileRoutes } from '../../api/media-files.ts';
import { checkAnswers } from './answer-check.ts';
import { createTestConsole, testApp } from './console.ts';
import { createTestDatabase, type TestDatabase } from './database.ts';
import { image } from './images.ts';
import { makeAccount } from './publisher.ts';

/** One advertiser at the API: every request carries a real token of theirs. */
export interface Advertiser {
  id: number;
  token: string;
  get(path: string): request.Test;
  post(path: string, body?: object): request.Test;
  put(path: string, body: object): request.Test;
  delete(path: string): request.Test;
  upload(path: string, bytes: Buffer, name?: string, field?: string): request.Test;
}

export interface InventoryStand {
  database: TestDatabase;
  deps: ConsoleDeps;
  app: Express;
  /** Listens; every answer of it is held against the contract of its route. */
  server: Server;
  mediaDir: string;
  newAdvertiser(options?: { basic?: boolean }): Promise<Advertiser>;
  /** Raises when an answer broke its route's contract. */
  close(): Promise<void>;
}

export async function createInventoryStand(): Promise<InventoryStand> {
  const database = await createTestDatabase();
  const console = await createTestConsole(database);
  const { deps } = console;
  const { mediaDir } = deps.config;
  const realm = Router();
  realm.use(deps.auth.require('advertiser'));
  realm.use('/campaigns', campaignRoutes(deps));
  realm.use('/adgroups', adGroupRoutes(deps));
  realm.use('/ads', adRoutes(deps));
  realm.use('/creatives', creativeRoutes(deps));
  realm.use('/media', mediaRoutes(deps));
  const app = testApp({ '/api/advertiser': realm, '/media': mediaFileRoutes(deps) });
  const server = createServer(app);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const breaches = checkAnswers(server, app);

  return {
    database,
    deps,
    app,
    server,
    mediaDir,
    newAdvertiser: async ({ basic = true } = {}) => {
      const id = await makeAccount(database.db, 'ADVERTISER');
      if (basic) {
        await database.db.models.accounts.update(
          { contactName: 'Ada', companyName: 'Shop Ltd' },
          { where: { id } },
        );
      }
      return advertiser(server, id, deps.auth.issue('advertiser', { id, tokenVersion: 1 }).token);
    },
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await console.close();
      await database.close();
      expect([...new Set(breaches)]).toEqual([]);
    },
  };
}

function advertiser(server: Server, id: number, token: string): Advertiser {
  const send = (method: 'get' | 'post' | 'put' | 'delete', target: string): request.Test =>
    request(server)[method](`/api/advertiser${target}`).set('Authorization', `Bearer ${token}`);
  return {
    id,
    token,
    get: (target) => send('get', target),
    post: (target, body) =>
      body === undefined ? send('post', target) : send('post', target).send(body),
    put: (target, body) => send('put', target).send(body),
    delete: (target) => send('delete', target),
    upload: (target, bytes, name = 'picture.png', field = 'file') =>
      send('post', target).attach(field, bytes, name),
  };
}

/** Wrong fields as `field code`, sorted, of a 422. */
export function faultsOf(response: request.Response): string[] {
  const { data } = response.body as { data: { errors?: { field: string; code: string }[] } };
  return (data.errors ?? []).map((error) => `${error.field} ${error.code}`).sort();
}

export const dataOf = (response: request.Response): Record<string, unknown> =>
  (response.body as { data: Record<string, unknown> }).data;

export const idOf = (response: request.Response): number => Number(dataOf(response)['id']);

/** What a reviewer's approval leaves behind, for tests that begin after it. */
export async function approve(stand: InventoryStand, table: string, id: number): Promise<void> {
  const { pool } = stand.database;
  await pool.query(
    `UPDATE reviews SET status = 'APPROVED', decided_by = 'AUTO' WHERE subject_id = $1 AND subject_type = $2`,
    [id, { campaigns: 'campaign', ad_groups: 'adgroup', ads: 'ad', creatives: 'creative' }[table]],
  );
  await pool.query(`UPDATE ${table} SET audit_status = 'APPROVED' WHERE id = $1`, [id]);
  if (table !== 'creatives') return;
  await pool.query('UPDATE creatives SET approved_revision = latest_revision WHERE id = $1', [id]);
  await pool.query(
    `UPDATE creative_revisions r SET audit_status = 'APPROVED' FROM creatives c
     WHERE c.id = $1 AND r.creative_id = c.id AND r.revision = c.latest_revision`,
    [id],
  );
}

export const CAMPAIGN = {
  name: 'Spring sale',
  ad_type: 'BANNER',
  bid: 0.5,
  landing_url: 'https://shop.example/spring',
};

export interface Chain {
  campaignId: number;
  adGroupId: number;
  creativeId: number;
  mediaId: number;
  adId: number;
}

/** Campaign, ad group, image, creative and ad of one advertiser, all through the API. */
export async function makeChain(owner: Advertiser): Promise<Chain> {
  const campaignId = idOf(await owner.post('/campaigns', CAMPAIGN));
  const adGroupId = idOf(await owner.post('/adgroups', { campaign_id: campaignId, name: 'Group' }));
  const mediaId = idOf(await owner.upload('/media/upload', await image('png')));
  const creativeId = idOf(
    await owner.post('/creatives', { name: 'Banner', image_media_id: mediaId }),
  );
  const adId = idOf(
    await owner.post('/ads', { adgroup_id: adGroupId, creative_id: creativeId, name: 'Ad' }),
  );
  return { campaignId, adGroupId, creativeId, mediaId, adId };
}
