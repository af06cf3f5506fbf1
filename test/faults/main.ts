import { runAway } from './away.ts';
import { runFlows } from './flows.ts';
import { runKills } from './kills.ts';
import { runMany } from './many.ts';

/**
 * `npm run faults`: every part, or those that are named. Each answers whether everything held; the
 * program ends non-zero where one did not.
 */
const PARTS: Readonly<Record<string, () => Promise<boolean>>> = {
  kills: runKills,
  flows: runFlows,
  away: runAway,
  many: runMany,
};

const named = process.argv.slice(2);
for (const name of named.length === 0 ? Object.keys(PARTS) : named) {
  const part = PARTS[name];
  if (part === undefined) throw new Error(`${name}: one of ${Object.keys(PARTS).join(', ')}`);
  console.log(`\n# ${name}`);
  if (!(await part())) process.exitCode = 1;
}
process.exit();
