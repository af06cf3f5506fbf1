import fc from 'fast-check';
import { makePublisher } from '../../support/make/account.ts';
import { makeSite, makeZone } from '../../support/make/place.ts';
import { createStand, type Stand } from '../../support/stand.ts';

const STATUSES = ['ACTIVE', 'PAUSED', 'ARCHIVED'] as const;
const AUDITS = ['PENDING', 'APPROVED', 'REJECTED'] as const;
const NAMES = ['Alpha', 'Beta 50%'] as const;

interface Row {
  id: number;
  name: string;
  status: string;
  audit_status: string;
}

interface Filter {
  status?: string | undefined;
  audit_status?: string | undefined;
  keyword?: string | undefined;
}

let stand: Stand;
let publisherId: number;
const rows: Record<'sites' | 'zones', Row[]> = { sites: [], zones: [] };

beforeAll(async () => {
  stand = await createStand();
  const { db } = stand.database;
  publisherId = (await makePublisher(db)).id;
  const other = (await makePublisher(db)).id;
  const states = STATUSES.flatMap((status) =>
    AUDITS.flatMap((auditStatus) => NAMES.map((name) => ({ status, auditStatus, name }))),
  );
  for (const state of states) {
    const site = await makeSite(db, publisherId, state);
    const zone = await makeZone(db, site, state);
    await makeZone(db, await makeSite(db, other, state), state);
    const { name, status, auditStatus } = state;
    rows.sites.push({ id: Number(site.id), name, status, audit_status: auditStatus });
    rows.zones.push({ id: Number(zone.id), name, status, audit_status: auditStatus });
  }
}, 60_000);
afterAll(async () => {
  await stand.close();
});

/** The rule: archived rows only when they are asked for, as in advertisers' lists. */
const fits = (row: Row, { status, audit_status, keyword }: Filter): boolean =>
  (status === undefined ? row.status !== 'ARCHIVED' : row.status === status) &&
  (audit_status === undefined || row.audit_status === audit_status) &&
  (keyword === undefined || row.name.toLowerCase().includes(keyword.toLowerCase()));

const ask = async (noun: string, query: object) =>
  await stand.as('publisher', publisherId).get(`/${noun}`).query(query);

const maybe = <Value>(values: readonly Value[]) =>
  fc.option(fc.constantFrom(...values), { nil: undefined });

describe.each(['sites', 'zones'] as const)('%s · filtered', (noun) => {
  it('status=ARCHIVED · asked · the archived ones, and only mine', async () => {
    const answer = await ask(noun, { status: 'ARCHIVED' });
    const { items, total } = answer.body.data as { items: Row[]; total: number };
    expect(total).toBe(AUDITS.length * NAMES.length);
    expect(items.map(({ id }) => id)).toEqual(
      rows[noun]
        .filter(({ status }) => status === 'ARCHIVED')
        .map(({ id }) => id)
        .toReversed(),
    );
    expect(new Set(items.map(({ status }) => status))).toEqual(new Set(['ARCHIVED']));
  });

  it('a status that there is not · asked · 422', async () => {
    const answer = await ask(noun, { status: 'GONE' });
    expect(answer.status).toBe(422);
    expect(answer.body.data.errors).toMatchObject([{ field: 'status' }]);
  });

  it('any filters and page · asked · what fits, newest first, and how many there are', async () => {
    const asked = fc.record({
      status: maybe(STATUSES),
      audit_status: maybe(AUDITS),
      keyword: maybe(['alpha', '50%', '%', 'none of them']),
      page: fc.integer({ min: 1, max: 4 }),
      page_size: fc.constantFrom(1, 3, 6, 20),
    });
    await fc.assert(
      fc.asyncProperty(asked, async (query) => {
        const fitting = rows[noun].filter((row) => fits(row, query)).toReversed();
        const begin = (query.page - 1) * query.page_size;
        const answer = await ask(
          noun,
          Object.fromEntries(Object.entries(query).filter(([, value]) => value !== undefined)),
        );
        const { items, total } = answer.body.data as { items: Row[]; total: number };
        expect({ ids: items.map(({ id }) => id), total }).toEqual({
          ids: fitting.slice(begin, begin + query.page_size).map(({ id }) => id),
          total: fitting.length,
        });
      }),
      { numRuns: 80 },
    );
  });
});

it('one archived thing by its own address · asked · still 404', async () => {
  for (const noun of ['sites', 'zones'] as const) {
    const gone = rows[noun].find(({ status }) => status === 'ARCHIVED');
    expect((await ask(`${noun}/${gone?.id}`, {})).status).toBe(404);
  }
});
