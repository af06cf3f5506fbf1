import { buffer } from 'node:stream/consumers';
import { ZipFile } from 'yazl';

export interface ZipEntry {
  name: string;
  content: string | Buffer;
  /** Unix mode; 0o120777 is a link. */
  mode?: number;
}

export async function zipOf(entries: readonly ZipEntry[]): Promise<Buffer> {
  const zip = new ZipFile();
  for (const { name, content, mode } of entries) {
    zip.addBuffer(Buffer.from(content), name, mode === undefined ? {} : { mode });
  }
  zip.end();
  return await buffer(zip.outputStream);
}

/** Writes another name of the same length over `name`, which a packer would refuse to write. */
export function renamed(zip: Buffer, name: string, to: string): Buffer {
  if (name.length !== to.length) throw new Error('names differ in length');
  return Buffer.from(zip.toString('latin1').replaceAll(name, to), 'latin1');
}

/** The smallest creative that is taken; its click opens what the ad says. */
export const HTML5_INDEX =
  '<!doctype html><html><head><meta name="ad.size" content="width=300,height=250">' +
  '<script>var clickTag = "https://preview.example/";</script><script src="js/main.js"></script></head>' +
  '<body><a id="go" href="javascript:void(window.open(clickTag))">Go</a></body></html>';

export const html5Zip = async (more: readonly ZipEntry[] = [], index = HTML5_INDEX) =>
  await zipOf([
    { name: 'index.html', content: index },
    { name: 'js/main.js', content: 'document.title = "creative";' },
    ...more,
  ]);
