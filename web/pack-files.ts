import { readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

/** What packing makes smaller; fonts and pictures are packed as they come. */
const PACKED = /\.(js|css|svg|json)$/;
/** Below this the header of the packing costs more than it saves. */
const BYTES_MIN = 1_024;

/**
 * Beside each file of the folder its packed forms, `main.js.br` and `main.js.gz`: packed once as small as it
 * goes, where a server that packs each answer has to be quick.
 */
export async function packFiles(folder: string): Promise<void> {
  const names = (await readdir(folder)).filter((name) => PACKED.test(name));
  await Promise.all(
    names.map(async (name) => {
      const file = path.join(folder, name);
      const bytes = await readFile(file);
      if (bytes.length < BYTES_MIN) return;
      await writeFile(`${file}.br`, await promisify(brotliCompress)(bytes));
      await writeFile(
        `${file}.gz`,
        await promisify(gzip)(bytes, { level: constants.Z_BEST_COMPRESSION }),
      );
    }),
  );
}
