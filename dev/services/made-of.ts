import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';

/** What is made of some files, and where it is written down what they were when it was made. */
export interface Made {
  /** Files and folders of the project. */
  inputs: readonly string[];
  /** Files below them that the making itself writes. */
  except?: readonly string[];
  stamp: string;
  make: () => Promise<void>;
}

/** What lies there already is left when nothing of what it was made of has changed. */
export async function makeUnlessSame({ inputs, except = [], stamp, make }: Made): Promise<void> {
  const madeOf = await hashOf(inputs, except);
  if (existsSync(stamp) && (await readFile(stamp, 'utf8')) === madeOf) return;
  await make();
  await mkdir(path.dirname(stamp), { recursive: true });
  await writeFile(stamp, madeOf);
}

async function hashOf(inputs: readonly string[], except: readonly string[]): Promise<string> {
  const hash = createHash('sha256');
  for (const input of inputs) {
    for (const file of await filesUnder(input)) {
      if (except.includes(file)) continue;
      hash.update(`${file}\0`).update(await readFile(file));
    }
  }
  return hash.digest('hex');
}

/** The file itself, or all below the folder, in one order. */
async function filesUnder(input: string): Promise<string[]> {
  if (!(await stat(input)).isDirectory()) return [input];
  const entries = await readdir(input, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name))
    .toSorted();
}
