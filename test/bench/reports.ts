import { setTimeout as sleep } from 'node:timers/promises';
import jwt from 'jsonwebtoken';
import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { readBounds } from '../../db/queries/reports.ts';
import { reportStatement } from '../../db/queries/report-sql.ts';
import type { ReportQuery } from '../../domain/report.ts';
import { createRedis, type Redis } from '../../db/redis.ts';
import { addDays, readGroupBy, type ReportSide, SOURCES_OF } from '../../domain/report.ts';
import { ROLLUP_TABLES } from '../../db/queries/rollups.ts';
import { type BusiestOf, rollUpEvents, seedEvents, seedMarket } from '../support/bulk-events.ts';
import { type ListOwners, seedLists } from '../support/bulk-lists.ts';
import { type Platform, startPlatform } from '../support/platform.ts';
import { measureLists } from './lists.ts';
import { memoryDuring, timed } from './timing.ts';

/**
 * Reports over a week of events, exports, and lists, over HTTP on what production runs. BENCH_EVENTS:
 * how many events (10 million); BENCH_LIST_ROWS: rows behind each list (100,000, all of one owner).
 */
const EVENTS = Number(process.env['BENCH_EVENTS'] ?? 10_000_000);
const LIST_ROWS = Number(process.env['BENCH_LIST_ROWS'] ?? 100_000);
const MARKET = { advertisers: 50, campaigns: 10, publishers: 50, sites: 2 };
const REQUESTS = 40;
const DAYS = 7;
const EXPORT_ADS = 6_000;

/** Name, side and query of each report; the week and the owner come beside. */
const REPORTS: [name: string, side: ReportSide, path: string, groupBy: string, timezone: string][] =
  [
    ['report by date', 'advertiser', 'report', 'date', 'UTC'],
    ['report by date, Kolkata', 'advertiser', 'report', 'date', 'Asia/Kolkata'],
    ['campaigns', 'advertiser', 'campaigns', 'campaign', 'UTC'],
    ['region', 'advertiser', 'region', 'country', 'UTC'],
    ['hourly', 'advertiser', 'hourly', 'hour', 'UTC'],
    ['device', 'advertiser', 'device', 'device', 'UTC'],
    ['report by date and ad', 'advertiser', 'report', 'date,ad', 'UTC'],
    ['report by date', 'publisher', 'report', 'date', 'UTC'],
    ['sites', 'publisher', 'sites', 'site', 'UTC'],
    ['zones', 'publisher', 'zones', 'zone', 'UTC'],
    ['region', 'publisher', 'region', 'country', 'UTC'],
    ['hourly', 'publisher', 'hourly', 'hour', 'UTC'],
    ['device', 'publisher', 'device', 'device', 'UTC'],
    ['region, Kolkata (ends from events)', 'advertiser', 'region', 'country', 'Asia/Kolkata'],
  ];

interface Stand {
  platform: Platform;
  /** Without the statement timeout that serving has: seeding takes minutes. */
  pool: pg.Pool;
  redis: Redis;
  busiest: BusiestOf;
  week: { startDate: string; endDate: string };
}

export async function benchReports(): Promise<void> {
  const platform = await startPlatform({ NODE_ENV: 'production' }, { built: true });
  const pool = new pg.Pool({ connectionString: platform.ownerUrl, max: 4 });
  const redis = createRedis(platform.env['REDIS_URL'] ?? '');
  await redis.connect();
  try {
    const today = new Date().toISOString().slice(0, 10);
    const week = { startDate: addDays(today, -DAYS), endDate: addDays(today, -1) };
    const owners = await inSeconds(
      `lists of ${LIST_ROWS} rows`,
      async () => await seedLists(pool, { rows: LIST_ROWS, owners: 1 }),
    );
    const busiest = await seedMarket(pool, MARKET);
    const stand = { platform, pool, redis, busiest, week };
    await inSeconds(`${EVENTS} events and their rollups`, async () => {
      await seedWeek(stand);
    });
    await measureReports(stand);
    await measureListsOf(stand, owners);
    await measureExport(stand);
  } finally {
    redis.destroy();
    await pool.end();
    await platform.close();
  }
}

async function inSeconds<Result>(what: string, run: () => Promise<Result>): Promise<Result> {
  const began = performance.now();
  const result = await run();
  console.log(`${what}: seeded in ${((performance.now() - began) / 1_000).toFixed(0)} s`);
  return result;
}

