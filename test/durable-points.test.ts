import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { UNIT } from './support/make/money.ts';
import { LONG_STEPS } from '../workflows/contracts/schedules.ts';
import * as policies from '../workflows/policies.ts';
import { SAVED_QUERIES, SEARCH_ATTRIBUTES } from '../workflows/contracts/search-attributes.ts';
import { TASK_KINDS } from '../domain/lifecycle/task.ts';
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

/** What stands in a file between quotes, a comment's words but for that: titles, and names of rows of tables. */
const literalsOf = (file: string): string =>
  readFileSync(file, 'utf8').replace(/^\s*(?:\/?\*|\/\/).*$/gm, '');

test('what an operator of Temporal may do · of every flow and every question · names tests that are there', () => {
  const [, section = ''] = /^## What an operator of Temporal may do([^]*?)^## /m.exec(text) ?? [];
  const rows = section.split('\n').filter((line) => /^\| (?!flow )/.test(line));
  const flows = readFileSync('workflows/index.ts', 'utf8').matchAll(/\{ (\w+Workflow) \}/g);
  const [first, second] = [
    rows.map((row) => row.split('|')[1]),
    rows.map((row) => row.split('|')[2]),
  ];
  const named = (cells: (string | undefined)[], name: string): boolean =>
    cells.some((cell) => cell?.includes(`\`${name}\``) === true);
  expect([...flows].map(([, name = '']) => name).filter((name) => !named(first, name))).toEqual([]);
  expect(TASK_KINDS.filter((kind) => !named(second, kind))).toEqual([]);
  const lost = rows.flatMap((row) => {
    const shown = [...(row.split('|')[6] ?? '').matchAll(/`([^`]+\.test\.ts)`((?: "[^"]+")+)/g)];
    if (shown.length === 0) return [row];
    return shown.flatMap(([, cell = '', names = '']) => {
      const file = existsSync(cell) ? cell : `test/workflows/${cell}`;
      return [...names.matchAll(/"([^"]+)"/g)]
        .filter(([, name = '']) => !literalsOf(file).includes(name))
        .map(([, name]) => `${cell} ${name}`);
    });
  });
  expect(lost).toEqual([]);
});

test('each flow that asks about refused steps · has a row that says so', () => {
  const [, flows = ''] =
    /^const FLOWS[^]*?= \{([^]*?)^\};/m.exec(
      readFileSync('activities/flows/refusals.ts', 'utf8'),
    ) ?? [];
  const words = [...flows.matchAll(/^  '?([\w-]+)'?: \{/gm)].map(([, word = '']) => word);
  expect(words.length).toBeGreaterThan(8);
  const [, section = ''] = /^## What an operator of Temporal may do([^]*?)^## /m.exec(text) ?? [];
  let flow = '';
  const refused = section.split('\n').flatMap((row) => {
    const [, name = '', wait = ''] = row.split('|');
    // `both` are the two rows above it.
    if (name.trim() !== '' && name.trim() !== 'both') flow = name;
    return /`(?:money|review)_refused`/.test(wait)
      ? [name.trim() === 'both' ? 'review kyc' : flow]
      : [];
  });
  const camel = (word: string): string =>
    word.replaceAll(/-(\w)/g, (_, at: string) => at.toUpperCase());
  expect(words.filter((word) => !refused.some((cell) => cell.includes(camel(word))))).toEqual([]);
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

const seconds = (text: string): number => {
  const [count = '', unit = ''] = text.split(' ');
  return Number(count) * (unit.startsWith('minute') ? 60 : unit.startsWith('second') ? 1 : 3_600);
};

test('steps that may last longer than a minute · have a heartbeat, and send it', () => {
  const long = Object.entries(policies).flatMap(([name, policy]) =>
    'startToCloseTimeout' in policy && seconds(policy.startToCloseTimeout) > 60
      ? [{ name, beat: 'heartbeatTimeout' in policy }]
      : [],
  );
  expect(long.length).toBeGreaterThan(3);
  expect(long.filter(({ beat }) => !beat)).toEqual([]);
  const source = (folder: string): string[] =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts'))
      .map((file) => readFileSync(`${folder}/${file}`, 'utf8'));
  const [flows, steps] = [source('workflows'), source('activities')];
  const of = new RegExp(
    `(?:stepsOf|proxyActivities<\\w+>)\\(\\s*\\{?[^]{0,9}\\b(?:${long.map(({ name }) => name).join('|')})\\b([^;]*);`,
    'g',
  );
  const named = flows.flatMap((text) =>
    [...text.matchAll(of)].flatMap(([, rest = '']) =>
      [...rest.matchAll(/(\w+):\s*['"`]/g)].map(([, name = '']) => name),
    ),
  );
  const mute = named.filter(
    (name) =>
      !['summary', ...LONG_STEPS].includes(name) &&
      // Lap by lap, with how far it is; a beat of one branch keeps no other alive.
      !steps.some(
        (text) =>
          text.includes(name) && /heartbeat\([^)]+\)|beating\(|const beat = async/.test(text),
      ),
  );
  expect(named.length).toBeGreaterThan(10);
  expect(mute).toEqual([]);
});
