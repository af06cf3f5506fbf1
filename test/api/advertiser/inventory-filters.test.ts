import fc from 'fast-check';
import { createStand, type Stand } from '../../support/stand.ts';
import { type Line, makeLine } from '../../support/make/line.ts';
import { type Caller, dataOf } from '../../support/call.ts';

/** interface 4.2: every filter, alone and together, against the same rule written once more. */
let stand: Stand;
let owner: Caller;
let line: Line;
let second: Line;

interface Row {
  id: number;
  name: string;
  status: string;
  audit_status: string;
  created_at: string;
  pricing_model: string;
}

const NAMES = ['Alpha 50%', 'alpha_two', 'Beta\\x', 'beta', 'Ünïcode ALPHA', '100'];
const STATUSES = ['ACTIVE', 'PAUSED', 'ARCHIVED'];
const AUDITS = ['DRAFT', 'PENDING', 'APPROVED', 'REJECTED'];
const MODELS = ['CPC', 'CPM', 'CPA', 'CPV', 'CPS'];
/** Both ends of whole days. */
const MOMENTS = [
  '2026-02-28T23:59:59.999Z',
  '2026-03-01T00:00:00.000Z',
  '2026-03-01T23:59:59.999Z',
  '2026-03-02T00:00:00.000Z',
  '2026-03-03T12:00:00.000Z',
];
const ROWS = 40;
const TABLES = { campaigns: 'campaigns', adgroups: 'ad_groups', ads: 'ads' } as const;
type Noun = keyof typeof TABLES;
const rows: Record<Noun, Row[]> = { campaigns: [], adgroups: [], ads: [] };

/** Every value of a column with every value of the others, more or less: the steps share no divisor. */
const rowAt = (at: number): Omit<Row, 'id'> => ({
  name: `${NAMES[at % 6]} ${at}`,
  status: STATUSES[(at * 5) % 3] ?? '',
  audit_status: AUDITS[(at * 7 + Math.floor(at / 4)) % 4] ?? '',
  created_at: MOMENTS[(at * 3) % 5] ?? '',
  pricing_model: MODELS[(at * 2 + Math.floor(at / 5)) % 5] ?? '',
});

async function insert(noun: Noun, row: Omit<Row, 'id'>, values: Record<string, unknown>) {
  const { pricing_model: model, ...fields } = row;
  const all = {
    advertiser_id: line.advertiserId,
    ...fields,
    ...values,
    ...(noun === 'campaigns' ? { pricing_model: model } : {}),
  };
  const names = Object.keys(all);
  const { rows: made } = await stand.database.pool.query<{ id: string }>(
    `INSERT INTO ${TABLES[noun]} (${names.join(', ')}) VALUES (${names.map((_, i) => `$${i + 1}`).join(', ')})
     RETURNING id`,
    Object.values(all),
  );
  rows[noun].push({ ...row, id: Number(made[0]?.id) });
}

beforeAll(async () => {
  stand = await createStand();
  line = await makeLine(stand.database);
  second = await makeLine(stand.database, { advertiserId: line.advertiserId });
  await makeLine(stand.database);
  owner = stand.as('advertiser', line.advertiserId);
  await stand.database.pool.query('DELETE FROM ad_revisions WHERE ad_id = ANY($1)', [
    [line.adId, second.adId],
  ]);
  await stand.database.pool.query('DELETE FROM ads WHERE id = ANY($1)', [[line.adId, second.adId]]);
  for (let at = 0; at < ROWS; at += 1) {
    const row = rowAt(at);
    const parent = at % 2 === 0 ? line : second;
    const group = { campaign_id: parent.campaignId };
    await insert('campaigns', row, { ad_type: 'BANNER', bid_nanos: 1 });
    await insert('adgroups', row, group);
    await insert('ads', row, {
      ...group,
      adgroup_id: parent.adGroupId,
      creative_id: line.creativeId,
    });
  }
  // The line's own, which the rows hang below.
  await stand.database.pool.query(`UPDATE campaigns SET name = 'parent', created_at = '2020-01-01'
    WHERE name = 'Campaign'`);
  await stand.database.pool.query(`UPDATE ad_groups SET name = 'parent', created_at = '2020-01-01'
    WHERE name = 'Ad group'`);
});
afterAll(async () => await stand.close());

interface Filter {
  keyword?: string | undefined;
  status?: string | undefined;
  audit_status?: string | undefined;
  start_date?: string | undefined;
  end_date?: string | undefined;
  pricing_model?: string | undefined;
}

