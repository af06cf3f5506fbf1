import { newEventId } from '../../db/events/event-log.ts';
import { seeded } from '../../dev/seeded.ts';
import { timedHex } from '../../domain/tracking/timed-id.ts';
import { BROWSERS, DEVICES, OSES } from '../../domain/viewer.ts';
import type { TestDatabase } from '../support/database.ts';
import { type Line, makeLine } from '../support/make/line.ts';
import { UNIT } from '../support/make/money.ts';
import { append, eventOf, hex, type TestEvent, verifiedClick } from '../support/settlement.ts';

/**
 * A market for settlement's bench: few campaigns and zones have most of the events, as everywhere, and
 * viewers are of all countries, devices and browsers. The same numbers come in the same order each run.
 */
const LINES = 200;
const COUNTRIES =
  'US DE FR GB JP CN IN BR CA AU ES IT NL SE NO DK FI PL CZ AT CH BE PT GR TR MX AR CL CO KR'.split(
    ' ',
  );
const APPEND_SIZE = 500;
const MINUTES = 10;

/** Of a hundred impressions: how many are followed by each, or are one. */
const SHARE = { views: 40, clicks: 5, repeats: 2, bots: 2 } as const;

export async function makeMarket(database: TestDatabase): Promise<Line[]> {
  const lines: Line[] = [];
  for (let at = 0; at < LINES; at += 1) {
    const publisherId = at % 2 === 1 ? lines.at(-1)?.publisherId : undefined;
    lines.push(
      await makeLine(database, {
        balanceNanos: 100_000n * UNIT,
        dailyNanos: 10_000n * UNIT,
        pricingModel: at % 4 === 3 ? 'CPC' : 'CPM',
        ...(publisherId === undefined ? {} : { publisherId }),
      }),
    );
  }
  return lines;
}

/** So many impressions and what follows them, in the order of ten minutes; answers how many events. */
export async function fillInbox(
  database: TestDatabase,
  lines: readonly Line[],
  impressions: number,
): Promise<number> {
  const random = seeded(20_261_122);
  const pick = zipf(lines, random);
  const country = zipf(COUNTRIES, random);
  const [device, os, browser] = [zipf(DEVICES, random), zipf(OSES, random), zipf(BROWSERS, random)];
  const beganMs = Date.now() - 3_600_000;
  let waiting: TestEvent[] = [];
  let events = 0;
  for (let made = 0; made < impressions; made += 1) {
    const ad = pick();
    const traits = { country: country(), device: device(), os: os() };
    const fingerprint = hex(5);
    const at = new Date(beganMs + (made / impressions) * MINUTES * 60_000);
    const impression = eventOf(
      { ...ad, zoneId: pick().zoneId },
      {
        at,
        track: {
          ...traits,
          requestId: timedHex(at),
          fingerprint,
          protocol: 2,
          pricingModel: ad === lines[3] ? 'CPC' : 'CPM',
        },
        facts: {
          ...traits,
          browser: browser(),
          protocol: 2,
          signature: 'ok',
          session: 'ok',
          webdriver: false,
          fingerprint,
          placement: { width: 300, height: 250 },
          nonce: hex(16),
          userAgent: chance(random, SHARE.bots) ? 'bot' : 'ok',
        },
      },
    );
    impression.id = newEventId(impression.receivedAt);
    waiting.push(impression);
    const after = (ms: number): Date => new Date(impression.receivedAt.getTime() + ms);
    const same = { ...impression, id: newEventId(impression.receivedAt) };
    if (chance(random, SHARE.repeats)) waiting.push({ ...same, receivedAt: after(900) });
    if (chance(random, SHARE.views)) {
      const facts = { ...impression.facts, nonce: hex(16), viewable: chance(random, 70) };
      waiting.push({
        ...same,
        id: newEventId(impression.receivedAt),
        kind: 'view',
        receivedAt: after(1_200),
        facts,
      });
    }
    if (chance(random, SHARE.clicks)) {
      const verified = await verifiedClick(database, ad, impression, { facts: { nonce: hex(16) } });
      const id = verified.facts.clickEventId ?? '';
      waiting.push({ ...same, id, kind: 'click', receivedAt: after(3_000) }, verified);
    }
    if (waiting.length < APPEND_SIZE && made < impressions - 1) continue;
    events += waiting.length;
    await append(database, ...waiting);
    waiting = [];
  }
  return events;
}

const chance = (random: () => number, percent: number): boolean => random() * 100 < percent;

/** The n-th of them comes 1/n as often as the first. */
function zipf<Value>(values: readonly Value[], random: () => number): () => Value {
  const sums: number[] = [];
  for (const at of values.keys()) sums.push((sums.at(-1) ?? 0) + 1 / (at + 1));
  return () => {
    const wanted = random() * (sums.at(-1) ?? 0);
    const found = values[sums.findIndex((sum) => sum >= wanted)];
    if (found === undefined) throw new Error('nothing to choose from');
    return found;
  };
}
