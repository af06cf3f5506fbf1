import { cp, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { Marked } from 'marked';
import { parse } from 'yaml';
import { writeClientTypes } from '../dev/client-types.ts';
import { makeUnlessSame } from '../dev/services/made-of.ts';
import { packFiles } from './pack-files.ts';
import { writePageFiles } from './page-files.ts';

/** The interactive pages of the API: what they load comes from this package's folder. */
const DOCS_FILES = ['swagger-ui.css', 'swagger-ui-bundle.js', 'favicon-32x32.png', 'LICENSE'];

/** What PDFs use without having it in them: the maps of Chinese characters, fonts, and a decoder of scans. */
const PDF_FILES = ['cmaps', 'standard_fonts', 'wasm/openjpeg_nowasm_fallback.js'];

/** What all of it is made of, and what is made on the way, beside it. */
const INPUTS = [
  'web',
  'domain',
  'dev/client-routes.ts',
  'dev/client-types.ts',
  'dev/form-rules.ts',
  'docs/GLOSSARY.md',
  'docs/interface.md',
  'docs/openapi.yaml',
  'docs/runbooks',
  'docs/webhooks.md',
  'package-lock.json',
];
const MADE = [
  'web/client/form-rules.ts',
  'web/client/routes.ts',
  'web/client/member-routes.ts',
  'web/client/operator-routes.ts',
  'web/console/route-tree.gen.ts',
];

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
const RUNBOOKS = 'docs/runbooks';

/**
 * Bundles the browser code into dist/web: sdk.js, the bidder for Prebid.js, the consoles and the API's pages with the
 * document that they show. Answers the folder.
 */
export async function buildWeb(outDir = 'dist/web'): Promise<string> {
  const stamp = path.join(outDir, '.made-of');
  const make = async () => await makeWeb(outDir);
  await makeUnlessSame({ inputs: INPUTS, except: MADE, stamp, make });
  return outDir;
}

async function makeWeb(outDir: string): Promise<void> {
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
}

/** The consoles; Vite knows the rest. */
async function buildConsole(outDir: string): Promise<void> {
  // A second of loading, which most starts do without.
  const { build: buildApp } = await import('vite');
  writeClientTypes();
  await forProduction(
    async () =>
      await buildApp({
        configFile: path.join(process.cwd(), 'web/console/vite.config.ts'),
        logLevel: 'warn',
        build: { outDir: path.resolve(outDir) },
      }),
  );
  await copyPdfFiles(path.join(outDir, 'assets'));
  await writePageFiles(outDir);
  await packFiles(path.join(outDir, 'assets'));
}

/** Among the assets, where the pages' policy lets fonts and scripts come from; named by their version, as they are kept for long. */
async function copyPdfFiles(assets: string): Promise<void> {
  const source = path.join(process.cwd(), 'node_modules/pdfjs-dist');
  const about: unknown = JSON.parse(await readFile(path.join(source, 'package.json'), 'utf8'));
  const { version } = about as { version: string };
  for (const file of PDF_FILES) {
    const target = path.join(assets, `pdf-${version}`, file);
    await cp(path.join(source, file), target, { recursive: true });
  }
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
  await writeRunbooks(path.join(outDir, 'runbooks'));
}

/** What to do at night: the health page links each trouble to its page. Beside one another, as in the tree. */
async function writeRunbooks(outDir: string): Promise<void> {
  const markdown = new Marked({
    walkTokens: (token) => {
      if (token.type !== 'link') return;
      const [, name] = /^([\w-]+)\.md$/.exec(String(token['href'])) ?? [];
      if (name !== undefined) token['href'] = `/docs/runbooks/${name}`;
      // Documents that are not served stay words.
      else token.type = 'text';
    },
  });
  await mkdir(outDir, { recursive: true });
  for (const file of await readdir(RUNBOOKS)) {
    const source = await readFile(path.join(RUNBOOKS, file), 'utf8');
    const title = /^# (.+)$/m.exec(source)?.[1] ?? 'Runbooks';
    const page = path.join(outDir, file.replace(/\.md$/, '.html'));
    await writeFile(page, textPage(title, await markdown.parse(source)));
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
