import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { REASONS } from '../domain/tracking/facts.ts';
import {
  effectsWithoutWhy,
  sequelizeValues,
  snakeCaseProperties,
  untranslatedTexts,
  latinMarks,
  bareBrackets,
  writtenStatuses,
} from './support/house-rules.ts';

/**
 * House rules that no linter knows. Each check is a function over files, so that the second half
 * can show it a planted violation.
 */
interface SourceFile {
  path: string;
  text: string;
}

const LINES_MAX = 300;
/** A page of the consoles: what is longer has a part, or a second page, inside. */
const PAGE_LINES_MAX = 180;

function trackedFiles(): SourceFile[] {
  return execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
    encoding: 'utf8',
  })
    .split('\n')
    .filter((path) => /\.(tsx?|mjs|cjs|md|sql|json|yml|html|css)$/.test(path) && existsSync(path))
    .filter((path) => path !== 'package-lock.json')
    .map((path) => ({ path, text: readFileSync(path, 'utf8') }));
}

const isSource = (file: SourceFile): boolean =>
  /\.(tsx?|mjs)$/.test(file.path) && !file.path.startsWith('test/');

/** Word to what to write instead. */
const BANNED_WORDS: [RegExp, string][] = [
  [/\b(TODO|FIXME|XXX|HACK)\b/, 'finish it, or open an issue'],
  [/@ts-(ignore|nocheck|expect-error)/, 'fix the type'],
  [/\bURL\.canParse\(/, 'parseUrl of domain/url.ts: canParse fails on Node 20 once optimised'],
  [/[▾▼▿]/u, 'the styles draw it, on every field and menu alike: .opens'],
  [/\bas any\b(?! [a-z])/, 'name the type'],
  [/catch\s*(\([^)]*\))?\s*\{\s*\}/, 'handle or let it through'],
  [/\.catch\(\(\) => (undefined|null|\{\})\)/, 'handle or let it through'],
];
const BANNED_FOLDERS = ['services', 'repositories', 'utils', 'common', 'helpers', 'lib'];
/** Registry hosts and machine paths do not belong in the project. */
const FOREIGN =
  /registry\.npmjs\.org|proxy\.golang\.org|deb\.debian\.org|files\.pythonhosted|\/root\/|\.\.\/shared\//;

/** Tables and transaction ids of the event log; the port's callers hold an opaque cursor instead. */
const EVENT_ORDER =
  /\b(event_inbox\w*|settlement_cursors|xid8?|seq|pg_current_xact_id|pg_control_system)\b|\bpg_(current_)?snapshot/;

/** This file plants violations. */
const isTestCode = (file: SourceFile): boolean =>
  file.path.startsWith('test/') && file.path.endsWith('.ts') && file.path !== 'test/tidy.test.ts';
const SLEEP = /\b(setTimeout|sleep|delay|waitForTimeout)\(/;
const importedFiles = ({ path: from, text }: SourceFile): string[] =>
  [...text.matchAll(/from '(\.[^']+)'/g)].map(([, to = '']) =>
    path.posix.join(path.posix.dirname(from), to),
  );

/** What a realm's pages share stands in folders with a dash, which are no addresses. */
const isPage = ({ path: at }: SourceFile): boolean =>
  at.startsWith('web/console/routes/') && !at.includes('/-');

