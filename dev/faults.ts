import { existsSync } from 'node:fs';
import path from 'node:path';
import { StandError } from './services/progress.ts';
import { bringServices, givenServices, serviceEnv } from './services/services.ts';
import { runForeground, runVerb } from './services/verb.ts';

/**
 * `npm run faults`: services of its own, and a script that kills them. A killed service is started
 * again on the same port with the same data; STAND_FILE names the file where its new pid is.
 */
await runVerb({ folder: 'faults', whenOwned: 'use another folder' }, async (context) => {
  const script = path.join(context.root, 'test/faults/main.ts');
  if (!existsSync(script)) throw new StandError(`${script} is missing: nothing to break.`);
  const given = givenServices(context);
  if (given.length > 0) {
    throw new StandError(
      `faults kills its services, and so only such as it started: run it without ${given.join(', ')}.`,
    );
  }
  const services = await bringServices(context, { lasts: 'POWER_CUT' });
  const env = { ...process.env, ...serviceEnv(services), STAND_FILE: context.records.file };
  const command = [process.execPath, '--import', 'tsx', script, ...process.argv.slice(2)] as const;
  return await runForeground(context, [...command], env);
});
