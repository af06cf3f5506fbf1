import { randomBytes } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { type FileHandle, open, readdir, readFile, rename, stat, unlink } from 'node:fs/promises';
import path from 'node:path';
import type { Logger } from 'pino';
import { oneAtATime } from '../one-at-a-time.ts';

/**
 * Keeps events on the local disk while PostgreSQL is away. Append-only files of one JSON row a
 * line, named by the time they were begun, so that their order is the order of arrival.
 *
 * Several processes may share the directory, also with what a killed one left behind: whoever
 * reaches PostgreSQL claims files by renaming them. A writer therefore checks after each write that
 * its file is still at its name, and writes the rows again to a new file when it was claimed
 * meanwhile. A row may be replayed twice; it is stored once, by its id.
 */
export interface EventSpool<Row> {
  /** Resolves when the rows are on the disk (fdatasync). Rejects when they are not. */
  write(rows: readonly Row[]): Promise<void>;
  /**
   * Replays what was spooled when it was called, oldest first, and removes it; answers the number of
   * rows. Stops at the first error of `replay` and raises it; the rest stays.
   */
  drain(replay: (rows: Row[]) => Promise<void>): Promise<number>;
  /** Keeps a row that PostgreSQL refuses for its content, with the reason. */
  quarantine(row: Row, reason: string): Promise<void>;
  isEmpty(): Promise<boolean>;
  /** Rows written here or found, and not yet replayed. */
  count(): number;
  close(): Promise<void>;
}

export interface SpoolOptions {
  dir: string;
  log: Logger;
}

const SPOOL_FILE = /^events-.*\.jsonl$/;
const QUARANTINE_FILE = 'quarantine.jsonl';
/** A new file is begun beyond this, so that no replay reads too much at once. */
const FILE_BYTES_MAX = 16 * 1024 * 1024;
const REPLAY_ROWS_MAX = 500;
/** A file that was just begun is too new for anyone to claim it again and again. */
const WRITE_ATTEMPTS_MAX = 3;
/** A claim this young may still be replayed by its claimer. */
const CLAIM_SECONDS = 30;

interface SpoolFile {
  handle: FileHandle;
  name: string;
  inode: number;
  bytes: number;
}

export function createEventSpool<Row>({ dir, log }: SpoolOptions): EventSpool<Row> {
  mkdirSync(dir, { recursive: true });
  const me = `${process.pid}-${randomBytes(4).toString('hex')}`;
  const writer = createWriter(dir, me);
  let waiting = 0;

  return {
    async write(rows) {
      await writer.write(rows.map((row) => `${JSON.stringify(row)}\n`).join(''));
      waiting += rows.length;
    },

    async drain(replay) {
      await writer.retire();
      let replayed = 0;
      for (const name of await spoolFiles(dir)) {
        const claimed = await claim({ dir, name, me });
        if (claimed === undefined) continue;
        const rows = parseRows<Row>(await readFile(claimed, 'utf8'), { log, name });
        for (let at = 0; at < rows.length; at += REPLAY_ROWS_MAX) {
          await replay(rows.slice(at, at + REPLAY_ROWS_MAX));
        }
        await unlinkIfThere(claimed);
        replayed += rows.length;
        waiting = Math.max(0, waiting - rows.length);
      }
      return replayed;
    },

    async quarantine(row, reason) {
      const handle = await open(path.join(dir, QUARANTINE_FILE), 'a');
      try {
        await handle.appendFile(`${JSON.stringify({ reason, row })}\n`);
        await handle.datasync();
      } finally {
        await handle.close();
      }
    },

    isEmpty: async () => (await spoolFiles(dir)).length === 0,
    count: () => waiting,
    close: async () => await writer.retire(),
  };
}

interface SpoolWriter {
  write(text: string): Promise<void>;
  /** Closes the present file; the next write begins a new one. */
  retire(): Promise<void>;
}

function createWriter(dir: string, me: string): SpoolWriter {
  const exclusive = oneAtATime();
  let current: SpoolFile | undefined;
  let begun = 0;

  const begin = async (): Promise<SpoolFile> => {
    begun += 1;
    const name = `events-${Date.now()}-${me}-${String(begun).padStart(6, '0')}.jsonl`;
    const handle = await open(path.join(dir, name), 'a');
    const { ino } = await handle.stat();
    await syncDirectory(dir);
    return { handle, name, inode: ino, bytes: 0 };
  };
  const retire = async (): Promise<void> => {
    const file = current;
    current = undefined;
    await file?.handle.close();
  };
  /** False when the file was claimed before the text was safe in it. */
  const append = async (text: string): Promise<boolean> => {
    current ??= await begin();
    const file = current;
    await file.handle.appendFile(text);
    await file.handle.datasync();
    file.bytes += Buffer.byteLength(text);
    const info = await statOrNull(path.join(dir, file.name));
    const isOurs = info?.ino === file.inode;
    if (!isOurs || file.bytes > FILE_BYTES_MAX) await retire();
    return isOurs;
  };

  return {
    write: async (text) =>
      await exclusive(async () => {
        try {
          for (let attempt = 0; attempt < WRITE_ATTEMPTS_MAX; attempt += 1) {
            if (await append(text)) return;
          }
        } catch (error) {
          // The file may end in half a row now: the next write begins a new one.
          await retire();
          throw error;
        }
        throw new Error('the spool file was claimed each time it was written');
      }),
    retire: async () => await exclusive(retire),
  };
}

/** In order of their beginning; a claim keeps its file's name in front. */
async function spoolFiles(dir: string): Promise<string[]> {
  const names = await readdir(dir);
  return names.filter((name) => SPOOL_FILE.test(name)).sort();
}

/** The path of the file under our name, or undefined when another process has it. */
async function claim(options: {
  dir: string;
  name: string;
  me: string;
}): Promise<string | undefined> {
  const { dir, name, me } = options;
  const [original] = name.split('.claimed-');
  const from = path.join(dir, name);
  if (name.includes('.claimed-') && !name.includes(me)) {
    const info = await statOrNull(from);
    if (info === undefined || Date.now() - info.ctimeMs < CLAIM_SECONDS * 1000) return undefined;
  }
  const to = path.join(dir, `${(original ?? name).replace(/\.jsonl$/, '')}.claimed-${me}.jsonl`);
  try {
    await rename(from, to);
    return to;
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

/** A process that was killed while writing leaves half a last row, which nobody was answered for. */
function parseRows<Row>(text: string, context: { log: Logger; name: string }): Row[] {
  const rows: Row[] = [];
  for (const line of text.split('\n')) {
    if (line === '') continue;
    try {
      rows.push(JSON.parse(line) as Row);
    } catch (error) {
      context.log.warn(
        { err: error, file: context.name, bytes: line.length },
        'torn spool row skipped',
      );
    }
  }
  return rows;
}

async function statOrNull(file: string): Promise<{ ino: number; ctimeMs: number } | undefined> {
  try {
    return await stat(file);
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

async function unlinkIfThere(file: string): Promise<void> {
  try {
    await unlink(file);
  } catch (error) {
    if (!isMissing(error)) throw error;
  }
}

/** The directory's entry of a new file must survive a power cut as well. */
async function syncDirectory(dir: string): Promise<void> {
  const handle = await open(dir, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

const isMissing = (error: unknown): boolean => (error as { code?: unknown }).code === 'ENOENT';
