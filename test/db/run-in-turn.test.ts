import { runInTurn } from '../../db/run-in-turn.ts';
import type { SqlRunner } from '../../db/sql-runner.ts';
import { until } from '../support/until.ts';

const told: string[] = [];
function* ofThree() {
  for (const text of ['one', 'two', 'three']) {
    told.push(`${text} is put together`);
    yield { text, values: [] };
  }
}
beforeEach(() => told.splice(0));

test('three · run · each is put together while the one before it runs', async () => {
  const runs: SqlRunner = {
    query: async (text) => {
      told.push(`${text} runs`);
      const isLast = text === 'three';
      await until('the next one is there', () =>
        Promise.resolve(isLast || told.at(-1)?.endsWith('put together')),
      );
      told.push(`${text} has run`);
      return { rows: [] };
    },
  };
  await runInTurn(runs, ofThree());
  expect(told).toEqual([
    'one is put together',
    'one runs',
    'two is put together',
    'one has run',
    'two runs',
    'three is put together',
    'two has run',
    'three runs',
    'three has run',
  ]);
});

test('the first is refused · run · none of those behind it is sent', async () => {
  const refuses: SqlRunner = {
    query: async (text) => {
      told.push(`${text} runs`);
      return await Promise.reject(new Error(`${text} is refused`));
    },
  };
  await expect(runInTurn(refuses, ofThree())).rejects.toThrow('one is refused');
  expect(told.filter((line) => line.endsWith('runs'))).toEqual(['one runs']);
});
