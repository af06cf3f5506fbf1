import { api, queryClient } from '../../api.ts';
import { INVENTORY, type Level } from './inventory.ts';

const BULK = {
  campaign: 'POST /api/advertiser/campaigns/bulk',
  adgroup: 'POST /api/advertiser/adgroups/bulk',
  creative: 'POST /api/advertiser/creatives/bulk',
  ad: 'POST /api/advertiser/ads/bulk',
} as const satisfies Record<Level, string>;
const LISTS = {
  adgroup: 'GET /api/advertiser/adgroups',
  creative: 'GET /api/advertiser/creatives',
  ad: 'GET /api/advertiser/ads',
} as const;
/** As many as a page and a bulk request hold. */
const AT_ONCE = 100;

interface Named {
  id: number;
  name: string;
}
/** As a list of ads shows it; an ad group has less. */
interface Below extends Named {
  audit_status: string;
  campaign_id?: number;
  adgroup_id?: number;
  creative_id?: number;
}

/** What was not submitted, and why. */
export interface NotSubmitted extends Named {
  level: Level;
  reason: string;
}

/**
 * The one meaning of submitting: things of a level, with the drafts below them, which would keep them
 * from serving. What was sent back waits for its owner. Each row answers for itself; answers those that
 * were refused.
 */
export async function submitWithDrafts(
  level: Level,
  things: readonly Named[],
): Promise<NotSubmitted[]> {
  const sends = [...(await draftsBelow(level, things)), [level, things] as const];
  const refused: NotSubmitted[] = [];
  for (const [at, rows] of sends) {
    for (let from = 0; from < rows.length; from += AT_ONCE) {
      refused.push(...(await submitRows(at, rows.slice(from, from + AT_ONCE))));
    }
  }
  const stale = new Set(Object.values(INVENTORY).flatMap(({ submit }) => [...submit.stale]));
  await Promise.all([...stale].map((name) => queryClient.invalidateQueries({ queryKey: [name] })));
  return refused;
}

async function submitRows(level: Level, rows: readonly Named[]): Promise<NotSubmitted[]> {
  const route = BULK[level];
  const body = { action: 'submit_audit' as const, ids: rows.map(({ id }) => id) };
  const { items } = await api(route).call(route, { body });
  return items.flatMap(({ id, error, message, errors }) => {
    if (error === null) return [];
    const name = rows.find((row) => row.id === id)?.name ?? `#${id}`;
    const lines = errors.map((each) => `${each.field}: ${each.message}`);
    const reason = [message, ...lines].join(' ');
    return [{ level, id, name, reason }];
  });
}

type Sends = [level: Level, rows: readonly Named[]][];

async function draftsBelow(level: Level, things: readonly Named[]): Promise<Sends> {
  if (level === 'creative') return [];
  const ids = new Set(things.map(({ id }) => id));
  const [only] = things;
  const isBelow = (row: Below): boolean => ids.has(aboveOf(level, row) ?? 0);
  // Of one thing its list says what is below; of many, the account's drafts are sorted out.
  const above = things.length > 1 || level === 'ad' ? {} : { [`${level}_id`]: only?.id };
  const groups = level === 'campaign' ? await drafts('adgroup', above) : [];
  const ads = level === 'ad' ? [] : await drafts('ad', above);
  const creatives = await drafts('creative', {});
  const shown = creatives.length === 0 ? [] : await allOf(LISTS.ad, above);
  const shows = new Set(shown.filter(isBelow).map(({ creative_id: id }) => id));
  return [
    ['adgroup', groups.filter(isBelow)],
    ['creative', creatives.filter(({ id }) => shows.has(id))],
    ['ad', ads.filter(isBelow)],
  ];
}

/** The number of what stands above a row, or of an ad itself. */
function aboveOf(level: Level, row: Below): number | undefined {
  if (level === 'campaign') return row.campaign_id;
  return level === 'adgroup' ? row.adgroup_id : row.id;
}

const drafts = async (level: keyof typeof LISTS, above: object): Promise<Below[]> =>
  await allOf(LISTS[level], { ...above, audit_status: 'DRAFT' });

/** Every page of a list. */
async function allOf(route: (typeof LISTS)[keyof typeof LISTS], query: object): Promise<Below[]> {
  const rows: Below[] = [];
  for (let page = 1; ; page += 1) {
    const asked = { query: { ...query, page, page_size: AT_ONCE } };
    const { items, total } = await api(route).call(route, asked);
    rows.push(...(items as Below[]));
    if (rows.length >= total || items.length === 0) return rows;
  }
}
