import { totalOf } from '../../../db/queries/page-total.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(async () => {
  await database.close();
});

/** The total of a list of so many rows, read by that page, and how often it was counted. */
async function told(
  length: number,
  page: { limit: number; offset: number; cursor?: number },
): Promise<{ total: number; counts: number }> {
  let counts = 0;
  const sql = {
    query: async (text: string, values?: unknown[]) => {
      counts += 1;
      return await database.pool.query(text, values);
    },
  } as Parameters<typeof totalOf>[0];
  const rows = Math.max(0, Math.min(page.limit, length - page.offset));
  const counted = {
    text: 'SELECT count(*) AS total FROM generate_series(1, $1::int)',
    values: [length],
  };
  return { total: await totalOf(sql, { ...page, rows }, counted), counts };
}

describe('totalOf', () => {
  it.each([
    ['an empty list', 0, 20, 0, 0],
    ['a page that is not full', 7, 20, 0, 0],
    ['the last page', 47, 20, 40, 0],
    ['a full first page', 20, 20, 0, 1],
    ['a full page in the middle', 47, 20, 20, 1],
    ['a last page that is full', 40, 20, 20, 1],
    ['a page just beyond the end', 40, 20, 40, 1],
    ['a page far beyond the end', 3, 20, 1_000, 1],
  ])('%s · read · the length of the list', async (_, length, limit, offset, counts) => {
    expect(await told(length, { limit, offset })).toEqual({ total: length, counts });
  });

  it('a page behind a cursor · not full · counted, for what lies before it is unknown', async () => {
    expect(await told(7, { limit: 20, offset: 0, cursor: 3 })).toEqual({ total: 7, counts: 1 });
  });
});
