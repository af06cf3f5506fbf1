import { prepareTemplateDatabase } from './database.ts';

/** Services come from the environment (`npm test` starts them); here only the schema is prepared. */
export default async function globalSetup(): Promise<void> {
  await prepareTemplateDatabase();
}
