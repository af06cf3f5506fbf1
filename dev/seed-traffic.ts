import { createHmac, randomBytes } from 'node:crypto';
import path from 'node:path';
import type { Pool } from 'pg';
import { pino } from 'pino';
import { POSTBACK_SECRET_PLACE } from '../activities/tracking/postbacks.ts';
import { loadConfig } from '../config.ts';
import { createBlindIndex } from '../db/blind-index.ts';
import { createPostgresEventLog } from '../db/events/event-log-postgres.ts';
import { type EventLog, type LoggedEvent, newEventId } from '../db/events/event-log.ts';
import { openPool } from '../db/postgres.ts';
import { createServingCounters, type ServedZone } from '../db/serving/serving-counters.ts';
import { pendingClick } from '../db/queries/click-rows.ts';
import { verifyClick } from '../db/queries/clicks.ts';
import { type EventFacts, shardOf } from '../domain/tracking/facts.ts';
import { signedText } from '../domain/tracking/postback.ts';
import { demoDays } from './seed-days.ts';
import { onDay } from './seed-past.ts';
import { type Place, readPlaces } from './seed-places.ts';
import { clickShareOf, placesOn, visitsOn } from './seed-rhythm.ts';
import { seeded } from './seeded.ts';

/**
 * Two weeks of people on the demo's pages, appended to the platform's own log as beacons are, and
 * settled by its own settlement. Some of it is refused, each for a reason that reports then show.
 */
const DAY_MS = 86_400_000;
/** Of the clicks of an ad that pays for sales; some time later. */
const SALES_SHARE = 0.45;
/** Beside each request that had an ad, how many had none. */
const UNFILLED_SHARE = 0.15;
const SALE_AFTER_MS = 25 * 60_000;
/** Today goes on: what is drawn for later than this has not happened yet. */
const NOW_MS = 60_000;
const isOver = ({ at }: Click): boolean => at.getTime() + SALE_AFTER_MS < Date.now();
const VERIFY_WITHIN_MS = 600_000;
/** Of the sales, those that the shop's server does not sign; where the demo's shop is. */
const UNSIGNED_EVERY = 4;
const SHOP_HOST = '127.0.0.1';
/** Much the same two weeks in every demo: what is paid out of them has been earned. */
const chance = seeded(14);
/** What is written at once: as many beacons as arrive together on a busy site. */
const AT_ONCE = 400;

export interface TrafficOptions {
  postgresUrl: string;
  /** What API and worker were told. */
  env: Readonly<Record<string, string | undefined>>;
  dataDir: string;
  shards: number;
  signal: AbortSignal;
}

/**
 * Writes what happened on a day, as many visits as told, each to the shard that is told of its place. What was bought
 * is handed over, to be reported; without somebody who takes it nothing is bought.
 */
export type WriteDay = (
  day: Date,
  how: {
    visits: number;
    shardOf: (place: Place) => number;
    sold?: ((sales: Sale[]) => Promise<void> | void) | undefined;
  },
) => Promise<number>;

/** A day of the two weeks, as busy as its weekday. */
export const visitsOf = (day: Date): number => visitsOn(day, daysSince(day), chance);

/** The days of the two weeks that settle now. Answers how many events were written; 0 when it was done before. */
export async function seedTraffic(options: TrafficOptions): Promise<number> {
  const { shards, signal } = options;
  return await withTraffic(options, async (writeDay, pool) => {
    if (await wasDone(pool)) return 0;
    let written = 0;
    const own = ({ place }: Place): number => shardOf(place.advertiserId, shards);
    const sales: Sale[] = [];
    const [oldest, ...later] = demoDays(new Date()).open;
    for (const day of later.toReversed()) {
      if (signal.aborted) return written;
      const sold = (some: Sale[]): void => void sales.push(...some);
      written += await writeDay(day, { visits: visitsOf(day), shardOf: own, sold });
    }
    // As they came: lists have the newest first.
    await report(options, sales);
    // It comes last, and nothing is bought on it: it is what an interrupted run has not written.
    if (oldest === undefined || signal.aborted) return written;
    return written + (await writeDay(oldest, { visits: visitsOf(oldest), shardOf: own }));
  });
}

