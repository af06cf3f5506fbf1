import { open, readFile } from 'node:fs/promises';
import type pg from 'pg';
import {
  keyOfFile,
  type NamedRow,
  openFile,
  openUnboundFile,
  privateFile,
  sealFile,
  writeWhole,
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

/** Raises where a file's key is not given, or it is bound to no row and `unbound` was not asked for. */
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
 * Writes every file that a row names anew with the first key, each while its row is locked: whoever deletes it waits,
 * whoever reads it finds the old one or the new one. Cut, it is begun again. Kept are those that are not there: they
 * may come back with a backup, under their old key.
 */
export async function resealFiles(files: Files): Promise<Resealed[]> {
  const done: Resealed[] = [];
  for (const of of COLUMNS) {
    const report = { column: of, resealed: 0, kept: 0 };
    for await (const { id, path } of rowsOf(files, of)) {
      const head = await headOf(files, path);
      if (head === undefined) report.kept += 1;
      else if (isStale(files, head) && (await resealOne(files, of, id))) report.resealed += 1;
    }
    done.push(report);
  }
  return done;
}

function isStale({ keys: [first] }: Files, head: string): boolean {
  const { id, isBound } = keyOfFile(head);
  return !isBound || id !== first?.id;
}

async function resealOne(files: Files, of: PrivateFile, id: string): Promise<boolean> {
  const client = await files.owner.connect();
  try {
    await client.query('BEGIN');
    const { rows } = await client.query<{ owner: string; name: string }>(
      `SELECT ${PRIVATE_FILES[of][0]} AS owner, path AS name FROM ${tableOf(of)} WHERE id = $1 FOR UPDATE`,
      [id],
    );
    const [row] = rows;
    if (row !== undefined) {
      await writeAnew(files, { of, ownerId: Number(row.owner), id: Number(id), name: row.name });
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

async function writeAnew({ dir, keys }: Files, row: NamedRow): Promise<void> {
  const file = privateFile(dir, row.name);
  const sealed = await readFile(file, 'utf8');
  const sealer = createColumnSealer(keys);
  let text: string;
  try {
    text = keyOfFile(sealed).isBound
      ? openFile(sealer, sealed, row)
      : openUnboundFile(sealer, sealed, row.name);
  } catch (error) {
    const why = `${row.of} of row ${row.id} does not open: it was altered, or moved from another row`;
    throw new Error(why, { cause: error });
  }
  await writeWhole(file, sealFile(sealer, text, row), 'w');
}

/** By id, a few at a time. */
async function* rowsOf(
  { owner }: Files,
  of: PrivateFile,
): AsyncGenerator<{ id: string; path: string }> {
  let after = '0';
  for (;;) {
    const { rows } = await owner.query<{ id: string; path: string }>(
      `SELECT id, path FROM ${tableOf(of)} WHERE id > $1 ORDER BY id LIMIT ${BATCH}`,
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
