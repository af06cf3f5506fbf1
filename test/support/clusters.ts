import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { openContext, stopParts } from '../../dev/services/context.ts';
import { bringPostgres, createDatabase } from '../../dev/services/postgres.ts';
import { findPostgres, type PostgresBinaries } from '../../dev/services/postgres-binaries.ts';
import { runCommand } from '../../dev/services/processes.ts';
import { createProgress } from '../../dev/services/progress.ts';
import { connectPostgres, openPool } from '../../db/postgres.ts';
import { addressAs, type ApplicationRole } from '../../db/application-role.ts';
import { APPLICATION, rememberOwner, repairing, type TestDatabase } from './database.ts';

/** A PostgreSQL of its own: another initdb, another system identifier, its own transaction ids. */
export interface Cluster {
  binaries: PostgresBinaries;
  /** Of a database of that name, made when it is missing. */
  database(name: string): Promise<string>;
  stop(): Promise<void>;
}

/** From local binaries, wherever the other tests' server is; says what is missing where there are none. */
export async function freshCluster(): Promise<Cluster> {
  const made = mkdtempSync(path.join(os.tmpdir(), 'cluster-'));
  // The user that runs PostgreSQL must be let through, which mkdtemp's 0700 would forbid.
  const folder = path.join(made, 'stand');
  rmSync(made, { recursive: true });
  mkdirSync(folder, { recursive: true, mode: 0o755 });
  const { PATH, HOME } = process.env;
  const context = openContext({
    root: process.cwd(),
    dataDir: folder,
    env: { PATH, HOME },
    signal: new AbortController().signal,
    progress: createProgress(() => undefined),
  });
  const stop = async (): Promise<void> => {
    await stopParts(context);
    rmSync(made, { recursive: true, force: true });
  };
  try {
    const binaries = await findPostgres(context, undefined);
    const { address } = await bringPostgres(context, { lasts: 'RUN' });
    return { binaries, stop, database: async (name) => await createDatabase(address, name) };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** With the connections of a test database, but nothing is dropped when they close. */
export function openDatabase(
  address: string,
  /** Null: as an installation was that had one role. */
  role: ApplicationRole | null = APPLICATION,
): TestDatabase {
  const ownerUrl = repairing(address);
  const url = role === null ? address : addressAs(address, role);
  const db = rememberOwner(
    connectPostgres({ url, poolMax: 6, applicationName: 'restore-test' }),
    ownerUrl,
  );
  const appPool = openPool({ url, poolMax: 4, applicationName: 'restore-test-pool' });
  const pool = openPool({ url: ownerUrl, poolMax: 4, applicationName: 'restore-test-hand' });
  return {
    url,
    db,
    appPool,
    ownerUrl,
    pool,
    close: async () => {
      await db.sequelize.close();
      await appPool.end();
      await pool.end();
    },
  };
}

/** A whole database, through a file, into an empty one elsewhere. */
export async function dumpAndRestore(
  binaries: PostgresBinaries,
  urls: { from: string; to: string },
  file: string,
): Promise<void> {
  await run(binaries, 'pg_dump', ['--format=custom', `--file=${file}`, urls.from]);
  await run(binaries, 'pg_restore', [
    '--single-transaction',
    '--no-acl',
    `--dbname=${urls.to}`,
    file,
  ]);
}

async function run(binaries: PostgresBinaries, tool: string, args: string[]): Promise<void> {
  const result = await runCommand(toolOf(binaries, tool), args);
  if (result.code !== 0) throw new Error(`${tool} failed: ${result.stderr.trim()}`);
}

/** Beside the server's own binaries, where a link to them leads, or on the PATH. */
function toolOf({ folder, major }: PostgresBinaries, tool: string): string {
  const found = [
    folder,
    path.dirname(realpathSync(path.join(folder, 'postgres'))),
    ...(process.env['PATH'] ?? '').split(path.delimiter),
  ]
    .map((each) => path.join(each, tool))
    .find((each) => existsSync(each));
  if (found !== undefined) return found;
  throw new Error(
    `${tool} is missing: PostgreSQL ${major} is in ${folder} without its client programs. ` +
      `Install them (Debian, Ubuntu: apt-get install postgresql-client; macOS: brew install postgresql)`,
  );
}