async function seedWeek({ pool, week }: Stand): Promise<void> {
  // Nothing here asks by request or bid; both are kept up row by row otherwise.
  await pool.query('DROP INDEX events_request, events_bid');
  await pool.query('SELECT ensure_event_partitions($1::date, $2)', [week.startDate, DAYS]);
  const days = Array.from({ length: DAYS }, (_, at) => addDays(week.startDate, at));
  const waiting = [...days];
  const work = async (): Promise<void> => {
    for (let day = waiting.shift(); day !== undefined; day = waiting.shift()) {
      await seedEvents(pool, day, Math.round(EVENTS / DAYS));
      for (const table of ROLLUP_TABLES) await rollUpEvents(pool, table, day);
    }
  };
  await Promise.all([work(), work()]);
  await pool.query('VACUUM ANALYZE');
}

function tokenOf(
  platform: Platform,
  realm: 'advertiser' | 'publisher' | 'admin',
  id: number,
): string {
  const key = platform.env[`JWT_KEY_${realm.toUpperCase()}`] ?? '';
  return jwt.sign({ sub: String(id), ver: 1 }, Buffer.from(key, 'hex'), {
    algorithm: 'HS256',
    audience: `adplatform:${realm}`,
    issuer: 'adplatform',
    jwtid: randomUUID(),
    expiresIn: 7_200,
  });
}

const ownerOf = (busiest: BusiestOf, side: ReportSide): number =>
  side === 'advertiser' ? busiest.advertiserId : busiest.publisherId;

async function measureReports(stand: Stand): Promise<void> {
  const { platform, pool, busiest, week } = stand;
  const { rows } = await pool.query<{ mine: string; sold: string }>(
    `SELECT count(*) FILTER (WHERE advertiser_id = $1) AS mine, count(*) FILTER (WHERE publisher_id = $2) AS sold
     FROM events`,
    [busiest.advertiserId, busiest.publisherId],
  );
  console.log(
    `\n7-day reports of the busiest accounts (${rows[0]?.mine} events of the advertiser, ${rows[0]?.sold} of the publisher, ` +
      `of ${EVENTS}), ${REQUESTS} requests each\n| report | p50 ms | p95 ms | on raw events ms | rows agree |\n|---|---|---|---|---|`,
  );
  for (const [name, side, path, groupBy, timezone] of REPORTS) {
    const id = ownerOf(busiest, side);
    const query = new URLSearchParams({
      start_date: week.startDate,
      end_date: week.endDate,
      group_by: groupBy,
      timezone,
    });
    const url = `${platform.baseUrl}/api/${side}/statistics/${path}?${query.toString()}`;
    const headers = { authorization: `Bearer ${tokenOf(platform, side, id)}` };
    // Limits per minute are counted there, and nothing else is kept.
    await stand.redis.flushDb();
    let items: Record<string, unknown>[] = [];
    const times = await timed(REQUESTS, async () => {
      const res = await fetch(url, { headers });
      const body = (await res.json()) as { data: { items: Record<string, unknown>[] } };
      if (res.status !== 200) throw new Error(`${url}: ${res.status} ${JSON.stringify(body)}`);
      ({ items } = body.data);
    });
    const raw = await onRawEvents(stand, { side, groupBy, timezone });
    const agree = agrees(items, raw.rows) ? 'yes' : 'NO';
    console.log(
      `| ${side}: ${name} | ${times.p50Ms.toFixed(1)} | ${times.p95Ms.toFixed(1)} | ${raw.ms.toFixed(0)} | ${agree} |`,
    );
  }
}

type RawRow = Record<string, string | null>;

/** The same report, counted from the events alone. */
async function onRawEvents(
  { pool, busiest, week }: Stand,
  { side, groupBy, timezone }: { side: ReportSide; groupBy: string; timezone: string },
): Promise<{ ms: number; rows: RawRow[] }> {
  const bounds = await readBounds(pool, { ...week, timezone });
  const query: ReportQuery = {
    side,
    ownerId: ownerOf(busiest, side),
    groupBy: readGroupBy(groupBy, side),
    filter: {},
    timezone,
    parts: [{ source: SOURCES_OF[side].events, ...bounds }],
  };
  const { text, values } = reportStatement(query, null);
  const began = performance.now();
  const { rows } = await pool.query<RawRow>(text, values);
  return { ms: performance.now() - began, rows };
}

