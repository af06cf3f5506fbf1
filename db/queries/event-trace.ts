import type { Db } from '../postgres.ts';
import type { ClickRow } from '../tables/click.ts';
import type { ConversionRow } from '../tables/conversion.ts';
import type { EventRow } from '../tables/event.ts';
import type { PageRow } from '../tables/page.ts';

/** Everything the platform keeps about one won ad: its events, its click and its conversions. */
export interface EventTrace {
  events: EventRow[];
  clicks: ClickRow[];
  conversions: ConversionRow[];
  /** Those that the events name and that are kept still. */
  pages: PageRow[];
}

/** Of the whole answer to an ad request with all of its ads, or of one won ad of it. */
export type TraceKey = Pick<ClickRow, 'requestId'> & Partial<Pick<ClickRow, 'bidId' | 'clickId'>>;

const ROWS_MAX = 200;

/** The won ad that a click belongs to; undefined when the click is not known. */
export async function findClickBid({ models }: Db, clickId: string): Promise<TraceKey | undefined> {
  return (await models.clicks.findOne({ where: { clickId } })) ?? undefined;
}

/** At most 200 rows of each kind, in the order in which they arrived. */
export async function traceEvents(
  { models }: Db,
  { requestId, bidId, clickId: asked }: TraceKey,
): Promise<EventTrace> {
  const limit = ROWS_MAX;
  const where = bidId === undefined ? { requestId } : { requestId, bidId };
  const events = await models.events.findAll({ where, order: ['receivedAt', 'id'], limit });
  // Clicks have no index of their ads: their judged events name them, and who asks about one names it.
  const named = [asked, ...events.map((event) => event.clickId)].flatMap((id) => id ?? []);
  const clicks = await models.clicks.findAll({
    where: { clickId: [...new Set(named)] },
    order: ['clickedAt', 'id'],
    limit,
  });
  const clickId = clicks.map((click) => click.clickId);
  const conversions = await models.conversions.findAll({
    where: { clickId },
    order: ['id'],
    limit,
  });
  const pageIds = [...new Set(events.flatMap(({ pageId }) => pageId ?? []))];
  const pages = await models.pages.findAll({ where: { id: pageIds } });
  return { events, clicks, conversions, pages };
}
