import {
  type FileHandle,
  mkdir,
  open,
  opendir,
  readFile,
  rename,
  rm,
  stat,
} from 'node:fs/promises';
import path from 'node:path';
import {
  type FileSweep,
  type FileSweepReport,
  removeUnnamed,
  undefinedWhenGone,
} from './file-sweep.ts';

/** Where the bytes of media lie; rows of `media` hold the path. The next driver is an object store. */
export interface MediaStore {
  /** Folder on the same file system, for uploads on their way in; `adopt` moves out of it. */
  incoming: string;
  /** Durable when it resolves. `file` is a generated name (see `mediaPath`); it is never reused. */
  put(file: string, bytes: Buffer): Promise<void>;
  /** The same for a file that lies in `incoming`; it is moved, not copied. */
  adopt(file: string, source: string): Promise<void>;
  /** All files of an HTML5 creative at once, or none; `folder` as `bundlePath` made it. */
  putBundle(folder: string, files: readonly BundleFile[]): Promise<void>;
  /** Undefined when there is no such file, or the name is not one of ours. */
  read(file: string): Promise<Buffer | undefined>;
  /** Removes what was left in `incoming` longer than this; answers how many. For a process that died. */
  sweepIncoming(olderThanMs: number): Promise<number>;
  /** Removes files and bundles that no row of `media` names, and drafts of both; for the same death. */
  sweepUnnamed(sweep: FileSweep): Promise<FileSweepReport>;
  /** For bytes whose row lost the race, a bundle with all its files; harmless when it is gone. */
  remove(file: string): Promise<void>;
}

export interface BundleFile {
  /** Relative to the bundle, such as `images/a.png`; see `isBundleName`. */
  name: string;
  bytes: Buffer;
}

/** What may be stored by itself. */
const MIME_OF: Readonly<Record<string, string>> = {
  jpg: 'image/jpeg',
  png: 'image/png',
  gif: 'image/gif',
  webp: 'image/webp',
  avif: 'image/avif',
  mp4: 'video/mp4',
  webm: 'video/webm',
};

/** What may be part of an HTML5 creative. */
const BUNDLE_MIME_OF: Readonly<Record<string, string>> = {
  ...MIME_OF,
  jpeg: 'image/jpeg',
  svg: 'image/svg+xml',
  html: 'text/html; charset=utf-8',
  htm: 'text/html; charset=utf-8',
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  json: 'application/json',
  woff: 'font/woff',
  woff2: 'font/woff2',
  ttf: 'font/ttf',
  otf: 'font/otf',
};

/** Two levels, so that no folder grows without end: `3f/3f0c….png`. */
const FILE = /^[0-9a-f]{2}\/[0-9a-f]{32}\.([a-z0-9]{3,4})$/;
const BUNDLE = /^([0-9a-f]{2}\/[0-9a-f]{32})\/(.+)$/;
/** No hidden files, no empty or dotted steps, at most six levels. */
const BUNDLE_NAME =
  /^(?:[A-Za-z0-9_-][A-Za-z0-9._-]{0,99}\/){0,5}[A-Za-z0-9_-][A-Za-z0-9._-]{0,99}$/;

/** The path of a new file. `name` is 32 hex digits of randomness, so that names cannot be guessed. */
export function mediaPath(name: string, extension: string): string {
  return `${name.slice(0, 2)}/${name}.${extension}`;
}

/** The folder of a new HTML5 creative, named like a file. */
export const bundlePath = (name: string): string => `${name.slice(0, 2)}/${name}`;

/** Whether a file may lie in a bundle under this name, by its characters and its extension. */
export const isBundleName = (name: string): boolean =>
  BUNDLE_NAME.test(name) && bundleMimeOf(name) !== undefined;

const bundleMimeOf = (name: string): string | undefined => {
  const extension = /\.([a-z0-9]+)$/i.exec(name)?.[1]?.toLowerCase();
  return extension !== undefined && Object.hasOwn(BUNDLE_MIME_OF, extension)
    ? BUNDLE_MIME_OF[extension]
    : undefined;
};

