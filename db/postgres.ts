import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { QueryTypes, Sequelize, type Transaction } from 'sequelize';
import { keyedRequest } from './keyed-request.ts';
import { bindModels, type Models } from './schema/models.ts';
import type { SqlRunner } from './sql-runner.ts';

/** Models over one pool. For the console, activities and worker; the hot surfaces use openPool. */
export interface Db {
  sequelize: Sequelize;
  models: Models;
}

export interface PostgresOptions {
  url: string;
  poolMax: number;
  applicationName: string;
  /** Told of each statement that Sequelize has run, and how many milliseconds it took. */
  onQuery?: (statement: string, milliseconds: unknown) => void;
}

export function connectPostgres(options: PostgresOptions): Db {
  const sequelize = new Sequelize(options.url, {
    dialect: 'postgres',
    ...(options.onQuery === undefined
      ? { logging: false }
      : { benchmark: true, logging: options.onQuery }),
    pool: { max: options.poolMax, min: 0, idle: 10_000, acquire: 5_000 },
    dialectOptions: {
      application_name: options.applicationName,
      // Below every activity's start-to-close timeout, so that no statement outlives its attempt.
      statement_timeout: 20_000,
      idle_in_transaction_session_timeout: 30_000,
      connectionTimeoutMillis: 3_000,
      keepAlive: true,
    },
    define: { underscored: true },
  });
  return { sequelize, models: bindModels(sequelize) };
}

/**
 * A plain driver pool for the paths that may not reach Sequelize. int8 arrives as text there;
 * queries cast ids with Number and money with BigInt where they map rows.
 */
export function openPool(options: PostgresOptions): pg.Pool {
  const pool = new pg.Pool({
    connectionString: options.url,
    max: options.poolMax,
    application_name: options.applicationName,
    connectionTimeoutMillis: 2_000,
    statement_timeout: 10_000,
    keepAlive: true,
  });
  // An idle connection that dies (the server was killed) is replaced on the next checkout.
  pool.on('error', () => undefined);
  return pool;
}

const RETRYABLE_SQLSTATES = new Set(['40001', '40P01', '55P03']);
const TRANSACTION_ATTEMPTS_MAX = 5;

/**
 * The only way to open a transaction. Re-runs the whole function on a serialization failure or a
 * deadlock; `run` must therefore have no effect outside the database. Raises in a request with an
 * Idempotency-Key, whose transactions have names (runStep of activities/core/run-once.ts): one without a
 * name would be done twice when the request is repeated after a crash.
 */
export async function inTransaction<Result>(
  db: Db,
  run: (tx: Transaction) => Promise<Result>,
): Promise<Result> {
  if (keyedRequest.getStore() !== undefined) {
    throw new Error('a transaction of a request with an Idempotency-Key needs a name');
  }
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await db.sequelize.transaction(run);
    } catch (error) {
      if (attempt >= TRANSACTION_ATTEMPTS_MAX || !RETRYABLE_SQLSTATES.has(sqlState(error) ?? '')) {
        throw error;
      }
      await sleep(5 * 2 ** attempt * (0.5 + Math.random()));
    }
  }
}

interface DriverError {
  code?: unknown;
  constraint?: unknown;
  original?: DriverError;
  parent?: DriverError;
}

/** SQLSTATE of a driver error, also when Sequelize has wrapped it. */
export function sqlState(error: unknown): string | undefined {
  const driver = driverError(error);
  return typeof driver?.code === 'string' ? driver.code : undefined;
}

/** Name of the violated constraint or unique index, for telling one refusal from another. */
export function violatedConstraint(error: unknown): string | undefined {
  const driver = driverError(error);
  return typeof driver?.constraint === 'string' ? driver.constraint : undefined;
}

function driverError(error: unknown): DriverError | undefined {
  if (typeof error !== 'object' || error === null) return undefined;
  const wrapped = error as DriverError;
  return wrapped.original ?? wrapped.parent ?? wrapped;
}

/** Sequelize behind the driver's `query`, so that one query function serves pools and transactions. */
export function runner(db: Db, tx: Transaction | null = null): SqlRunner {
  return {
    query: async <Row extends pg.QueryResultRow>(sql: string, values: unknown[] = []) => ({
      rows: (await db.sequelize.query(sql, {
        transaction: tx,
        type: QueryTypes.SELECT,
        bind: values,
      })) as Row[],
    }),
  };
}

/** The connection that a transaction has, for what is no statement: COPY. */
export const driverOf = (tx: Transaction): pg.Client =>
  (tx as unknown as { connection: pg.Client }).connection;

const preparedNames = new Map<string, string>();

/**
 * The same by statements that a connection plans once, outside any transaction: for those of a constant text
 * that come hundreds of times a second, where planning costs more than running.
 */
export function preparedRunner({ sequelize }: Db): SqlRunner {
  return {
    query: async <Row extends pg.QueryResultRow>(text: string, values: unknown[] = []) => {
      const name = preparedNames.get(text) ?? `prepared-${preparedNames.size + 1}`;
      preparedNames.set(text, name);
      const { connectionManager } = sequelize;
      const connection = await connectionManager.getConnection({ type: 'write' });
      try {
        return await (connection as unknown as pg.Client).query<Row>({ name, text, values });
      } finally {
        connectionManager.releaseConnection(connection);
      }
    },
  };
}
