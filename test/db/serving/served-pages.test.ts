import { pino } from 'pino';
import { createServedPages, type PageOwner } from '../../../db/serving/served-pages.ts';
import type { PageContext } from '../../../domain/page-context.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(async () => {
  await database.close();
});

const NOW = new Date('2026-03-01T12:00:00Z');
const pageOf = (id: number): { id: number; context: PageContext } => ({
  id,
  context: {
    host: `h${id}.example`,
    url: null,
    title: null,
    keywords: [],
    categories: [],
    tags: [],
    type: null,
    lang: null,
  },
});
const open = () => {
  const log = pino({ level: 'silent' });
  return createServedPages({ sql: database.pool, log });
};
const hasRow = async (id: number): Promise<boolean> => {
  const { rowCount } = await database.pool.query('SELECT 1 FROM pages WHERE id = $1', [id]);
  return rowCount === 1;
};

let ids = 0;
/** Addresses that nobody has seen before. */
const invented = (count: number): number[] => Array.from({ length: count }, () => (ids += 1));

test('thousands of invented pages in one publisher’s zone · the page of another · is written next', async () => {
  const pages = open();
  const note = (id: number, by: PageOwner): void => pages.note(pageOf(id), by, NOW);
  const flood = invented(5_000);
  for (const id of flood) note(id, 'publisher 1');
  const [other = 0, clicked = 0] = invented(2);
  note(other, 'publisher 2');
  note(clicked, 'zone 3');
  await pages.flush();
  expect(await Promise.all([other, clicked].map(hasRow))).toEqual([true, true]);
  await pages.close();
  expect(await hasRow(flood[0] ?? 0)).toBe(false);
  expect(await hasRow(flood[2] ?? 0)).toBe(true);
});

test('a page that made room for another publisher’s · named again · is written then', async () => {
  const pages = open();
  const flood = invented(2_000);
  for (const id of flood) pages.note(pageOf(id), 'publisher 1', NOW);
  pages.note(pageOf(invented(1)[0] ?? 0), 'publisher 2', NOW);
  await pages.flush();
  const [displaced = 0] = flood;
  expect(await hasRow(displaced)).toBe(false);
  pages.note(pageOf(displaced), 'publisher 1', NOW);
  await pages.close();
  expect(await hasRow(displaced)).toBe(true);
});
