import { lstat, opendir, rm } from 'node:fs/promises';
import path from 'node:path';

/**
 * A process may die between writing a file and inserting the row that names it. Such files are found
 * here, in stores that lay a file under 256 folders by a random name that is never given twice:
 * `3f/3f0c…`, with whatever ending. Nothing can come to name a file again that no row named for so
 * long that whoever wrote it has given up.
 */
export interface FileSweep {
  /** A file that was written later stays, as its row may be on its way. */
  before: Date;
  /** Any whole number: where to begin, as a sweep that ends early should not always see the same. */
  turn: number;
  /** Which of these names (32 hex digits) rows name; asked after the files were seen. */
  named(this: void, names: readonly string[]): Promise<ReadonlySet<string>>;
}

export interface FileSweepReport {
  looked: number;
  removed: number;
  /** Ended at a limit; the rest is for another turn. */
  cut: boolean;
}

const FOLDERS = 256;
/** Odd, so that each folder has its turn; 24 turns a day go once around. */
const FOLDERS_A_TURN = 11;
const BATCH = 1_000;
/** Per sweep, to the next whole batch. The second one is also how much a wrong database can cost. */
const LOOKED_MAX = 200_000;
const REMOVED_MAX = 1_000;
/** A draft (`.part`) and a folder of files go by the same name as what they were to become. */
const OURS = /^([0-9a-f]{32})(?:\.|$)/;

/** Removes what no row names. Files that are not of our naming are not touched. */
export async function removeUnnamed(root: string, sweep: FileSweep): Promise<FileSweepReport> {
  const report: FileSweepReport = { looked: 0, removed: 0, cut: false };
  for (let step = 0; step < FOLDERS; step += 1) {
    const number = (sweep.turn * FOLDERS_A_TURN + step) % FOLDERS;
    const folder = path.join(root, number.toString(16).padStart(2, '0'));
    for await (const files of batches(folder)) {
      if (report.looked >= LOOKED_MAX || report.removed >= REMOVED_MAX) {
        return { ...report, cut: true };
      }
      report.looked += files.length;
      report.removed += await removeFrom(folder, files, sweep);
    }
  }
  return report;
}

interface Found {
  /** As it lies in the folder. */
  file: string;
  name: string;
}

async function* batches(folder: string): AsyncGenerator<Found[]> {
  const opened = await opendir(folder, { bufferSize: BATCH }).catch(undefinedWhenGone);
  if (opened === undefined) return;
  let batch: Found[] = [];
  for await (const { name: file } of opened) {
    const name = OURS.exec(file)?.[1];
    if (name !== undefined) batch.push({ file, name });
    if (batch.length < BATCH) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

async function removeFrom(
  folder: string,
  files: readonly Found[],
  { before, named }: FileSweep,
): Promise<number> {
  const kept = await named([...new Set(files.map(({ name }) => name))]);
  let removed = 0;
  for (const { file, name } of files) {
    if (kept.has(name)) continue;
    const target = path.join(folder, file);
    const found = await lstat(target).catch(undefinedWhenGone);
    if (found === undefined || found.mtime >= before) continue;
    await rm(target, { force: true, recursive: true });
    removed += 1;
  }
  return removed;
}

/** ENOTDIR: a step of the name is a file. */
const GONE = new Set(['ENOENT', 'ENOTDIR']);

/** For a file or folder that may be gone; any other fault is raised again. */
export function undefinedWhenGone(error: unknown): undefined {
  if (GONE.has((error as NodeJS.ErrnoException).code ?? '')) return undefined;
  throw error;
}
