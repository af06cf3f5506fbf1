import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import type pg from 'pg';

/** Linux counts 100 ticks a second. */
const TICK_MICROS = 10_000;

/** The fields of /proc/<pid>/stat after the name, the state first; undefined when the process has ended. */
function statOf(pid: number): string[] | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  } catch (error) {
    if ((error as { code?: unknown }).code === 'ENOENT') return undefined;
    throw error;
  }
}

const ticks = (fields: readonly string[], from: number, to: number): number =>
  fields.slice(from, to).reduce((sum, field) => sum + Number(field), 0);

const PARENT = 1;

function childrenOf(parent: number): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => Number(statOf(pid)?.[PARENT]) === parent);
}

/** A server with its children, also those that have ended. */
export const cpuMicrosWithChildren = (parent: number): number =>
  [parent, ...childrenOf(parent)].reduce(
    (sum, pid) => sum + ticks(statOf(pid) ?? [], 11, pid === parent ? 15 : 13) * TICK_MICROS,
    0,
  );

/** The process that all of PostgreSQL's backends are children of. */
export async function postmasterOf(pool: pg.Pool): Promise<number> {
  const { rows } = await pool.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
  return Number(statOf(rows[0]?.pid ?? 0)?.[PARENT]);
}

/** Cores that this process may use: a bench beside others keeps to those that it was given. */
const mine = execFileSync('taskset', ['-c', '-p', String(process.pid)], { encoding: 'utf8' })
  .replace(/^.*: /s, '')
  .trim()
  .split(',')
  .flatMap((part) => {
    const [from = 0, to = from] = part.split('-').map(Number);
    return Array.from({ length: to - from + 1 }, (_none, at) => String(from + at));
  });

/** What is measured has one core for itself; load, PostgreSQL and the rest share the others. */
export const CORES = {
  server: mine[0] ?? '0',
  rest: (mine.length > 1 ? mine.slice(1) : mine).join(','),
  all: mine.join(','),
} as const;

/** With its threads and, for PostgreSQL, its children; what they start later inherits it. */
export function pin(pid: number, cores: string): void {
  for (const each of [pid, ...childrenOf(pid)]) {
    execFileSync('taskset', ['-a', '-c', '-p', cores, String(each)], { stdio: 'ignore' });
  }
}
