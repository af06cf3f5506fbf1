import { randomBytes } from 'node:crypto';
import { mkdir, open, readFile, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { type FileSweep, type FileSweepReport, removeUnnamed } from './file-sweep.ts';
import type { ColumnSealer, SealedPlace } from '../sealed-columns.ts';

/**
 * Files that are never served by their name: each lies sealed, under a random one. Whoever gets hold
 * of the folder alone reads nothing.
 */
export interface PrivateStore {
  /** Durable when it resolves; answers the name to keep in the row. */
  put(bytes: Buffer): Promise<string>;
  /** Raises when there is no such file, or it is not as it was put. */
  read(name: string): Promise<Buffer>;
  /** Harmless when it is gone. */
  remove(name: string): Promise<void>;
  /** Removes files that no row names: whoever put them died, or their row was deleted first. */
  sweepUnnamed(sweep: FileSweep): Promise<FileSweepReport>;
}

const NAME = /^[0-9a-f]{32}$/;
const placeOf = (name: string): SealedPlace => ({ column: 'private_store', row: name });

export function createPrivateStore(dir: string, sealer: ColumnSealer): PrivateStore {
  const fileOf = (name: string): string => {
    if (!NAME.test(name)) throw new Error('this is no name of the private store');
    return path.join(dir, name.slice(0, 2), name);
  };
  return {
    put: async (bytes) => {
      const name = randomBytes(16).toString('hex');
      const file = fileOf(name);
      await mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
      const handle = await open(`${file}.part`, 'wx', 0o600);
      try {
        // The name is bound in: a file put in the place of another does not open.
        await handle.writeFile(sealer.seal(bytes.toString('base64'), placeOf(name)));
        await handle.sync();
      } finally {
        await handle.close();
      }
      await rename(`${file}.part`, file);
      return name;
    },
    read: async (name) => {
      const sealed = await readFile(fileOf(name), 'utf8');
      return Buffer.from(sealer.open(sealed, placeOf(name)), 'base64');
    },
    remove: async (name) => {
      await rm(fileOf(name), { force: true });
    },
    sweepUnnamed: async (sweep) => await removeUnnamed(dir, sweep),
  };
}