/** The rule, in one line each. */
const fits = (row: Row, filter: Filter): boolean =>
  (filter.keyword === undefined ||
    row.name.toLowerCase().includes(filter.keyword.trim().toLowerCase())) &&
  (filter.status === undefined ? row.status !== 'ARCHIVED' : row.status === filter.status) &&
  (filter.audit_status === undefined || row.audit_status === filter.audit_status) &&
  (filter.start_date === undefined || row.created_at >= `${filter.start_date}T00:00:00.000Z`) &&
  (filter.end_date === undefined || row.created_at <= `${filter.end_date}T23:59:59.999Z`) &&
  (filter.pricing_model === undefined || row.pricing_model === filter.pricing_model);

async function found(noun: Noun, filter: Filter & Record<string, unknown>): Promise<number[]> {
  const given = Object.entries(filter).filter(([, value]) => value !== undefined);
  const query = new URLSearchParams(
    given.map(([key, value]): [string, string] => [key, String(value)]),
  );
  const answer = await owner.get(`/${noun}?page_size=100&${query.toString()}`);
  expect(answer.status).toBe(200);
  const { items, total } = dataOf(answer) as { items: Row[]; total: number };
  expect(total).toBe(items.length);
  return items.filter(({ name }) => name !== 'parent').map(({ id }) => id);
}

const expected = (noun: Noun, filter: Filter): number[] =>
  rows[noun]
    .filter((row) => fits(row, filter))
    .map(({ id }) => id)
    .toSorted((a, b) => b - a);

const DAYS = ['2026-02-28', '2026-03-01', '2026-03-02', '2026-03-03', '2026-03-04'];
const KEYWORDS = ['alpha', 'ALPHA', '50%', '%', '_', '\\', 'ünï', ' 1', 'none of them', '100 '];
const maybe = (values: readonly string[]) =>
  fc.option(fc.constantFrom(...values), { nil: undefined });

describe.each(['campaigns', 'adgroups', 'ads'] as const)('%s · filtered', (noun) => {
  const single: Filter[] = [
    {},
    ...KEYWORDS.map((keyword) => ({ keyword })),
    ...STATUSES.map((status) => ({ status })),
    ...AUDITS.map((auditStatus) => ({ audit_status: auditStatus })),
    ...DAYS.map((day) => ({ start_date: day })),
    ...DAYS.map((day) => ({ end_date: day })),
    ...DAYS.map((day) => ({ start_date: day, end_date: day })),
    ...(noun === 'campaigns' ? MODELS.map((model) => ({ pricing_model: model })) : []),
  ];

  it('by each value of each filter · finds what fits, newest first', async () => {
    for (const filter of single) {
      expect({ filter, ids: await found(noun, { ...filter }) }).toEqual({
        filter,
        ids: expected(noun, filter),
      });
    }
  });

  it('by any of them together · finds what fits all', async () => {
    const filters = fc.record({
      keyword: maybe(KEYWORDS),
      status: maybe(STATUSES),
      audit_status: maybe(AUDITS),
      start_date: maybe(DAYS),
      end_date: maybe(DAYS),
      pricing_model: noun === 'campaigns' ? maybe(MODELS) : fc.constant(undefined),
    });
    let hits = 0;
    await fc.assert(
      fc.asyncProperty(filters, async (filter) => {
        const ids = await found(noun, filter);
        hits += ids.length;
        expect(ids).toEqual(expected(noun, filter));
      }),
      { numRuns: 60 },
    );
    // Filters that find nothing at all would prove nothing.
    expect(hits).toBeGreaterThan(0);
  });

  it('by words of no vocabulary, no day, or an unknown name · 422', async () => {
    for (const query of ['status=active', 'audit_status=OPEN', 'start_date=2026-02-30', 'bid=1']) {
      expect((await owner.get(`/${noun}?${query}`)).status).toBe(422);
    }
  });
});

describe('children · filtered by what they hang below', () => {
  const live = (noun: Noun, even: boolean) =>
    rows[noun]
      .filter((row, at) => row.status !== 'ARCHIVED' && (at % 2 === 0) === even)
      .map(({ id }) => id)
      .toSorted((a, b) => b - a);

  it("one campaign, ad group or creative · only its own; a foreign one's · none", async () => {
    expect(await found('adgroups', { campaign_id: line.campaignId })).toEqual(
      live('adgroups', true),
    );
    expect(await found('adgroups', { campaign_id: second.campaignId })).toEqual(
      live('adgroups', false),
    );
    expect(await found('ads', { campaign_id: second.campaignId })).toEqual(live('ads', false));
    expect(await found('ads', { adgroup_id: line.adGroupId })).toEqual(live('ads', true));
    expect(await found('ads', { creative_id: line.creativeId })).toEqual(expected('ads', {}));
    expect(await found('ads', { creative_id: second.creativeId })).toEqual([]);
    expect(await found('ads', { campaign_id: 999_999 })).toEqual([]);
  });
});
