import { cp, mkdir } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

/** Bundles the browser code into dist/web: sdk.js and the operator page. Answers the folder. */
export async function buildWeb(outDir = 'dist/web'): Promise<string> {
  const web = path.join(process.cwd(), 'web');
  const common = { bundle: true, minify: true, target: 'es2020', legalComments: 'none' } as const;
  await mkdir(path.join(outDir, 'console'), { recursive: true });
  await build({
    ...common,
    entryPoints: [path.join(web, 'sdk/main.ts')],
    format: 'iife',
    outfile: path.join(outDir, 'sdk.js'),
  });
  await build({
    ...common,
    entryPoints: [path.join(web, 'console/main.ts')],
    format: 'iife',
    outfile: path.join(outDir, 'console/main.js'),
  });
  for (const file of ['index.html', 'style.css']) {
    await cp(path.join(web, 'console', file), path.join(outDir, 'console', file));
  }
  return outDir;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await buildWeb();
