import type { QueryResultRow } from 'pg';

/** Anything that runs one SQL statement: a driver pool, a client, or `runner(db, tx)`. */
export interface SqlRunner {
  query<Row extends QueryResultRow>(sql: string, values?: unknown[]): Promise<{ rows: Row[] }>;
}