export async function withTraffic(
  options: TrafficOptions,
  work: (writeDay: WriteDay, pool: Pool) => Promise<number>,
): Promise<number> {
  const pool = openPool({ url: options.postgresUrl, poolMax: 2, applicationName: 'seed' });
  const log = pino({ level: 'silent' });
  const spoolDir = path.join(options.dataDir, 'seed-spool');
  const counters = createServingCounters({ sql: pool, log });
  const events = createPostgresEventLog({ pool, spoolDir, log });
  try {
    const places = await readPlaces(pool);
    if (places.length === 0) return 0;
    const writeDay: WriteDay = async (day, how) => {
      const draw = placesOn(places, daysSince(day));
      const visits = Array.from({ length: how.visits }, (_, at) => {
        const place = draw(chance());
        return visit(place, { day, at, shard: how.shardOf(place) });
      }).filter(({ seenAt }) => seenAt.getTime() < Date.now() - NOW_MS);
      for (let at = 0; at < visits.length; at += AT_ONCE) {
        const some = visits.slice(at, at + AT_ONCE);
        await events.append(...some.flatMap(({ beacons }) => beacons));
      }
      for (const { zone, seenAt } of visits) {
        counters.count(zone, true, seenAt);
        if (chance() < UNFILLED_SHARE) counters.count(zone, false, seenAt);
      }
      const sales: Sale[] = [];
      for (const { click } of visits) {
        if (!click) continue;
        const clickId = await clickOn(pool, events, click);
        if (!how.sold || click.trackingCode === null || !isOver(click)) continue;
        if (chance() < SALES_SHARE) sales.push({ ...click, clickId });
      }
      await how.sold?.(sales);
      return visits.reduce((sum, { beacons }) => sum + beacons.length, 0);
    };
    return await work(writeDay, pool);
  } finally {
    await events.close();
    await counters.close();
    await pool.end();
  }
}

/** More than one who looks at the demo leaves on a day. */
const BUSY = 200;

/** By the oldest of the days that settled when the demo was made, which was when its first account was. */
async function wasDone(pool: Pool): Promise<boolean> {
  const made = await pool.query<{ at: Date | null }>(
    `SELECT min(created_at) AS at FROM accounts WHERE kind = 'ADVERTISER'`,
  );
  const [day] = demoDays(made.rows[0]?.at ?? new Date()).open;
  const { rows } = await pool.query(
    `SELECT FROM events WHERE day = ($1::timestamptz AT TIME ZONE 'UTC')::date OFFSET $2 LIMIT 1`,
    [day, BUSY],
  );
  return rows.length > 0;
}

const VIEWERS = [
  { country: 'DE', device: 'DESKTOP', os: 'WINDOWS', browser: 'CHROME' },
  { country: 'GB', device: 'MOBILE', os: 'IOS', browser: 'SAFARI' },
  { country: 'FR', device: 'MOBILE', os: 'ANDROID', browser: 'CHROME' },
  { country: 'US', device: 'DESKTOP', os: 'MACOS', browser: 'SAFARI' },
  { country: 'NL', device: 'TABLET', os: 'ANDROID', browser: 'FIREFOX' },
] as const;

function pick<Item>(from: readonly Item[]): Item {
  const item = from[Math.floor(chance() * from.length)];
  if (item === undefined) throw new Error('nothing to pick from');
  return item;
}
const hex = (bytes: number): string => randomBytes(bytes).toString('hex');

const daysSince = (day: Date): number => Math.floor((Date.now() - day.getTime()) / DAY_MS);

interface Visit {
  beacons: LoggedEvent[];
  zone: ServedZone;
  seenAt: Date;
  click?: Click | undefined;
}
interface Click extends Pick<Place, 'trackingCode'> {
  shard: number;
  at: Date;
  facts: EventFacts;
}

