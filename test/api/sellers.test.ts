import type { TestDatabase } from '../support/database.ts';
import { makePublisher } from '../support/make/account.ts';
import { makeSite } from '../support/make/place.ts';
import { createStand, type Stand } from '../support/stand.ts';

let stand: Stand;
let database: TestDatabase;

beforeAll(async () => {
  stand = await createStand();
  ({ database } = stand);
});

afterAll(async () => {
  await stand.close();
});

const KEPT_MS = 300_000;

interface Seller {
  seller_id: string;
  [field: string]: unknown;
}

const sellers = async (): Promise<Seller[]> => {
  const answer = await stand.anyone.get('/sellers.json');
  expect(answer.status).toBe(200);
  return answer.body.sellers as Seller[];
};

async function publisher(companyName: string | null, status = 'ACTIVE'): Promise<number> {
  const id = (await makePublisher(database.db)).id;
  await database.pool.query('UPDATE accounts SET company_name = $2, status = $3 WHERE id = $1', [
    id,
    companyName,
    status,
  ]);
  return id;
}

describe('sellers.json', () => {
  test('publishers · who may sell, or not yet, or no longer · are listed as they are known', async () => {
    const { db } = database;
    const known = await publisher('News Ltd');
    await makeSite(db, known, { verifyStatus: 'UNVERIFIED' });
    const proven = await makeSite(db, known);
    await makeSite(db, known);
    const nameless = await publisher(null);
    await makeSite(db, nameless);
    const unproven = await publisher('Claims Ltd');
    await makeSite(db, unproven, { verifyStatus: 'LAPSED' });
    const waiting = await publisher('Waiting Ltd');
    await makeSite(db, waiting, { auditStatus: 'PENDING' });
    const gone = await publisher('Gone Ltd');
    await makeSite(db, gone, { status: 'ARCHIVED' });
    const suspended = await publisher('Suspended Ltd', 'SUSPENDED');
    await makeSite(db, suspended);
    await publisher('No site Ltd');
    stand.passTime(KEPT_MS);
    const confidential = { seller_type: 'PUBLISHER', is_confidential: 1 };
    expect(await sellers()).toEqual([
      {
        seller_id: `pub-${known}`,
        seller_type: 'PUBLISHER',
        name: 'News Ltd',
        domain: proven.domain,
        is_confidential: 0,
      },
      { seller_id: `pub-${nameless}`, ...confidential },
      { seller_id: `pub-${unproven}`, ...confidential },
    ]);
  });

  test('a list that was read · asked for again · is kept for five minutes, then read anew', async () => {
    stand.passTime(KEPT_MS);
    const before = await sellers();
    const late = await publisher('Late Ltd');
    await makeSite(database.db, late);
    expect(await sellers()).toEqual(before);
    stand.passTime(KEPT_MS);
    expect((await sellers()).map(({ seller_id: id }) => id)).toContain(`pub-${late}`);
  });

  test('a reading that fails · asked for again · is not kept', async () => {
    stand.passTime(KEPT_MS);
    await database.pool.query('ALTER TABLE sites RENAME TO sites_away');
    expect((await stand.anyone.get('/sellers.json')).status).toBe(500);
    await database.pool.query('ALTER TABLE sites_away RENAME TO sites');
    expect((await sellers()).length).toBeGreaterThan(0);
  });

  test('more publishers than a page of the reading · listed · none twice, none left out', async () => {
    await database.pool.query(
      `WITH made AS (
         INSERT INTO accounts (kind, username, email, password_hash)
         SELECT 'PUBLISHER', 'bulk_' || n, 'bulk_' || n || '@example.com', 'none'
         FROM generate_series(1, 5200) n RETURNING id)
       INSERT INTO sites (publisher_id, name, domain, verify_token, audit_status)
       SELECT id, 'Bulk', 'bulk-' || id || '.example', 't', 'APPROVED' FROM made`,
    );
    stand.passTime(KEPT_MS);
    const ids = (await sellers()).map(({ seller_id: id }) => id);
    expect(ids.length).toBeGreaterThan(5_200);
    expect(new Set(ids).size).toBe(ids.length);
  });
});

describe('ads.txt', () => {
  test('our own · asked for · declares nobody, and tells publishers their line', async () => {
    const answer = await stand.anyone.get('/ads.txt');
    expect(answer.headers['content-type']).toMatch(/^text\/plain/);
    const lines = answer.text.split('\n');
    const records = lines.filter((line) => line !== '' && !line.startsWith('#'));
    expect(records).toEqual(['placeholder.example.com, placeholder, DIRECT, placeholder']);
    expect(lines).toContain('# 127.0.0.1, pub-<your publisher id>, DIRECT');
  });
});
