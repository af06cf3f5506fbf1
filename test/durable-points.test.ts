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

test.each(points)('point $number · its tests · are there by these names', ({ tests }) => {
  const lost = tests.filter(
    ({ file, name = '' }) => !existsSync(file) || !readFileSync(file, 'utf8').includes(name),
  );
  expect(lost).toEqual([]);
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
