import { mkdir, open, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import type { Readable } from 'node:stream';

/** Where the bytes of media lie; rows of `media` hold the path. The next driver is an object store. */
export interface MediaStore {
  /** Durable when it resolves. `file` is a generated name (see `mediaPath`); it is never reused. */
  put(file: string, bytes: Buffer): Promise<void>;
  /** Undefined when there is no such file, or the name is not one of ours. */
  read(file: string): Promise<StoredFile | undefined>;
  /** For bytes whose row lost the race; harmless when it is gone. */
  remove(file: string): Promise<void>;
}

export interface StoredFile {
  bytes: number;
  mime: string;
  /** Opens the content; the caller consumes or destroys it. */
  stream(): Readable;
  /** Releases the file when the content is not wanted. */
  close(): Promise<void>;
}

const MIME_OF: Readonly<Record<string, string>> = {
  jpg: 'image/jpeg',
  png: 'image/png',
  gif: 'image/gif',
  webp: 'image/webp',
  avif: 'image/avif',
  mp4: 'video/mp4',
  webm: 'video/webm',
};

/** Two levels, so that no folder grows without end: `3f/3f0c….png`. */
const NAME = /^[0-9a-f]{2}\/[0-9a-f]{32}\.([a-z0-9]{3,4})$/;

/** The path of a new file. `name` is 32 hex digits of randomness, so that names cannot be guessed. */
export function mediaPath(name: string, extension: string): string {
  return `${name.slice(0, 2)}/${name}.${extension}`;
}

/** Where clients load a stored file from. */
export const mediaUrl = (cdnUrl: string, file: string): string => `${cdnUrl}/media/${file}`;

/** Mime type by our own extension; undefined for a name we never gave, so nothing can climb out. */
function mimeOf(file: string): string | undefined {
  const extension = NAME.exec(file)?.[1];
  return extension === undefined ? undefined : MIME_OF[extension];
}

export function createFileMediaStore(root: string): MediaStore {
  const folder = path.resolve(root);
  const locate = (file: string): string => {
    if (mimeOf(file) === undefined) throw new Error('not a media path');
    return path.join(folder, file);
  };
  return {
    async put(file, bytes) {
      const target = locate(file);
      await mkdir(path.dirname(target), { recursive: true });
      // Written aside and renamed: a reader sees the whole file or none, also after a crash.
      const draft = `${target}.part`;
      const handle = await open(draft, 'wx');
      try {
        await handle.writeFile(bytes);
        await handle.sync();
      } finally {
        await handle.close();
      }
      await rename(draft, target);
      await syncFolder(path.dirname(target));
    },

    async read(file) {
      const mime = mimeOf(file);
      if (mime === undefined) return undefined;
      try {
        const handle = await open(locate(file), 'r');
        const { size } = await handle.stat();
        return {
          bytes: size,
          mime,
          stream: () => handle.createReadStream(),
          close: () => handle.close(),
        };
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
        throw error;
      }
    },

    remove: (file) => rm(locate(file), { force: true }),
  };
}

/** The rename itself is durable only when the folder is. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
