import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, utimesSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { readSheet } from 'read-excel-file/node';
import type { Test } from 'supertest';
import { removeExpiredExports } from '../../../activities/reports/exports.ts';
import { createExportStore } from '../../../db/files/export-store.ts';
import type { Caller } from '../../support/call.ts';
import type { TestDatabase } from '../../support/database.ts';
import { activityDeps } from '../../support/settlement.ts';
import { eventually } from '../../support/until.ts';
import { makePublisher } from '../../support/make/account.ts';
import { makeSite, makeZone } from '../../support/make/place.ts';
import { createStand, type Stand } from '../../support/stand.ts';

/** Names that a spreadsheet would run, break a line with, or trip over. */
const NAMES = [
  '=HYPERLINK("http://evil.example")',
  '+1',
  '-2+3',
  '@SUM(A1)',
  'plain',
  'a,"b"',
  '<&>',
  '活动 ',
];
const DAYS = 'start_date=2026-11-01&end_date=2026-11-02';

let stand: Stand;
let database: TestDatabase;
let buyer: Caller;
let bigBuyer: Caller;
let seller: Caller;

beforeAll(async () => {
  stand = await createStand();
  ({ database } = stand);
  buyer = await stand.newAdvertiser();
  bigBuyer = await stand.newAdvertiser();
  seller = stand.as('publisher', (await makePublisher(database.db)).id);
  for (const [at, name] of NAMES.entries()) {
    const { id } = await database.db.models.campaigns.create({
      advertiserId: buyer.id,
      name,
      adType: 'BANNER',
      bidNanos: 1n,
    });
    await database.pool.query(
      `INSERT INTO rollup_ad_hours (hour, advertiser_id, campaign_id, adgroup_id, ad_id, creative_id, impressions, clicks, spend_nanos)
       VALUES ('2026-11-01T10:00Z', $1, $2, 1, 1, 1, 1000, $3, 1234567890)`,
      [buyer.id, id, at],
    );
  }
  await database.pool.query(
    `INSERT INTO rollup_ad_hours (hour, advertiser_id, campaign_id, adgroup_id, ad_id, creative_id, impressions)
     SELECT '2026-11-01T10:00Z', $1, 1, 1, i, 1, 1 FROM generate_series(1, 50001) i`,
    [bigBuyer.id],
  );
  const site = await makeSite(database.db, seller.id);
  const zone = await makeZone(database.db, site, { name: 'Top' });
  await database.pool.query(
    `INSERT INTO rollup_zone_hours (hour, publisher_id, site_id, zone_id, requests, impressions, revenue_nanos)
     VALUES ('2026-11-01T10:00Z', $1, $2, $3, 9, 4, 700000000)`,
    [seller.id, site.id, zone.id],
  );
}, 60_000);
afterAll(async () => {
  await stand.close();
});

/** Ten exports a minute are all that one account has. */
const get = (path: string, who = buyer): Test => {
  stand.passTime(60_000);
  return who.get(`/statistics${path}`);
};

test('csv · campaigns with names that are formulas · one line each, none of them runs', async () => {
  const res = await get(`/export?${DAYS}&group_by=campaign`);
  expect(res.status).toBe(200);
  expect(res.headers['content-type']).toBe('text/csv; charset=utf-8');
  expect(res.headers['content-disposition']).toBe(
    'attachment; filename="report_2026-11-01_2026-11-02_campaign.csv"',
  );
  const { text } = res;
  const [head, ...lines] = text.trimEnd().split('\r\n');
  expect(head).toBe(
    '\uFEFFcampaign_id,campaign_name,requests,impressions,viewable,views,clicks,conversions,removed,spend,ctr,cvr,ecpm,pending_conversions,approved_conversions,rejected_conversions,pending_spend,approved_spend,rejected_spend,timezone,as_of,is_final',
  );
  expect(lines.map((line) => line.replace(/^\d+,/, '').replace(/,,1000.*$/, ''))).toEqual([
    `"'=HYPERLINK(""http://evil.example"")"`,
    `'+1`,
    `'-2+3`,
    `'@SUM(A1)`,
    'plain',
    '"a,""b"""',
    '<&>',
    '活动 ',
  ]);
  expect(lines[1]).toMatch(
    /,,1000,0,0,1,0,0,1\.234568,0\.001,0,1\.234568,0,0,0,0,0,0,UTC,[^,]*,(?:true|false)$/,
  );
});

