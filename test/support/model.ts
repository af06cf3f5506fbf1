import { runBook } from '../../db/queries/books.ts';
import { DomainError } from '../../domain/errors.ts';
import type { Lifecycle } from '../../domain/lifecycle/transition.ts';
import type { TestDatabase } from './database.ts';

/** What tests share that run the platform beside a model of it, several commands at once. */

/** Who decides, as a token says. */
export interface Person {
  id: number;
  role: 'FINANCE';
}

/** Not shrunk: a course in which two were as fast as each other need not be so again when it is shorter. */
export const courses = (numRuns: number) => ({ numRuns, endOnFailure: true });

/** Undefined: it was refused by name. Anything else that goes wrong is a fault. */
export async function unlessRefused<Answer>(asking: Promise<Answer>): Promise<Answer | undefined> {
  try {
    return await asking;
  } catch (error) {
    if (error instanceof DomainError) return undefined;
    throw error;
  }
}

/** All at once; what goes wrong with one is told when the others have ended as well. */
export async function together<Answer>(doing: readonly Promise<Answer>[]): Promise<Answer[]> {
  await Promise.allSettled(doing);
  return await Promise.all(doing);
}

/** The same step by so many workers at once: all but one were thought dead. */
export const byWorkers = async <Answer>(
  count: number,
  step: () => Promise<Answer>,
): Promise<Answer[]> => await together(Array.from({ length: count }, step));

export const pick = <Item>(from: readonly Item[], at: number): Item | undefined =>
  from[at % Math.max(1, from.length)];

export const sum = (values: readonly bigint[]): bigint => values.reduce((a, b) => a + b, 0n);

/** What the ledger's accounts of such a code hold together. */
export async function balance({ pool }: TestDatabase, code: string): Promise<bigint> {
  const { rows } = await pool.query<{ nanos: string }>(
    'SELECT COALESCE(sum(balance_nanos), 0)::text AS nanos FROM ledger_accounts WHERE code LIKE $1',
    [code],
  );
  return BigInt(rows[0]?.nanos ?? 0);
}

export async function brokenBooks(
  { pool }: TestDatabase,
  names: readonly string[],
): Promise<string[]> {
  const broken: string[] = [];
  for (const name of names) {
    const check = await runBook(pool, name);
    if (!check.ok) broken.push(`${name}: ${check.figure}`);
  }
  return broken;
}

/** Books that hold whatever the ledger was made to do. */
export const LEDGER_BOOKS = [
  'balances_sum_to_zero',
  'balances_equal_transfers',
  'balances_after_form_a_chain',
  'no_account_below_its_floor',
  'clearing_is_zero',
];

/** Each row's status of one table as it was seen last: whoever jumps, or leaves an end, is named. */
export class Watch {
  readonly #seen = new Map<string, string>();

  look(what: string, lifecycle: Lifecycle, rows: readonly { id: string; status: string }[]): void {
    for (const { id, status } of rows) {
      const before = this.#seen.get(`${what} ${id}`);
      if (before !== undefined && !reachable(lifecycle, before).has(status)) {
        throw new Error(`${what} ${id} went from ${before} to ${status}`);
      }
      this.#seen.set(`${what} ${id}`, status);
    }
  }
}

function reachable({ moves }: Lifecycle, from: string): Set<string> {
  const found = new Set([from]);
  for (const status of found) {
    for (const move of Object.values(moves)) {
      const to = move[status];
      if (to !== undefined) found.add(to);
    }
  }
  return found;
}
