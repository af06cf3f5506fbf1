import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import pg from 'pg';
import { MIGRATIONS_DIR } from '../../db/migrate.ts';
import { serviceUrl } from './database.ts';

/** A database as a build of before left it: with the migrations before `since`, and no rows. */
export interface OldDatabase {
  url: string;
  /** Owns all of it. */
  owner: pg.Client;
  /** Migrations that it has not had. */
  toCome: string[];
  /** Answers the row's id. */
  add: (table: string, row: Record<string, unknown>) => Promise<number>;
  close: () => Promise<void>;
}

async function asAdmin(sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: serviceUrl('POSTGRES_URL') });
  await client.connect();
  await client.query(sql);
  await client.end();
}

export async function databaseBefore(since: string): Promise<OldDatabase> {
  const name = `adp_old_${randomBytes(6).toString('hex')}`;
  await asAdmin(`CREATE DATABASE ${name}`);
  const url = new URL(serviceUrl('POSTGRES_URL'));
  url.pathname = `/${name}`;
  const owner = new pg.Client({ connectionString: url.toString() });
  await owner.connect();
  await owner.query(
    'CREATE TABLE schema_migrations (name text PRIMARY KEY, applied_at timestamptz NOT NULL DEFAULT now())',
  );
  const files = readdirSync(MIGRATIONS_DIR).sort();
  for (const file of files.filter((each) => each < since)) {
    await owner.query(readFileSync(path.join(MIGRATIONS_DIR, file), 'utf8'));
    await owner.query('INSERT INTO schema_migrations (name) VALUES ($1)', [file]);
  }
  return {
    url: url.toString(),
    owner,
    toCome: files.filter((each) => each >= since),
    add: async (table, row) => {
      const names = Object.keys(row);
      const { rows } = await owner.query<{ id: string }>(
        `INSERT INTO ${table} (${names.join(', ')}) VALUES (${names.map((_, i) => `$${i + 1}`).join(', ')}) RETURNING id`,
        Object.values(row),
      );
      return Number(rows[0]?.id);
    },
    close: async () => {
      await owner.end();
      await asAdmin(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
    },
  };
}
