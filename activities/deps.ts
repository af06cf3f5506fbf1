import type { Logger } from 'pino';
import type { Db } from '../db/postgres.ts';
import type { Outbox } from './outbox.ts';
import type { Outbound } from './providers/outbound.ts';

/** What every activity factory takes; made once per process by api/server.ts and worker/main.ts. */
export interface ActivityDeps {
  db: Db;
  outbox: Outbox;
  log: Logger;
  clock: () => Date;
  /** Only a process that runs flows looks outside; an activity that must have it says so. */
  outbound?: Outbound;
}
