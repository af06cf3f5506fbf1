import { existsSync } from 'node:fs';
import path from 'node:path';
import { StandError } from './services/progress.ts';
import { bringServices, serviceEnv } from './services/services.ts';
import { runForeground, runVerb } from './services/verb.ts';

/** `npm run bench`: services of its own, as durable as production's, and the measurements. */
await runVerb({ folder: 'bench', whenOwned: 'use another folder' }, async (context) => {
  const script = path.join(context.root, 'test/bench/main.ts');
  if (!existsSync(script)) throw new StandError(`${script} is missing: nothing to measure.`);
  const services = await bringServices(context, { lasts: 'POWER_CUT' });
  const command = [process.execPath, '--import', 'tsx', script, ...process.argv.slice(2)] as const;
  return await runForeground(context, [...command], { ...process.env, ...serviceEnv(services) });
});
