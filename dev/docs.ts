import path from 'node:path';
import { runFolderEnv } from './services/run-folder.ts';
import { bringServices, serviceEnv } from './services/services.ts';
import { runForeground, runVerb } from './services/verb.ts';

/**
 * `npm run docs`: writes what is generated from the application anew, and holds it against it:
 * docs/openapi.yaml with the examples of a walk over every route.
 */
const STEPS = ['test/api/openapi/contract-examples.test.ts', 'test/api/openapi/contract.test.ts'];

await runVerb({ folder: 'docs', whenOwned: 'use another folder' }, async (context) => {
  const services = await bringServices(context, { lasts: 'RUN' });
  const own = { ...serviceEnv(services), ...runFolderEnv(context), UPDATE_DOCS: '1' };
  const env = { ...process.env, ...own };
  const jest = path.join(context.root, 'node_modules/jest/bin/jest.js');
  let failed = 0;
  for (const step of STEPS) {
    const code = await runForeground(context, [process.execPath, jest, '-i', step], env);
    // The second one also says what the first one left open.
    failed = failed === 0 ? code : failed;
  }
  return failed;
});
