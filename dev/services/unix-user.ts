import { type Stats, statSync } from 'node:fs';
import path from 'node:path';
import { runCommand, type UnixUser } from './processes.ts';
import { StandError } from './progress.ts';

export const isRoot = (): boolean => process.getuid?.() === 0;

const MADE_USER = 'adplatform-postgres';

/**
 * PostgreSQL refuses to run as root. Answers the user that runs it instead: `postgres` where
 * Debian's package made one, else a system user of our own. Undefined when we are not root.
 */
export async function postgresUser(): Promise<UnixUser | undefined> {
  if (!isRoot()) return undefined;
  const existing = (await findUser('postgres')) ?? (await findUser(MADE_USER));
  if (existing) return existing;
  const made = await runCommand('useradd', [
    '--system',
    '--no-create-home',
    '--shell',
    '/bin/false',
    MADE_USER,
  ]);
  const user = await findUser(MADE_USER);
  if (user) return user;
  throw new StandError(
    `PostgreSQL does not run as root, and a system user for it could not be made (${made.stderr.trim()}). ` +
      'Run as another user, or set POSTGRES_URL.',
  );
}

async function findUser(name: string): Promise<UnixUser | undefined> {
  const uid = await runCommand('id', ['-u', name]);
  const gid = await runCommand('id', ['-g', name]);
  if (uid.code !== 0 || gid.code !== 0) return undefined;
  return { name, uid: Number(uid.stdout), gid: Number(gid.stdout) };
}

/** Whether the user may enter the folder: execute permission on it and on everything above it. */
export function canEnter(user: UnixUser, folder: string): boolean {
  const stats = statSync(folder, { throwIfNoEntry: false });
  if (stats && !mayExecute(user, stats)) return false;
  const parent = path.dirname(folder);
  return parent === folder || canEnter(user, parent);
}

function mayExecute(user: UnixUser, stats: Stats): boolean {
  if (stats.uid === user.uid) return (stats.mode & 0o100) !== 0;
  if (stats.gid === user.gid) return (stats.mode & 0o010) !== 0;
  return (stats.mode & 0o001) !== 0;
}
