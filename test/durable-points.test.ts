import { existsSync, readFileSync } from 'node:fs';

/** docs/durable-execution.md names a test for each of its points: they are there. */
const text = readFileSync('docs/durable-execution.md', 'utf8');
const points = [...text.matchAll(/^\| (\d+) [^|]*\|([^|]*)\|$/gm)].map(([, number, shown]) => ({
  number: Number(number),
  tests: [...(shown ?? '').matchAll(/`(test\/[^`]+\.test\.ts)`((?: "[^"]+")*)/g)].flatMap(
    ([, file = '', names = '']) =>
      [...names.matchAll(/"([^"]+)"/g)].map(([, name]) => ({ file, name })),
  ),
}));

test('the 28 points · each in its turn · names a test', () => {
  expect(points.map(({ number }) => number)).toEqual(Array.from({ length: 28 }, (_, at) => at + 1));
  expect(points.filter(({ tests }) => tests.length === 0)).toEqual([]);
});

/** What its tests are called; a name in a comment is none. */
const titlesOf = (file: string): string[] =>
  [...readFileSync(file, 'utf8').matchAll(TITLE)].map(([, , title = '']) => title);
const TITLE =
  /\b(?:it|test|describe)(?:\.each\((?:[^()]|\([^()]*\))*\))?\(\s*(['"`])((?:(?!\1).)+)\1/g;

test.each(points)('point $number · its tests · are there by these names', ({ tests }) => {
  const lost = tests.filter(
    ({ file, name = '' }) =>
      !existsSync(file) || !titlesOf(file).some((title) => title.includes(name)),
  );
  expect(lost).toEqual([]);
});

test('a name that only a comment says · is not a test', () => {
  const [file] = ['test/durable-points.test.ts'];
  // A title of this file, and words that are in it and in no title.
  expect(titlesOf(file ?? '').some((title) => title.includes('names a test'))).toBe(true);
  expect(titlesOf(file ?? '').some((title) => title.includes('words that are in it'))).toBe(false);
});

test('what belongs to Temporal · is of one exact version', () => {
  const { dependencies, devDependencies } = JSON.parse(
    readFileSync('package.json', 'utf8'),
  ) as Record<'dependencies' | 'devDependencies', Record<string, string>>;
  const versions = Object.entries({ ...dependencies, ...devDependencies })
    .filter(([name]) => name.startsWith('@temporalio/'))
    .map(([, version]) => version);
  expect(versions.length).toBeGreaterThan(5);
  expect(new Set(versions).size).toBe(1);
  expect(versions[0]).toMatch(/^\d+\.\d+\.\d+$/);
});