/** Uploads on their way into a store at `root`. */
export const incomingFolder = (root: string): string => path.join(path.resolve(root), 'incoming');

/** What all files of one asset begin with. */
export const mediaName = (file: string): string => file.slice(0, 35);

/** Where anybody loads a published file from. */
export const mediaUrl = (cdnUrl: string, file: string): string =>
  // Joined at once: a template would be kept as its parts, by the hundred thousand.
  [cdnUrl, 'media', file].join('/');

/** Mime type by our own extension; undefined for a name we never gave, so nothing can climb out. */
export function mediaMime(file: string): string | undefined {
  const extension = FILE.exec(file)?.[1];
  if (extension !== undefined) {
    return Object.hasOwn(MIME_OF, extension) ? MIME_OF[extension] : undefined;
  }
  const name = BUNDLE.exec(file)?.[2];
  return name !== undefined && isBundleName(name) ? bundleMimeOf(name) : undefined;
}

export function createFileMediaStore(root: string): MediaStore {
  const folder = path.resolve(root);
  const locate = (file: string): string => {
    if (mediaMime(file) === undefined) throw new Error('not a media path');
    return path.join(folder, file);
  };
  return {
    incoming: incomingFolder(root),

    async put(file, bytes) {
      const target = locate(file);
      await mkdir(path.dirname(target), { recursive: true });
      // Written aside and renamed: a reader sees the whole file or none, also after a crash.
      const draft = `${target}.part`;
      await writeDurably(draft, bytes);
      await rename(draft, target);
      await syncFolder(path.dirname(target));
    },

    async adopt(file, source) {
      const target = locate(file);
      await mkdir(path.dirname(target), { recursive: true });
      await withFile(source, 'r+', async (handle) => {
        await handle.sync();
      });
      await rename(source, target);
      await syncFolder(path.dirname(target));
    },

    async putBundle(bundle, files) {
      const target = path.join(folder, bundle);
      const draft = `${target}.part`;
      for (const { name, bytes } of files) {
        locate(`${bundle}/${name}`);
        const file = path.join(draft, name);
        await mkdir(path.dirname(file), { recursive: true });
        await writeDurably(file, bytes);
      }
      await rename(draft, target);
      await syncFolder(path.dirname(target));
    },

    async read(file) {
      if (mediaMime(file) === undefined) return undefined;
      return await readFile(locate(file)).catch(undefinedWhenGone);
    },

    sweepIncoming: async (olderThanMs) => {
      const incoming = incomingFolder(root);
      await mkdir(incoming, { recursive: true });
      let removed = 0;
      for await (const { name } of await opendir(incoming)) {
        const file = path.join(incoming, name);
        const found = await stat(file).catch(undefinedWhenGone);
        if (found === undefined || found.mtimeMs > Date.now() - olderThanMs) continue;
        await rm(file, { force: true });
        removed += 1;
      }
      return removed;
    },

    sweepUnnamed: async (sweep) => await removeUnnamed(folder, sweep),

    remove: async (file) => {
      const bundle = BUNDLE.exec(file)?.[1];
      const target = bundle === undefined ? locate(file) : path.join(folder, bundle);
      await rm(target, { force: true, recursive: true });
    },
  };
}

async function withFile(
  file: string,
  flags: string,
  use: (handle: FileHandle) => Promise<void>,
): Promise<void> {
  const handle = await open(file, flags);
  try {
    await use(handle);
  } finally {
    await handle.close();
  }
}

async function writeDurably(file: string, bytes: Buffer): Promise<void> {
  await withFile(file, 'wx', async (handle) => {
    await handle.writeFile(bytes);
    await handle.sync();
  });
}

/** The rename itself is durable only when the folder is. */
const syncFolder = async (folder: string): Promise<void> => {
  await withFile(folder, 'r', async (handle) => {
    await handle.sync();
  });
};
