import { randomBytes } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

/** Where written reports lie until they expire, and parts of those under way. The next driver is an object store. */
export interface ExportStore {
  /** The whole file or none, durable when it resolves. A later write of the same name replaces it. */
  write(file: string, content: AsyncIterable<Uint8Array>): Promise<{ bytes: number }>;
  /** Undefined when there is no such file. The caller consumes the stream or closes it. */
  read(file: string): Promise<{ bytes: number; stream: Readable } | undefined>;
  /** Files that are not there are none to remove. */
  remove(files: readonly string[]): Promise<void>;
  /** Whatever was last written before that moment, also what a crash left half-written. */
  removeOlderThan(moment: Date): Promise<number>;
}

const NAME = /^\d{1,15}\.(?:csv|xlsx|jsonl|\d{1,6}\.[0-9a-f]{12}\.lines)$/;

export function createExportStore(root: string): ExportStore {
  const folder = path.resolve(root);
  const locate = (file: string): string => {
    if (!NAME.test(file)) throw new Error('not the name of an export');
    return path.join(folder, file);
  };
  return {
    async write(file, content) {
      const target = locate(file);
      await mkdir(folder, { recursive: true });
      // A second attempt may begin while the first one, thought lost, still writes.
      const draft = `${target}.${randomBytes(6).toString('hex')}.part`;
      try {
        // `flush` syncs before the file is closed, so that the name never stands for less.
        await pipeline(
          Readable.from(content),
          createWriteStream(draft, { flags: 'wx', flush: true }),
        );
        const { size } = await stat(draft);
        await rename(draft, target);
        return { bytes: size };
      } catch (error) {
        await rm(draft, { force: true });
        throw error;
      }
    },

    async read(file) {
      try {
        const handle = await open(locate(file), 'r');
        const { size } = await handle.stat();
        return { bytes: size, stream: handle.createReadStream() };
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
        throw error;
      }
    },

    async remove(files) {
      for (const file of files) await rm(locate(file), { force: true });
    },

    async removeOlderThan(moment) {
      await mkdir(folder, { recursive: true });
      let removed = 0;
      for (const name of await readdir(folder)) {
        const file = path.join(folder, name);
        const { mtime } = await stat(file);
        if (mtime >= moment) continue;
        await rm(file, { force: true });
        removed += 1;
      }
      return removed;
    },
  };
}