const rules = {
  tooLong: (file: SourceFile) =>
    isSource(file) && file.text.split('\n').length > LINES_MAX + 1
      ? [`over ${LINES_MAX} lines`]
      : [],
  pageTooLong: (file: SourceFile) =>
    isPage(file) && file.text.split('\n').length > PAGE_LINES_MAX + 1
      ? [`a page over ${PAGE_LINES_MAX} lines`]
      : [],
  effectWithoutWhy: (file: SourceFile) =>
    file.path.startsWith('web/console/')
      ? effectsWithoutWhy(file.text).map((line) => `${line} has no comment why`)
      : [],
  untranslated: (file: SourceFile) =>
    /^web\/console\/texts\/.*\.ts$/.test(file.path)
      ? untranslatedTexts(file.text).map((text) => `"${text}" is no Chinese`)
      : [],
  latinMarks: (file: SourceFile) =>
    /^web\/console\/texts\/.*\.ts$/.test(file.path)
      ? latinMarks(file.text).map((text) => `"${text}" has a mark of Latin script in Chinese`)
      : [],
  bareBrackets: (file: SourceFile) =>
    /^web\/console\/(parts|routes)\//.test(file.path)
      ? bareBrackets(file.text).map((text) => `${text}: brackets are of useMarks`)
      : [],
  bannedWord: (file: SourceFile) =>
    isSource(file)
      ? BANNED_WORDS.filter(([word]) => word.test(file.text)).map(
          ([word, instead]) => `${word.source}: ${instead}`,
        )
      : [],
  bannedFolder: (file: SourceFile) =>
    file.path
      .split('/')
      .slice(0, -1)
      .filter(
        (part, depth) =>
          BANNED_FOLDERS.includes(part) && !(depth === 1 && file.path.startsWith('dev/services')),
      ),
  foreign: (file: SourceFile) =>
    file.path !== 'test/tidy.test.ts' && FOREIGN.test(file.text)
      ? ['names a host or path that is not ours']
      : [],
  envOutsideConfig: (file: SourceFile) =>
    isSource(file) &&
    /process\.env/.test(file.text) &&
    !/^(config\.ts|dev\/|api\/(main|server)\.ts|worker\/|web\/build\.ts|web\/console\/vite\.config\.ts)/.test(
      file.path,
    )
      ? ['reads process.env outside an entry point']
      : [],
  mocks: (file: SourceFile) =>
    file.path.startsWith('test/') &&
    file.path !== 'test/tidy.test.ts' &&
    /jest\.(mock|unstable_mockModule)\(|\b(it|test|describe)\.(skip|only|todo)\(/.test(file.text)
      ? ['mocks a module, or skips a test']
      : [],
  transactionElsewhere: (file: SourceFile) =>
    isSource(file) &&
    /sequelize\.transaction\(|\b(inTransaction|runOnce|runStep)\(/.test(file.text) &&
    !/^(activities\/|db\/postgres\.ts|worker\/)/.test(file.path)
      ? ['opens a transaction outside activities/']
      : [],
  eventOrderElsewhere: (file: SourceFile) =>
    isSource(file) &&
    EVENT_ORDER.test(file.text) &&
    // What the columns are is declared with every other table's.
    !/^db\/(events|tables|schema)\//.test(file.path)
      ? ['knows where events lie, or the order they are read in, outside db/events/']
      : [],
  testRoomsShareBySupport: (file: SourceFile) =>
    isTestCode(file)
      ? importedFiles(file)
          .filter((to) => to.startsWith('test/') && !to.startsWith('test/support/'))
          .filter((to) => path.dirname(to) !== path.dirname(file.path))
          .map((to) => `imports ${to}: what rooms share is in test/support`)
      : [],
  sleeps: (file: SourceFile) =>
    isTestCode(file) && file.path.endsWith('.test.ts')
      ? file.text
          .split('\n')
          .filter((line) => SLEEP.test(line) && !line.includes('<script>'))
          .map((line) => `${line.trim()}: wait with until(), or pause() with its reason`)
      : [],
  statusElsewhere: (file: SourceFile) =>
    file.path.endsWith('.ts') && /^(activities|api|db|worker)\//.test(file.path)
      ? writtenStatuses(file.text).map(
          (column) => `writes ${column}, which moves by db/schema/move.ts`,
        )
      : [],
  snakeCaseType: (file: SourceFile) =>
    // Shapes of stored JSON are declared with their tables.
    /^(activities|db|worker)\/(?!tables\/).*\.ts$/.test(file.path)
      ? snakeCaseProperties(file.text).map((name) => `${name}: rows are camelCase`)
      : [],
  sequelizeElsewhere: (file: SourceFile) =>
    isSource(file) &&
    file.path.endsWith('.ts') &&
    !/^db\/(postgres|schema\/models)\.ts$/.test(file.path)
      ? sequelizeValues(file.text).map(
          (name) => `imports ${name} of Sequelize, of which only types leave db/`,
        )
      : [],
} satisfies Record<string, (file: SourceFile) => string[]>;

const PLANTED: Record<keyof typeof rules, SourceFile> = {
  tooLong: { path: 'api/long.ts', text: '\n'.repeat(LINES_MAX + 2) },
  pageTooLong: {
    path: 'web/console/routes/x.tsx',
    text: '\n'.repeat(PAGE_LINES_MAX + 2),
  },
  effectWithoutWhy: { path: 'web/console/parts/x.tsx', text: 'const x = 1;\n  useEffect(() => {' },
  untranslated: {
    path: 'web/console/texts/x.ts',
    text: "export const x = texts({ en: { a: 'Save' }, zh: { a: 'Save all' } });",
  },
  latinMarks: {
    path: 'web/console/texts/x.ts',
    text: "export const x = texts({ en: { a: 'Name:' }, zh: { a: '名称:' } });",
  },
  bareBrackets: {
    path: 'web/console/parts/x.tsx',
    text: 'const x = (t, count) => `${t.views} (${count})`;',
  },
  bannedWord: { path: 'api/word.ts', text: '// TODO later' },
  bannedFolder: { path: 'api/utils/x.ts', text: '' },
  foreign: { path: 'docs/x.md', text: 'see ../shared/spec' },
  envOutsideConfig: { path: 'activities/x.ts', text: 'process.env.HOME' },
  mocks: { path: 'test/x.test.ts', text: "jest.mock('../db')" },
  transactionElsewhere: { path: 'api/x.ts', text: 'await inTransaction(db, run)' },
  eventOrderElsewhere: { path: 'db/queries/x.ts', text: 'WHERE i.xid < $1' },
  testRoomsShareBySupport: { path: 'test/support/x.ts', text: "import { y } from '../e2e/y.ts'" },
  sleeps: { path: 'test/api/x.test.ts', text: 'await sleep(200);' },
  statusElsewhere: { path: 'activities/x.ts', text: "`UPDATE sites SET status = 'PAUSED'`" },
  snakeCaseType: { path: 'db/queries/x.ts', text: 'interface Row { account_id: string }' },
  sequelizeElsewhere: { path: 'activities/x.ts', text: "import { Op } from 'sequelize';" },
};

/** The consoles' folders are addresses and realms: there a room is what lies on top. */
const roomOf = (path: string): string =>
  /^web\/console\/[^/]+(?=\/)/.exec(path)?.[0] ?? path.split('/').slice(0, -1).join('/');

/** Folders that hold code of the platform and not the file. */
function roomsWithout(files: readonly SourceFile[], name: string): string[] {
  const present = new Set(files.map(({ path }) => path));
  const rooms = files.filter(isSource).map(({ path }) => roomOf(path));
  return [...new Set(rooms)].filter((room) => room !== '' && !present.has(`${room}/${name}`));
}

const ROOT_FOLDERS = 'activities|api|db|dev|docs|domain|test|web|worker|workflows';
const NAMED_PATH = new RegExp(`\`((?:${ROOT_FOLDERS})/[\\w./-]+\\.(?:ts|mjs|md|yaml))\``, 'g');

/** Whole paths in backquotes that lead nowhere; a generated file is no loss. */
function lostPathsOf({ path, text }: SourceFile): string[] {
  return [...text.matchAll(NAMED_PATH)]
    .map(([, named = '']) => named)
    .filter((named) => !existsSync(named) && !existsSync(`${path.replace(/[^/]*$/, '')}${named}`))
    .map((named) => `${path}: ${named}`);
}

const POINTS = /^\| ((?:\d+\.\d+\.\d+(?:, )?)+) \| [12][^|]*\| (.*) \| ([^|]*) \|$/gm;

/** Whose line says `not met` anywhere is not met; what is met names a test, a command or why there is none. */
function pointsOf(text: string) {
  const counted = { met: 0, unmet: 0, others: 0, unshown: [] as string[] };
  for (const [line, points = '', , shown = ''] of text.matchAll(POINTS)) {
    const count = points.split(', ').length;
    if (line.includes('not ours')) counted.others += count;
    else if (line.includes('not met')) counted.unmet += count;
    else {
      counted.met += count;
      if (!/`(test\/|npm )|a document|nothing to show/.test(shown)) counted.unshown.push(points);
    }
  }
  return counted;
}

describe('tidy', () => {
  const files = trackedFiles();

  test.each(Object.keys(rules) as (keyof typeof rules)[])(
    'house rule %s · the whole tree · holds',
    (name) => {
      const broken = files.flatMap((file) =>
        rules[name](file).map((why) => `${file.path}: ${why}`),
      );
      expect(broken).toEqual([]);
    },
  );

  test.each(Object.keys(rules) as (keyof typeof rules)[])(
    'house rule %s · a planted violation · is caught',
    (name) => {
      expect(rules[name](PLANTED[name])).not.toEqual([]);
    },
  );

  test.each([
    '// FIXME soon',
    '// @ts-ignore',
    'new URL(x); URL.canParse(x)',
    'value as any;',
    'try { run() } catch {}',
    'run().catch(() => undefined)',
  ])('banned word · %s · is caught', (text) => {
    expect(rules.bannedWord({ path: 'api/word.ts', text })).toHaveLength(1);
  });

  test.each([
    'SELECT count(*) FROM event_inbox',
    'DROP TABLE event_inbox_20260101',
    'UPDATE settlement_cursors SET batches = 0',
    'ORDER BY i.xid, i.seq',
    "'0'::xid8",
    'pg_snapshot_xmin(pg_current_snapshot())',
    'pg_current_xact_id()',
  ])('order of events · %s · is caught outside the log, not inside', (text) => {
    expect(rules.eventOrderElsewhere({ path: 'activities/x.ts', text })).toHaveLength(1);
    expect(rules.eventOrderElsewhere({ path: 'db/events/x.ts', text })).toEqual([]);
  });

  test.each([
    ['test/support/make/x.ts', '../../faults/y.ts'],
    ['test/support/x.ts', '../api/y.test.ts'],
    ['test/faults/x.ts', '../e2e/y.ts'],
  ])('rooms of tests · %s imports %s · is caught', (from, to) => {
    const file = { path: from, text: `import { y } from '${to}';` };
    expect(rules.testRoomsShareBySupport(file)).toHaveLength(1);
  });

  test.each([
    'await new Promise((resolve) => setTimeout(resolve, 50));',
    'await page.waitForTimeout(250);',
    'await delay(10);',
  ])('a sleep · %s · is caught', (text) => {
    expect(rules.sleeps({ path: 'test/api/x.test.ts', text })).toHaveLength(1);
  });

  test('rooms · each folder with code · has a README', () => {
    expect(roomsWithout(files, 'README.md')).toEqual([]);
    expect(roomsWithout([{ path: 'api/new/x.ts', text: '' }], 'README.md')).toEqual(['api/new']);
    const page = { path: 'web/console/new/x/_in/y.tsx', text: '' };
    expect(roomsWithout([page], 'README.md')).toEqual(['web/console/new']);
  });

  test('documents · each path that they name · is there', () => {
    const documents = files.filter(
      ({ path }) => path.endsWith('.md') && !path.startsWith('docs/decisions/'),
    );
    expect(documents.flatMap(lostPathsOf)).toEqual([]);
    const planted = { path: 'docs/x.md', text: 'see `db/nowhere.ts` and `db/keys.ts`' };
    expect(lostPathsOf(planted)).toEqual(['docs/x.md: db/nowhere.ts']);
  });

  test('points of the ASVS · as docs/security.md has them · are counted, and each that is met names what shows it', () => {
    const { text } = files.find(({ path }) => path === 'docs/security.md') ?? { text: '' };
    const counted = pointsOf(text);
    expect(counted.unshown).toEqual([]);
    expect(text).toContain(`**${counted.met} of ${counted.met + counted.unmet} points are met**`);
    expect(text).toContain(`${counted.unmet} are not; ${counted.others} more`);
    const planted = '| 1.2.3, 1.2.4 | 2 | bound | - |\n| 1.2.5 | 1 | **not met**: none | - |';
    expect(pointsOf(planted)).toEqual({ met: 2, unmet: 1, others: 0, unshown: ['1.2.3, 1.2.4'] });
  });

  test.each([
    ['sites.status', "UPDATE sites SET status = 'PAUSED' WHERE id = $1"],
    ['accounts.kyc_status', 'UPDATE accounts a SET version = version + 1, kyc_status = $2'],
    [
      'tasks.status',
      "INSERT INTO tasks (id) VALUES ($1) ON CONFLICT (id) DO UPDATE SET status = 'open'",
    ],
    [
      'payouts.state',
      "UPDATE payouts SET tries = (SELECT max(n) FROM x), state = 'SENT' WHERE id = $1",
    ],
    ['${table}.status', 'UPDATE ${table} SET status = $1'],
  ])('status · %s written by SQL · is caught', (column, sql) => {
    expect(writtenStatuses(`\`${sql}\``)).toEqual([column]);
  });

  test.each([
    'UPDATE idempotency_keys SET status = $4',
    "UPDATE operations SET ${set}, phase = $2 WHERE status = 'queued'",
    "UPDATE mails m SET attempts = attempts + CASE WHEN m.status = 'QUEUED' THEN 1 ELSE 0 END",
    'SELECT id FROM tasks WHERE status = $1 FOR UPDATE',
  ])('status · %s · is nothing that moves one', (sql) => {
    expect(writtenStatuses(`\`${sql}\``)).toEqual([]);
  });

  test.each([
    ['in an interface', 'interface Row { id: string; account_id?: string }'],
    ['in a type', 'type Row = { id: string } & { account_id: string };'],
    ['of a query', 'await sql.query<{ account_id: string }>(text);'],
  ])('snake_case · a property %s · is caught', (_where, text) => {
    expect(snakeCaseProperties(text)).toEqual(['account_id']);
  });

  test.each([
    ['of a value', 'log.warn({ outbox_id: 7 });'],
    [
      'of a wire format',
      '/** An answer of the provider: a wire format. */\ninterface Answer { b64_json: string }',
    ],
  ])('snake_case · a property %s · is let through', (_where, text) => {
    expect(snakeCaseProperties(text)).toEqual([]);
  });

  test.each([
    ['// Why.\n  useEffect(() => {', []],
    ['/** Why. */\nuseLayoutEffect(() => {', []],
    ['const x = 1;\n  useLayoutEffect(draw);', ['useLayoutEffect(draw);']],
  ])('effect · %j · says why, or is caught', (text, caught) => {
    expect(effectsWithoutWhy(text)).toEqual(caught);
  });

  test.each([
    ["zh: { a: '保存', b: { c: 'CSV' }, d: (n) => `${n} 个` }", []],
    ["zh: { a: '保存', b: { c: 'Nothing here yet' } }", ['Nothing here yet']],
    ['zh: { a: (n) => `${n} found` }', ['… found']],
    ["zh: { a: (n) => (n === 1 ? 'ads.txt' : '网站') }", []],
  ])('Chinese · %s · is Chinese, or is caught', (zh, caught) => {
    expect(untranslatedTexts(`texts({ en: { a: 'Save' }, ${zh} });`)).toEqual(caught);
  });

  test.each([
    ["zh: { a: '名称（备注）：', b: { c: 'ads.txt: OK' }, d: (n) => `${n} 个，共 ${n} 个` }", []],
    ["zh: { a: '名称(备注)' }", ['名称(备注)']],
    ["zh: { a: { b: '名称:' } }", ['名称:']],
    ['zh: { a: (n) => `名称,${n}` }', ['名称,…']],
  ])('Chinese · %s · has marks of its own, or is caught', (zh, caught) => {
    expect(latinMarks(`texts({ en: { a: 'Name (note)' }, ${zh} });`)).toEqual(caught);
  });

  test.each([
    ['`${t.views} (${count})`', ['} (${count})']],
    ['{isShared && ` (${t.shared})`}', ['` (${t.shared})']],
    ['`${t.views}${open}${count}${close}` + of(`${a}`, (b) => `${b}`)', []],
  ])('brackets · %s · are of useMarks, or are caught', (text, caught) => {
    expect(bareBrackets(text)).toEqual(caught);
  });

  test.each([
    ["import { Op } from 'sequelize';", ['Op']],
    ["import { Op, type Transaction } from 'sequelize';", ['Op']],
    ["import type { Transaction } from 'sequelize';", []],
    ["import { type Transaction } from 'sequelize';", []],
  ])('Sequelize · %s · lets only types out', (text, values) => {
    expect(sequelizeValues(text)).toEqual(values);
  });

  test('glossary · every reason an event is not billed · is explained', () => {
    const glossary = readFileSync('docs/GLOSSARY.md', 'utf8');
    expect(REASONS.filter((reason) => !glossary.includes(reason))).toEqual([]);
  });

  test('config · every environment variable · is in the README', () => {
    const readme = readFileSync('README.md', 'utf8');
    const names = [...readFileSync('config.ts', 'utf8').matchAll(/^ {2}([A-Z][A-Z_]+):/gm)].map(
      (m) => m[1] ?? '',
    );
    expect(names.length).toBeGreaterThan(20);
    expect(names.filter((name) => !readme.includes(name))).toEqual([]);
  });

  test('lock file · as committed · holds no registry address and one protobufjs 8', () => {
    const lock = readFileSync('package-lock.json', 'utf8');
    expect(lock).not.toMatch(/"resolved": *"http/);
    const packages = (JSON.parse(lock) as { packages: Record<string, { version?: string }> })
      .packages;
    expect(packages['node_modules/protobufjs']?.version).toMatch(/^8\./);
  });
});
