import type { Transaction } from 'sequelize';
import { keyedRequest } from '../../db/keyed-request.ts';
import { type Db, inTransaction, runner } from '../../db/postgres.ts';
import type { SqlRunner } from '../../db/sql-runner.ts';

/**
 * What a step may answer: it is stored, and a repeat reads it back. No row, Date or bigint comes
 * back from JSON as it went in. Prefer an id, by which the caller reads the record afresh.
 */
export type Json =
  | string
  | number
  | boolean
  | null
  | readonly Json[]
  | { readonly [name: string]: Json | undefined };

/** `noun.verb`; with `:id` where one request may do the same to several things. */
export type StepName = `${string}.${string}`;

/**
 * Runs `fn` once. Key, writes and result commit together; a repeat answers the stored result
 * without running `fn`. A parallel call waits on the key's unique index until the first has ended.
 * A flow's key is made of its subject (`deposit:12:confirm:3`), never of an attempt or run id.
 */
export async function runOnce<Result extends Json | void>(
  db: Db,
  key: string,
  fn: (tx: Transaction) => Promise<Result>,
): Promise<Result> {
  const once = async (tx: Transaction): Promise<Result> => {
    const sql = runner(db, tx);
    const { rows } = await sql.query(
      'INSERT INTO effects (key) VALUES ($1) ON CONFLICT (key) DO NOTHING RETURNING key',
      [key],
    );
    if (rows.length === 0) {
      return await resultOf(sql, 'SELECT result FROM effects WHERE key = $1', [key]);
    }
    const value = await fn(tx);
    // The first answer is read back as well: it is to the letter what a repeat gets.
    return await resultOf(sql, 'UPDATE effects SET result = $2 WHERE key = $1 RETURNING result', [
      key,
      JSON.stringify({ value }, finite),
    ]);
  };
  // What a commit sets off (an outbox delivery) is no longer part of the request.
  return await keyedRequest.run(undefined, async () => await inTransaction(db, once));
}

/**
 * One transaction of an activity that a console's POST may call. In a request with an
 * Idempotency-Key it is a step that runs once under `request:<hash>:<name>`, so the request can be
 * run again after a crash; elsewhere it is a plain transaction. Raises when the request has had a
 * step of this name: its result would answer for both.
 */
export async function runStep<Result extends Json | void>(
  db: Db,
  name: StepName,
  fn: (tx: Transaction) => Promise<Result>,
): Promise<Result> {
  const request = keyedRequest.getStore();
  if (request === undefined) return await inTransaction(db, fn);
  const { key, steps, crashAt } = request;
  if (steps.has(name)) throw new Error(`this request has two steps named ${name}`);
  steps.add(name);
  try {
    const result = await runOnce(db, `${key}:${name}`, async (tx) => {
      const value = await fn(tx);
      endProcessAt(crashAt, `before:${name}`);
      return value;
    });
    endProcessAt(crashAt, `after:${name}`);
    return result;
  } catch (error) {
    // Rolled back: it left nothing, and may be tried again under its name.
    steps.delete(name);
    throw error;
  }
}

/** Answers a request with an Idempotency-Key: its transactions are steps of `key`. */
export function inKeyedRequest(key: string, crashAt: string, run: () => void): void {
  keyedRequest.run({ key, steps: new Set(), crashAt }, run);
}

/** As a machine that loses its power: nothing is flushed, closed or told. */
export function endProcessAt(crashAt: string, here: string): void {
  if (crashAt === here) process.kill(process.pid, 'SIGKILL');
}

async function resultOf<Result>(
  sql: SqlRunner,
  statement: string,
  [key, ...values]: [key: string, ...unknown[]],
): Promise<Result> {
  const { rows } = await sql.query<{ result: { value: Result } }>(statement, [key, ...values]);
  const [stored] = rows;
  if (stored === undefined) throw new Error(`the result of ${key} vanished`);
  return stored.result.value;
}

/** JSON would make null of the numbers that it has not. */
function finite(_name: string, value: unknown): unknown {
  if (typeof value === 'number' && !Number.isFinite(value)) throw new Error(`${value} is no JSON`);
  return value;
}
