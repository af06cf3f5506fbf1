import { type Db, runner } from '../postgres.ts';
import { ref, text } from '../schema/column.ts';
import { readRows, type RowOf, select } from '../schema/selection.ts';
import type { ClickRow } from '../tables/click.ts';
import type { ConversionRow } from '../tables/conversion.ts';
import type { EventRow } from '../tables/event.ts';
import type { PageRow } from '../tables/page.ts';

/** Everything the platform keeps about one won ad: its events, its click and its conversions. */
export interface EventTrace {
  names: TracedName[];
  events: EventRow[];
  clicks: ClickRow[];
  conversions: ConversionRow[];
  /** Those that the events name and that are kept still. */
  pages: PageRow[];
}

export const TRACED_TYPES = [
  'advertiser',
  'campaign',
  'adgroup',
  'ad',
  'creative',
  'publisher',
  'site',
  'zone',
] as const;
type TracedType = (typeof TRACED_TYPES)[number];
/** Things that a trace names by their ids. */
type TracedKey =
  `${'advertiser' | 'campaign' | 'adGroup' | 'ad' | 'creative' | 'publisher' | 'site' | 'zone'}Id`;
export type TracedIds = Partial<Record<TracedKey, number | null | undefined>>;

const NAME = select({
  type: text<TracedType>().of('x.type'),
  id: ref().of('x.id'),
  name: text().of('x.name'),
});
export type TracedName = RowOf<typeof NAME>;

const ACCOUNT_NAME = 'COALESCE(company_name, username)';
/** Where each is kept, under which name, and what an event calls its id. */
const NAMED: Readonly<Record<TracedType, readonly [table: string, name: string, key: TracedKey]>> =
  {
    advertiser: ['accounts', ACCOUNT_NAME, 'advertiserId'],
    campaign: ['campaigns', 'name', 'campaignId'],
    adgroup: ['ad_groups', 'name', 'adGroupId'],
    ad: ['ads', 'name', 'adId'],
    creative: ['creatives', 'name', 'creativeId'],
    publisher: ['accounts', ACCOUNT_NAME, 'publisherId'],
    site: ['sites', 'name', 'siteId'],
    zone: ['zones', 'name', 'zoneId'],
  };

/** What these are called now; what is gone has no name. */
async function readNames(db: Db, of: readonly TracedIds[]): Promise<TracedName[]> {
  const parts = TRACED_TYPES.map((type, index) => {
    const [table, name] = NAMED[type];
    return `SELECT '${type}' AS type, id, ${name} AS name FROM ${table} WHERE id = ANY ($${index + 1}::bigint[])`;
  });
  const ids = TRACED_TYPES.map((type) => [
    ...new Set(of.flatMap((each) => each[NAMED[type][2]] ?? [])),
  ]);
  const statement = `SELECT ${NAME.list} FROM (${parts.join(' UNION ALL ')}) x`;
  return await readRows(runner(db), NAME, statement, ids);
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
  db: Db,
  { requestId, bidId, clickId: asked }: TraceKey,
  /** What the sealed ad names before anything was received. */
  sealed: TracedIds = {},
): Promise<EventTrace> {
  const { models } = db;
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
  const names = await readNames(db, [sealed, ...events, ...clicks]);
  return { events, clicks, conversions, pages, names };
}
