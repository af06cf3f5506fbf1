import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';

/** One file of a build, as Vite's manifest has it. */
export interface BuiltFile {
  file: string;
  isEntry?: boolean;
  isDynamicEntry?: boolean;
  imports?: string[];
}
export type Manifest = Readonly<Record<string, BuiltFile>>;

/** What pages load beside the entry: `pages['/advertiser/campaigns/$id']` are places in `files`. */
export interface PageFiles {
  files: string[];
  pages: Record<string, number[]>;
}

/** `routes/advertiser/_in/campaigns/$id_.edit.tsx` is the page `/advertiser/campaigns/$id/edit`. */
const ROUTE = /^routes\/(.+)\.tsx\?tsr-split=component$/;

const addressOf = (route: string): string =>
  `/${route
    .split(/[/.]/)
    .filter((part) => !part.startsWith('_') && part !== 'index')
    .map((part) => part.replace(/_$/, ''))
    .join('/')}`;

/** The file itself with all that has to be there before it runs. */
export function withImports(manifest: Manifest, key: string, found = new Set<string>()) {
  if (found.has(key)) return found;
  found.add(key);
  for (const each of manifest[key]?.imports ?? []) withImports(manifest, each, found);
  return found;
}

/** The frame around the pages behind a login comes with each of them. */
export function pageFilesOf(manifest: Manifest): PageFiles {
  const keys = Object.keys(manifest);
  const atStart = new Set(
    keys
      .filter((key) => manifest[key]?.isEntry === true)
      .flatMap((key) => [...withImports(manifest, key)]),
  );
  const files: string[] = [];
  const pages: Record<string, number[]> = {};
  for (const key of keys) {
    const [, route] = ROUTE.exec(key) ?? [];
    // A frame alone is no page, and what matches everything says that there is none.
    if (route === undefined || /(^|\/)(_in|__root|\$)$/.test(route)) continue;
    const [frame] = /^.+\/_in(?=\/)/.exec(route) ?? [];
    const held = [...(frame === undefined ? [] : [`routes/${frame}.tsx?tsr-split=component`]), key]
      .flatMap((each) => [...withImports(manifest, each)])
      .filter((each) => !atStart.has(each))
      .map((each) => manifest[each]?.file ?? '');
    pages[addressOf(route)] = [...new Set(held)].map((file) => {
      if (!files.includes(file)) files.push(file);
      return files.indexOf(file);
    });
  }
  return { files, pages };
}

/** Beside the built pages, for the server that sends them. */
export async function writePageFiles(outDir: string): Promise<void> {
  const manifest = await readFile(path.join(outDir, '.vite/manifest.json'), 'utf8');
  const made = pageFilesOf(JSON.parse(manifest) as Manifest);
  await writeFile(path.join(outDir, '.vite/page-files.json'), JSON.stringify(made));
}