/** One person before one ad: what the page reports of it, and what is wrong with some of it. */
function visit(drawn: Place, { day, at, shard }: { day: Date; at: number; shard: number }): Visit {
  const { trackingCode, zone, place } = drawn;
  // More in the evening than at night.
  const hour = (chance() + chance()) * 12;
  const seenAt = new Date(
    Math.min(day.getTime() + hour * 3_600_000, day.getTime() + DAY_MS - 60_000),
  );
  const facts = factsOf(place, seenAt, at);
  const event = (kind: LoggedEvent['kind'], afterMs: number, over: Partial<EventFacts> = {}) => {
    const receivedAt = new Date(seenAt.getTime() + afterMs);
    return { id: newEventId(receivedAt), kind, shard, receivedAt, facts: { ...facts, ...over } };
  };
  const beacons: LoggedEvent[] = [event('impression', 0)];
  if (at % 5 < 3) beacons.push(event('view', 1_200, { viewable: at % 3 !== 0 }));
  // A page that reports twice.
  if (at % 83 === 0) beacons.push(event('impression', 2_000));
  const seen = { beacons, zone, seenAt };
  if (chance() >= clickShareOf(drawn)) return seen;
  // Faster than a hand, now and then.
  const clickedAt = new Date(seenAt.getTime() + (at % 7 === 0 ? 40 : 4_000));
  return { ...seen, click: { shard, at: clickedAt, facts, trackingCode } };
}

function factsOf(place: Place['place'], seenAt: Date, at: number): EventFacts {
  const viewer = pick(VIEWERS);
  const who = hex(8);
  return {
    track: {
      requestId: hex(16),
      bidId: hex(8),
      ...place,
      issuedAt: Math.floor(seenAt.getTime() / 1_000) - 1,
      protocol: 1,
      channel: 'page',
      uaHash: who,
      ipHash: who,
      country: viewer.country,
      device: viewer.device,
      os: viewer.os,
    },
    seal: 'ok',
    protocol: 1,
    signature: 'none',
    session: 'none',
    clock: 'ok',
    nonce: null,
    userAgent: at % 97 === 0 ? 'bot' : 'ok',
    uaHash: who,
    ipHash: who,
    viewerKey: who,
    ipPrefix: '198.51.100.0/24',
    ...viewer,
    prefetch: false,
    datacenter: at % 61 === 0,
    webdriver: null,
    placement: null,
  };
}

/** The two stages of a click: asked for, then verified by the page that stands between. */
async function clickOn(pool: Pool, events: EventLog, { shard, at, facts }: Click): Promise<string> {
  const id = newEventId(at);
  await events.append({ id, kind: 'click', shard, receivedAt: at, facts });
  if (facts.track === null) throw new Error('a click of no ad');
  const click = pendingClick({ id, shard, clickedAtMs: at.getTime(), track: facts.track });
  const verifiedAt = new Date(at.getTime() + 700);
  await verifyClick(pool, {
    clickEventId: id,
    eventId: newEventId(verifiedAt),
    receivedAt: verifiedAt,
    facts: JSON.stringify({ ...facts, session: 'ok' }),
    // What was long ago is verified now, on the database's clock.
    click: { ...click, verifyByMs: Date.now() + VERIFY_WITHIN_MS },
  });
  return click.clickId;
}

export interface Sale extends Click {
  clickId: string;
}

/** The shop's server says which of those who clicked have bought; of some only their browser does. */
export async function report({ env }: TrafficOptions, sales: readonly Sale[]): Promise<void> {
  if (sales.length === 0) return;
  const inTime = sales.toSorted((one, other) => one.at.getTime() - other.at.getTime());
  const secretOf = createBlindIndex(loadConfig(env).keys.hash);
  await onDay(env, 0, async (activities) => {
    for (const [at, { at: clickedAt, trackingCode, clickId, facts }] of inTime.entries()) {
      const { device, os, browser, ipPrefix } = facts;
      const txid = `order-${clickId.slice(0, 8)}`;
      const text = signedText({ code: trackingCode ?? '', click_id: clickId, txid });
      const secret = secretOf(trackingCode ?? '', POSTBACK_SECRET_PLACE);
      const sig = createHmac('sha256', secret).update(text).digest('hex');
      await activities.recordConversion({
        code: trackingCode ?? undefined,
        clickId,
        valueNanos: undefined,
        currency: undefined,
        transactionId: txid,
        eventType: undefined,
        ...(at % UNSIGNED_EVERY === 0
          ? {
              source: 'pixel',
              // One of them comes from nowhere.
              reporter: {
                device,
                os,
                browser,
                ipPrefix,
                userAgent: 'ok',
                host: at % (2 * UNSIGNED_EVERY) === 0 ? null : SHOP_HOST,
              },
            }
          : { source: 'postback', signature: { text, sig } }),
        reportedAt: new Date(clickedAt.getTime() + SALE_AFTER_MS),
      });
    }
  });
}
