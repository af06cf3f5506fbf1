import { rm } from 'node:fs/promises';
import path from 'node:path';
import pg from 'pg';
import type { StandContext, StandPart } from './context.ts';
import { findPostgres, type PostgresBinaries } from './postgres-binaries.ts';
import {
  dataFolder,
  isInMemory,
  type Lasting,
  mendLock,
  POSTGRES_SUPERUSER,
  postgresHome,
  prepareData,
  readMade,
  runningServer,
} from './postgres-data.ts';
import type { UnixUser } from './processes.ts';
import { StandError } from './progress.ts';
import type { Service } from './service.ts';
import { runPart } from './supervise.ts';
import { postgresUser } from './unix-user.ts';

export interface PostgresNeeds {
  lasts: Lasting;
}

/**
 * POSTGRES_URL, or POSTGRES_OWNER_URL where both are given, because it makes databases; else binaries that
 * run on data of our own (see postgres-binaries.ts).
 */
export async function bringPostgres(context: StandContext, needs: PostgresNeeds): Promise<Service> {
  const { POSTGRES_URL: url, POSTGRES_OWNER_URL: owner } = context.env;
  if (url !== undefined && url !== '') {
    const [given, name] =
      owner === undefined ? [url, 'POSTGRES_URL'] : [owner, 'POSTGRES_OWNER_URL'];
    const refusal = await ask(given);
    if (refusal !== undefined) {
      throw new StandError(`${name} is set, but the server there does not answer: ${refusal}`);
    }
    return { address: given, origin: `from ${name}` };
  }
  // First of all it is installed: Debian's package also makes the user that runs it.
  await findPostgres(context, undefined);
  const user = await postgresUser();
  const home = postgresHome(context, user, needs.lasts);
  const binaries = await findPostgres(context, readMade(home)?.major);
  return await runOwn(context, { home, binaries, user, ...needs });
}

interface OwnServer extends PostgresNeeds {
  home: string;
  binaries: PostgresBinaries;
  user: UnixUser | undefined;
}

async function runOwn(context: StandContext, own: OwnServer): Promise<Service> {
  const { home, binaries, user } = own;
  const data = dataFolder(home);
  const { password } = await prepareData(context, home, { binaries, user });
  const running = runningServer(data);
  if (running) {
    const { pid, begun, port } = running;
    context.records.remember('postgres', { pid, begun, ports: { postgres: port } });
  }
  const port =
    running?.port ??
    (await context.ports.choose({
      variable: 'POSTGRES_PORT',
      last: context.records.lastPort('postgres'),
    }));
  const url = `postgres://${POSTGRES_SUPERUSER}:${password}@127.0.0.1:${port}/postgres`;
  if (isInMemory(home)) context.parts.push(removal(home));
  const part = await runPart(context, {
    name: 'postgres',
    title: 'PostgreSQL',
    command: path.join(binaries.folder, 'postgres'),
    args: serverArguments(data, port, own.lasts),
    cwd: data,
    user,
    logFile: path.join(home, 'postgres.log'),
    ports: { postgres: port },
    isHealthy: async () => (await ask(url)) === undefined,
    healthyWithinMs: 60_000,
    reusable: true,
    mend: () => {
      const mended = mendLock(data);
      if (mended !== undefined) context.progress.say(mended);
    },
    // SIGINT is PostgreSQL's fast shutdown: sessions are cut, everything is written.
    end: [
      { signal: 'SIGINT', waitMs: 20_000 },
      { signal: 'SIGQUIT', waitMs: 5_000 },
      { signal: 'SIGKILL', waitMs: 5_000 },
    ],
  });
  return {
    address: url,
    origin: `${part.origin}, version ${binaries.major}`,
    pid: () => part.pid(),
  };
}

/** Ended after the server, which was started later: memory is given back with the run. */
function removal(home: string): StandPart {
  return {
    name: "PostgreSQL's data",
    stop: async () => {
      await rm(home, { recursive: true, force: true });
    },
    kill: () => undefined,
  };
}

function serverArguments(data: string, port: number, lasts: Lasting): string[] {
  const settings = {
    listen_addresses: '127.0.0.1',
    // Paths of sockets have a length limit that deep folders exceed.
    unix_socket_directories: '',
    max_connections: '200',
    shared_buffers: '256MB',
    max_wal_size: lasts === 'RUN' ? '512MB' : '2GB',
    ...(lasts === 'POWER_CUT' ? {} : { fsync: 'off', full_page_writes: 'off' }),
  };
  const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  return ['-D', data, '-p', String(port), ...flags];
}

/** Undefined when the server takes a query, else its refusal. */
async function ask(url: string): Promise<string | undefined> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5_000 });
  client.on('error', () => undefined);
  try {
    await client.connect();
    await client.query('SELECT 1');
    await client.end();
    return undefined;
  } catch (error) {
    void client.end();
    return explain(error);
  }
}

/**
 * Makes sure that the database exists; answers its URL. A URL that names a database keeps it;
 * one that names the server's own `postgres` gets `name`.
 */
export async function createDatabase(serverUrl: string, name: string): Promise<string> {
  const url = new URL(serverUrl);
  const named = decodeURIComponent(url.pathname.slice(1));
  const database = named === '' || named === 'postgres' ? name : named;
  if (named === database && (await ask(serverUrl)) === undefined) return serverUrl;
  url.pathname = '/postgres';
  const client = new pg.Client({ connectionString: url.toString() });
  await client.connect();
  try {
    const { rowCount } = await client.query('SELECT 1 FROM pg_database WHERE datname = $1', [
      database,
    ]);
    if (rowCount === 0) await client.query(`CREATE DATABASE ${client.escapeIdentifier(database)}`);
  } finally {
    await client.end();
  }
  url.pathname = `/${encodeURIComponent(database)}`;
  return url.toString();
}

/** A refused connection to several addresses is an AggregateError without a message of its own. */
function explain(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(explain).join(', ');
  return error instanceof Error ? error.message : String(error);
}
