import type { Logger } from 'pino';
import type { Db } from '../db/postgres.ts';
import type { Outbox } from './core/outbox.ts';
import type { Providers } from './providers/compose.ts';

/** What every activity factory takes; made once per process by api/server.ts and worker/main.ts. */
export interface ActivityDeps {
  db: Db;
  outbox: Outbox;
  log: Logger;
  clock: () => Date;
  providers: Providers;
}
