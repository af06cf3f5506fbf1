import { randomBytes, randomUUID } from 'node:crypto';
import { pino } from 'pino';
import type { ActivityDeps } from '../../activities/deps.ts';
import { createOutbox } from '../../activities/core/outbox.ts';
import { type ClickRecord, pendingClick } from '../../db/queries/click-rows.ts';
import type { EventFacts, EventKind, TrackFacts } from '../../domain/tracking/facts.ts';
import { packFacts } from '../../domain/tracking/packed-facts.ts';
import type { TestDatabase } from './database.ts';
import type { Line } from './make/line.ts';
import { testProviders } from './providers.ts';
import { factsOf, trackOf, UNSIGNED } from './tracking-facts.ts';
import { until } from './until.ts';

/** Events of a line, put where beacons put them, and what settlement makes of them. */
export function activityDeps(database: Pick<TestDatabase, 'db'>): ActivityDeps {
  return {
    db: database.db,
    outbox: createOutbox(database.db, () => undefined),
    log: pino({ level: 'silent' }),
    clock: () => new Date(),
    providers: testProviders(),
  };
}

export interface TestEvent {
  id: string;
  kind: EventKind;
  shard: number;
  receivedAt: Date;
  facts: EventFacts | object;
}

export interface EventOptions {
  kind?: EventKind;
  at?: Date;
  priceNanos?: bigint;
  shard?: number;
  track?: Partial<TrackFacts>;
  facts?: Partial<EventFacts>;
}

export const hex = (bytes: number): string => randomBytes(bytes).toString('hex');

/** A sound event of a new bid and a new viewer, unless told otherwise. */
export function eventOf(line: Line, options: EventOptions = {}): TestEvent & { facts: EventFacts } {
  const at = options.at ?? new Date();
  const bidId = options.track?.bidId ?? hex(8);
  const track = trackOf({
    // One request asked for the bid, whatever is told of it.
    requestId: bidId + bidId,
    bidId,
    advertiserId: line.advertiserId,
    campaignId: line.campaignId,
    adId: line.adId,
    creativeId: line.creativeId,
    zoneId: line.zoneId,
    issuedAt: Math.floor(at.getTime() / 1000),
    protocol: 1,
    priceNanos: (options.priceNanos ?? 1_000_000n).toString(),
    ...options.track,
  });
  return {
    id: randomUUID(),
    kind: options.kind ?? 'impression',
    shard: options.shard ?? 0,
    receivedAt: at,
    facts: factsOf({
      ...UNSIGNED,
      track,
      viewerKey: hex(16),
      browser: 'FIREFOX',
      ...options.facts,
    }),
  };
}

/** What the row of this click begins with. */
export function recordOf(event: TestEvent & { facts: EventFacts }): ClickRecord {
  const { id, shard, receivedAt, facts } = event;
  if (facts.track === null) throw new Error('the click has no track');
  return pendingClick({ id, shard, clickedAtMs: receivedAt.getTime(), track: facts.track });
}

export async function append(database: TestDatabase, ...events: TestEvent[]): Promise<void> {
  await store(database, ...events);
  await whenReadable(database);
}

/** Whether or not they may be read. */
export async function store(database: TestDatabase, ...events: TestEvent[]): Promise<void> {
  await database.pool.query(
    `INSERT INTO event_inbox (day, id, shard, kind, received_at, facts)
     SELECT (r AT TIME ZONE 'UTC')::date, i, s, k, r, f::jsonb
     FROM unnest($1::uuid[], $2::smallint[], $3::text[], $4::timestamptz[], $5::text[]) AS e (i, s, k, r, f)`,
    [
      events.map((event) => event.id),
      events.map((event) => event.shard),
      events.map((event) => event.kind),
      events.map((event) => event.receivedAt.toISOString()),
      events.map(({ facts }) => JSON.stringify('seal' in facts ? packFacts(facts) : facts)),
    ],
  );
}

/**
 * The reader stops below the oldest transaction of the whole server, and other tests run beside this
 * one: waits until everything in the inbox may be read.
 */
export async function whenReadable({ pool }: TestDatabase): Promise<void> {
  await until('everything may be read', async () => {
    const { rows } = await pool.query<{ readable: boolean }>(
      `SELECT NOT EXISTS (SELECT 1 FROM event_inbox
         WHERE xid >= pg_snapshot_xmin(pg_current_snapshot())) AS readable`,
    );
    return rows[0]?.readable;
  });
}

/** The server is so many transactions older afterwards. */
export async function useTransactionIds({ pool }: TestDatabase, count: number): Promise<void> {
  await pool.query(
    `DO $$ BEGIN FOR i IN 1..${count} LOOP PERFORM pg_current_xact_id(); COMMIT; END LOOP; END $$`,
  );
}

/** A verified click of the impression's bid, as the click and click-verify endpoints leave it. */
export async function verifiedClick(
  database: TestDatabase,
  line: Line,
  impression: TestEvent & { facts: EventFacts },
  options: { clickedAfterMs?: number; status?: string; facts?: Partial<EventFacts> } = {},
): Promise<TestEvent & { facts: EventFacts }> {
  const { track } = impression.facts;
  if (track === null) throw new Error('the impression has no track');
  const id = randomUUID();
  const clickId = hex(16);
  const clickedAt = new Date(impression.receivedAt.getTime() + (options.clickedAfterMs ?? 3_000));
  await database.pool.query(
    `INSERT INTO clicks (id, click_id, shard, status, verify_by, clicked_at, verified_at, request_id, bid_id,
       advertiser_id, campaign_id, adgroup_id, ad_id, creative_id, zone_id, bid_price_nanos, pricing_model)
     VALUES ($1, $2, $3, $4, $5::timestamptz + interval '300 s', $5, now(), $6, $7, $8, $9, $10, $11, $12, $13, $14, $15)`,
    [
      id,
      clickId,
      impression.shard,
      options.status ?? 'verified',
      clickedAt.toISOString(),
      track.requestId,
      track.bidId,
      line.advertiserId,
      line.campaignId,
      line.adGroupId,
      line.adId,
      line.creativeId,
      line.zoneId,
      track.priceNanos,
      track.pricingModel,
    ],
  );
  return {
    id: randomUUID(),
    kind: 'click_verify',
    shard: impression.shard,
    receivedAt: new Date(clickedAt.getTime() + 500),
    facts: { ...impression.facts, nonce: null, clickEventId: id, clickId, ...options.facts },
  };
}

export interface StoredEvent {
  id: string;
  kind: string;
  billable: boolean;
  status: string;
  reason: string | null;
  reasons: string[];
  price_nanos: string;
  publisher_nanos: string;
  zone_id: string | null;
}

export async function stored({ pool }: TestDatabase, id: string): Promise<StoredEvent | undefined> {
  const { rows } = await pool.query<StoredEvent>(
    `SELECT id::text AS id, kind, billable, status, reason, reasons, price_nanos::text AS price_nanos,
            publisher_nanos::text AS publisher_nanos, zone_id FROM events WHERE id = $1`,
    [id],
  );
  return rows[0];
}
