import type { WorkflowClientInterceptor } from '@temporalio/client';
import { WorkflowNotFoundError } from '@temporalio/client';
import { defaultPayloadConverter } from '@temporalio/common';
import pg from 'pg';
import type { TestFlows } from './flows.ts';
import { AHEAD_HEADER, MOVED_SIGNAL } from './moved-names.ts';

/**
 * A time that is moved as a whole: for this process with all that runs in it, for a database, and for the flows
 * that are begun meanwhile. It goes on as ever between two moves. Timers of this process are not touched.
 */
export interface MovedTime {
  to(at: Date): Promise<void>;
  /** The real time again. */
  end(): void;
}

const RealDate = Date;
let aheadMs = 0;
const now = (): number => RealDate.now() + aheadMs;

const MovedDate: DateConstructor = new Proxy(RealDate, {
  construct: (target, given: unknown[], made) =>
    Reflect.construct(
      target,
      given.length === 0 ? [now()] : given,
      made === MovedDate ? target : made,
    ) as object,
  apply: () => new RealDate(now()).toString(),
  get: (target, name, receiver) =>
    name === 'now' ? now : (Reflect.get(target, name, receiver) as unknown),
});

/** Of a database that was made with its own clock (`withOwnClock`). */
export function movedTime(
  database: { pool: pg.Pool },
  flows: Pick<TestFlows, 'client'>,
): MovedTime {
  /** What its outbox has begun, which upkeep clears away: whether it runs yet. */
  const begun = new Map<string, boolean>();
  globalThis.Date = MovedDate;
  return {
    to: async (at) => {
      aheadMs = at.getTime() - RealDate.now();
      await database.pool.query(`UPDATE moved_clock SET ahead = $1 * interval '1 millisecond'`, [
        aheadMs,
      ]);
      const { rows } = await database.pool.query<{ id: string }>(
        `SELECT DISTINCT payload ->> 'workflowId' AS id FROM outbox WHERE kind = 'workflow_start' AND done_at IS NOT NULL`,
      );
      for (const { id } of rows) if (!begun.has(id)) begun.set(id, true);
      await Promise.all(
        [...begun].map(async ([id, runs]) => {
          if (runs) begun.set(id, await tell(flows, id));
        }),
      );
    },
    end: () => {
      aheadMs = 0;
      globalThis.Date = RealDate;
    },
  };
}

/** False: it has ended. */
async function tell({ client }: Pick<TestFlows, 'client'>, workflowId: string): Promise<boolean> {
  try {
    await client.workflow.getHandle(workflowId).signal(MOVED_SIGNAL, aheadMs);
    return true;
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return false;
    throw error;
  }
}

/** Flows begin at the time that is moved, where it is. */
export const timeOfClient: WorkflowClientInterceptor = {
  start: async (input, next) =>
    await next(
      aheadMs === 0
        ? input
        : {
            ...input,
            headers: {
              ...input.headers,
              [AHEAD_HEADER]: defaultPayloadConverter.toPayload(aheadMs),
            },
          },
    ),
};

/**
 * Before anybody connects: `now()` and `clock_timestamp()` of this database are its own, which stand before
 * PostgreSQL's, in what columns begin with and in functions as well.
 */
export async function withOwnClock(ownerUrl: string): Promise<void> {
  const client = new pg.Client({ connectionString: ownerUrl });
  await client.connect();
  try {
    await client.query(OWN_CLOCK);
  } finally {
    await client.end();
  }
}

const OWN_CLOCK = `
  CREATE TABLE moved_clock (ahead interval NOT NULL);
  INSERT INTO moved_clock VALUES ('0');
  GRANT SELECT ON moved_clock TO PUBLIC;
  CREATE FUNCTION public.now() RETURNS timestamptz LANGUAGE sql STABLE
    AS 'SELECT pg_catalog.now() + ahead FROM public.moved_clock';
  CREATE FUNCTION public.clock_timestamp() RETURNS timestamptz LANGUAGE sql VOLATILE
    AS 'SELECT pg_catalog.clock_timestamp() + ahead FROM public.moved_clock';
  GRANT EXECUTE ON FUNCTION public.now(), public.clock_timestamp() TO PUBLIC;
  DO $$
  DECLARE
    found record;
  BEGIN
    FOR found IN
      SELECT adrelid::regclass AS relation, attname AS name, pg_get_expr(adbin, adrelid) AS expression
      FROM pg_attrdef JOIN pg_attribute ON attrelid = adrelid AND attnum = adnum JOIN pg_class c ON c.oid = adrelid
      WHERE c.relnamespace = 'public'::regnamespace AND attgenerated = ''
        AND pg_get_expr(adbin, adrelid) ~ '\\m(now|clock_timestamp)\\(\\)'
    LOOP
      EXECUTE format('ALTER TABLE %s ALTER COLUMN %I SET DEFAULT %s', found.relation, found.name,
        regexp_replace(found.expression, '(pg_catalog\\.)?\\m(now|clock_timestamp)\\(\\)', 'public.\\2()', 'g'));
    END LOOP;
    FOR found IN
      SELECT oid::regprocedure AS name FROM pg_proc
      WHERE pronamespace = 'public'::regnamespace AND 'search_path=public, pg_temp' = ANY (proconfig)
    LOOP
      EXECUTE format('ALTER FUNCTION %s SET search_path = public, pg_catalog, pg_temp', found.name);
    END LOOP;
    EXECUTE format('ALTER DATABASE %I SET search_path = public, pg_catalog', current_database());
  END $$`;
