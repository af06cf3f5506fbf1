/**
 * Orders that a list offers: a word of the query and what it sorts by, over a row named `t`. Ids break
 * ties, so that a page neither repeats nor skips a row. Where PostgreSQL puts null (last, or first
 * when descending) suits caps: without one is the largest.
 */
export type Sorts = Readonly<Record<string, string>>;

/** `name` and `-name`, as `sort` takes them. */
export function sortWords(sorts: Sorts): string[] {
  return Object.keys(sorts).flatMap((word) => [word, `-${word}`]);
}

/** What goes behind ORDER BY; newest first when nothing is said. Raises for a word that is not offered. */
export function orderBy(sorts: Sorts, sort: string | undefined, alias = 't'): string {
  if (sort === undefined) return `${alias}.id DESC`;
  const isDown = sort.startsWith('-');
  const expression = sorts[isDown ? sort.slice(1) : sort];
  if (expression === undefined) throw new Error(`${sort} is no order of this list`);
  const direction = isDown ? 'DESC' : 'ASC';
  const by = expression.replace(/\bt\./g, `${alias}.`);
  return `${by} ${direction}, ${alias}.id ${direction}`;
}

const TIMES = { created_at: 't.created_at', updated_at: 't.updated_at' };
/** As people read: capital letters stand beside small ones. */
const NAME = { name: 'lower(t.name)' };
const BID = { bid: 't.bid_nanos', daily_budget: 't.daily_budget_nanos' };
const AMOUNT = { amount: 't.amount_nanos' };

export const CAMPAIGN_SORTS = {
  ...TIMES,
  ...NAME,
  ...BID,
  total_budget: 't.total_budget_nanos',
} as const;
export const AD_GROUP_SORTS = { ...TIMES, ...NAME, ...BID } as const;
export const AD_SORTS = { ...TIMES, ...NAME, weight: 't.weight' } as const;
export const NAMED_SORTS = { ...TIMES, ...NAME } as const;
export const MEDIA_SORTS = { created_at: TIMES.created_at, ...NAME, bytes: 't.bytes' } as const;
export const ZONE_SORTS = {
  ...NAMED_SORTS,
  floor_price_cpc: 't.floor_price_cpc_nanos',
  floor_price_cpm: 't.floor_price_cpm_nanos',
} as const;
export const ORDER_SORTS = { ...TIMES, ...AMOUNT } as const;

/** Lists with a cursor go by id, which is the order in which their rows came; only its direction is free. */
export const CURSOR_SORTS = { created_at: 't.id' } as const;

/** How a list with a cursor goes on: behind the last id that was seen. */
export const cursorOrder = (sort: string | undefined): { by: 'ASC' | 'DESC'; beyond: '>' | '<' } =>
  sort === 'created_at' ? { by: 'ASC', beyond: '>' } : { by: 'DESC', beyond: '<' };
