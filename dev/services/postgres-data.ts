import { randomBytes } from 'node:crypto';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statfsSync,
  writeFileSync,
} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { StandContext } from './context.ts';
import type { PostgresBinaries } from './postgres-binaries.ts';
import { processBegun, runCommand, type UnixUser } from './processes.ts';
import { StandError } from './progress.ts';
import { isRecord, parse, writeJson } from './records.ts';
import { canEnter } from './unix-user.ts';

/** Written last, when initdb has finished: a data folder without it is half-made. */
export interface PostgresMade {
  major: number;
  password: string;
}

export const POSTGRES_SUPERUSER = 'adplatform';

const madeFile = (home: string): string => path.join(home, 'made.json');
export const dataFolder = (home: string): string => path.join(home, 'data');

/** What the data must outlast: a power cut; a kill -9 of everything; nothing but its own run. */
export type Lasting = 'POWER_CUT' | 'KILL' | 'RUN';

/** A database is a thousand files, and a test run makes 300: on a disk each takes most of a second. */
const MEMORY = '/dev/shm';
const MEMORY_FREE_BYTES = 6 * 1024 ** 3;

/**
 * The folder that holds the data folder and what we know of it. Under the stand's own folder, unless the
 * user that runs PostgreSQL may not enter that (a clone in root's home): then below /var/lib. In memory,
 * where there is plenty, if it need not last.
 */
export function postgresHome(
  context: StandContext,
  user: UnixUser | undefined,
  lasts: Lasting,
): string {
  if (lasts === 'RUN' && hasRoomInMemory()) return homeOnShelf(context, MEMORY);
  const own = path.join(context.dataDir, 'postgres');
  if (!user || canEnter(user, context.dataDir)) return own;
  const base = ['/var/lib', os.tmpdir()].find((folder) => canEnter(user, folder));
  if (base === undefined) {
    throw new StandError(`No folder was found that user ${user.name} may enter; set POSTGRES_URL.`);
  }
  const home = homeOnShelf(context, base);
  context.progress.say(
    `PostgreSQL's data is in ${home}: user ${user.name} may not enter ${context.dataDir}`,
  );
  return home;
}

export const isInMemory = (home: string): boolean => home.startsWith(`${MEMORY}/`);

function hasRoomInMemory(): boolean {
  if (!existsSync(MEMORY)) return false;
  const { bavail, bsize } = statfsSync(MEMORY);
  return Math.min(bavail * bsize, os.freemem()) >= MEMORY_FREE_BYTES;
}

function homeOnShelf(context: StandContext, base: string): string {
  const shelf = path.join(base, 'adplatform');
  mkdirSync(shelf, { recursive: true, mode: 0o755 });
  removeAbandoned(shelf);
  const home = path.join(shelf, standId(context.dataDir));
  mkdirSync(home, { recursive: true, mode: 0o755 });
  writeFileSync(path.join(home, 'stand'), path.join(context.dataDir, 'id'));
  return home;
}

/** Made anew when .data/ was removed, so that data kept elsewhere is not taken for its own. */
function standId(dataDir: string): string {
  const file = path.join(dataDir, 'id');
  if (!existsSync(file)) writeFileSync(file, randomBytes(8).toString('hex'));
  return readFileSync(file, 'utf8');
}

/** Data on the shelf whose stand is gone (its clone or its .data/ was removed) is removed. */
function removeAbandoned(shelf: string): void {
  for (const name of readdirSync(shelf)) {
    const home = path.join(shelf, name);
    const pointer = path.join(home, 'stand');
    if (!existsSync(pointer)) continue;
    const idFile = readFileSync(pointer, 'utf8');
    const claimed = existsSync(idFile) && readFileSync(idFile, 'utf8') === name;
    if (!claimed && runningServer(dataFolder(home)) === undefined) {
      rmSync(home, { recursive: true, force: true });
    }
  }
}

/** The major version that existing, complete data belongs to. */
export function readMade(home: string): PostgresMade | undefined {
  return parse(madeFile(home), isMade);
}

function isMade(value: unknown): value is PostgresMade {
  return (
    isRecord(value) && typeof value['major'] === 'number' && typeof value['password'] === 'string'
  );
}

/**
 * Makes the data folder, or puts an existing one in order: half-made is made again (nothing was in
 * it yet); of another major version, or without its version file, is moved aside and told.
 */
