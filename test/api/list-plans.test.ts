import type { Response } from 'supertest';
import type * as yup from 'yup';
import { type MountedRoute, mountedRoutes } from '../../api/openapi/route-list.ts';
import { FIGURES } from '../../domain/report-columns.ts';
import { type ListOwners, seedLists } from '../support/bulk-lists.ts';
import type { TestDatabase } from '../support/database.ts';
import { makeOperator } from '../support/make/account.ts';
import { createStand, type Stand } from '../support/stand.ts';

/**
 * Every list of the three realms with 100,000 rows behind it, found by its contract: each of its
 * statements, under each of its filters, is planned without reading a big table whole and without
 * sorting more than one owner has.
 */
const ROWS = 100_000;
/** Statistics of a table are estimates; this tells the seeded ones from the rest. */
const BIG_ROWS = 50_000;
/**
 * An operator who narrows a list to a good part of everybody's rows has these counted: no index makes
 * that cheaper than reading them, and the planner knows. An owner's count is never that wide.
 */
const WIDE_COUNT_ROWS = ROWS / 4;
const OWNERS = 20;
/** An owner has 5,000. */
const SORTED_ROWS_MAX = 10_000;

interface Asked {
  sql: string;
  values: unknown[];
}

interface Plan {
  'Node Type': string;
  'Relation Name'?: string;
  'Plan Rows': number;
  Plans?: Plan[];
}

let stand: Stand;
let database: TestDatabase;
let owners: ListOwners;
let big: Set<string>;
let asked: Asked[] = [];

beforeAll(async () => {
  stand = await createStand();
  ({ database } = stand);
  owners = await seedLists(database.pool, { rows: ROWS, owners: OWNERS });
  // What all of them brought in these days: lists are ordered by it.
  await database.pool.query(
    `INSERT INTO rollup_ad_hours (hour, advertiser_id, campaign_id, adgroup_id, ad_id, creative_id, impressions)
     SELECT date_trunc('hour', now()), advertiser_id, campaign_id, adgroup_id, id, creative_id, 1 FROM ads`,
  );
  await database.pool.query(
    `INSERT INTO rollup_zone_hours (hour, publisher_id, site_id, zone_id, impressions)
     SELECT date_trunc('hour', now()), publisher_id, site_id, id, 1 FROM zones`,
  );
  await database.pool.query('ANALYZE rollup_ad_hours, rollup_zone_hours');
  const { rows } = await database.pool.query<{ relname: string }>(
    `SELECT relname FROM pg_class WHERE relkind IN ('r', 'p') AND reltuples > $1`,
    [BIG_ROWS],
  );
  big = new Set(rows.map(({ relname }) => relname));
  listen();
}, 180_000);
afterAll(async () => {
  await stand.close();
});

/** Every statement of the console, as it is sent. */
function listen(): void {
  const { sequelize } = database.db;
  const query = sequelize.query.bind(sequelize) as (...args: unknown[]) => Promise<unknown>;
  sequelize.query = (async (
    sql: string | { query: string; bind?: unknown[] },
    options?: object,
  ) => {
    const text = typeof sql === 'string' ? sql : sql.query;
    const bind = (options as { bind?: unknown[] } | undefined)?.bind ?? [];
    if (/^\s*(SELECT|WITH)/i.test(text)) asked.push({ sql: text, values: bind });
    return await query(sql, options);
  }) as typeof sequelize.query;
}

/** Answers `{items, total, page, ...}`: a list. */
function isList({ method, path, contract }: MountedRoute): boolean {
  const described = contract?.answer.describe() as Partial<yup.SchemaObjectDescription> | undefined;
  const fields = described?.fields ?? {};
  return method === 'GET' && path.startsWith('/api/') && 'items' in fields && 'total' in fields;
}

const FIGURE_WORDS: readonly string[] = [...FIGURES.advertiser, ...FIGURES.publisher];

