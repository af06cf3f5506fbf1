import { mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import express, { type Express } from 'express';
import { pino } from 'pino';
import request from 'supertest';
import { createActivities } from '../../activities/index.ts';
import { createOutbox } from '../../activities/outbox.ts';
import { conversionRoutes } from '../../api/conversion/conversion.ts';
import { createPixelConversions, type PixelConversions } from '../../api/conversion/pixels.ts';
import { connectPostgres, type Db } from '../../db/postgres.ts';
import { createTestConsole, type TestConsole } from '../support/console.ts';
import { type Cuttable, cuttable } from '../support/cuttable.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { testProviders } from '../support/providers.ts';
import { makeLine } from '../support/settlement.ts';

/** A pixel is answered once and never sent again: while PostgreSQL is away it waits on the disk. */
const log = pino({ level: 'silent' });
const dir = mkdtempSync(path.join(tmpdir(), 'adplatform-pixels-'));
let database: TestDatabase;
let console_: TestConsole;
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
    conversionRoutes({ ...console_.deps, db, activities, pixelConversions: made }),
  );
  return made;
};

beforeAll(async () => {
  database = await createTestDatabase();
  console_ = await createTestConsole(database);
  const line = await makeLine(database, { pricingModel: 'CPA' });
  const tracker = await console_.deps.db.models.Tracker.create({
    advertiserId: line.advertiserId,
    name: 'Sale',
    trackingCode: 'pixel-spool-test',
  });
  code = tracker.trackingCode;
  wire = await cuttable(database.url);
  db = connectPostgres({ url: wire.url, poolMax: 3, applicationName: 'pixels' });
  pixels = open();
});
afterAll(async () => {
  await pixels.close();
  await db.sequelize.close();
  await wire.close();
  await console_.close();
  await database.close();
  await rm(dir, { recursive: true });
});

const stored = async (): Promise<{ value_nanos: string; created_at: Date }[]> =>
  (
    await database.pool.query<{ value_nanos: string; created_at: Date }>(
      'SELECT value_nanos, created_at FROM conversions ORDER BY id',
    )
  ).rows;

async function whenStored(count: number): Promise<{ value_nanos: string; created_at: Date }[]> {
  for (let attempt = 0; attempt < 100; attempt += 1) {
    const rows = await stored();
    if (rows.length >= count) return rows;
    await sleep(100);
  }
  throw new Error(`fewer than ${count} conversions came`);
}

test('pixel · while PostgreSQL is away and the process is restarted · is the GIF, and stored once with its time', async () => {
  wire.cut();
  const reportedAt = Date.now();
  const answer = await request(app).get(`/track/conversion.gif?c=${code}&value=12.5`);
  expect(answer.status).toBe(200);
  expect(answer.headers['content-type']).toBe('image/gif');
  expect(await stored()).toHaveLength(0);
  await pixels.close();
  wire.mend();
  pixels = open();
  const rows = await whenStored(1);
  await sleep(1_500);
  expect(await stored()).toHaveLength(1);
  expect(rows[0]?.value_nanos).toBe('12500000000');
  expect(Math.abs((rows[0]?.created_at.getTime() ?? 0) - reportedAt)).toBeLessThan(2_000);
});

test('pixel · of an unknown code while PostgreSQL is away · does not keep those behind it waiting', async () => {
  wire.cut();
  await request(app).get('/track/conversion.gif?c=nobodys-code');
  await request(app).get(`/track/conversion.gif?c=${code}&value=1`);
  wire.mend();
  const rows = await whenStored(2);
  expect(rows.map((row) => row.value_nanos)).toEqual(['12500000000', '1000000000']);
});
