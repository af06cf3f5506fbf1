import { open, readFile } from 'node:fs/promises';
import type pg from 'pg';
import {
  type FileRow,
  type KeptFile,
  keyOfFile,
  openFile,
  openUnboundFile,
  privateFile,
  putFile,
} from './files/private-store.ts';
import {
  createColumnSealer,
  type DataKey,
  PRIVATE_FILES,
  type PrivateFile,
} from './sealed-columns.ts';

/** What was sealed anew, and what keeps its key: an order on its way is of those very bytes, or a file is gone. */
export interface Resealed {
  column: string;
  resealed: number;
  kept: number;
}

interface Files {
  owner: pg.Pool;
  dir: string;
  keys: readonly DataKey[];
}

const BATCH = 200;
const HEAD_BYTES = 64;
const COLUMNS = Object.keys(PRIVATE_FILES) as PrivateFile[];
const tableOf = (of: PrivateFile): string => of.split('.')[0] ?? '';

/** Of files that have no key of their own. Raises where the one of the ring is not given, or it is bound to no row and `unbound` was not asked for. */
export async function expectFilesOpenable(
  files: Files,
  { unbound }: { unbound: boolean },
): Promise<void> {
  for (const of of COLUMNS) {
    for await (const { id, path } of rowsOf(files, of)) {
      const head = await headOf(files, path);
      if (head === undefined) continue;
      const key = keyOfFile(head);
      if (!files.keys.some((each) => each.id === key.id)) {
        throw new Error(`${of} of row ${id}: key ${key.id} is not in DATA_KEYS`);
      }
      if (!key.isBound && !unbound) {
        throw new Error(`${of} names files that are bound to no row: "admin reseal unbound", once`);
      }
    }
  }
}

/**
 * Gives each file that a row names, and that has none, a key of its own, while its row is locked: it lies beside the old
 * one until its row names it, so whoever reads finds either, and a crash leaves both. The sweep of unnamed files takes
 * what nobody names. Files with a key of their own stay as they are: it is a column, and was sealed anew with those.
 * Kept are those that are not there: they may come back with a backup, under their old key.
 */
export async function resealFiles(files: Files): Promise<Resealed[]> {
  const done: Resealed[] = [];
  for (const of of COLUMNS) {
    const report = { column: of, resealed: 0, kept: 0 };
    for await (const { id, path } of rowsOf(files, of)) {
      if ((await headOf(files, path)) === undefined) report.kept += 1;
      else if (await giveKey(files, of, id)) report.resealed += 1;
    }
    done.push(report);
  }
  return done;
}

async function giveKey(files: Files, of: PrivateFile, id: string): Promise<boolean> {
  const client = await files.owner.connect();
  try {
    await client.query('BEGIN');
    const { rows } = await client.query<{ owner: string; path: string }>(
      `SELECT ${PRIVATE_FILES[of][0]} AS owner, path FROM ${tableOf(of)}
       WHERE id = $1 AND sealed_key IS NULL AND path IS NOT NULL FOR UPDATE`,
      [id],
    );
    const [row] = rows;
    if (row !== undefined) {
      const fresh = await writeAnew(files, {
        row: { of, ownerId: Number(row.owner), id: Number(id) },
        path: row.path,
      });
      await client.query(`UPDATE ${tableOf(of)} SET path = $2, sealed_key = $3 WHERE id = $1`, [
        id,
        fresh.path,
        fresh.sealedKey,
      ]);
    }
    await client.query('COMMIT');
    return row !== undefined;
  } catch (error) {
    await client.query('ROLLBACK');
    throw error;
  } finally {
    client.release();
  }
}

async function writeAnew(
  { dir, keys }: Files,
  { row, path }: { row: FileRow; path: string },
): Promise<KeptFile> {
  const sealed = await readFile(privateFile(dir, path), 'utf8');
  const sealer = createColumnSealer(keys);
  let text: string;
  try {
    text = keyOfFile(sealed).isBound
      ? openFile({ sealer }, sealed, { ...row, path, sealedKey: null })
      : openUnboundFile(sealer, sealed, path);
  } catch (error) {
    const why = `${row.of} of row ${row.id} does not open: it was altered, or moved from another row`;
    throw new Error(why, { cause: error });
  }
  return await putFile(dir, { sealer }, { text, row });
}

/** By id, a few at a time. */
async function* rowsOf(
  { owner }: Files,
  of: PrivateFile,
): AsyncGenerator<{ id: string; path: string }> {
  let after = '0';
  for (;;) {
    const { rows } = await owner.query<{ id: string; path: string }>(
      `SELECT id, path FROM ${tableOf(of)} WHERE id > $1 AND sealed_key IS NULL AND path IS NOT NULL
       ORDER BY id LIMIT ${BATCH}`,
      [after],
    );
    yield* rows;
    const last = rows.at(-1);
    if (last === undefined || rows.length < BATCH) return;
    after = last.id;
  }
}

/** Undefined: there is no such file. */
async function headOf({ dir }: Files, name: string): Promise<string | undefined> {
  const handle = await open(privateFile(dir, name)).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
  if (handle === undefined) return undefined;
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0);
    return buffer.subarray(0, bytesRead).toString('utf8');
  } finally {
    await handle.close();
  }
}