/** Words that a filter takes where its schema does not list them. */
const WORDS: Readonly<Record<string, string>> = {
  type: 'SPEND',
  kind: 'report_export',
  keyword: 'needle',
  reference: 'LISTS77777',
  action: 'task.decide',
  subject_type: 'task',
  assignee: 'none',
  kinds: 'site_review,zone_review',
  country: 'DE',
};

/**
 * One query string per filter, and one of none; each again under every order that the list offers. An
 * order the other way round reads the same index backwards, so it is asked for once; so is one by a figure, which
 * adds the same report to each.
 */
function queriesOf({ contract }: MountedRoute): string[] {
  const { sort, ...fields } = contract?.query?.describe().fields ?? {};
  const orders = (sort as yup.SchemaDescription | undefined)?.oneOf ?? [];
  const filters = Object.entries(fields).flatMap(([name, each]) => {
    const { type, meta, oneOf } = each as yup.SchemaDescription;
    // Days of an order are no filter.
    if (name === 'page' || name === 'page_size' || name.startsWith('figures_')) return [];
    if (type === 'boolean') return [`${name}=true`];
    if (type === 'number') return [`${name}=${name === 'cursor' ? 77_777 : 1}`];
    if (meta?.kind === 'day') return [`${name}=${new Date().toISOString().slice(0, 10)}`];
    const word = oneOf.find((value) => typeof value === 'string') ?? WORDS[name];
    return [`${name}=${encodeURIComponent(String(word ?? 'no word is known for it'))}`];
  });
  const unsorted = ['', ...filters];
  return [
    ...unsorted,
    ...orders.flatMap((order) => {
      const isAlike = String(order).startsWith('-') || FIGURE_WORDS.includes(String(order));
      const queries = isAlike ? [''] : unsorted;
      return queries.map((query) => `${query}&sort=${String(order)}`);
    }),
  ];
}

async function ask(path: string, query: string): Promise<{ status: number; statements: Asked[] }> {
  const realm = path.split('/')[2] as 'advertiser' | 'publisher' | 'admin';
  const id = {
    advertiser: owners.advertiserId,
    publisher: owners.publisherId,
    admin: owners.operatorId,
  }[realm];
  asked = [];
  const { advertiserId, publisherId, thingId } = owners;
  const address = path
    .replace(`/api/${realm}`, '')
    .replace('/advertisers/:id', `/advertisers/${advertiserId}`)
    .replace('/publishers/:id', `/publishers/${publisherId}`)
    // Both sides have webhooks, in one table.
    .replace('/webhooks/:id', `/webhooks/${realm === 'publisher' ? 2 * thingId : thingId}`)
    .replace(':id', String(thingId));
  const send = async (rest: string): Promise<Response> =>
    await stand.as(realm, id).get(`${address}?${query}${rest}`);
  const { status } = await send('');
  // A page that is not full told the total by itself: one beyond it has the list counted.
  if (!asked.some(isCount) && !isSorted(query)) await send('&page=9999');
  return { status, statements: asked };
}

/** What is counted is the same under every order. */
const isSorted = (query: string): boolean => query.includes('sort=');

const isCount = ({ sql }: Asked): boolean => /\bcount\(\*\).* AS "?total\b/is.test(sql);

async function faultsOf({ sql, values }: Asked, byOperator = false): Promise<string[]> {
  const { rows } = await database.pool.query<{ 'QUERY PLAN': { Plan: Plan }[] }>(
    `EXPLAIN (FORMAT JSON) ${sql}`,
    values,
  );
  const plan = rows[0]?.['QUERY PLAN'][0]?.Plan;
  if (plan === undefined) throw new Error('no plan');
  const mayBeWide = byOperator && isCount({ sql, values });
  return walk(plan, mayBeWide ? WIDE_COUNT_ROWS : Infinity);
}

