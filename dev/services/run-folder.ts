import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { isErrno } from './processes.ts';

/** A worker that was told to end a moment ago may still write: what it has made is removed again, for so long. */
const LATE_MS = 5_000;
const PAUSE_MS = 50;

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
    for (const made of [folder, inside]) remove(made);
  });
  return { TMPDIR: folder, TEST_RUN_FOLDER: folder };
}

/** At the end of a process nothing can be waited for but like this. */
function remove(made: string): void {
  const until = Date.now() + LATE_MS;
  for (;;) {
    try {
      rmSync(made, { recursive: true, force: true });
      return;
    } catch (error) {
      if (!isErrno(error, 'ENOTEMPTY') || Date.now() > until) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, PAUSE_MS);
    }
  }
}
