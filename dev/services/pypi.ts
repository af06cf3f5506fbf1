import { existsSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import type { StandContext } from './context.ts';
import { canInstallPackages, installPackages } from './install.ts';
import { runCommand } from './processes.ts';

export interface PypiPackages {
  /** Each as `name==version`; nothing else is loaded. */
  packages: readonly string[];
  /** Below the cache; there it stays. */
  folder: string;
}

/** Packages of PyPI in a folder for PYTHONPATH. Answers an empty text, or why it did not work. */
export async function bringFromPypi(context: StandContext, what: PypiPackages): Promise<string> {
  const folder = path.join(context.cacheDir, what.folder);
  if (existsSync(folder)) return '';
  if (!(await hasPip()) && canInstallPackages(context.env)) {
    const why = await installPackages(['python3-pip'], context);
    if (why !== '') return why;
  }
  if (!(await hasPip())) return "Python's pip, which could bring it, is missing";
  return await context.progress.slowly(
    `installing ${what.packages.join(', ')} from PyPI`,
    '20 s',
    async () => await install(context, folder, what.packages),
  );
}

/** Installed aside and renamed: whoever looks finds all of it or nothing, also after a crash. */
async function install(
  context: StandContext,
  folder: string,
  packages: readonly string[],
): Promise<string> {
  const draft = `${folder}.${process.pid}`;
  try {
    const { code, stderr } = await runCommand(
      'python3',
      ['-m', 'pip', 'install', '--quiet', '--no-deps', '--target', draft, ...packages],
      { signal: context.signal },
    );
    if (code !== 0) return stderr.trim();
    // Another run may have been faster with the same.
    if (!existsSync(folder)) renameSync(draft, folder);
    return '';
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
}

async function hasPip(): Promise<boolean> {
  return (await runCommand('python3', ['-m', 'pip', '--version'])).code === 0;
}
