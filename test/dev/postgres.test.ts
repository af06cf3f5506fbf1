import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { readFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { openContext, type StandContext, stopParts } from '../../dev/services/context.ts';
import { bringPostgres, createDatabase } from '../../dev/services/postgres.ts';
import {
  dataFolder,
  isInMemory,
  type Lasting,
  postgresHome,
  readMade,
} from '../../dev/services/postgres-data.ts';
import { isRunning, processBegun } from '../../dev/services/processes.ts';
import { createProgress } from '../../dev/services/progress.ts';
import { isRecord, parse, writeJson } from '../../dev/services/records.ts';
import { canEnter, postgresUser } from '../../dev/services/unix-user.ts';
import { until } from '../support/until.ts';

/** A real server per test, on data of its own; about a second each. */
const NEEDS = { lasts: 'KILL' } as const;

let folder: string;
let said: string[];
const open: StandContext[] = [];
/** Ends a stand as kill -9 would: it does nothing more, and what it started goes on. */
const abandoned = new WeakMap<StandContext, AbortController>();

beforeEach(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'stand-'));
  // As a clone is: others may pass through, which mkdtemp's 0700 would forbid.
  rmSync(folder, { recursive: true });
  mkdirSync(folder, { mode: 0o755 });
  said = [];
});

afterEach(async () => {
  for (const context of open.splice(0)) await stopParts(context);
  rmSync(folder, { recursive: true, force: true });
});

function abandon(context: StandContext): void {
  abandoned.get(context)?.abort();
  context.parts.splice(0);
}

function stand(dataDir = folder): StandContext {
  const abort = new AbortController();
  const { PATH, HOME } = process.env;
  const context = openContext({
    root: process.cwd(),
    dataDir,
    env: { PATH, HOME },
    signal: abort.signal,
    progress: createProgress((line) => said.push(line)),
  });
  open.push(context);
  abandoned.set(context, abort);
  return context;
}

async function query(url: string, sql: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(sql)).rows;
  } finally {
    await client.end();
  }
}

async function homeOf(context: StandContext, lasts: Lasting = NEEDS.lasts): Promise<string> {
  return postgresHome(context, await postgresUser(), lasts);
}

