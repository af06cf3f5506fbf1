import { existsSync, mkdirSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { oneAtATime } from './one-at-a-time.ts';
import { runCommand } from './processes.ts';
import type { Progress } from './progress.ts';
import { isRoot } from './unix-user.ts';

/** The first executable of these names on the PATH, or of these absolute paths. */
export function findBinary(names: readonly string[], env: NodeJS.ProcessEnv): string | undefined {
  const folders = (env['PATH'] ?? '').split(path.delimiter).filter((folder) => folder !== '');
  for (const name of names) {
    if (path.isAbsolute(name) && existsSync(name)) return name;
    if (path.isAbsolute(name)) continue;
    const found = folders.map((folder) => path.join(folder, name)).find((file) => existsSync(file));
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Where big things are kept between clones. */
export function cacheDir(env: NodeJS.ProcessEnv): string {
  const named = env['ADPLATFORM_CACHE'];
  const xdg = env['XDG_CACHE_HOME'];
  const base = xdg !== undefined && xdg !== '' ? xdg : path.join(os.homedir(), '.cache');
  const folder =
    named !== undefined && named !== '' ? path.resolve(named) : path.join(base, 'adplatform');
  mkdirSync(folder, { recursive: true });
  return folder;
}

export function canInstallPackages(env: NodeJS.ProcessEnv): boolean {
  return isRoot() && findBinary(['apt-get'], env) !== undefined;
}

let lastInstall: Promise<unknown> = Promise.resolve();
let updated = false;

/**
 * Installs Debian packages; answers an empty text, or why it did not work. One at a time, because
 * the package manager has one lock.
 */
export function installPackages(
  packages: readonly string[],
  options: { env: NodeJS.ProcessEnv; progress: Progress },
): Promise<string> {
  const run = lastInstall.then(() => installNow(packages, options));
  lastInstall = run;
  return run;
}

async function installNow(
  packages: readonly string[],
  { env, progress }: { env: NodeJS.ProcessEnv; progress: Progress },
): Promise<string> {
  const quiet = {
    ...env,
    DEBIAN_FRONTEND: 'noninteractive',
    // Keeps the packages' own services from being started beside ours.
    RUNLEVEL: '1',
  };
  const waits = (): void =>
    progress.say('another start here is installing packages: waiting for it');
  return await progress.slowly(
    `installing ${packages.join(', ')} with apt-get`,
    '10 to 60 s',
    async () =>
      await oneAtATime({ lockFile: path.join(cacheDir(env), 'apt.lock'), waits }, async () => {
        if (!updated) {
          const update = await runCommand('apt-get', ['update', '-qq'], { env: quiet });
          if (update.code !== 0) return `apt-get update: ${update.stderr.trim()}`;
          updated = true;
        }
        const install = await runCommand(
          'apt-get',
          ['install', '-y', '-qq', '--no-install-recommends', ...packages],
          { env: quiet },
        );
        return install.code === 0 ? '' : `apt-get install: ${install.stderr.trim()}`;
      }),
  );
}
