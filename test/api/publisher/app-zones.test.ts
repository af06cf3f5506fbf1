import request from 'supertest';
import { createTestApp, type TestApp } from '../../support/app.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { eventually } from '../../support/until.ts';
import { makeAdvertiser, makePublisher } from '../../support/make/account.ts';
import { makeCampaignTree } from '../../support/make/campaign.ts';

/** Places without a page: an app and a mini-program ask by their zone's key, and report like any other. */
let database: TestDatabase;
let testApp: TestApp;
let token: string;

beforeAll(async () => {
  database = await createTestDatabase();
  testApp = await createTestApp(database);
  token = testApp.issue('publisher', (await makePublisher(database.db)).id);
});

afterAll(async () => {
  await testApp.close();
  await database.close();
});

const OKHTTP = 'okhttp/4.12.0 (Linux; Android 14; Pixel 8)';
const at = () => `http://127.0.0.1:${testApp.port}`;

async function publish(path: string, body: object): Promise<{ id: number; zone_key: string }> {
  const made = await request(at())
    .post(`/api/publisher/${path}`)
    .set('authorization', `Bearer ${token}`)
    .send(body);
  expect(made.status).toBe(201);
  return made.body.data as { id: number; zone_key: string };
}

/** Reviews are flows of their own; here only what they leave is needed. */
const approve = async (table: 'sites' | 'zones', id: number): Promise<void> => {
  await database.pool.query(`UPDATE ${table} SET audit_status = 'APPROVED' WHERE id = $1`, [id]);
};

async function zoneOf(mediaType: 'APP' | 'MINI_PROGRAM', width: number): Promise<string> {
  const site = await publish('sites', {
    name: mediaType,
    media_type: mediaType,
    app_package: mediaType === 'APP' ? 'com.studio.game' : 'wx0123456789abcdef',
    url: 'https://studio.example',
  });
  await approve('sites', site.id);
  const zone = await publish('zones', { name: 'Start', site_id: site.id, width, height: 250 });
  await approve('zones', zone.id);
  return zone.zone_key;
}

test('an app and a mini-program · declared, approved, asked for an ad by key · are served and counted', async () => {
  const { db } = database;
  const advertiser = await makeAdvertiser(db, { balance: 100 });
  const keys = [await zoneOf('APP', 301), await zoneOf('MINI_PROGRAM', 302)];
  for (const width of [301, 302]) {
    await makeCampaignTree(db, advertiser.id, { revision: { width, height: 250 } });
  }
  await testApp.startServing();
  for (const key of keys) {
    const ask = async () => {
      const answer = await request(at())
        .post('/ad/request')
        .set('user-agent', OKHTTP)
        .send({ zone: key, _v: 1 });
      expect(answer.status).toBe(200);
      expect(answer.body.data.zone.code).toBe(key);
      expect(answer.body.data.ads).toHaveLength(1);
      return answer.body.data.ads[0] as { id: string };
    };
    const ad = await eventually(ask);
    const pixel = await request(at()).get(`/track/impression/${ad.id}`).set('user-agent', OKHTTP);
    expect(pixel.status).toBe(200);
    const { rows } = await database.pool.query<{ zone_key: string; seal: string }>(
      `SELECT z.zone_key, e.facts->>'seal' AS seal FROM event_inbox e
       JOIN zones z ON z.id = (e.facts->'track'->>'zoneId')::bigint WHERE z.zone_key = $1`,
      [key],
    );
    expect(rows).toEqual([{ zone_key: key, seal: 'ok' }]);
  }
});
