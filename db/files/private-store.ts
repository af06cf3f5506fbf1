import { randomBytes } from 'node:crypto';
import { access, mkdir, open, readFile, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import {
  type ColumnSealer,
  createColumnSealer,
  FILE_KEYS,
  type OnOpening,
  placeOf,
  type PrivateFile,
} from '../sealed-columns.ts';
import { type FileSweep, type FileSweepReport, removeUnnamed } from './file-sweep.ts';

/** The row that names a file: whose it is, and its id, which is taken before the row is written. */
export interface FileRow {
  of: PrivateFile;
  ownerId: number;
  id: number;
}

/** What that row says of it. Whoever ends the key has ended the file, wherever copies of it lie. */
export interface KeptFile {
  /** Its name. */
  path: string;
  /** Its data key, which opens nothing else; null of a build before, whose files DATA_KEYS themselves open. */
  sealedKey: string | null;
}

/**
 * Files that are never served by their name: each lies sealed by a key of its own, under a random name. Whoever gets
 * hold of the folder alone reads nothing; whoever writes the table that names them moves none to another row.
 */
export interface PrivateStore {
  /** Durable when it resolves; answers what to keep in that row. */
  put(bytes: Buffer, row: FileRow): Promise<KeptFile>;
  /** Raises when there is no such file, it is not as it was put, or it was put for another row. */
  read(file: KeptFile, row: FileRow): Promise<Buffer>;
  has(name: string): Promise<boolean>;
  /** Harmless when it is gone. */
  remove(name: string): Promise<void>;
  /** Removes files that no row names: whoever put them died, or their row was deleted first. */
  sweepUnnamed(sweep: FileSweep): Promise<FileSweepReport>;
}

const NAME = /^[0-9a-f]{32}$/;
/** Before what a key of its own opens. */
const OWN_KEY = 'k.';
/** Of a build before: bound to its row; and a file without either is of one that bound its name alone. */
const OF_ROW = 'f.';
const UNBOUND = 'file sealed before rows were bound in: "admin reseal unbound", once';
const KEY_BYTES = 32;

/** Raises for what is no name of ours. */
export function privateFile(dir: string, name: string): string {
  if (!NAME.test(name)) throw new Error('this is no name of the private store');
  return path.join(dir, name.slice(0, 2), name);
}

/** `sealer` has the keys of keys: a store of secrets elsewhere is another sealer, and no file changes. */
export interface FileKeys {
  sealer: ColumnSealer;
  onOpening?: OnOpening | undefined;
}

export function createPrivateStore(dir: string, keys: FileKeys): PrivateStore {
  return {
    put: async (bytes, row) => await putFile(dir, keys, { text: bytes.toString('base64'), row }),
    read: async ({ path: name, sealedKey }, row) => {
      const sealed = await readFile(privateFile(dir, name), 'utf8');
      return Buffer.from(openFile(keys, sealed, { ...row, path: name, sealedKey }), 'base64');
    },
    has: async (name) =>
      await access(privateFile(dir, name)).then(
        () => true,
        (error: NodeJS.ErrnoException) => {
          if (error.code === 'ENOENT') return false;
          throw error;
        },
      ),
    remove: async (name) => {
      await rm(privateFile(dir, name), { force: true });
    },
    sweepUnnamed: async (sweep) => await removeUnnamed(dir, sweep),
  };
}

/** Under a new name and with a new key. */
export async function putFile(
  dir: string,
  { sealer }: FileKeys,
  { text, row }: { text: string; row: FileRow },
): Promise<KeptFile> {
  const name = randomBytes(16).toString('hex');
  const file = privateFile(dir, name);
  const key = randomBytes(KEY_BYTES);
  const sealed = ownSealer(key).seal(text, placeOfFile({ ...row, path: name }));
  await mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
  await writeWhole(file, `${OWN_KEY}${sealed}`);
  return { path: name, sealedKey: sealer.seal(key.toString('base64'), placeOfKey(row)) };
}

export type NamedRow = FileRow & KeptFile;

const placeOfFile = ({ of, ownerId, id, path: name }: FileRow & Pick<KeptFile, 'path'>) =>
  placeOf(of, ownerId, id, name);
const placeOfKey = ({ of, ownerId, id }: FileRow) => placeOf(FILE_KEYS[of], ownerId, id);
const ownSealer = (secret: Buffer, onOpening?: OnOpening): ColumnSealer =>
  createColumnSealer([{ id: 0, secret }], onOpening);

/** Raises also for what an older build has sealed to its name alone, which a moved name would open as well. */
export function openFile({ sealer, onOpening }: FileKeys, sealed: string, row: NamedRow): string {
  const isOwn = sealed.startsWith(OWN_KEY);
  // No key is tried on what is not of its kind: somebody has changed the row, or the file.
  if (isOwn !== (row.sealedKey !== null)) {
    onOpening?.({ ...placeOfFile(row), keyId: 'none', isOpened: false });
    throw new Error(isOwn ? 'the key of this file is gone' : 'this file is none of its row’s key');
  }
  if (row.sealedKey === null) return openOfRing(sealer, sealed, row);
  const key = Buffer.from(sealer.open(row.sealedKey, placeOfKey(row)), 'base64');
  return ownSealer(key, onOpening).open(sealed.slice(OWN_KEY.length), placeOfFile(row));
}

function openOfRing(sealer: ColumnSealer, sealed: string, row: NamedRow): string {
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

/** The key of DATA_KEYS that a file of a build before was sealed with, by its first bytes. */
export function keyOfFile(head: string): { id: number; isBound: boolean } {
  const match = /^(f\.)?(?:r\.)?(\d+)\./.exec(head);
  if (match === null) throw new Error('this is no file of the private store');
  return { id: Number(match[2]), isBound: match[1] !== undefined };
}

/** A reader finds nothing or all of it, and so does whoever comes after a crash. */
async function writeWhole(file: string, text: string): Promise<void> {
  const handle = await open(`${file}.part`, 'wx', 0o600);
  try {
    await handle.writeFile(text);
    await handle.sync();
  } finally {
    await handle.close();
  }
  await rename(`${file}.part`, file);
}
