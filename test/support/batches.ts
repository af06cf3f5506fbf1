import {
  type BatchContext,
  type InboxEvent,
  judgeBatch,
  type JudgedEvent,
} from '../../domain/tracking/batch.ts';
import { dayOf } from '../../domain/tracking/utc-day.ts';
import { shareBook } from '../../domain/tracking/shares.ts';
import type { EventFacts, EventKind, TrackFacts } from '../../domain/tracking/facts.ts';
import { createMarkBook } from '../../domain/tracking/marks.ts';
import { createRateCounts } from '../../domain/tracking/rates.ts';
import { createSpendingRoom, type RoomFacts } from '../../domain/tracking/spending-room.ts';
import { type Settings, settingsFrom } from '../../domain/settings.ts';
import { factsOf, trackOf } from './tracking-facts.ts';

export const AT = Date.parse('2026-01-31T12:00:30Z');
export const NO_CAPS = { campaign: new Map<number, bigint>(), adgroup: new Map<number, bigint>() };

/** One ad of one advertiser in one zone, with money enough, unless told otherwise. */
interface BatchSketch extends Partial<Omit<BatchContext, 'settings' | 'room'>> {
  settings?: Partial<Settings>;
  room?: Partial<RoomFacts>;
}

export function contextOf({ settings, room, ...over }: BatchSketch = {}): BatchContext {
  return {
    settings: { ...settingsFrom([]), ...settings },
    book: createMarkBook({ before: [], viewers: [], rates: createRateCounts() }),
    room: createSpendingRoom({
      balances: new Map([[1, 1_000_000n]]),
      dailyCaps: NO_CAPS,
      totalCaps: new Map(),
      spentDays: new Map(),
      spentTotals: new Map(),
      ...room,
    }),
    ads: new Map([
      [
        3,
        {
          advertiserId: 1,
          campaignId: 2,
          adGroupId: 6,
          targeted: { country: true, device: false, os: false },
        },
      ],
    ]),
    zones: new Map([[5, { publisherId: 9, siteId: 8 }]]),
    shares: shareBook([{ publisherId: null, sharePpm: 700_000, fromMs: 0 }]),
    clicks: new Map(),
    conversions: new Map(),
    ...over,
  };
}

export interface EventSketch {
  kind?: EventKind;
  atMs?: number;
  facts?: Partial<EventFacts>;
  track?: Partial<TrackFacts>;
}

/** Of the bid and the viewer that the number stands for. */
export function eventOf(
  who: number,
  { kind = 'impression', atMs = AT, ...over }: EventSketch = {},
) {
  const track = trackOf({ bidId: `b${who}`, ...over.track });
  const facts = factsOf({ track, viewerKey: `v${who}`, ...over.facts });
  return { id: `${kind}-${who}`, kind, day: dayOf(atMs), receivedAtMs: atMs, facts };
}

export const judged = (events: readonly InboxEvent[], sketch?: BatchSketch): JudgedEvent[] =>
  judgeBatch(events, contextOf(sketch));
export const reasonsOf = (events: readonly InboxEvent[], sketch?: BatchSketch) =>
  judged(events, sketch).map(({ verdict: { reason } }) => reason);
