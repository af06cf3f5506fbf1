import { runner } from '../../db/postgres.ts';
import { type StoredReport, storeReports } from '../../db/queries/conversion-reports.ts';
import type { EventFacts, PricingModel } from '../../domain/tracking/facts.ts';
import { runLoops, settleAll } from './conversions.ts';
import type { Line } from './make/line.ts';
import { append, eventOf, type TestEvent, verifiedClick } from './settlement.ts';
import type { Stand } from './stand.ts';

/** A publisher's hundred bots, and a day of what they do to campaigns of each pricing model. */
export const BOTS = 100;
const VISITS = 6;
const SLOT_MS = 4 * 3_600_000;
/** One bot after another: 30 of them come in an hour. */
const STAGGER_MS = 2 * 60_000;

/**
 * A quarter each; only the last kind is hard to tell from people. As `/track` stores them: that a request's word of
 * webdriver comes this far is held by test/must-hold.test.ts, and in a browser by test/e2e/sdk-zones.test.ts.
 */
const KINDS: readonly Partial<EventFacts>[] = [
  { userAgent: 'bot' },
  { datacenter: true },
  { webdriver: true },
  {},
];

export interface Target {
  line: Line;
  model: PricingModel;
  priceNanos: bigint;
  /** What a bot reports of each click, by the public code of the shop's page. */
  reports?: { code: string; perClick: number; isSigned: boolean };
}

/** Of the hours before now: settled and decided slot by slot, as they come. */
export async function botDay(stand: Stand, targets: readonly Target[]): Promise<void> {
  const startMs = Date.now() - VISITS * SLOT_MS + 60_000;
  for (let visit = 0; visit < VISITS; visit += 1) {
    const events: TestEvent[] = [];
    const reports: StoredReport[][] = [];
    for (let bot = 0; bot < BOTS; bot += 1) {
      const told: StoredReport[] = [];
      const at = new Date(startMs + visit * SLOT_MS + bot * STAGGER_MS);
      for (const target of targets) {
        const seen = await visitOf(stand, target, { bot, at });
        events.push(...seen.events);
        if (seen.clickId !== undefined) told.push(...reportsOf(target, seen.clickId, { bot, at }));
      }
      reports.push(told);
    }
    await append(stand.database, ...events);
    await settleAll(stand);
    // One bot after another, as they come: limits count what was there before.
    for (const told of reports) await storeReports(runner(stand.database.db), told);
    await runLoops(stand);
  }
}

interface Moment {
  bot: number;
  at: Date;
}

const networkOf = (bot: number): string => `198.18.${bot}.0/24`;

/** A bot keeps its network and its browser; its viewer key is theirs. */
const factsOf = ({ bot }: Moment): Partial<EventFacts> => ({
  ...KINDS[bot % KINDS.length],
  viewerKey: `bot-${bot}`.padEnd(32, '0'),
  ipPrefix: networkOf(bot),
  browser: 'CHROME',
  os: 'LINUX',
});

async function visitOf(
  stand: Stand,
  { line, model, priceNanos }: Target,
  moment: Moment,
): Promise<{ events: TestEvent[]; clickId?: string }> {
  const facts = factsOf(moment);
  const track = { pricingModel: model, os: 'LINUX' } as const;
  const impression = eventOf(line, { at: moment.at, priceNanos, track, facts });
  if (model === 'CPM') return { events: [impression] };
  const verified = await verifiedClick(stand.database, line, impression);
  const asked = {
    ...verified,
    id: verified.facts.clickEventId ?? '',
    kind: 'click' as const,
    receivedAt: new Date(verified.receivedAt.getTime() - 500),
  };
  return { events: [impression, asked, verified], clickId: verified.facts.clickId ?? '' };
}

/** As the shop's thank-you page would report: from the browser that clicked, seconds apart. */
function reportsOf({ reports }: Target, clickId: string, { bot, at }: Moment): StoredReport[] {
  if (reports === undefined) return [];
  return Array.from({ length: reports.perClick }, (_, n) => ({
    code: reports.code,
    clickId,
    dedupeKey: `tx:${clickId}-${n}`,
    eventType: null,
    valueNanos: null,
    currency: null,
    source: 'pixel' as const,
    isSigned: reports.isSigned,
    reporter: {
      userAgent: 'ok' as const,
      device: 'DESKTOP' as const,
      os: 'LINUX' as const,
      browser: 'CHROME' as const,
      ipPrefix: networkOf(bot),
      host: 'www.shop.example',
    },
    createdAt: new Date(at.getTime() + 30_000 + n * 2_000).toISOString(),
  }));
}
