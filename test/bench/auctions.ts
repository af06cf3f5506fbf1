import { execFileSync } from 'node:child_process';
import { build } from 'esbuild';

const SOURCE = 'test/bench/auction.ts';
const BUNDLE = '.data/bench/auction.mjs';
/** As large as a server's, so that what is measured is no collector's. */
const FLAGS = ['--max-semi-space-size=32'];

/** Bundled, because tsx names each closure when it is made, which doubles an auction; alone in a process of its own. */
export async function benchAuctions(): Promise<void> {
  await build({
    entryPoints: [SOURCE],
    outfile: BUNDLE,
    bundle: true,
    platform: 'node',
    format: 'esm',
    packages: 'external',
  });
  console.log('\nauctions in memory, medians of rounds that take turns');
  execFileSync(process.execPath, [...FLAGS, BUNDLE], { stdio: 'inherit' });
}
