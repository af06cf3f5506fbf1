import { mkdtempSync } from 'node:fs';
import { readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import express, { type Express } from 'express';
import { pino } from 'pino';
import request from 'supertest';
import { createActivities } from '../../../activities/index.ts';
import { createOutbox } from '../../../activities/core/outbox.ts';
import { conversionRoutes } from '../../../api/conversion/conversion.ts';
import { createPixelConversions, type PixelConversions } from '../../../api/conversion/pixels.ts';
import { createViewerReader } from '../../../api/viewer.ts';
import { connectPostgres, type Db } from '../../../db/postgres.ts';
import { type Cuttable, cuttable } from '../../support/cuttable.ts';
import { testProviders } from '../../support/providers.ts';
import { until } from '../../support/until.ts';
import { makeLine } from '../../support/make/line.ts';
import { createStand, type Stand } from '../../support/stand.ts';

/** A pixel is answered once and never sent again: while PostgreSQL is away it waits on the disk. */
const log = pino({ level: 'silent' });
const dir = mkdtempSync(path.join(tmpdir(), 'adplatform-pixels-'));
const readViewer = createViewerReader({
  hashKey: Buffer.alloc(32),
  geo: () => null,
  trustedProxies: [],
});
let stand: Stand;
let wire: Cuttable;
let db: Db;
let pixels: PixelConversions;
let app: Express;
let code: string;

const open = (): PixelConversions => {
  const activities = createActivities({
    db,
    outbox: createOutbox(db, () => undefined),
    log,
    clock: () => new Date(),
    providers: testProviders(),
  });
  const made = createPixelConversions({ dir, activities, log, clock: () => new Date() });
  app = express().use(
    '/track',
    conversionRoutes({ log, activities, pixelConversions: made, readViewer }),
  );
  return made;
};

beforeAll(async () => {
  stand = await createStand();
  const line = await makeLine(stand.database, { pricingModel: 'CPA' });
  const tracker = await stand.database.db.models.trackers.create({
    advertiserId: line.advertiserId,
    name: 'Sale',
    trackingCode: 'pixel-spool-test',
  });
  code = tracker.trackingCode;
  wire = await cuttable(stand.database.url);
  db = connectPostgres({ url: wire.url, poolMax: 3, applicationName: 'pixels' });
  pixels = open();
});
afterAll(async () => {
  await pixels.close();
  await db.sequelize.close();
  await wire.close();
  await stand.close();
  await rm(dir, { recursive: true });
});

const stored = async (): Promise<{ value_nanos: string; created_at: Date }[]> =>
  (
    await stand.database.pool.query<{ value_nanos: string; created_at: Date }>(
      'SELECT value_nanos, created_at FROM conversions ORDER BY id',
    )
  ).rows;

const whenStored = async (count: number) =>
  await until(`${count} conversions are stored`, async () => {
    const rows = await stored();
    return rows.length >= count && rows;
  });
/** A report's file goes once it is recorded; until then it may be recorded again. */
const whenNothingWaits = async () =>
  await until('the folder is empty', async () => (await readdir(dir)).length === 0);

test('pixel · while PostgreSQL is away and the process is restarted · is the GIF, and stored once with its time', async () => {
  wire.cut();
  const reportedAt = Date.now();
  const answer = await request(app).get(`/track/conversion.gif?c=${code}&value=12.5`);
  const answeredAt = Date.now();
  expect(answer.status).toBe(200);
  expect(answer.headers['content-type']).toBe('image/gif');
  expect(await stored()).toHaveLength(0);
  await pixels.close();
  wire.mend();
  pixels = open();
  await whenStored(1);
  await whenNothingWaits();
  const rows = await stored();
  expect(rows.map((row) => row.value_nanos)).toEqual(['12500000000']);
  const createdAt = rows[0]?.created_at.getTime() ?? 0;
  expect(createdAt).toBeGreaterThanOrEqual(reportedAt);
  expect(createdAt).toBeLessThanOrEqual(answeredAt);
});

test('pixel · of an unknown code while PostgreSQL is away · does not keep those behind it waiting', async () => {
  wire.cut();
  await request(app).get('/track/conversion.gif?c=nobodys-code');
  await request(app).get(`/track/conversion.gif?c=${code}&value=1`);
  wire.mend();
  const rows = await whenStored(2);
  expect(rows.map((row) => row.value_nanos)).toEqual(['12500000000', '1000000000']);
});
