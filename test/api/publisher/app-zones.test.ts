import type { Caller } from '../../support/call.ts';
import type { TestDatabase } from '../../support/database.ts';
import { eventually } from '../../support/until.ts';
import { makeAdvertiser, makePublisher } from '../../support/make/account.ts';
import { makeCampaignTree } from '../../support/make/campaign.ts';
import { createStand, type Stand } from '../../support/stand.ts';

/** Places without a page: an app and a mini-program ask by their zone's key, and report like any other. */
let stand: Stand;
let database: TestDatabase;
let publisher: Caller;

beforeAll(async () => {
  stand = await createStand();
  ({ database } = stand);
  publisher = stand.as('publisher', (await makePublisher(database.db)).id);
});

afterAll(async () => {
  await stand.close();
});

const OKHTTP = 'okhttp/4.12.0 (Linux; Android 14; Pixel 8)';

async function publish(path: string, body: object): Promise<{ id: number; zone_key: string }> {
  const made = await publisher.post(path, body);
  expect(made.status).toBe(201);
  return made.body.data as { id: number; zone_key: string };
}

/** Reviews are flows of their own; here only what they leave is needed. */
const approve = async (table: 'sites' | 'zones', id: number): Promise<void> => {
  await database.pool.query(`UPDATE ${table} SET audit_status = 'APPROVED' WHERE id = $1`, [id]);
};

async function zoneOf(mediaType: 'APP' | 'MINI_PROGRAM', width: number): Promise<string> {
  const site = await publish('/sites', {
    name: mediaType,
    media_type: mediaType,
    app_package: mediaType === 'APP' ? 'com.studio.game' : 'wx0123456789abcdef',
    url: 'https://studio.example',
  });
  await approve('sites', site.id);
  const zone = await publish('/zones', { name: 'Start', site_id: site.id, width, height: 250 });
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
  await stand.startServing();
  for (const key of keys) {
    const ask = async () => {
      const answer = await stand.anyone
        .post('/ad/request', { zone: key, _v: 1 })
        .set('user-agent', OKHTTP);
      expect(answer.status).toBe(200);
      expect(answer.body.data.zone.code).toBe(key);
      expect(answer.body.data.ads).toHaveLength(1);
      return answer.body.data.ads[0] as { id: string };
    };
    const ad = await eventually(ask);
    const pixel = await stand.anyone.get(`/track/impression/${ad.id}`).set('user-agent', OKHTTP);
    expect(pixel.status).toBe(200);
    const { rows } = await database.pool.query<{ zone_key: string; seal: string }>(
      `SELECT z.zone_key, split_part(e.facts->>'f', '|', 1) AS seal FROM event_inbox e
       JOIN zones z ON z.id = split_part(e.facts->>'t', '|', 8)::bigint WHERE z.zone_key = $1`,
      [key],
    );
    expect(rows).toEqual([{ zone_key: key, seal: 'ok' }]);
  }
});
