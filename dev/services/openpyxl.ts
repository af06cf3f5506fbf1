import path from 'node:path';
import type { StandContext } from './context.ts';
import { StandError } from './progress.ts';
import { bringFromPypi } from './pypi.ts';

const VERSION = '3.1.5';
/** What it imports. */
const ET_XMLFILE_VERSION = '2.0.0';

/** The folder of Python's reader of workbooks, for PYTHONPATH: tests hold our exports against it. */
export async function findOpenpyxl(context: StandContext): Promise<string> {
  const folder = `openpyxl-${VERSION}`;
  const packages = [`openpyxl==${VERSION}`, `et-xmlfile==${ET_XMLFILE_VERSION}`];
  const why = await bringFromPypi(context, { packages, folder });
  if (why === '') return path.join(context.cacheDir, folder);
  throw new StandError(
    `openpyxl is missing, with which tests read exported workbooks (${why}). Install Python 3 with pip ` +
      '(Debian: apt-get install python3-pip).',
  );
}
