import { execFileSync } from 'node:child_process';
import { benchAuctions } from './auctions.ts';
import { benchConsole } from './console.ts';
import { benchReports } from './reports.ts';
import { benchScale } from './scale.ts';
import { benchServing } from './serving.ts';
import { benchSettlement } from './settlement.ts';

/** `npm run bench reports` measures one part; without a word all of them. */
const PARTS: Readonly<Record<string, () => Promise<void>>> = {
  serving: benchServing,
  auctions: benchAuctions,
  scale: benchScale,
  settlement: benchSettlement,
  reports: benchReports,
  console: benchConsole,
};
const chosen = process.argv.slice(2);
const unknown = chosen.filter((name) => !Object.hasOwn(PARTS, name));
if (unknown.length > 0) throw new Error(`parts of the bench are: ${Object.keys(PARTS).join(', ')}`);
execFileSync('npm', ['run', '-s', 'build'], { stdio: 'inherit' });
for (const [name, measurePart] of Object.entries(PARTS)) {
  if (chosen.length === 0 || chosen.includes(name)) await measurePart();
}
