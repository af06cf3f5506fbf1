import { execFileSync } from 'node:child_process';
import { build } from 'esbuild';
import { COLLECTOR_FLAGS } from '../../dev/services/platform-processes.ts';

const SOURCE = 'test/bench/auction.ts';
const BUNDLE = '.data/bench/auction.mjs';
/** A server's, and a collector that the program calls before it measures. */
const FLAGS = [...COLLECTOR_FLAGS, '--expose-gc'];

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
