import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

/** A worker that was told to end a moment ago may still write: it is asked again, for up to five seconds. */
const REMOVED = { recursive: true, force: true, maxRetries: 10, retryDelay: 100 };

/**
 * A folder for whatever tests and their processes put aside, as they are told of it. It goes with this process, which
 * is the last of a run to end: a program that is told to end may still write a letter.
 */
export function runFolderEnv({ root }: { root: string }): NodeJS.ProcessEnv {
  const folder = mkdtempSync(path.join(tmpdir(), 'adp-'));
  // PostgreSQL under another user has to pass through to a cluster of its own.
  chmodSync(folder, 0o755);
  const inside = path.join(root, '.data/test', path.basename(folder));
  process.once('exit', () => {
    for (const made of [folder, inside]) rmSync(made, REMOVED);
  });
  return { TMPDIR: folder, TEST_RUN_FOLDER: folder };
}
