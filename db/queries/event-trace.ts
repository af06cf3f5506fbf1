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

/** Of the whole answer to an ad request with all of its ads, or of one won ad. */
export type TraceKey = { requestId: string } | { bidId: string };

const ROWS_MAX = 200;

/** The won ad that a click belongs to; undefined when the click is not known. */
export async function findClickBid({ models }: Db, clickId: string): Promise<string | undefined> {
  const click = await models.clicks.findOne({ where: { clickId } });
  return click?.bidId;
}

/** At most 200 rows of each kind, in the order in which they arrived. */
export async function traceEvents({ models }: Db, key: TraceKey): Promise<EventTrace> {
  const limit = ROWS_MAX;
  const events = await models.events.findAll({ where: key, order: ['receivedAt', 'id'], limit });
  const clicks = await models.clicks.findAll({ where: key, order: ['clickedAt', 'id'], limit });
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
