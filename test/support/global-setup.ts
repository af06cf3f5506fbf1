import { prepareTemplateDatabase } from './database.ts';
import { RUN_FOLDER } from './once.ts';
import { FLOWS_IN_THREAD } from './workflow-bundle.ts';

/** `npm test` starts the services and makes the run's folder; here only the schema is prepared. */
export default async function globalSetup(): Promise<void> {
  if (process.env[RUN_FOLDER] === undefined)
    throw new Error(`${RUN_FOLDER} is not set: tests are run by "npm test", or "npm test -- path"`);
  await prepareTemplateDatabase();
  Object.assign(process.env, FLOWS_IN_THREAD);
}
