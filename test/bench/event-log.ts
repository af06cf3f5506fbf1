import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pino } from 'pino';
import { createPostgresEventLog } from '../../db/events/event-log-postgres.ts';
import { type LoggedEvent, newEventId } from '../../db/events/event-log.ts';
import type { EventFacts } from '../../domain/tracking/facts.ts';
import { createTestDatabase, prepareTemplateDatabase } from '../support/database.ts';

/** Durable appends per second: group commit against one INSERT per event. `tsx test/bench/event-log.ts` */
const EVENTS = 20_000;
const IN_FLIGHT = 200;

const facts: EventFacts = {
  track: {
    requestId: 'a'.repeat(32),
    bidId: 'b'.repeat(16),
    advertiserId: 1,
    campaignId: 2,
    adId: 3,
    creativeId: 4,
    zoneId: 5,
    issuedAt: 1_760_000_000,
    protocol: 2,
    channel: 'page',
    pricingModel: 'CPM',
    priceNanos: '2500000',
    uaHash: '01020304',
    ipHash: '05060708',
    country: 'DE',
    device: 'DESKTOP',
    os: 'LINUX',
  },
  seal: 'ok',
  protocol: 2,
  signature: 'ok',
  session: 'ok',
  clock: 'ok',
  nonce: `1760000000000.${'A'.repeat(16)}`,
  userAgent: 'ok',
  uaHash: '01020304',
  ipHash: '05060708',
  viewerKey: '0'.repeat(32),
  ipPrefix: '203.0.113.0/24',
  country: 'DE',
  device: 'DESKTOP',
  os: 'LINUX',
  browser: 'CHROME',
  prefetch: false,
  datacenter: false,
  webdriver: false,
  placement: { width: 300, height: 250 },
};
const event = (): LoggedEvent => {
  const receivedAt = new Date();
  return { id: newEventId(receivedAt), kind: 'impression', shard: 0, receivedAt, facts };
};

async function measure(append: () => Promise<void>): Promise<number> {
  let left = EVENTS;
  const started = process.hrtime.bigint();
  await Promise.all(
    Array.from({ length: IN_FLIGHT }, async () => {
      while (left > 0) {
        left -= 1;
        await append();
      }
    }),
  );
  return EVENTS / (Number(process.hrtime.bigint() - started) / 1e9);
}

await prepareTemplateDatabase();
const database = await createTestDatabase();
const spoolDir = mkdtempSync(path.join(tmpdir(), 'bench-spool-'));
const eventLog = createPostgresEventLog({
  pool: database.pool,
  spoolDir,
  log: pino({ level: 'warn' }),
});
const insertOne = async (): Promise<void> => {
  const one = event();
  await database.pool.query(
    `INSERT INTO event_inbox (day, id, shard, kind, received_at, facts) VALUES ($1, $2, 0, $3, $4, $5) ON CONFLICT DO NOTHING`,
    [
      one.receivedAt.toISOString().slice(0, 10),
      one.id,
      one.kind,
      one.receivedAt,
      JSON.stringify(one.facts),
    ],
  );
};
const rounds = [];
for (let round = 1; round <= 3; round += 1) {
  const single = await measure(insertOne);
  const grouped = await measure(async () => await eventLog.append(event()));
  rounds.push({
    round,
    'insert each/s': Math.round(single),
    'group commit/s': Math.round(grouped),
    ratio: (grouped / single).toFixed(2),
  });
}
console.table(rounds);
await eventLog.close();
await database.close();
rmSync(spoolDir, { recursive: true });
