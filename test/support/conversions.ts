import supertest from 'supertest';
import type { EventFacts } from '../../domain/tracking/facts.ts';
import type { Line } from './make/line.ts';
import { UNIT } from './make/money.ts';
import { append, eventOf, type TestEvent, verifiedClick, whenReadable } from './settlement.ts';
import type { Stand } from './stand.ts';

/** A shopper's browser, as the click's event has it, and how it reports from the shop's page. */
export const SHOPPER = {
  'User-Agent':
    'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 Safari/537.36',
  'X-Forwarded-For': '203.0.113.7',
  Referer: 'https://www.shop.example/thanks',
};
/** Somebody who has read the page's code. */
export const STRANGER = { 'User-Agent': 'curl/8.5.0', 'X-Forwarded-For': '198.51.100.9' };

export interface MadeClick {
  clickId: string;
  /** Its verified event, appended already unless it waits. */
  verified: TestEvent & { facts: EventFacts };
}

/** A verified click of a shopper, with the impression before it; judged unless it waits. */
export async function shopperClick(
  stand: Pick<Stand, 'database' | 'activities'>,
  line: Line,
  options: {
    model?: 'CPA' | 'CPS' | 'CPC';
    priceNanos?: bigint;
    facts?: Partial<EventFacts>;
    waits?: boolean;
    at?: Date;
  } = {},
): Promise<MadeClick> {
  const { database } = stand;
  const at = options.at ?? new Date(Date.now() - 60_000);
  const impression = eventOf(line, {
    at,
    priceNanos: options.priceNanos ?? 3n * UNIT,
    track: { pricingModel: options.model ?? 'CPA', os: 'LINUX' },
    facts: { browser: 'CHROME', os: 'LINUX', country: 'DE' },
  });
  const verified = await verifiedClick(database, line, impression, { facts: options.facts ?? {} });
  const asked = {
    ...verified,
    id: verified.facts.clickEventId ?? '',
    kind: 'click' as const,
    receivedAt: new Date(verified.receivedAt.getTime() - 500),
  };
  await append(database, impression, asked);
  if (options.waits !== true) {
    await append(database, verified);
    await settleAll(stand);
  }
  return { clickId: verified.facts.clickId ?? '', verified };
}

/** Everything that may be read of shard 0. */
export async function settleAll({
  activities,
  database,
}: Pick<Stand, 'database' | 'activities'>): Promise<void> {
  await whenReadable(database);
  while ((await activities.settleBatch({ shard: 0 })).events > 0);
}

/** Decided, released and settled, as the loops do it. */
export async function runLoops(stand: Pick<Stand, 'database' | 'activities'>): Promise<void> {
  await settleAll(stand);
  while ((await stand.activities.decideConversions()) > 0);
  while ((await stand.activities.releaseConversions()) > 0);
  while ((await stand.activities.lapseConversions()) > 0);
  await settleAll(stand);
}

/** A report over the wire. */
export const send = (
  stand: Pick<Stand, 'url'>,
  path: 'conversion' | 'conversion.gif' | 'postback',
  { query, by }: { query: Record<string, string>; by: Record<string, string> },
) => supertest(stand.url).get(`/track/${path}`).query(query).set(by);

/** The windows of these end now. */
export async function endWindows({ database }: Pick<Stand, 'database'>): Promise<void> {
  await database.pool.query('UPDATE conversions SET due_at = now() WHERE due_at IS NOT NULL');
}
