import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import {
  bigintArray,
  boolArray,
  bytesArray,
  dateArray,
  integerArray,
  jsonbArray,
  smallintArray,
  textArray,
  timeArray,
  uuidArray,
} from '../../../db/schema/binary-array.ts';
import { sqlStateOf } from '../../../db/sql-state.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(async () => {
  await database.close();
});

/** What PostgreSQL makes of the parameter, as text. */
async function readBack(type: string, parameter: Buffer): Promise<(string | null)[]> {
  const { rows } = await database.pool.query<{ value: string | null }>(
    `SELECT value::text FROM unnest($1::${type}[]) WITH ORDINALITY AS given (value, n) ORDER BY n`,
    [parameter],
  );
  return rows.map((row) => row.value);
}

test('binary arrays · numbers, ids and times, also none at all · arrive as they are', async () => {
  const ids = [randomUUID(), randomUUID().toUpperCase()];
  expect(await readBack('uuid', uuidArray(ids))).toEqual(ids.map((id) => id.toLowerCase()));
  expect(await readBack('uuid', uuidArray([]))).toEqual([]);
  expect(await readBack('smallint', smallintArray([0, -1, 32_767]))).toEqual(['0', '-1', '32767']);
  expect(await readBack('int', integerArray([300, -(2 ** 31)]))).toEqual(['300', '-2147483648']);
  const large = [2 ** 48 - 1, 9_000_000_000_000_000n, -5];
  expect(await readBack('bigint', bigintArray(large))).toEqual(large.map(String));
  const times = ['2026-11-22T08:00:00.123Z', '1999-12-31T23:59:59.999Z'];
  const read = await readBack('timestamptz', timeArray(times));
  expect(read.map((time) => new Date(time ?? '').toISOString())).toEqual(times);
});

test('binary arrays · flags, days, bytes and times in milliseconds, nulls among them · arrive as they are', async () => {
  expect(await readBack('boolean', boolArray([true, null, false]))).toEqual([
    'true',
    null,
    'false',
  ]);
  const days = ['2026-11-22', null, '1999-12-31'];
  expect(await readBack('date', dateArray(days))).toEqual(days);
  const bytes = [Buffer.from('00ff', 'hex'), null, Buffer.alloc(0)];
  expect(await readBack('bytea', bytesArray(bytes))).toEqual(['\\x00ff', null, '\\x']);
  const [read] = await readBack('timestamptz', timeArray([1_763_800_000_123.9]));
  expect(new Date(read ?? '').getTime()).toBe(1_763_800_000_123);
  expect(await readBack('bigint', bigintArray([null, '-9', -(2 ** 40) - 1]))).toEqual([
    null,
    '-9',
    String(-(2 ** 40) - 1),
  ]);
  expect(await readBack('text', textArray(['a', null]))).toEqual(['a', null]);
  expect(() => dateArray(['22.11.2026'])).toThrow('no date');
});

test('binary arrays · any texts and JSON · arrive as they are', async () => {
  const texts = fc.array(fc.string({ unit: 'grapheme', maxLength: 40 }), { maxLength: 20 });
  await fc.assert(
    fc.asyncProperty(texts, async (given) => {
      const values = given.map((text) => text.replaceAll('\u0000', ''));
      expect(await readBack('text', textArray(values))).toEqual(values);
      const json = values.map((text) => JSON.stringify({ text }));
      const read = await readBack('jsonb', jsonbArray(json));
      expect(read.map((text) => JSON.parse(text ?? '') as unknown)).toEqual(
        values.map((text) => ({ text })),
      );
    }),
    { numRuns: 30 },
  );
});

test('binary arrays · a value that is none of its type · is a fault of its content, as PostgreSQL says', () => {
  const states = (makers: (() => Buffer)[]): (string | undefined)[] =>
    makers.map((make) => {
      try {
        make();
        return 'taken';
      } catch (error) {
        return sqlStateOf(error);
      }
    });
  expect(
    states([
      () => uuidArray(['zz']),
      () => smallintArray([40_000]),
      () => integerArray([0.5]),
      () => bigintArray([2 ** 60]),
      () => timeArray(['yesterday']),
      () => textArray([undefined as unknown as string]),
      () => jsonbArray([undefined as unknown as string]),
    ]),
  ).toEqual(['22P02', '22P02', '22P02', '22P02', '22007', '22P02', '22P02']);
});
