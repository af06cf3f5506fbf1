import type pg from 'pg';
import { expectFilesOpenable, type Resealed, resealFiles } from './reseal-files.ts';
import {
  createColumnSealer,
  type DataKey,
  openUnbound,
  SEALED_COLUMNS,
  type SealedColumn,
  sealedBy,
} from './sealed-columns.ts';

export interface ResealOptions {
  /** Texts of builds that bound the column alone are bound to the row that they lie in: once, and never by habit. */
  unbound: boolean;
  /** Where the private store's files lie. */
  privateDir: string;
}

interface Where {
  table: string;
  column: string;
  /** What it is bound by, as the row's place says it, and its key. */
  row: string;
  key: string;
  boundAs: SealedColumn;
  /** Of older builds, that knew no row. */
  formerly: string;
  /** A trigger by which nobody changes the text, and the rows whose money has come to an end. */
  guarded?: { trigger: string; ended: string };
}

const ENDED = `status IN ('PAID', 'FAILED', 'RETURNED', 'REJECTED', 'CANCELLED')`;
const GUARDED: Partial<Record<SealedColumn, Where['guarded']>> = {
  'withdrawals.sealed_account': { trigger: 'withdrawals_terms', ended: ENDED },
  'chain_payments.sealed_bytes': { trigger: 'chain_payments_guard', ended: 'ended IS NOT NULL' },
};
const SECRET = 'webhook_endpoints.sealed_secret' satisfies SealedColumn;
const BATCH = 200;

const rowOf = (bound: readonly string[]): string =>
  `concat_ws('/', ${bound.map((part) => `COALESCE(${part}::text, '-')`).join(', ')})`;

const PLACES: readonly Where[] = [
  ...Object.entries(SEALED_COLUMNS).map(([name, bound]) => {
    const [table = '', column = ''] = name.split('.');
    const boundAs = name as SealedColumn;
    const formerly = boundAs === SECRET ? 'webhook_endpoints.secret' : name;
    const guarded = GUARDED[boundAs];
    const row = rowOf(bound);
    const key = bound.at(-1) ?? '';
    return { table, column, row, key, boundAs, formerly, ...(guarded && { guarded }) };
  }),
  // The secret before: it was the other column's until the newer one came.
  {
    table: 'webhook_endpoints',
    column: 'sealed_before',
    row: rowOf(SEALED_COLUMNS[SECRET]),
    key: 'id',
    boundAs: SECRET,
    formerly: 'webhook_endpoints.secret',
  },
];

/**
 * Writes every sealed text, and every private file, anew with the first key, a few rows a transaction: whoever is cut begins again and
 * finds what is left. As the tables' owner. Raises before anything is changed where a text's key is not given,
 * or a text is bound to no row and `unbound` was not asked for.
 */
export async function reseal(
  owner: pg.Pool,
  keys: readonly DataKey[],
  { unbound, privateDir }: ResealOptions,
): Promise<Resealed[]> {
  const files = { owner, dir: privateDir, keys };
  for (const place of PLACES) await expectOpenable(owner, keys, place, unbound);
  await expectFilesOpenable(files, { unbound });
  const done: Resealed[] = [];
  for (const place of PLACES) {
    let resealed = 0;
    for (;;) {
      const changed = await resealSome(owner, keys, place, unbound);
      resealed += changed;
      if (changed < BATCH) break;
    }
    const kept = await countStale(owner, keys, place);
    done.push({ column: `${place.table}.${place.column}`, resealed, kept });
  }
  return [...done, ...(await resealFiles(files))];
}

/** Those that are handed out as bytes lie as bytes. */
const BYTES = ['sealed_info', 'sealed_bytes', 'sealed_file', 'sealed_account'];
const isBytes = ({ column }: Where): boolean => BYTES.includes(column);
const textOf = (place: Where): string =>
  isBytes(place) ? `convert_from(${place.column}, 'UTF8')` : place.column;
/** NULL where there is nothing, which is not stale. */
const isStale = (place: Where): string => `${textOf(place)} NOT LIKE $1`;
const current = ([key]: readonly DataKey[]): string => `r.${key?.id}.%`;

async function expectOpenable(
  owner: pg.Pool,
  keys: readonly DataKey[],
  place: Where,
  unbound: boolean,
): Promise<void> {
  const { rows } = await owner.query<{ head: string }>(
    `SELECT DISTINCT substring(${textOf(place)} FROM '^(r\\.\\d+|\\d+)\\.') AS head
     FROM ${place.table} WHERE ${isStale(place)}`,
    [current(keys)],
  );
  for (const { head } of rows) {
    const id = Number(head.replace('r.', ''));
    const name = `${place.table}.${place.column}`;
    if (!keys.some((key) => key.id === id))
      throw new Error(`${name}: key ${id} is not in DATA_KEYS`);
    if (!head.startsWith('r.') && !unbound) {
      throw new Error(`${name} holds texts that are bound to no row: "admin reseal unbound", once`);
    }
  }
}

/** At most a batch; answers how many were written. */
async function resealSome(
  owner: pg.Pool,
  keys: readonly DataKey[],
  place: Where,
  unbound: boolean,
): Promise<number> {
  const { table, column, key, guarded } = place;
  const mayChange = guarded === undefined || unbound ? 'true' : guarded.ended;
  const client = await owner.connect();
  try {
    await client.query('BEGIN');
    const { rows } = await client.query<{ key: string; row: string; sealed: string }>(
      `SELECT ${key} AS key, ${place.row} AS row, ${textOf(place)} AS sealed FROM ${table}
       WHERE ${isStale(place)} AND ${mayChange} ORDER BY ${key} LIMIT ${BATCH} FOR UPDATE`,
      [current(keys)],
    );
    if (guarded !== undefined && rows.length > 0)
      await client.query(`ALTER TABLE ${table} DISABLE TRIGGER ${guarded.trigger}`);
    for (const { key: id, row, sealed } of rows) {
      const anew = sealAnew(keys, place, { row, sealed });
      await client.query(`UPDATE ${table} SET ${column} = $2 WHERE ${key} = $1`, [
        id,
        isBytes(place) ? Buffer.from(anew) : anew,
      ]);
    }
    if (guarded !== undefined && rows.length > 0)
      await client.query(`ALTER TABLE ${table} ENABLE TRIGGER ${guarded.trigger}`);
    await client.query('COMMIT');
    return rows.length;
  } catch (error) {
    await client.query('ROLLBACK');
    throw error;
  } finally {
    client.release();
  }
}

function sealAnew(
  keys: readonly DataKey[],
  { table, column, boundAs, formerly }: Where,
  { row, sealed }: { row: string; sealed: string },
): string {
  const sealer = createColumnSealer(keys);
  const at = { column: boundAs, row };
  try {
    const isUnbound = sealedBy(sealed) === null;
    const text = isUnbound ? openUnbound(keys, sealed, formerly) : sealer.open(sealed, at);
    return sealer.seal(text, at);
  } catch (error) {
    const what = `${table}.${column} of row ${row} does not open`;
    throw new Error(`${what}: it was altered, or moved from another row`, { cause: error });
  }
}

async function countStale(owner: pg.Pool, keys: readonly DataKey[], place: Where): Promise<number> {
  const { rows } = await owner.query<{ kept: string }>(
    `SELECT count(*) AS kept FROM ${place.table} WHERE ${isStale(place)}`,
    [current(keys)],
  );
  return Number(rows[0]?.kept);
}
