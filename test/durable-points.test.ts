import { existsSync, readFileSync } from 'node:fs';
import { UNIT } from './support/make/money.ts';
import { SAVED_QUERIES, SEARCH_ATTRIBUTES } from '../workflows/contracts/search-attributes.ts';
import { amountBand } from '../domain/amount-band.ts';

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

/** What stands between backquotes, each once. */
const cited = new Set([...text.matchAll(/`([^`\n]+)`/g)].map(([, name = '']) => name));

test('what the page cites · files, programs, search attributes, bands, figures, alerts · is there', () => {
  const files = [...cited].filter((name) => /^[\w./-]+\.(ts|md|yml|json)$/.test(name));
  expect(files.length).toBeGreaterThan(30);
  // A bare name is a neighbour of the tests of flows that stand beside it.
  expect(
    files.filter((file) => !existsSync(file) && !existsSync(`test/workflows/${file}`)),
  ).toEqual([]);
  const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: object };
  const programs = [...text.matchAll(/`npm run ([\w:-]+)/g)].map(([, name = '']) => name);
  expect(programs.filter((name) => !Object.hasOwn(scripts, name))).toEqual([]);

  const [listed = ''] = /^- \*\*Lists\*\*[^]*?(?=\n- )/m.exec(text) ?? [];
  const bands = [1n, 100n, 1_000n, 10_000n, 100_000n].map((units) => amountBand(units * UNIT));
  const words = [...listed.matchAll(/`([A-Z]\w+)`/g)].map(([, name = '']) => name);
  expect(words.toSorted()).toEqual([...Object.keys(SEARCH_ATTRIBUTES), ...bands].toSorted());
  // Where a question goes on from the one above it, the page says so.
  const whole = text.replace('the same `AND DueAt', '`AND DueAt').replace("'<now>'", "'{now}'");
  const lost = Object.values(SAVED_QUERIES).filter((query) => !whole.includes(`\`${query}\``));
  expect(lost).toEqual([SAVED_QUERIES.overdue]);
  expect(whole).toContain("`AND DueAt < '{now}'`");

  const [watched, rules] = [readFileSync('metrics/backlogs.ts', 'utf8'), alerts()];
  const figures = [...cited].filter((name) => name.startsWith('adp_'));
  expect(figures.filter((name) => !watched.includes(`${name}:`))).toEqual([]);
  const alarms = [...cited].filter((name) => /^[A-Z][a-z]+(?:[A-Z][a-z]+)+$/.test(name));
  const known = new Set<string>(Object.keys(SEARCH_ATTRIBUTES));
  expect(alarms.filter((name) => !known.has(name) && !rules.includes(`alert: ${name}\n`))).toEqual(
    [],
  );
});

const alerts = (): string => readFileSync('ops/prometheus/alerts.yml', 'utf8');

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
