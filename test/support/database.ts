import { createHash, randomBytes, randomInt } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import pg from 'pg';
import { addressAs, type ApplicationRole } from '../../db/application-role.ts';
import { MIGRATIONS_DIR, migrate } from '../../db/migrate.ts';
import { connectPostgres, type Db, openPool } from '../../db/postgres.ts';
import { withOwnClock } from './moved-time.ts';

/** Each test file gets a database of its own, cloned from a migrated template in about 50 ms. */
export interface TestDatabase {
  /** The application's address, which everything under test is given. */
  url: string;
  db: Db;
  /** The application's too, for what takes a plain pool. */
  appPool: pg.Pool;
  ownerUrl: string;
  /** The owner's, who repairs: a test's own hand, which sets up and looks, and may do what nobody else may. */
  pool: pg.Pool;
  /** Closes the connections and drops the database. */
  close(): Promise<void>;
}

export function serviceUrl(name: 'POSTGRES_URL' | 'REDIS_URL' | 'TEMPORAL_ADDRESS'): string {
  const value = process.env[name];
  if (value === undefined || value === '') {
    throw new Error(`${name} is not set: run the tests with "npm test", which starts the services`);
  }
  return value;
}

/** One for all databases of a server; a throw-away one, reached from this machine only. */
export const APPLICATION: ApplicationRole = { name: 'adp_test_app', password: 'application' };

/** The owner's address of a database, and its connection once somebody has asked for it. */
const OWNERS = new WeakMap<Db, { url: string; db?: Db }>();

/** The owner's hand on a database that is at hand as the application's: what approvals do not hold. */
export async function asOwner<Result>(
  db: Db,
  run: (owner: Db) => Promise<Result>,
): Promise<Result> {
  const owner = OWNERS.get(db);
  if (owner === undefined) return await run(db);
  owner.db ??= connectPostgres({ url: owner.url, poolMax: 1, applicationName: 'test-owner' });
  return await run(owner.db);
}

export function rememberOwner(db: Db, ownerUrl: string): Db {
  OWNERS.set(db, { url: ownerUrl });
  return db;
}

/** Before the database goes. */
async function forgetOwner(db: Db): Promise<void> {
  await OWNERS.get(db)?.db?.sequelize.close();
  OWNERS.delete(db);
}

/** Ids of rows are the same in every test, so counters keyed by them must not meet. */
let given = randomInt(0, 5);

/** A database of Redis that no suite beside this one uses. */
export function ownRedisUrl(): string {
  const url = new URL(serviceUrl('REDIS_URL'));
  // Redis has sixteen: five of its own for each of three workers, in turn.
  const worker = Number(process.env['JEST_WORKER_ID'] ?? '1');
  given = (given + 1) % 5;
  url.pathname = `/${1 + ((worker - 1) % 3) * 5 + given}`;
  return url.toString();
}

export async function prepareTemplateDatabase(): Promise<void> {
  const name = templateName();
  await asAdmin(async (client) => {
    // Two runs that begin at once on one server: the second finds what the first has made.
    await client.query('SELECT pg_advisory_lock(7210103)');
    const { rowCount } = await client.query('SELECT 1 FROM pg_database WHERE datname = $1', [name]);
    if (rowCount !== 0) return;
    const draft = `${name}_${randomBytes(4).toString('hex')}`;
    await client.query(`CREATE DATABASE ${draft}`);
    await migrate(urlOf(draft), addressAs(urlOf(draft), APPLICATION));
    await client.query(`ALTER DATABASE ${draft} RENAME TO ${name}`);
  });
}

/** `ownClock`: one that movedTime moves (moved-time.ts). */
export async function createTestDatabase({ ownClock = false } = {}): Promise<TestDatabase> {
  const name = `adp_test_${randomBytes(6).toString('hex')}`;
  await asAdmin(async (client) => {
    // Two clones at once would each find the template in use: one waits for the other.
    await client.query('SELECT pg_advisory_lock(7210102)');
    await client.query(`CREATE DATABASE ${name} TEMPLATE ${templateName()}`);
    // A clone has the grants of its tables, not those of its database.
    await client.query(`REVOKE ALL ON DATABASE ${name} FROM PUBLIC`);
    await client.query(`GRANT CONNECT ON DATABASE ${name} TO ${APPLICATION.name}`);
  });
  if (ownClock) await withOwnClock(urlOf(name));
  const ownerUrl = repairing(urlOf(name));
  const url = addressAs(urlOf(name), APPLICATION);
  const db = rememberOwner(
    connectPostgres({ url, poolMax: 10, applicationName: 'test' }),
    ownerUrl,
  );
  const appPool = openPool({ url, poolMax: 6, applicationName: 'test-pool' });
  const pool = openPool({ url: ownerUrl, poolMax: 6, applicationName: 'test-hand' });
  await pool.query('SELECT ensure_event_partitions(current_date - 1, 3)');
  return {
    url,
    db,
    appPool,
    ownerUrl,
    pool,
    close: async () => {
      await forgetOwner(db);
      await db.sequelize.close();
      await appPool.end();
      await pool.end();
      await asAdmin((client) => client.query(`DROP DATABASE ${name} WITH (FORCE)`));
    },
  };
}

function templateName(): string {
  const hash = createHash('sha256');
  const migrations = readdirSync(MIGRATIONS_DIR).map((file) => path.join(MIGRATIONS_DIR, file));
  // What the application may do is part of what a migrated database is.
  for (const file of [...migrations.sort(), 'db/application-role.ts']) {
    hash.update(readFileSync(file));
  }
  return `adp_template_${hash.digest('hex').slice(0, 12)}`;
}

/** The owner's address as of one who repairs: approvals do not hold his connections (0250-repairs.sql). */
export function repairing(ownerUrl: string): string {
  const url = new URL(ownerUrl);
  url.searchParams.set('options', '-cadplatform.repairs=on');
  return url.toString();
}

function urlOf(database: string): string {
  const url = new URL(serviceUrl('POSTGRES_URL'));
  url.pathname = `/${database}`;
  return url.toString();
}

async function asAdmin<Result>(run: (client: pg.Client) => Promise<Result>): Promise<Result> {
  const client = new pg.Client({ connectionString: urlOf('postgres') });
  await client.connect();
  try {
    return await run(client);
  } finally {
    await client.end();
  }
}
