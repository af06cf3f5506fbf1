import path from 'node:path';

/** What finds files beside its own is not moved into a bundle. */
const APART = ['@node-rs/*', '@temporalio/worker', 'pdfkit', 'pg-hstore', 'pg-native', 'sharp'];
/** Packages of the older module format ask for it by name. */
const REQUIRE = `import{createRequire as requireFrom}from'node:module';const require=requireFrom(import.meta.url);`;

/**
 * Programs with their packages, each as one file, because a start would mostly wait for the loader: 0.6 s of
 * a processor instead of 2.2. `folder` is inside the project, where what is not in a bundle is found.
 */
export async function bundlePrograms(folder: string, sources: readonly string[]): Promise<void> {
  const { build } = await import('esbuild');
  await build({
    entryPoints: sources.map((source) => ({ in: source, out: nameOf(source) })),
    outdir: folder,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    external: APART,
    banner: { js: REQUIRE },
    logLevel: 'error',
  });
}

/** Where a program's bundle lies. */
export const bundledProgram = (folder: string, source: string): string =>
  path.join(folder, `${nameOf(source)}.mjs`);

const nameOf = (source: string): string => source.replace(/\W/g, '-');
