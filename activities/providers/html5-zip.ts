import { type Entry, fromBufferPromise, type ZipFile } from 'yauzl';
import { type BundleFile, isBundleName } from '../../db/files/media-store.ts';
import {
  adSizeOf,
  clickTagFault,
  html5Findings,
  type Html5Texts,
  withClickTag,
} from '../../domain/creative/html5.ts';
import type { Finding } from '../../domain/finding.ts';
import { DomainError, fileTooLarge, invalid } from '../../domain/errors.ts';
import { sniffImage } from './image-codec.ts';
import { sniffVideo } from './video-probe.ts';

/** interface 2.5. */
export const HTML5_ZIP_BYTES_MAX = 10 * 1024 * 1024;
export const HTML5_FILES_MAX = 100;
const UNPACKED_BYTES_MAX = 30 * 1024 * 1024;
/** Text packs to a tenth; what packs to a hundredth is there to fill a disk. */
const RATIO_MAX = 100;
/** Below this much a file may be as empty as it likes. */
const RATIO_FROM_BYTES = 256 * 1024;

export interface Html5Bundle {
  /** `index.html` among them; every page takes the click address that its frame is given. */
  files: BundleFile[];
  /** As unpacked. */
  bytes: number;
  width: number | null;
  height: number | null;
  findings: Finding[];
}

/** A zip that begins with its first entry: what stands before a zip is another file's. */
export const sniffZip = (head: Buffer): boolean =>
  head.length >= 4 && head.readUInt32BE(0) === 0x504b0304;

/**
 * Unpacks an HTML5 creative in memory. Raises validation_failed on `file` with the rule it breaks,
 * too_large for a bomb, unsupported_media for what is no zip.
 */
export async function readHtml5Zip(zip: Buffer): Promise<Html5Bundle> {
  if (zip.length > HTML5_ZIP_BYTES_MAX) throw fileTooLarge(HTML5_ZIP_BYTES_MAX);
  const unpacked = withoutTopFolder(await unpack(zip));
  const index = unpacked.find(({ name }) => name === 'index.html');
  if (index === undefined) throw refused('index_missing', 'index.html is missing at the top.');
  for (const file of unpacked) refuseForeign(file);
  const texts: Html5Texts = new Map(
    unpacked.filter(({ name }) => CODE.test(name)).map(({ name, bytes }) => [name, textOf(bytes)]),
  );
  const fault = clickTagFault(texts);
  if (fault !== null) throw refused(fault.code, fault.message);
  const size = adSizeOf(texts.get('index.html') ?? '');
  const files = unpacked.map(({ name, bytes }) => ({
    name,
    bytes: PAGE.test(name) ? Buffer.from(withClickTag(textOf(bytes))) : bytes,
  }));
  return {
    files,
    bytes: files.reduce((sum, { bytes }) => sum + bytes.length, 0),
    width: size?.width ?? null,
    height: size?.height ?? null,
    findings: html5Findings(texts),
  };
}

const PAGE = /\.html?$/i;
const CODE = /\.(?:html?|js|svg)$/i;
const TEXT = /\.(?:html?|css|js|json|svg)$/i;

async function unpack(zip: Buffer): Promise<BundleFile[]> {
  const archive = await openZip(zip);
  const files: BundleFile[] = [];
  let room = UNPACKED_BYTES_MAX;
  try {
    for await (const entry of archive.eachEntry()) {
      if (entry.fileName.endsWith('/') || isDebris(entry.fileName)) continue;
      if (files.length === HTML5_FILES_MAX) {
        throw refused('too_many_files', `More than ${HTML5_FILES_MAX} files.`);
      }
      refuseEntry(entry, room);
      const bytes = await inflate(archive, entry);
      room -= bytes.length;
      files.push({ name: entry.fileName, bytes });
    }
  } catch (error) {
    throw error instanceof DomainError ? error : unreadable(error);
  }
  const names = new Set(files.map(({ name }) => name.toLowerCase()));
  if (names.size < files.length) throw refused('duplicate_name', 'Two files have the same name.');
  return files;
}

