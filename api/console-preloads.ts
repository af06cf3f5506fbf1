import { readFile } from 'node:fs/promises';
import path from 'node:path';

/** As the build of the consoles writes it: files, and which of them each page loads. */
interface PageFiles {
  files: string[];
  pages: Record<string, number[]>;
}

interface Known {
  /** The page that it was read with: another build is another page. */
  html: string;
  linksAt: (address: string) => string;
}

/**
 * Adds to the console's page the files that the page at this address loads (`/advertiser/campaigns/7`).
 * The browser asks for them together with the entry, instead of after it has run: one round trip and the
 * reading of thirty files less before anything is shown.
 */
export function preloading(root: string): (html: string, address: string) => Promise<string> {
  let known: Known | undefined;
  return async (html, address) => {
    if (known?.html !== html) known = { html, linksAt: linksOf(await readPageFiles(root)) };
    return html.replace('</head>', `${known.linksAt(address)}</head>`);
  };
}

async function readPageFiles(root: string): Promise<PageFiles> {
  try {
    const text = await readFile(path.join(root, '.vite/page-files.json'), 'utf8');
    return JSON.parse(text) as PageFiles;
  } catch (error) {
    // Without it pages are the same, and a little later.
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return { files: [], pages: {} };
    throw error;
  }
}

function linksOf({ files, pages }: PageFiles): (address: string) => string {
  const known = Object.entries(pages)
    // `/new` before `/$id`.
    .toSorted(([a], [b]) => a.split('$').length - b.split('$').length)
    .map(([address, at]) => ({
      at: new RegExp(`^${address.replaceAll(/\$\w+/g, '[^/]+')}/?$`),
      links: at.map((place) => linkTo(files[place] ?? '')).join(''),
    }));
  return (address) => known.find(({ at }) => at.test(address))?.links ?? '';
}

/** As the entry asks for it: a link of another mode would be fetched twice. */
const linkTo = (file: string): string =>
  `<link rel="modulepreload" crossorigin href="/console/${file}">`;
