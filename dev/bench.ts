import { existsSync } from 'node:fs';
import path from 'node:path';
import { COLLECTOR_FLAGS } from './services/platform-processes.ts';
import { StandError } from './services/progress.ts';
import { bringServices, serviceEnv } from './services/services.ts';
import { runForeground, runVerb } from './services/verb.ts';

/** `npm run bench`: services of its own, as durable as production's, and the measurements. */
await runVerb({ folder: 'bench', whenOwned: 'use another folder' }, async (context) => {
  const script = path.join(context.root, 'test/bench/main.ts');
  if (!existsSync(script)) throw new StandError(`${script} is missing: nothing to measure.`);
  const services = await bringServices(context, { lasts: 'POWER_CUT' });
  const node = [process.execPath, ...COLLECTOR_FLAGS, '--import', 'tsx', script] as const;
  return await runForeground(context, [...node, ...process.argv.slice(2)], {
    ...process.env,
    ...serviceEnv(services),
  });
});
