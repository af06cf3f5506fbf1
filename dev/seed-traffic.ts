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
import { onDay } from './seed-past.ts';
import { type Place, readPlaces } from './seed-places.ts';
import { clickShareOf, placesOn, visitsOn } from './seed-rhythm.ts';
import { seeded } from './seeded.ts';

/**
 * Two weeks of people on the demo's pages, appended to the platform's own log as beacons are, and
 * settled by its own settlement. Some of it is refused, each for a reason that reports then show.
 */
const DAYS = 14;
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

/** Answers how many events were written; 0 when it was done before. */
export async function seedTraffic(options: TrafficOptions): Promise<number> {
  const pool = openPool({ url: options.postgresUrl, poolMax: 2, applicationName: 'seed' });
  const log = pino({ level: 'silent' });
  const spoolDir = path.join(options.dataDir, 'seed-spool');
  const counters = createServingCounters({ sql: pool, log });
  const events = createPostgresEventLog({ pool, spoolDir, log });
  try {
    const places = await readPlaces(pool);
    if (places.length === 0 || (await wasDone(pool))) return 0;
    let written = 0;
    // The oldest day comes last: it is what an interrupted run has not written.
    for (let daysAgo = 0; daysAgo <= DAYS && !options.signal.aborted; daysAgo += 1) {
      const draw = placesOn(places, daysAgo);
      const visits = Array.from({ length: visitsOn(dayOf(daysAgo), daysAgo, chance) }, (_, at) =>
        visit(draw(chance()), { daysAgo, at, shards: options.shards }),
      ).filter(({ seenAt }) => seenAt.getTime() < Date.now() - NOW_MS);
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
        if (click.trackingCode === null || !isOver(click)) continue;
        if (chance() < SALES_SHARE) sales.push({ ...click, clickId });
      }
      await report(options, sales);
      written += visits.reduce((sum, { beacons }) => sum + beacons.length, 0);
    }
    return written;
  } finally {
    await events.close();
    await counters.close();
    await pool.end();
  }
}

async function wasDone(pool: Pool): Promise<boolean> {
  const { rows } = await pool.query(
    `SELECT FROM events WHERE received_at < now() - interval '${DAYS - 1} days' LIMIT 1`,
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

const dayOf = (daysAgo: number): Date =>
  new Date(Math.floor(Date.now() / DAY_MS) * DAY_MS - daysAgo * DAY_MS);

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
function visit(
  drawn: Place,
  { daysAgo, at, shards }: { daysAgo: number; at: number; shards: number },
): Visit {
  const { trackingCode, zone, place } = drawn;
  const shard = shardOf(place.advertiserId, shards);
  // More in the evening than at night.
  const hour = (chance() + chance()) * 12;
  const begin = dayOf(daysAgo);
  const seenAt = new Date(
    Math.min(begin.getTime() + hour * 3_600_000, begin.getTime() + DAY_MS - 60_000),
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

interface Sale extends Click {
  clickId: string;
}

/** The shop's server says which of those who clicked have bought; of some only their browser does. */
async function report({ env }: TrafficOptions, sales: readonly Sale[]): Promise<void> {
  const secretOf = createBlindIndex(loadConfig(env).keys.hash);
  await onDay(env, 0, async (activities) => {
    for (const [at, { at: clickedAt, trackingCode, clickId, facts }] of sales.entries()) {
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