async function openZip(zip: Buffer): Promise<ZipFile> {
  try {
    // Climbing and absolute names, and backslashes, are refused by the reader itself.
    return await fromBufferPromise(zip, { strictFileNames: true, validateEntrySizes: true });
  } catch (error) {
    throw unreadable(error);
  }
}

/** Left by the packers of some systems; nobody meant to send it. */
const isDebris = (name: string): boolean =>
  /^__MACOSX\/|(^|\/)(?:\.DS_Store|Thumbs\.db)$/.test(name);

const SYMLINK = 0o120000;
const KIND_MASK = 0o170000;

function refuseEntry(entry: Entry, room: number): void {
  const { fileName, compressedSize, uncompressedSize } = entry;
  if (entry.isEncrypted()) throw refused('encrypted', `${fileName} is encrypted.`);
  const kind = (entry.externalFileAttributes >>> 16) & KIND_MASK;
  if (kind === SYMLINK) throw refused('symlink', `${fileName} is a link.`);
  if (/\.(?:zip|gz|tgz|bz2|xz|7z|rar|tar|jar)$/i.test(fileName)) {
    throw refused('nested_archive', `${fileName} is an archive.`);
  }
  if (!isBundleName(fileName)) {
    throw refused('file_name', `${fileName.slice(0, 100)} is not a file that an ad may bring.`);
  }
  const isBomb =
    uncompressedSize > RATIO_FROM_BYTES && uncompressedSize > compressedSize * RATIO_MAX;
  if (isBomb || uncompressedSize > room) {
    throw new DomainError('too_large', { message: 'The archive unpacks to too much.' });
  }
}

/** The reader fails when an entry gives more or less than it declared, so the room holds. */
async function inflate(archive: ZipFile, entry: Entry): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of await archive.openReadStreamPromise(entry))
    chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

/** Many packers put the creative's folder into the archive: it may be the only thing at the top. */
function withoutTopFolder(files: readonly BundleFile[]): BundleFile[] {
  const tops = new Set(files.map(({ name }) => name.split('/', 1)[0]));
  const [top] = tops;
  const prefix = `${top ?? ''}/`;
  if (tops.size !== 1 || !files.every(({ name }) => name.startsWith(prefix))) return [...files];
  return files.map(({ name, bytes }) => ({ name: name.slice(prefix.length), bytes }));
}

/** The content is what the name says: no archive as a picture, no binary as a script. */
function refuseForeign({ name, bytes }: BundleFile): void {
  if (fits(name.toLowerCase(), bytes)) return;
  throw refused('content_mismatch', `${name} is not what its name says.`);
}

function fits(name: string, bytes: Buffer): boolean {
  if (TEXT.test(name)) return isText(bytes);
  if (/\.(?:mp4|webm)$/.test(name)) return sniffVideo(bytes) !== undefined;
  if (/\.(?:woff2?|ttf|otf)$/.test(name)) return FONT.test(bytes.toString('latin1', 0, 4));
  const image = sniffImage(bytes);
  if (image === undefined) return false;
  return name.endsWith(`.${image}`) || (image === 'jpeg' && name.endsWith('.jpg'));
}

// oxlint-disable-next-line no-control-regex -- the first bytes of TrueType fonts
const FONT = /^(?:wOFF|wOF2|OTTO|true|\u0000\u0001\u0000\u0000)$/;

function isText(bytes: Buffer): boolean {
  return !bytes.includes(0) && Buffer.from(textOf(bytes)).equals(withoutMark(bytes));
}

const withoutMark = (bytes: Buffer): Buffer =>
  bytes.subarray(0, 3).toString('hex') === 'efbbbf' ? bytes.subarray(3) : bytes;

/** UTF-8, without the mark that some editors begin with. */
const textOf = (bytes: Buffer): string => withoutMark(bytes).toString('utf8');

const refused = (code: string, message: string): DomainError =>
  invalid({ field: 'file', code, message });

function unreadable(cause: unknown): DomainError {
  const isPath =
    cause instanceof Error && /relative path|absolute path|invalid char/i.test(cause.message);
  if (isPath) return refused('file_name', 'A file lies outside of the archive.');
  return new DomainError('unsupported_media', {
    message: 'The file is not a zip archive that can be read.',
    cause,
  });
}
