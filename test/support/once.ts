import { existsSync, mkdirSync, renameSync } from 'node:fs';
import path from 'node:path';
import { until } from './until.ts';

/** Building the web code takes seconds, and minutes on a machine that does much else. */
const MADE_WITHIN_MS = 300_000;

/** Set and removed by dev/services/run-folder.ts; unset in benchmarks, which are one process. */
export const RUN_FOLDER = 'TEST_RUN_FOLDER';

/** Where a run keeps what has to lie inside the project; it is removed with the run's folder. */
export const bundlesOf = (runFolder: string): string => `.data/test/${path.basename(runFolder)}`;

/**
 * What every file of a run may share is made by the first that asks, and the others wait for it.
 * Answers the path of what `make` has written there.
 */
export async function oncePerRun(
  name: string,
  make: (target: string) => Promise<void>,
): Promise<string> {
  const folder = process.env[RUN_FOLDER];
  if (folder === undefined) throw new Error(`${RUN_FOLDER} is not set: this is no run of Jest`);
  const target = path.join(folder, name);
  if (!isFirst(`${target}.begun`)) {
    await until({ what: `${name} is made`, withinMs: MADE_WITHIN_MS }, () => existsSync(target));
    return target;
  }
  await make(`${target}.draft`);
  renameSync(`${target}.draft`, target);
  return target;
}

/** Making a folder is the one step that only one of many succeeds in. */
function isFirst(claim: string): boolean {
  try {
    mkdirSync(claim);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    return false;
  }
}