export async function prepareData(
  context: StandContext,
  home: string,
  options: { binaries: PostgresBinaries; user: UnixUser | undefined },
): Promise<PostgresMade> {
  const data = dataFolder(home);
  const made = readMade(home);
  if (made && made.major === options.binaries.major && existsSync(path.join(data, 'PG_VERSION'))) {
    return made;
  }
  if (made && existsSync(data)) {
    const aside = path.join(home, `data-${made.major}-${Date.now()}`);
    renameSync(data, aside);
    rmSync(madeFile(home));
    context.progress.say(
      `PostgreSQL's data is of version ${made.major} or damaged, and version ${options.binaries.major} ` +
        `runs here: moved to ${aside}, starting with an empty one`,
    );
  } else if (existsSync(data)) {
    context.progress.say(
      `PostgreSQL's data folder was half-made (an interrupted start): making it again`,
    );
    rmSync(data, { recursive: true });
  }
  rmSync(madeFile(home), { force: true });
  return await initialise(context, home, options);
}

async function initialise(
  context: StandContext,
  home: string,
  { binaries, user }: { binaries: PostgresBinaries; user: UnixUser | undefined },
): Promise<PostgresMade> {
  mkdirSync(home, { recursive: true });
  chmodSync(home, 0o755);
  const data = dataFolder(home);
  const password = randomBytes(16).toString('hex');
  const passwordFile = path.join(home, 'initial-password');
  try {
    for (const locale of ['C.UTF-8', 'C']) {
      rmSync(data, { recursive: true, force: true });
      mkdirSync(data, { mode: 0o700 });
      writeFileSync(passwordFile, password, { mode: 0o600 });
      if (user) chownSync(data, user.uid, user.gid);
      if (user) chownSync(passwordFile, user.uid, user.gid);
      const result = await runCommand(
        path.join(binaries.folder, 'initdb'),
        // The stand keeps nothing that a power cut may not take while it is being made.
        [
          '-D',
          data,
          '-U',
          POSTGRES_SUPERUSER,
          `--pwfile=${passwordFile}`,
          '--auth=scram-sha-256',
        ].concat(['--encoding=UTF8', `--locale=${locale}`, '--no-sync', '--no-instructions']),
        { user, cwd: data, signal: context.signal },
      );
      if (result.code === 0) {
        const made = { major: binaries.major, password };
        writeJson(madeFile(home), made);
        return made;
      }
      if (locale === 'C' || context.signal.aborted) {
        throw new StandError(`initdb failed:\n${result.stderr.trim()}`);
      }
    }
  } finally {
    rmSync(passwordFile, { force: true });
  }
  throw new StandError('initdb was not run');
}

/** The server that runs on this data folder, by its own lock file. */
export function runningServer(
  data: string,
): { pid: number; begun: string; port: number } | undefined {
  const file = path.join(data, 'postmaster.pid');
  if (!existsSync(file)) return undefined;
  const [pidLine, folder, , portLine] = readFileSync(file, 'utf8').split('\n');
  const pid = Number(pidLine);
  const begun = Number.isInteger(pid) && pid > 0 ? processBegun(pid) : undefined;
  if (begun === undefined || folder !== data || !isPostgres(pid, data)) return undefined;
  return { pid, begun, port: Number(portLine) };
}

/** A pid in a stale lock file may belong to anything by now. */
function isPostgres(pid: number, data: string): boolean {
  const file = `/proc/${pid}/cmdline`;
  if (!existsSync('/proc/self/cmdline')) return true;
  return existsSync(file) && readFileSync(file, 'utf8').includes(data);
}

/**
 * A lock file that no server holds. With a dead pid it is left to PostgreSQL, which first makes sure
 * that no session of the dead server still writes. A pid that another process has by now would make
 * it refuse to start, so that one is removed. Answers what to tell.
 */
export function mendLock(data: string): string | undefined {
  const file = path.join(data, 'postmaster.pid');
  if (!existsSync(file) || runningServer(data) !== undefined) return undefined;
  const pid = Number.parseInt(readFileSync(file, 'utf8'), 10);
  if (Number.isInteger(pid) && processBegun(pid) === undefined) {
    return 'PostgreSQL was not ended in order; it recovers';
  }
  rmSync(file, { force: true });
  return 'PostgreSQL: removed the lock file of a dead server, whose pid another process has now';
}
