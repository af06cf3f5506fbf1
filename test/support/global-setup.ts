import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { prepareTemplateDatabase } from './database.ts';
import { bundlesOf, RUN_FOLDER } from './once.ts';
import { FLOWS_IN_THREAD } from './workflow-bundle.ts';

/**
 * Services come from the environment (`npm test` starts them); here only the schema is prepared,
 * and one folder for whatever tests and their processes put aside; it goes with the run.
 */
export default async function globalSetup(): Promise<void> {
  await prepareTemplateDatabase();
  const folder = mkdtempSync(path.join(tmpdir(), 'adp-'));
  // PostgreSQL under another user has to pass through to a cluster of its own.
  chmodSync(folder, 0o755);
  Object.assign(process.env, FLOWS_IN_THREAD);
  process.env['TMPDIR'] = folder;
  process.env[RUN_FOLDER] = folder;
  process.once('exit', () => {
    for (const made of [folder, bundlesOf(folder)]) rmSync(made, { recursive: true, force: true });
  });
}