const COUNTS = ['impressions', 'viewable', 'clicks', 'conversions', 'removed'] as const;

/** Line by line: both come in the order of their keys. */
const agrees = (items: Record<string, unknown>[], rows: RawRow[]): boolean =>
  items.length === rows.length &&
  rows.every((row, at) => COUNTS.every((name) => Number(row[name]) === Number(items[at]?.[name])));

/** A report of a million lines, written by the worker and loaded from the API, both watched. */
async function measureExport({ platform, pool, redis, week }: Stand): Promise<void> {
  const { rows } = await pool.query<{ id: string }>(
    `INSERT INTO accounts (kind, username, email, password_hash) VALUES ('ADVERTISER', 'exporter', 'x@bulk.example', '-') RETURNING id`,
  );
  const id = Number(rows[0]?.id);
  await pool.query(
    `INSERT INTO rollup_ad_hours (hour, advertiser_id, campaign_id, adgroup_id, ad_id, creative_id, impressions, spend_nanos)
     SELECT $2::date::timestamp AT TIME ZONE 'UTC' + h * interval '1 hour', $1, 1, 1, a, 1, 1 + a % 100, a * 1000
     FROM generate_series(0, ${DAYS * 24 - 1}) h, generate_series(1, ${EXPORT_ADS}) a`,
    [id, week.startDate],
  );
  await pool.query('ANALYZE rollup_ad_hours');
  const headers = { authorization: `Bearer ${tokenOf(platform, 'advertiser', id)}` };
  console.log(
    `\n| export of ${DAYS * 24 * EXPORT_ADS} lines | MiB of file | s | RSS before MiB | RSS peak MiB |\n|---|---|---|---|---|`,
  );
  for (const format of ['csv', 'xlsx', 'jsonl']) {
    await redis.flushDb();
    const written = await memoryDuring(platform.worker.pid, async () => {
      const query = `start_date=${week.startDate}&end_date=${week.endDate}&group_by=date,hour,ad&format=${format}`;
      const res = await fetch(`${platform.baseUrl}/api/advertiser/statistics/export?${query}`, {
        headers,
      });
      const { data } = (await res.json()) as { data: { operation: { id: number } } };
      if (res.status !== 202) throw new Error(`the export was not begun: ${res.status}`);
      return await resultOf(
        `${platform.baseUrl}/api/advertiser/operations/${data.operation.id}`,
        headers,
      );
    });
    const size = (written.result.bytes / 1_048_576).toFixed(1);
    console.log(
      `| ${format}, written by the worker | ${size} | ${written.seconds.toFixed(1)} | ${written.beforeMiB.toFixed(0)} | ${written.peakMiB.toFixed(0)} |`,
    );
    const loaded = await memoryDuring(platform.api.pid, async () => {
      const res = await fetch(`${platform.baseUrl}${written.result.url}`, { headers });
      let bytes = 0;
      for await (const part of res.body ?? []) bytes += (part as Uint8Array).byteLength;
      if (bytes !== written.result.bytes) throw new Error(`loaded ${bytes} bytes`);
    });
    console.log(
      `| ${format}, loaded from the API | ${size} | ${loaded.seconds.toFixed(1)} | ${loaded.beforeMiB.toFixed(0)} | ${loaded.peakMiB.toFixed(0)} |`,
    );
  }
}

interface ExportResult {
  url: string;
  bytes: number;
  rows: number;
}

async function resultOf(url: string, headers: Record<string, string>): Promise<ExportResult> {
  for (;;) {
    const res = await fetch(url, { headers });
    const { data } = (await res.json()) as {
      data: { status: string; result: ExportResult | null; error: unknown };
    };
    if (data.status === 'succeeded' && data.result !== null) return data.result;
    if (data.status === 'failed')
      throw new Error(`the export failed: ${JSON.stringify(data.error)}`);
    await sleep(1_000);
  }
}

async function measureListsOf({ platform, redis }: Stand, owners: ListOwners): Promise<void> {
  await measureLists({
    baseUrl: platform.baseUrl,
    rows: LIST_ROWS,
    thingId: owners.thingId,
    tokens: {
      advertiser: tokenOf(platform, 'advertiser', owners.advertiserId),
      publisher: tokenOf(platform, 'publisher', owners.publisherId),
      admin: tokenOf(platform, 'admin', owners.operatorId),
    },
    beforeEach: async () => {
      await redis.flushDb();
    },
  });
}