describe('PostgreSQL of a stand', () => {
  test('data · the stand starts a second time · what was written is there, on the same port', async () => {
    const first = stand();
    const before = await bringPostgres(first, NEEDS);
    await query(before.address, 'CREATE TABLE kept AS SELECT 7 AS number');
    await stopParts(first);
    const after = await bringPostgres(stand(), NEEDS);
    expect(after.address).toBe(before.address);
    expect(await query(after.address, 'SELECT number FROM kept')).toEqual([{ number: 7 }]);
  });

  test('data · of one run only · taken over after a kill, and gone with the run', async () => {
    const killed = stand();
    const left = await bringPostgres(killed, { lasts: 'RUN' });
    const home = await homeOf(killed, 'RUN');
    expect(existsSync(dataFolder(home))).toBe(true);
    await query(left.address, 'CREATE TABLE kept AS SELECT 7 AS number');
    abandon(killed);
    const next = stand();
    const taken = await bringPostgres(next, { lasts: 'RUN' });
    expect(await query(taken.address, 'SELECT number FROM kept')).toEqual([{ number: 7 }]);
    await stopParts(next);
    // Without room in memory it is kept with the stand, as other data is.
    expect(existsSync(dataFolder(home))).toBe(!isInMemory(home));
  });

  test('server · its stand was killed · the next one takes it over, and ends it', async () => {
    const killed = stand();
    const left = await bringPostgres(killed, NEEDS);
    const pid = left.pid?.() ?? 0;
    const begun = processBegun(pid) ?? '';
    abandon(killed);
    const next = stand();
    const taken = await bringPostgres(next, NEEDS);
    expect([taken.pid?.(), taken.address]).toEqual([pid, left.address]);
    expect(taken.origin).toContain('taken over');
    await stopParts(next);
    expect(isRunning({ pid, begun })).toBe(false);
  });

  test('server · services.json was cut off · the running server is found by its own lock file', async () => {
    const first = stand();
    const left = await bringPostgres(first, NEEDS);
    abandon(first);
    writeFileSync(first.records.file, '{"parts": {"postg');
    const taken = await bringPostgres(stand(), NEEDS);
    expect(taken.pid?.()).toBe(left.pid?.());
  });

  test('lock file · left by a dead server, its pid is another process now · removed and told', async () => {
    const first = stand();
    await bringPostgres(first, NEEDS);
    const data = dataFolder(await homeOf(first));
    await stopParts(first);
    writeFileSync(
      path.join(data, 'postmaster.pid'),
      `${process.pid}\n${data}\n0\n1\n\n127.0.0.1\n\n`,
    );
    const service = await bringPostgres(stand(), NEEDS);
    expect(await query(service.address, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
    expect(said.join('\n')).toContain('removed the lock file of a dead server');
  });

  test('data folder · initdb was interrupted · made again and told', async () => {
    const context = stand();
    const home = await homeOf(context);
    mkdirSync(path.join(home, 'data', 'base'), { recursive: true });
    writeFileSync(path.join(home, 'data', 'PG_VERSION'), '15\n');
    const service = await bringPostgres(context, NEEDS);
    expect(await query(service.address, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
    expect(said.join('\n')).toContain('half-made');
  });

  test('data folder · of another major version · kept aside, an empty one is made, both told', async () => {
    const first = stand();
    await bringPostgres(first, NEEDS);
    const home = await homeOf(first);
    await stopParts(first);
    const made = readMade(home);
    writeJson(path.join(home, 'made.json'), { ...made, major: 9 });
    await bringPostgres(stand(), NEEDS);
    expect(readdirSync(home).some((name) => name.startsWith('data-9-'))).toBe(true);
    expect(said.join('\n')).toMatch(/version 9 or damaged.*moved to/);
  });

  test('server · killed with SIGKILL · started again on the same port with its data', async () => {
    const context = stand();
    const service = await bringPostgres(context, NEEDS);
    await query(service.address, 'CREATE TABLE kept AS SELECT 7 AS number');
    const pid = service.pid?.() ?? 0;
    process.kill(pid, 'SIGKILL');
    await until('another process took over', () => service.pid?.() !== pid);
    expect(await query(service.address, 'SELECT number FROM kept')).toEqual([{ number: 7 }]);
    expect(said.join('\n')).toMatch(/PostgreSQL ended \(signal SIGKILL\); starting it again/);
    expect(context.records.standing('postgres')?.pid).toBe(service.pid?.());
  });

  test('POSTGRES_URL · nothing answers there · refused in words, nothing is started', async () => {
    const context = stand();
    context.env['POSTGRES_URL'] = 'postgres://nobody@127.0.0.1:1/postgres';
    await expect(bringPostgres(context, NEEDS)).rejects.toThrow(
      /POSTGRES_URL is set, but .*ECONNREFUSED/,
    );
    expect(context.parts).toEqual([]);
  });

  test('POSTGRES_URL · a server answers · used as it is, and not ended', async () => {
    const own = stand();
    const { address, pid } = await bringPostgres(own, NEEDS);
    const guest = stand(path.join(folder, 'guest'));
    guest.env['POSTGRES_URL'] = address;
    expect(await bringPostgres(guest, NEEDS)).toEqual({ address, origin: 'from POSTGRES_URL' });
    await stopParts(guest);
    expect(processBegun(pid?.() ?? 0)).toBeDefined();
  });

  test('createDatabase · asked twice · one database, the same address', async () => {
    const { address } = await bringPostgres(stand(), NEEDS);
    const url = await createDatabase(address, 'adplatform');
    expect(await createDatabase(address, 'adplatform')).toBe(url);
    expect(new URL(url).pathname).toBe('/adplatform');
    expect(await createDatabase(url, 'other')).toBe(url);
  });

  test('password · of the superuser · in a file that only its owner reads, and needed', async () => {
    const context = stand();
    const { address } = await bringPostgres(context, NEEDS);
    const file = path.join(await homeOf(context), 'made.json');
    expect(statSync(file).mode & 0o077).toBe(0);
    const open = new URL(address);
    open.password = 'wrong';
    await expect(query(open.toString(), 'SELECT 1')).rejects.toThrow(/password/);
  });
});

describe('PostgreSQL of a clone that its user may not enter', () => {
  const asRoot = process.getuid?.() === 0 ? test : test.failing;

  asRoot(
    'data · the clone is in a folder of mode 0700 · kept elsewhere, removed with .data/',
    async () => {
      const closed = path.join(folder, 'closed');
      mkdirSync(closed, { mode: 0o700 });
      const user = await postgresUser();
      if (!user) throw new Error('this needs root');
      expect(canEnter(user, closed)).toBe(false);
      const dataDir = path.join(closed, 'clone', '.data');
      const first = stand(dataDir);
      const before = await bringPostgres(first, NEEDS);
      await query(before.address, 'CREATE TABLE kept AS SELECT 7 AS number');
      const home = await homeOf(first);
      expect(canEnter(user, home)).toBe(true);
      await stopParts(first);
      const again = stand(dataDir);
      const after = await bringPostgres(again, NEEDS);
      expect(await query(after.address, 'SELECT number FROM kept')).toEqual([{ number: 7 }]);
      await stopParts(again);
      rmSync(dataDir, { recursive: true });
      const anew = await homeOf(stand(dataDir));
      expect([anew === home, existsSync(home)]).toEqual([false, false]);
      rmSync(anew, { recursive: true });
    },
  );
});

test('parse · a file that is cut off, missing or of another shape · counts as none', async () => {
  const file = path.join(folder, 'x.json');
  expect(parse(file, isRecord)).toBeUndefined();
  writeFileSync(file, '{"a": ');
  expect(parse(file, isRecord)).toBeUndefined();
  writeFileSync(file, '[1]');
  expect(parse(file, isRecord)).toBeUndefined();
  writeJson(file, { a: 1 });
  expect(parse(file, isRecord)).toEqual({ a: 1 });
  expect(await readFile(file, 'utf8')).toContain('"a": 1');
});