test('jsonl · the same report · the lines of the JSON answer, one object each', async () => {
  const query = `${DAYS}&group_by=date,campaign`;
  const report = await get(`/report?${query}`);
  const res = await get(`/export?${query}&format=jsonl`).responseType('blob');
  expect(res.headers['content-type']).toBe('application/jsonl; charset=utf-8');
  const lines = (res.body as Buffer).toString('utf8').trimEnd().split('\n');
  // A file is read where its report cannot be asked any more: each line says how final it is.
  const { items, timezone, as_of, is_final } = report.body.data;
  expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual(
    items.map((item: object) => ({ ...item, timezone, as_of, is_final })),
  );
});

test('xlsx · the same report · a workbook whose texts are texts and whose numbers are numbers', async () => {
  const ask = `/export?${DAYS}&group_by=campaign&format=xlsx`;
  const res = await get(ask).responseType('blob');
  const [head, ...rows] = await readSheet(res.body as Buffer);
  expect(head?.slice(0, 3)).toEqual(['campaign_id', 'campaign_name', 'requests']);
  // That reader trims; test/activities/report-file.test.ts looks at every character.
  expect(rows.map((row) => row[1])).toEqual(NAMES.map((name) => name.trim()));
  expect(rows[1]?.slice(2, 13)).toEqual([null, 1_000, 0, 0, 1, 0, 0, 1.234568, 0.001, 0, 1.234568]);
  expect(head?.slice(19)).toEqual(['timezone', 'as_of', 'is_final']);
});

test.each([
  ['text/csv', 'text/csv'],
  ['application/jsonl', 'application/jsonl'],
  ['application/x-ndjson', 'application/jsonl'],
  ['application/vnd.openxmlformats-officedocument.spreadsheetml.sheet', 'application/vnd'],
  ['*/*', 'text/csv'],
  ['application/json', 'text/csv'],
])('Accept: %s · no format asked · %s', async (accept, type) => {
  const res = await get(`/export?${DAYS}`).set('Accept', accept);
  expect(res.headers['content-type']).toContain(type);
});

test('an empty report · exported · the head alone', async () => {
  const res = await get('/export?start_date=2025-01-01&end_date=2025-01-02');
  expect(res.text).toMatch(/^\uFEFFdate,requests,[\w,]+\r\n$/);
});

test('publisher · by zone · its revenue', async () => {
  const query = `/export?${DAYS}&group_by=zone`;
  const { text } = await get(query, seller);
  expect(text.split('\r\n')[1]).toMatch(
    /^\d+,Top,9,4,0,0,0,0,0,0\.7,0,0,175,0,0,0,0,0,0,UTC,[^,]*,false$/,
  );
});

test.each([
  ['format=pdf', 422],
  ['group_by=colour', 422],
  ['campaign_id=99999999', 404],
  ['cursor=1', 422],
])('export · %s · %i', async (query, status) => {
  expect((await get(`/export?${query}`)).status).toBe(status);
});

test('eleven exports in a minute · by one account · the eleventh is 429, other reads go on', async () => {
  const owner = await stand.newAdvertiser();
  // From the first second of a minute on, which has room for a call a second.
  stand.passTime(60_000 - (stand.deps.clock().getTime() % 60_000));
  const statuses: number[] = [];
  for (let n = 0; n < 11; n += 1) statuses.push((await owner.get('/statistics/export')).status);
  expect(statuses).toEqual([...Array.from({ length: 10 }, () => 200), 429]);
  expect((await owner.get('/statistics/report')).status).toBe(200);
});

test('more lines than are sent at once · exported · 202 with one operation, the same for the same ask', async () => {
  const query = `/export?${DAYS}&group_by=ad`;
  const first = await get(query, bigBuyer);
  expect(first.status).toBe(202);
  const { operation } = first.body.data;
  expect(operation).toMatchObject({ kind: 'report_export', status: 'queued' });
  expect(first.headers['location']).toBe(`/api/advertiser/operations/${operation.id}`);
  const again = await get(query, bigBuyer);
  expect(again.body.data.operation.id).toBe(operation.id);
  const other = await get(`${query}&format=xlsx`, bigBuyer);
  expect(other.body.data.operation.id).not.toBe(operation.id);
  const { rows } = await database.pool.query(
    `SELECT count(*)::int AS starts FROM outbox WHERE payload ->> 'type' = 'exportWorkflow'`,
  );
  expect(rows).toEqual([{ starts: 2 }]);
});

