import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { cp, mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { Marked } from 'marked';
import { build as buildApp } from 'vite';
import { parse } from 'yaml';
import { writeClientTypes } from '../dev/client-types.ts';
import { packFiles } from './pack-files.ts';
import { writePageFiles } from './page-files.ts';

/** The interactive pages of the API: what they load comes from this package's folder. */
const DOCS_FILES = ['swagger-ui.css', 'swagger-ui-bundle.js', 'favicon-32x32.png', 'LICENSE'];

/** What the consoles are made of, and what is made from it beside it. */
const CONSOLE_INPUTS = [
  'web/console',
  'web/client',
  'web/build.ts',
  'web/mantine-styles.ts',
  'web/pack-files.ts',
  'web/page-files.ts',
  'domain',
  'dev/client-routes.ts',
  'docs/openapi.yaml',
  'package-lock.json',
];
const CONSOLE_MADE = ['route-tree.gen.ts', 'routes.ts', 'form-rules.ts'];

/** What the documents call one another in the tree, and where the platform serves it. */
const SERVED_AT: Readonly<Record<string, string>> = {
  'openapi.yaml': '/docs/',
  'interface.md': '/docs/interface',
  'interface.md#interface-5.11': '/docs/interface#interface-5.11',
  'webhooks.md': '/docs/webhooks',
  'GLOSSARY.md': '/docs/glossary',
};
const TEXT_PAGES = [
  { source: 'docs/interface.md', page: 'interface.html', title: 'The interface' },
  { source: 'docs/webhooks.md', page: 'webhooks.html', title: 'Receiving webhooks' },
  { source: 'docs/GLOSSARY.md', page: 'glossary.html', title: 'Glossary' },
];

/**
 * Bundles the browser code into dist/web: sdk.js, the bidder for Prebid.js, the consoles and the API's pages with the
 * document that they show. Answers the folder.
 */
export async function buildWeb(outDir = 'dist/web'): Promise<string> {
  const web = path.join(process.cwd(), 'web');
  const common = { bundle: true, minify: true, target: 'es2020', legalComments: 'none' } as const;
  await mkdir(outDir, { recursive: true });
  await build({
    ...common,
    entryPoints: [path.join(web, 'sdk/main.ts')],
    format: 'iife',
    outfile: path.join(outDir, 'sdk.js'),
  });
  await build({
    ...common,
    entryPoints: [path.join(web, 'prebid/main.ts')],
    format: 'iife',
    outfile: path.join(outDir, 'prebid-adapter.js'),
  });
  await buildConsole(path.join(outDir, 'console'));
  await build({
    ...common,
    entryPoints: [path.join(web, 'docs/main.ts')],
    format: 'iife',
    outfile: path.join(outDir, 'docs/main.js'),
  });
  await cp(path.join(web, 'docs/index.html'), path.join(outDir, 'docs/index.html'));
  const pages = path.join(process.cwd(), 'node_modules/swagger-ui-dist');
  for (const file of DOCS_FILES) await cp(path.join(pages, file), path.join(outDir, 'docs', file));
  await writeTextPages(path.join(outDir, 'docs'));
  const document: unknown = parse(await readFile('docs/openapi.yaml', 'utf8'));
  await writeFile(path.join(outDir, 'openapi.json'), JSON.stringify(document));
  return outDir;
}

/**
 * The consoles; Vite knows the rest. What lies there already is left when nothing of what it was made
 * of has changed: a start would wait for it longer than for all else.
 */
async function buildConsole(outDir: string): Promise<void> {
  const stamp = path.join(outDir, '.vite/made-of');
  const madeOf = await hashOfInputs();
  if (existsSync(stamp) && (await readFile(stamp, 'utf8')) === madeOf) return;
  writeClientTypes();
  await forProduction(
    async () =>
      await buildApp({
        configFile: path.join(process.cwd(), 'web/console/vite.config.ts'),
        logLevel: 'warn',
        build: { outDir: path.resolve(outDir) },
      }),
  );
  await writePageFiles(outDir);
  await packFiles(path.join(outDir, 'assets'));
  await writeFile(stamp, madeOf);
}

/** Where NODE_ENV says anything else, as in tests, Vite would build React for development. */
async function forProduction(run: () => Promise<unknown>): Promise<void> {
  const before = process.env['NODE_ENV'];
  process.env['NODE_ENV'] = 'production';
  try {
    await run();
  } finally {
    if (before === undefined) delete process.env['NODE_ENV'];
    else process.env['NODE_ENV'] = before;
  }
}

async function hashOfInputs(): Promise<string> {
  const hash = createHash('sha256');
  for (const input of CONSOLE_INPUTS) {
    for (const file of await filesUnder(input)) {
      hash.update(`${file}\0`).update(await readFile(file));
    }
  }
  return hash.digest('hex');
}

/** The file itself, or all below the folder, in one order; without what a build writes there. */
async function filesUnder(input: string): Promise<string[]> {
  if (!(await stat(input)).isDirectory()) return [input];
  const entries = await readdir(input, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile() && !CONSOLE_MADE.includes(entry.name))
    .map((entry) => path.join(entry.parentPath, entry.name))
    .toSorted();
}

/** The rules as pages, so that openapi.yaml can link the section that it cites. */
async function writeTextPages(outDir: string): Promise<void> {
  await cp(path.join(process.cwd(), 'web/docs/text.css'), path.join(outDir, 'text.css'));
  const markdown = new Marked({
    walkTokens: (token) => {
      if (token.type === 'link') token['href'] = SERVED_AT[String(token['href'])] ?? token['href'];
    },
  });
  for (const { source, page, title } of TEXT_PAGES) {
    const body = await markdown.parse(await readFile(source, 'utf8'));
    await writeFile(path.join(outDir, page), textPage(title, body));
  }
}

const textPage = (title: string, body: string): string => `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <title>${title}</title>
    <link rel="icon" href="/docs/favicon-32x32.png" />
    <link rel="stylesheet" href="/docs/text.css" />
  </head>
  <body>
${body}  </body>
</html>
`;

if (process.argv[1] === fileURLToPath(import.meta.url)) await buildWeb(process.argv[2]);
