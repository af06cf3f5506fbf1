import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { type Manifest, pageFilesOf, withImports } from '../../../web/page-files.ts';
import { buildBrowserCode } from '../../support/platform.ts';

/** What a person waits for over a slow line: the consoles' files, as they are sent. */
const BUILT = 'dist/web/console';
const TEXTS = 'web/console/texts';
const KB = 1_024;
const BUDGET = {
  /** Before anything is shown. */
  entry: 180 * KB,
  css: 45 * KB,
  /** Each file that comes with a page; the drawn charts are apart, and come last. */
  chunk: 60 * KB,
  charts: 185 * KB,
  documents: 130 * KB,
  /** All that the first page somebody opens brings along. */
  visit: 360 * KB,
  /** The same of the page that somebody begins at, each day: in few files, and nothing that is opened later. */
  home: 200 * KB,
  homeFiles: 34,
};

let manifest: Manifest;
beforeAll(async () => {
  await buildBrowserCode();
  manifest = JSON.parse(readFileSync(path.join(BUILT, '.vite/manifest.json'), 'utf8')) as Manifest;
}, 180_000);

const sizeOf = (file: string): number => gzipSync(readFileSync(path.join(BUILT, file))).length;

const chunkOf = (key: string): Manifest[string] => {
  const chunk = manifest[key];
  if (chunk === undefined) throw new Error(`the manifest has no ${key}`);
  return chunk;
};

/** A chunk with all that has to be there before it runs. */
const allOf = (key: string): Set<string> => withImports(manifest, key);

const weightOf = (keys: Iterable<string>): number =>
  [...keys].reduce((sum, key) => sum + sizeOf(chunkOf(key).file), 0);

/** As Mantine names what it draws: `m_8d3f4000`. */
const classesIn = (text: string): Set<string> => new Set(text.match(/\bm_[\da-f]{6,8}\b/g));

const CHARTS = 'parts/chart-drawn.tsx';
/** What draws a PDF's pages; most papers are pictures. */
const DOCUMENTS = 'parts/pdf-viewer.tsx';
const entryOf = (): string => {
  const [entry = ''] = Object.keys(manifest).filter((key) => manifest[key]?.isEntry === true);
  return entry;
};
const pages = (): string[] =>
  Object.keys(manifest).filter(
    (key) => key.startsWith('routes/') && chunkOf(key).isDynamicEntry === true,
  );

/** Names with their KB, of those that are over. */
const over = (limit: number, weights: [name: string, weight: number][]): string[] =>
  weights.filter(([, weight]) => weight > limit).map(([name, weight]) => `${name} ${weight}`);

test('entry · with all that it imports · its code and its styles are within the budget', () => {
  const keys = allOf(entryOf());
  // All pages' styles are one file.
  const css = sizeOf(chunkOf('style.css').file);
  expect(over(BUDGET.entry, [['entry', weightOf(keys)]])).toEqual([]);
  expect(over(BUDGET.css, [['css', css]])).toEqual([]);
});

test('styles · of each component of Mantine that some page holds · are among those that are sent', () => {
  const known = classesIn(readFileSync('node_modules/@mantine/core/styles.css', 'utf8'));
  const sent = classesIn(readFileSync(path.join(BUILT, chunkOf('style.css').file), 'utf8'));
  const held = Object.values(manifest)
    .filter(({ file }) => file.endsWith('.js'))
    .map(({ file }) => [...classesIn(readFileSync(path.join(BUILT, file), 'utf8'))]);
  const missing = held.flat().filter((name) => known.has(name) && !sent.has(name));
  expect(known.size).toBeGreaterThan(300);
  expect([...new Set(missing)]).toEqual([]);
});

test('chunks · of pages and what they share · are each within the budget', () => {
  const entry = allOf(entryOf());
  const shared = Object.keys(manifest).filter(
    (key) =>
      !entry.has(key) && ![CHARTS, DOCUMENTS].includes(key) && chunkOf(key).file.endsWith('.js'),
  );
  expect(pages().length).toBeGreaterThan(10);
  expect(
    over(
      BUDGET.chunk,
      shared.map((key) => [key, weightOf([key])]),
    ),
  ).toEqual([]);
});

test('a first visit · of any page · is within the budget', () => {
  const entry = entryOf();
  const frameOf = (page: string): string[] => {
    const [, realm] = /^routes\/(\w+)\/_in\//.exec(page) ?? [];
    return realm === undefined ? [] : [`routes/${realm}/_in.tsx?tsr-split=component`];
  };
  const visits = pages().map((page): [string, number] => {
    const keys = [entry, ...frameOf(page), page].flatMap((key) => [...allOf(key)]);
    return [page, weightOf(new Set(keys))];
  });
  expect(over(BUDGET.visit, visits)).toEqual([]);
});

test.each(['advertiser', 'publisher', 'operator'])(
  'the home of the %s · is within its budget, and is all asked for at once',
  (realm) => {
    const { files, pages: known } = pageFilesOf(manifest);
    // What the server names in the page, so that nothing is found out one after the other.
    const beside = (known[`/${realm}`] ?? []).map((place) => files[place] ?? '');
    const entry = [...allOf(entryOf())].map((key) => chunkOf(key).file);
    const all = [...entry, ...beside];
    const weight = all.reduce((sum, file) => sum + sizeOf(file), 0);
    expect(beside.length).toBeGreaterThan(2);
    expect(new Set(all).size).toBe(all.length);
    expect(over(BUDGET.home, [[realm, weight]])).toEqual([]);
    expect(over(BUDGET.homeFiles, [[realm, all.length]])).toEqual([]);
  },
);

test('texts · of pages whose search and title the entry has · come with these pages', () => {
  const entry = readFileSync(path.join(BUILT, chunkOf(entryOf()).file), 'utf8');
  const held = readdirSync(TEXTS, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .filter((file) => {
      const source = readFileSync(path.join(TEXTS, file), 'utf8');
      const words = [...source.matchAll(/'([A-Z][^'\\\n]{11,})'/g)].map(([, text = '']) => text);
      return words.filter((text) => entry.includes(text)).length > words.length / 2;
    });
  // Names of pages, refusals, and what is said while nothing answers.
  expect(held.toSorted()).toEqual(['common.ts', 'titles.ts', 'waiting.ts']);
});

test('documents · where a page shows some · come by themselves, within their budget', () => {
  const drawn = chunkOf(DOCUMENTS);
  expect(drawn.isDynamicEntry).toBe(true);
  expect(over(BUDGET.documents, [[DOCUMENTS, sizeOf(drawn.file)]])).toEqual([]);
  const eager = [entryOf(), ...pages()].filter((key) => allOf(key).has(DOCUMENTS));
  expect(eager).toEqual([]);
});

test('charts · where a page draws some · come by themselves, within their budget', () => {
  const drawn = manifest[CHARTS];
  // Until a page has one, nothing brings them.
  if (drawn === undefined) return;
  expect(drawn.isDynamicEntry).toBe(true);
  expect(over(BUDGET.charts, [[CHARTS, sizeOf(drawn.file)]])).toEqual([]);
  const eager = [entryOf(), ...pages()].filter((key) => allOf(key).has(CHARTS));
  expect(eager).toEqual([]);
});
