import { readFile, readdir } from 'node:fs/promises';
import path from 'node:path';
import pg from 'pg';
import { Umzug, type UmzugStorage } from 'umzug';
import { grantApplication, roleOf } from './application-role.ts';
import { eventDays } from './events/event-days.ts';

export const MIGRATIONS_DIR = path.join(process.cwd(), 'db', 'migrations');

/** Any constant: one migration run at a time over all processes. */
const MIGRATION_LOCK = 7_210_101;

/**
 * Brings the schema up to date as its owner; answers the names that were applied. Each file and its
 * record commit together, so a crash leaves whole migrations only. The role of `applicationUrl`, where it is
 * another one than the owner's, is made and given what it may do (db/application-role.ts).
 */
export async function migrate(ownerUrl: string, applicationUrl = ownerUrl): Promise<string[]> {
  const application = roleOf(applicationUrl);
  const client = new pg.Client({ connectionString: ownerUrl });
  await client.connect();
  try {
    await client.query('SELECT pg_advisory_lock($1)', [MIGRATION_LOCK]);
    // Rows of before are written past approvals (0250-repairs.sql); it ends with the connection.
    await client.query(`SET adplatform.repairs = 'on'`);
    await client.query(
      'CREATE TABLE IF NOT EXISTS schema_migrations (name text PRIMARY KEY, applied_at timestamptz NOT NULL DEFAULT now())',
    );
    const files = (await readdir(MIGRATIONS_DIR)).filter((name) => name.endsWith('.sql')).sort();
    const umzug = new Umzug({
      migrations: files.map((name) => ({
        name,
        up: async () => {
          const sql = await readFile(path.join(MIGRATIONS_DIR, name), 'utf8');
          await client.query('BEGIN');
          try {
            await client.query(sql);
            await client.query('INSERT INTO schema_migrations (name) VALUES ($1)', [name]);
            await client.query('COMMIT');
          } catch (error) {
            await client.query('ROLLBACK');
            throw new Error(`migration ${name} failed`, { cause: error });
          }
        },
      })),
      storage: migrationStorage(client),
      logger: undefined,
    });
    const applied = await umzug.up();
    await eventDays.make(client, 9);
    if (application.name !== roleOf(ownerUrl).name) await grantApplication(client, application);
    return applied.map((migration) => migration.name);
  } finally {
    await client.end();
  }
}

function migrationStorage(client: pg.Client): UmzugStorage {
  return {
    // The migration itself writes its record, in its own transaction.
    logMigration: () => Promise.resolve(),
    unlogMigration: ({ name }) => Promise.reject(new Error(`${name}: migrations only go forward`)),
    executed: async () => {
      const { rows } = await client.query<{ name: string }>(
        'SELECT name FROM schema_migrations ORDER BY name',
      );
      return rows.map((row) => row.name);
    },
  };
}
