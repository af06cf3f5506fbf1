import { columnsOf, readRows, type RowOf, select } from '../../../db/schema/selection.ts';
import { type Row, sqlName, table, type Table } from '../../../db/schema/table.ts';
import { ref, text, time, whole, word } from '../../../db/schema/column.ts';
import type { SqlRunner } from '../../../db/sql-runner.ts';
import { runner } from '../../../db/postgres.ts';
import { TABLES } from '../../../db/tables/index.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';

/** Every declaration of db/tables against the database that the migrations make, both ways. */
let database: TestDatabase;
let found: Map<string, Map<string, FoundColumn>>;

interface FoundColumn {
  type: string;
  isNull: boolean;
  hasDefault: boolean;
  /** Of a CHECK that is a list of words. */
  words: string[] | null;
}

/** Read by the runner of migrations and by the database's own functions alone. */
const FOREIGN_TABLES = new Set(['schema_migrations', 'approval_kinds', 'ledger_moves']);

beforeAll(async () => {
  database = await createTestDatabase();
  found = await readSchema(runner(database.db));
});
afterAll(async () => await database.close());

async function readSchema(sql: SqlRunner): Promise<Map<string, Map<string, FoundColumn>>> {
  const { rows } = await sql.query<
    FoundColumn & { table: string; column: string; check: string | null }
  >(
    `SELECT c.table_name AS table, c.column_name AS column, c.data_type AS type,
            c.is_nullable = 'YES' AS "isNull",
            c.column_default IS NOT NULL OR c.is_identity = 'YES' AS "hasDefault",
            (SELECT pg_get_constraintdef(k.oid) FROM pg_constraint k
             WHERE k.contype = 'c' AND k.conrelid = r.oid AND k.conkey = ARRAY[a.attnum]
               AND pg_get_constraintdef(k.oid) LIKE '%= ANY (%' LIMIT 1) AS check
     FROM information_schema.columns c
     JOIN pg_class r ON r.relname = c.table_name AND r.relnamespace = 'public'::regnamespace
     JOIN pg_attribute a ON a.attrelid = r.oid AND a.attname = c.column_name
     WHERE c.table_schema = 'public' AND NOT r.relispartition AND r.relkind IN ('r', 'p')`,
  );
  const tables = new Map<string, Map<string, FoundColumn>>();
  for (const { table: name, column, check, ...rest } of rows) {
    const columns = tables.get(name) ?? new Map<string, FoundColumn>();
    const words = check === null ? null : [...check.matchAll(/'([^']*)'/g)].map((m) => m[1] ?? '');
    columns.set(column, { ...rest, words });
    tables.set(name, columns);
  }
  return tables;
}

/** Everything in which a declaration and the database differ. */
function differences(declared: Table, columns: Map<string, FoundColumn> | undefined): string[] {
  if (columns === undefined) return [`${declared.name} is not in the database`];
  const faults: string[] = [];
  const named = new Map(
    Object.entries(declared.columns).map(([property, column]) => [
      sqlName(declared, property),
      column,
    ]),
  );
  for (const [name, column] of named) {
    const real = columns.get(name);
    if (real === undefined) {
      faults.push(`${declared.name}.${name} is not in the database`);
      continue;
    }
    const say = (what: string, ours: unknown, theirs: unknown): void => {
      if (JSON.stringify(ours) === JSON.stringify(theirs)) return;
      faults.push(
        `${declared.name}.${name}: ${what} ${JSON.stringify(ours)}, in the database ${JSON.stringify(theirs)}`,
      );
    };
    if (!column.kind.types.includes(real.type)) say('type', column.kind.types, real.type);
    say('null', column.isNull, real.isNull);
    say('default', column.hasDefault, real.hasDefault);
    say('words', column.words?.toSorted() ?? null, real.words?.toSorted() ?? null);
  }
  for (const name of columns.keys()) {
    if (!named.has(name)) faults.push(`${declared.name}.${name} is not declared`);
  }
  return faults;
}

describe('db/tables', () => {
  test('declarations · against information_schema · are what the migrations made', () => {
    const all: Table[] = Object.values(TABLES);
    expect(all.flatMap((declared) => differences(declared, found.get(declared.name)))).toEqual([]);
  });

  test('the database · against the declarations · has no table that nobody declares', () => {
    const declared = new Set(Object.values(TABLES).map(({ name }) => name));
    const missing = [...found.keys()].filter(
      (name) => !declared.has(name) && !FOREIGN_TABLES.has(name),
    );
    expect(missing).toEqual([]);
  });

  test('a planted difference · of each kind · is caught', () => {
    const planted = table('settings', {
      key: word(['A']),
      value: text(),
      version: whole().orNull().byDefault(),
      updatedAt: time(),
      updatedBy: ref().orNull(),
      invented: whole(),
    });
    expect(differences(planted, found.get('settings'))).toEqual([
      'settings.key: words ["A"], in the database null',
      'settings.value: type ["text","character"], in the database "jsonb"',
      'settings.version: null true, in the database false',
      'settings.updated_at: default false, in the database true',
      'settings.invented is not in the database',
    ]);
    const short = table('campaign_totals', {
      campaignId: TABLES.campaignTotals.columns.campaignId,
    });
    expect(differences(short, found.get('campaign_totals'))).toContain(
      'campaign_totals.spent_nanos is not declared',
    );
  });
});

type IsAny<Value> = 0 extends 1 & Value ? true : false;
/** Names of the columns of a row whose type was lost. */
type Lost<Each> = {
  [Name in keyof Each]: IsAny<Each[Name]> extends true ? Name : never;
}[keyof Each];

type LostAnywhere = {
  [Name in keyof typeof TABLES]: Lost<Row<(typeof TABLES)[Name]>>;
}[keyof typeof TABLES];

describe('row types', () => {
  test('of every table · in the compiler · none is lost', () => {
    // Does not compile when a column of any table has become `any`.
    const isWhole: [LostAnywhere] extends [never] ? true : LostAnywhere = true;
    // The question itself can be answered with a column's name.
    const planted: Lost<{ id: number; name: ReturnType<typeof JSON.parse> }> = 'name';
    expect([isWhole, planted]).toEqual([true, 'name']);
  });
});

describe('a selection', () => {
  test('of named columns · read · has these and no others, also by its type', () => {
    const named = select(columnsOf(TABLES.accounts, 'a', ['id', 'kycStatus']));
    // Does not compile when the type has a column that was not named.
    const row: RowOf<typeof named> = { id: 7, kycStatus: 'pending' };
    expect(named.read({ id: '7', kycStatus: 'pending', email: 'a@b.c' })).toEqual(row);
  });

  test('of every table · whole · is SQL that PostgreSQL takes', async () => {
    for (const declared of Object.values(TABLES) as Table[]) {
      const all = select(columnsOf(declared, 't'));
      const statement = `SELECT ${all.list} FROM ${declared.name} t LIMIT 1`;
      await expect(readRows(runner(database.db), all, statement)).resolves.toBeInstanceOf(Array);
    }
  });
});
