import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { SCHEDULED_FLOWS } from '../workflows/contracts/schedules.ts';
import { SEARCH_ATTRIBUTES } from '../workflows/contracts/search-attributes.ts';
import { createTestDatabase } from './support/database.ts';

/** Whoever is woken at night types what these pages say: it is there, by the names that they give it. */
const FOLDER = 'docs/runbooks';
const pages = readdirSync(FOLDER)
  .filter((name) => name !== 'README.md')
  .map((name) => ({ name, text: readFileSync(path.join(FOLDER, name), 'utf8') }));
const index = readFileSync(path.join(FOLDER, 'README.md'), 'utf8');

/** What stands between backquotes, in lines or in blocks. */
const cited = pages.flatMap(({ name, text }) => {
  const blocks = [...text.matchAll(/^ *```\w*\n([^]*?)^ *```/gm)].map(([, code = '']) => code);
  const inLines = text.replace(/^ *```[^]*?^ *```/gm, '');
  const spans = [...inLines.matchAll(/`([^`]+)`/g)].map(([, code = '']) => code);
  return [...blocks, ...spans].map((code) => ({ name, code: code.replace(/\s+/g, ' ').trim() }));
});
/** Those that are so, and what of them is nowhere. */
const lost = (
  like: RegExp,
  isThere: (part: string) => boolean,
): { found: number; lost: string[] } => {
  const found = cited.flatMap(({ name, code }) =>
    [...code.matchAll(like)].map(([, part = '']) => ({ name, part })),
  );
  const gone = found.filter(({ part }) => !isThere(part));
  return { found: found.length, lost: gone.map(({ name, part }) => `${name}: ${part}`) };
};

test('each alert · names a page, and the list of pages names the alert beside it; each page is in the list', () => {
  const rules = readFileSync('ops/prometheus/alerts.yml', 'utf8')
    .split(/^ *- alert: /m)
    .slice(1);
  expect(rules.length).toBeGreaterThan(15);
  const rows = index.split('\n').filter((line) => line.startsWith('| '));
  const unlisted = rules.filter((rule) => {
    const [alert = ''] = rule.split('\n');
    const [, page = 'none'] = /^ *runbook: docs\/runbooks\/(\S+)$/m.exec(rule) ?? [];
    const row = rows.find((line) => line.includes(`\`${alert}\``)) ?? '';
    return !row.includes(`](${page})`);
  });
  expect(unlisted).toEqual([]);
  expect(pages.filter(({ name }) => !index.includes(`](${name})`))).toEqual([]);
  const listed = [...index.matchAll(/`([A-Z][a-z]+(?:[A-Z][a-z]+)+)`/g)].map(([, name]) => name);
  expect(listed.filter((name) => !rules.some((rule) => rule.startsWith(`${name}\n`)))).toEqual([]);
});

test('files and programs that pages name · are there', () => {
  expect(lost(/^((?:test|db|dev|worker|domain|api|docs)\/[\w./-]+)$/g, existsSync)).toEqual({
    found: expect.any(Number),
    lost: [],
  });
  const program = (file: string): boolean => existsSync(file.replace(/\.js$/, '.ts'));
  expect(lost(/(?:npx tsx|node dist\/)\s*([\w./-]+)/g, program)).toEqual({
    found: expect.any(Number),
    lost: [],
  });
  const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: object };
  const known = new Set(Object.keys(scripts));
  expect(lost(/\bnpm (?:run )?(\w[\w:-]*)/g, (name) => known.has(name)).lost).toEqual([]);
  const admin = readFileSync('dev/admin.ts', 'utf8');
  const verbs = lost(/\badmin(?:\.[tj]s)? ([a-z][\w-]+)/g, (verb) =>
    admin.includes(`verb === '${verb}'`),
  );
  expect(verbs.found).toBeGreaterThan(4);
  expect(verbs.lost).toEqual([]);
  const compose = readFileSync('docker-compose.yml', 'utf8');
  const service = (name: string): boolean => compose.includes(`\n  ${name}:\n`);
  expect(lost(/docker-compose run (?:--rm )?(\w+)/g, service)).toEqual({ found: 1, lost: [] });
});

test('schedules and search attributes that pages have Temporal look for · are there', () => {
  const ids = SCHEDULED_FLOWS.map(({ scheduleId }) => scheduleId);
  const schedules = lost(/--schedule-id ([\w-]+)/g, (id) => ids.includes(id));
  expect(schedules.found).toBeGreaterThan(1);
  expect(schedules.lost).toEqual([]);
  const temporals = ['ExecutionStatus', 'TemporalReportedProblems', 'WorkflowType', 'WorkflowId'];
  const attributes = new Set([...Object.keys(SEARCH_ATTRIBUTES), ...temporals]);
  const queries = cited.flatMap(({ code }) =>
    [...code.matchAll(/--query "([^"]+)"/g)].map(([, query = '']) => query),
  );
  expect(queries.length).toBeGreaterThan(2);
  const asked = queries.flatMap((query) => [...query.matchAll(/\b([A-Z]\w+) (?:=|IS|IN|<)/g)]);
  expect(asked.map(([, name = '']) => name).filter((name) => !attributes.has(name))).toEqual([]);
});

test('what pages have the API asked · are routes', () => {
  const spec = readFileSync('docs/openapi.yaml', 'utf8');
  const routes = [...spec.matchAll(/^  '?(\/[^\s':]*)'?:\n(?:(?: {4}.*)?\n)*/gm)].map(
    ([block, route = '']) => ({
      pattern: new RegExp(`^${route.replaceAll(/\{\w+\}/g, '[^/]+')}$`),
      verbs: [...block.matchAll(/^ {4}(get|post|put|patch|delete):/gm)].map(([, verb]) => verb),
    }),
  );
  const route = (asked: string): boolean => {
    const [verb = '', address = ''] = asked.split(' ');
    const [bare = ''] = address.split('?');
    return routes.some(
      ({ pattern, verbs }) => pattern.test(bare) && verbs.includes(verb.toLowerCase()),
    );
  };
  const asked = lost(/((?:GET|POST|PUT|PATCH|DELETE) \/api\/\S+)/g, route);
  expect(asked.found).toBeGreaterThan(3);
  expect(asked.lost).toEqual([]);
});

test('what pages have the database asked · is planned by it', async () => {
  const statements = cited
    .map(
      ({ code }) =>
        /^(?:psql \$PG -c ")?((?:SELECT|UPDATE|DELETE) [^…"]+)(?:"|;)?$/.exec(code)?.[1],
    )
    .filter((sql) => sql !== undefined);
  expect(statements.length).toBeGreaterThan(5);
  const database = await createTestDatabase();
  try {
    for (const sql of statements) {
      await database.pool.query(`EXPLAIN ${sql.replaceAll(/\$\w+/g, '1')}`);
    }
  } finally {
    await database.close();
  }
});

test('words that pages quote, settings of the environment and names of outcomes · are of the code', () => {
  const folders = ['activities', 'api', 'db', 'domain', 'metrics', 'workflows', 'worker'];
  const files = folders.flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) =>
      path.join(folder, name),
    ),
  );
  const code = [...files, ...readdirSync('.')]
    .filter((file) => /\.(?:ts|sql)$/.test(file) || file === 'docker-compose.yml')
    .map((file) => readFileSync(file, 'utf8'))
    .join('\n');
  const named = lost(/^([A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+)$/g, (name) => code.includes(name));
  expect(named.found).toBeGreaterThan(20);
  expect(named.lost).toEqual([]);
});