async function insertReady(accountId: number, minutes: number): Promise<number> {
  const { rows } = await database.pool.query<{ id: string }>(
    `INSERT INTO report_exports (account_id, ask, ask_hash, format, file_name, status, file, bytes, rows, expires_at)
     VALUES ($1, '{"parts": []}', 'x', 'csv', 'mine.csv', 'READY', '-', 5, 1, now() + $2 * interval '1 minute') RETURNING id`,
    [accountId, minutes],
  );
  const id = Number(rows[0]?.id);
  await database.pool.query('UPDATE report_exports SET file = $2 WHERE id = $1', [id, `${id}.csv`]);
  mkdirSync(stand.config.exportDir, { recursive: true });
  writeFileSync(path.join(stand.config.exportDir, `${id}.csv`), 'a,b\r\n');
  return id;
}

test('a written file · its owner, another, after its day, gone from the disk · loaded, else 404', async () => {
  // The console's clock runs ahead of the database's by up to a month.
  const id = await insertReady(buyer.id, 100_000);
  const loaded = await get(`/exports/${id}/file`);
  expect(loaded.status).toBe(200);
  expect(loaded.headers['content-disposition']).toBe('attachment; filename="mine.csv"');
  expect(loaded.headers['content-length']).toBe('5');
  expect(loaded.text).toBe('a,b\r\n');
  expect((await get(`/exports/${id}/file`, bigBuyer)).status).toBe(404);
  expect((await get(`/exports/${id}/file`, seller)).status).toBe(404);
  expect((await get(`/exports/${await insertReady(buyer.id, -1)}/file`)).status).toBe(404);
  expect((await get('/exports/99999999/file')).status).toBe(404);
  execFileSync('rm', [path.join(stand.config.exportDir, `${id}.csv`)]);
  expect((await get(`/exports/${id}/file`)).status).toBe(404);
});

test('upkeep · expired, fresh and half-written files · the old ones go, rows say so', async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'adplatform-upkeep-'));
  const deps = activityDeps(database);
  deps.providers.exportStore = createExportStore(folder);
  const old = await insertReady(buyer.id, -120);
  const fresh = await insertReady(buyer.id, 60);
  const dayAgo = new Date(Date.now() - 26 * 3_600_000);
  for (const name of [`${old}.csv`, `${old}.csv.0a0b.part`]) {
    writeFileSync(path.join(folder, name), 'x');
    utimesSync(path.join(folder, name), dayAgo, dayAgo);
  }
  writeFileSync(path.join(folder, `${fresh}.csv`), 'x');
  expect(await removeExpiredExports(deps)).toBe(2);
  expect(await deps.providers.exportStore.read(`${old}.csv`)).toBeUndefined();
  const kept = await deps.providers.exportStore.read(`${fresh}.csv`);
  expect(kept?.bytes).toBe(1);
  kept?.stream.destroy();
  const { rows } = await database.pool.query<{ id: string; status: string }>(
    'SELECT id, status FROM report_exports WHERE id = ANY($1::bigint[]) ORDER BY id',
    [[old, fresh]],
  );
  expect(rows.map(({ status }) => status)).toEqual(['EXPIRED', 'READY']);
});

test('clients that hang up in the middle · of each format · every connection comes back, nothing is a fault', async () => {
  await database.pool.query(
    `INSERT INTO rollup_ad_hours (hour, advertiser_id, campaign_id, adgroup_id, ad_id, creative_id, impressions)
     SELECT '2026-11-05T10:00Z', $1, 1, 1, i, 1, 1 FROM generate_series(1, 49000) i`,
    [bigBuyer.id],
  );
  for (const format of ['csv', 'xlsx', 'jsonl', 'csv']) {
    stand.passTime(60_000);
    const socket = connect(stand.port, '127.0.0.1');
    socket.write(
      `GET /api/advertiser/statistics/export?start_date=2026-11-05&end_date=2026-11-05&group_by=ad&format=${format} HTTP/1.1\r\n` +
        `Host: x\r\nAuthorization: Bearer ${bigBuyer.token}\r\n\r\n`,
    );
    const first = await new Promise<Buffer>((resolve) => socket.once('data', resolve));
    expect(first.toString('latin1')).toMatch(/^HTTP\/1\.1 200/);
    socket.destroy();
  }
  await eventually(async () => {
    const { rows } = await database.pool.query<{ busy: string }>(
      `SELECT count(*) AS busy FROM pg_stat_activity WHERE datname = current_database()
         AND application_name = 'test' AND state <> 'idle'`,
    );
    expect(rows).toEqual([{ busy: '0' }]);
  });
  expect(stand.faults).toEqual([]);
}, 30_000);
