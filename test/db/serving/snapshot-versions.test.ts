import { runner } from '../../../db/postgres.ts';
import {
  changedTenants,
  inGroups,
  type InventoryVersions,
  loadVersions,
} from '../../../db/serving/snapshot-versions.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { makeAdvertiser } from '../../support/make/account.ts';
import { makeCampaignTree } from '../../support/make/campaign.ts';
import { fundAdvertiser, nanos } from '../../support/make/money.ts';
import { makePlace } from '../../support/make/place.ts';

/** Who has changed, found without reading what they have. */
let database: TestDatabase;
let advertiserId: number;
let publisherId: number;

beforeAll(async () => {
  database = await createTestDatabase();
  const { db } = database;
  for (let round = 0; round < 3; round += 1) {
    const advertiser = await makeAdvertiser(db, { balance: 100 });
    await makeCampaignTree(db, advertiser.id);
    await makeCampaignTree(db, advertiser.id);
    const { zone } = await makePlace(db);
    advertiserId = advertiser.id;
    publisherId = zone.publisherId;
  }
});
afterAll(async () => {
  await database.close();
});

const versions = async (): Promise<InventoryVersions> => await loadVersions(runner(database.db));
const changedBy = async (
  sql: string,
  id: number,
): Promise<{ sold: number[]; bought: number[] }> => {
  const held = await versions();
  const { rowCount } = await database.pool.query(sql, [id]);
  expect(rowCount).toBeGreaterThan(0);
  const now = await versions();
  return {
    bought: changedTenants(held.advertisers, now.advertisers),
    sold: changedTenants(held.publishers, now.publishers),
  };
};
const first = (table: string): string =>
  `id = (SELECT max(id) FROM ${table} WHERE advertiser_id = $1)`;

test('how many rows each has · looked at · are those that serving reads', async () => {
  // Three of a tree, two trees, and the account itself.
  const { advertisers } = await versions();
  expect([...advertisers.values()].map(({ rows }) => rows)).toEqual([7, 7, 7]);
});

test.each([
  ['of no known size', 250, undefined, [100, 100, 50]],
  ['small ones', 250, 10, [100, 100, 50]],
  ['large ones', 7, 2_000, [2, 2, 2, 1]],
  ['larger than a group', 3, 60_000, [1, 1, 1]],
  ['none', 0, 10, []],
])(
  'tenants to read · %s · are read together as far as they are few',
  (_what, count, rows, sizes) => {
    const ids = Array.from({ length: count }, (_none, at) => at + 1);
    const known =
      rows === undefined ? undefined : new Map(ids.map((id) => [id, { version: '', rows }]));
    const groups = [...inGroups(ids, known)];
    expect(groups.map(({ length }) => length)).toEqual(sizes);
    expect(groups.flat()).toEqual(ids);
  },
);

test('nothing changed · looked at twice · nobody has', async () => {
  const [held, now] = [await versions(), await versions()];
  expect(held.advertisers.size).toBe(3);
  expect(held.publishers.size).toBe(3);
  expect(changedTenants(held.advertisers, now.advertisers)).toEqual([]);
  expect(changedTenants(held.publishers, now.publishers)).toEqual([]);
});

test.each([
  ['a campaign is edited', `UPDATE campaigns SET name = 'n' WHERE ${first('campaigns')}`],
  ['an ad group is paused', `UPDATE ad_groups SET status = 'PAUSED' WHERE ${first('ad_groups')}`],
  ['an ad is weighed anew', `UPDATE ads SET weight = 7 WHERE ${first('ads')}`],
  ['a creative is paused', `UPDATE creatives SET status = 'PAUSED' WHERE ${first('creatives')}`],
  [
    'a revision changes size',
    `UPDATE creative_revisions SET width = 301
     WHERE creative_id = (SELECT max(id) FROM creatives WHERE advertiser_id = $1)`,
  ],
  ['an ad is archived', `UPDATE ads SET status = 'ARCHIVED' WHERE ${first('ads')}`],
  ['the advertiser is suspended', `UPDATE accounts SET status = 'SUSPENDED' WHERE id = $1`],
])('%s · its advertiser has changed, and nobody else', async (_what, sql) => {
  expect(await changedBy(sql, advertiserId)).toEqual({ bought: [advertiserId], sold: [] });
});

test.each([
  ['a zone is edited', `UPDATE zones SET refresh = 60 WHERE publisher_id = $1`],
  ['a site is suspended', `UPDATE sites SET audit_status = 'SUSPENDED' WHERE publisher_id = $1`],
  ['the publisher is suspended', `UPDATE accounts SET status = 'SUSPENDED' WHERE id = $1`],
  ['the last zone is archived', `UPDATE zones SET status = 'ARCHIVED' WHERE publisher_id = $1`],
])('%s · its publisher has changed, and nobody else', async (_what, sql) => {
  expect(await changedBy(sql, publisherId)).toEqual({ bought: [], sold: [publisherId] });
});

test('money comes in · nobody has changed', async () => {
  const held = await versions();
  await fundAdvertiser(database.db, advertiserId, nanos(5));
  const now = await versions();
  expect(changedTenants(held.advertisers, now.advertisers)).toEqual([]);
});
