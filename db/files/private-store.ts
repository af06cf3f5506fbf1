import { randomBytes } from 'node:crypto';
import { mkdir, open, readFile, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { type ColumnSealer, placeOf, type PrivateFile } from '../sealed-columns.ts';
import { type FileSweep, type FileSweepReport, removeUnnamed } from './file-sweep.ts';

/** The row that names a file: whose it is, and its id, which is taken before the row is written. */
export interface FileRow {
  of: PrivateFile;
  ownerId: number;
  id: number;
}

/**
 * Files that are never served by their name: each lies sealed, under a random one. Whoever gets hold
 * of the folder alone reads nothing; whoever writes the table that names them moves none to another row.
 */
export interface PrivateStore {
  /** Durable when it resolves; answers the name to keep in that row. */
  put(bytes: Buffer, row: FileRow): Promise<string>;
  /** Raises when there is no such file, it is not as it was put, or it was put for another row. */
  read(name: string, row: FileRow): Promise<Buffer>;
  /** Harmless when it is gone. */
  remove(name: string): Promise<void>;
  /** Removes files that no row names: whoever put them died, or their row was deleted first. */
  sweepUnnamed(sweep: FileSweep): Promise<FileSweepReport>;
}

const NAME = /^[0-9a-f]{32}$/;
/** Before what is bound to its row; a file without it is of a build that bound its name alone. */
const OF_ROW = 'f.';
const UNBOUND = 'file sealed before rows were bound in: "admin reseal unbound", once';

/** Raises for what is no name of ours. */
export function privateFile(dir: string, name: string): string {
  if (!NAME.test(name)) throw new Error('this is no name of the private store');
  return path.join(dir, name.slice(0, 2), name);
}

export function createPrivateStore(dir: string, sealer: ColumnSealer): PrivateStore {
  return {
    put: async (bytes, row) => {
      const name = randomBytes(16).toString('hex');
      const file = privateFile(dir, name);
      await mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
      await writeWhole(file, sealFile(sealer, bytes.toString('base64'), { ...row, name }), 'wx');
      return name;
    },
    read: async (name, row) => {
      const sealed = await readFile(privateFile(dir, name), 'utf8');
      return Buffer.from(openFile(sealer, sealed, { ...row, name }), 'base64');
    },
    remove: async (name) => {
      await rm(privateFile(dir, name), { force: true });
    },
    sweepUnnamed: async (sweep) => await removeUnnamed(dir, sweep),
  };
}

export type NamedRow = FileRow & { name: string };

const placeOfFile = ({ of, ownerId, id, name }: NamedRow) => placeOf(of, ownerId, id, name);

export const sealFile = (sealer: ColumnSealer, text: string, row: NamedRow): string =>
  `${OF_ROW}${sealer.seal(text, placeOfFile(row))}`;

/** Raises also for what an older build has sealed, which a moved name would open as well. */
export function openFile(sealer: ColumnSealer, sealed: string, row: NamedRow): string {
  const isBound = sealed.startsWith(OF_ROW);
  try {
    return sealer.open(isBound ? sealed.slice(OF_ROW.length) : sealed, placeOfFile(row));
  } catch (error) {
    throw isBound ? error : new Error(UNBOUND, { cause: error });
  }
}

/** For binding a file to the row that it is found in, once. */
export const openUnboundFile = (sealer: ColumnSealer, sealed: string, name: string): string =>
  sealer.open(sealed, { column: 'private_store', row: name });

/** The key that a file was sealed with, by its first bytes. */
export function keyOfFile(head: string): { id: number; isBound: boolean } {
  const match = /^(f\.)?(?:r\.)?(\d+)\./.exec(head);
  if (match === null) throw new Error('this is no file of the private store');
  return { id: Number(match[2]), isBound: match[1] !== undefined };
}

/** A reader finds nothing or all of it, and so does whoever comes after a crash. */
export async function writeWhole(file: string, text: string, flag: 'w' | 'wx'): Promise<void> {
  const handle = await open(`${file}.part`, flag, 0o600);
  try {
    await handle.writeFile(text);
    await handle.sync();
  } finally {
    await handle.close();
  }
  await rename(`${file}.part`, file);
}