/** `wideRows`: a scan that finds more than so many may read the table whole. */
function walk(node: Plan, wideRows: number): string[] {
  const faults: string[] = [];
  const table = node['Relation Name'];
  if (
    node['Node Type'] === 'Seq Scan' &&
    table !== undefined &&
    big.has(table) &&
    node['Plan Rows'] <= wideRows
  ) {
    faults.push(`reads all of ${table}`);
  }
  const below = node.Plans ?? [];
  if (node['Node Type'] === 'Sort' && (below[0]?.['Plan Rows'] ?? 0) > SORTED_ROWS_MAX) {
    faults.push(`sorts about ${below[0]?.['Plan Rows']} rows`);
  }
  return [...faults, ...below.flatMap((each) => walk(each, wideRows))];
}

test('a statement that reads a table whole, or sorts it · planned · is found out', async () => {
  expect(await faultsOf({ sql: `SELECT * FROM ads WHERE title = $1`, values: ['x'] })).toEqual([
    'reads all of ads',
  ]);
  const sorted = await faultsOf({ sql: 'SELECT * FROM zones ORDER BY name LIMIT 20', values: [] });
  expect(sorted.some((fault) => fault.startsWith('sorts about'))).toBe(true);
});

test('every list · under each of its filters · an index leads to its rows', async () => {
  const lists = mountedRoutes(stand.app).filter(isList);
  const findings: string[] = [];
  for (const list of lists) {
    for (const query of queriesOf(list)) {
      const { status, statements } = await ask(list.path, query);
      if (status !== 200) findings.push(`${list.path}?${query}: ${status}`);
      if (!isSorted(query) && !statements.some(isCount))
        findings.push(`${list.path}?${query}: never counted`);
      for (const statement of statements) {
        if (isSorted(query) && isCount(statement)) continue;
        const faults = await faultsOf(statement, list.path.startsWith('/api/admin/'));
        if (faults.length > 0) {
          const text = statement.sql.replace(/\s+/g, ' ').slice(0, 160);
          findings.push(`${list.path}?${query}: ${faults.join(', ')}: ${text}`);
        }
      }
    }
  }
  expect(lists.map(({ path }) => path)).toEqual(
    expect.arrayContaining([
      '/api/advertiser/campaigns',
      '/api/advertiser/trackers/:id/conversions',
      '/api/publisher/operations',
    ]),
  );
  expect(findings).toEqual([]);
}, 180_000);

test.each(['advertiser', 'publisher', 'admin'])(
  'saved views of %s · with those that others share · an index leads to each part of them',
  async (realm) => {
    const { status, statements } = await ask(`/api/${realm}/saved-views`, 'page=campaigns');
    expect(status).toBe(200);
    expect(statements.some(({ sql }) => sql.includes('saved_views'))).toBe(true);
    for (const statement of statements) expect(await faultsOf(statement)).toEqual([]);
  },
);

test.each(['advertiser', 'publisher', 'admin'])(
  'scheduled reports of %s · with their last run · an index leads to them',
  async (realm) => {
    const { status, statements } = await ask(`/api/${realm}/report-schedules`, '');
    expect(status).toBe(200);
    expect(statements.some(({ sql }) => sql.includes('report_schedules'))).toBe(true);
    for (const statement of statements) expect(await faultsOf(statement)).toEqual([]);
  },
);

test.each(['needle', '77777', 'LISTS77777', 'WD-77777', 'lists77777.example'])(
  'search for %s · by each role · an index leads to each type',
  async (words) => {
    asked = [];
    for (const role of ['ADMIN', 'SUPPORT', 'REVIEWER'] as const) {
      const { id } = await makeOperator(database.db, role);
      const answer = await stand.as('admin', id).get(`/search?q=${words}`);
      await stand.as('admin', id).get(`/search?q=${words}&types=ledger_account,operator`);
      expect(answer.status).toBe(200);
    }
    const searches = asked.filter(({ sql }) => sql.includes('AS type'));
    expect(searches.length).toBeGreaterThan(1);
    for (const statement of searches) expect(await faultsOf(statement)).toEqual([]);
  },
);
