import type pg from 'pg';
import {
  BIGINT,
  BOOL,
  DAY,
  type Fixed,
  INTEGER,
  SMALLINT,
  TIME,
  UUID,
  wrongValue,
} from './schema/binary-value.ts';
import type { JsonRow } from './schema/insert.ts';
import { sqlName, sqlNames, type Table } from './schema/table.ts';
import type { SqlRunner } from './sql-runner.ts';

/**
 * Many rows into a table as COPY takes them in binary: PostgreSQL writes them page by page, where an INSERT of
 * arrays makes rows of them first and then writes one after another. Some are put together here while it takes
 * those before them. For rows that conflict with nothing; all have the columns of the first one. `whenSent` is
 * done when all of them are on their way and PostgreSQL has yet to write many; its answer is the answer.
 */
export async function copyRows<Of extends Table, Value>(
  { sql, client }: { sql: SqlRunner; client: pg.Client },
  of: Of,
  rows: Iterable<JsonRow<Of>>,
  whenSent: () => Value,
): Promise<Value> {
  const rest = rows[Symbol.iterator]();
  const first = rest.next();
  if (first.done === true) return whenSent();
  const names = Object.keys(first.value);
  const types = await typesOf(sql, of);
  const fields = names.map((name) => ({ name, write: writerOf(types.get(sqlName(of, name))) }));
  let next: IteratorResult<JsonRow<Of>> = first;
  const out = new Bytes();
  out.write(SIGNATURE);
  const nextPart = (): Part => {
    for (let count = 0; count < ROWS_AT_ONCE && next.done !== true; count += 1) {
      writeRow(out, fields, next.value);
      next = rest.next();
    }
    if (next.done === true) out.int16(END);
    return { bytes: out.taken(), isLast: next.done === true };
  };
  const text = `COPY ${of.name} (${sqlNames(of, names)}) FROM STDIN (FORMAT binary)`;
  return await send(client, text, { nextPart, whenSent });
}

interface Field {
  readonly name: string;
  readonly write: Writer;
}

function writeRow(out: Bytes, fields: readonly Field[], row: object): void {
  out.int16(fields.length);
  for (const { name, write } of fields) {
    const value = (row as Record<string, unknown>)[name] ?? null;
    if (value === null) out.int32(NULL_LENGTH);
    else write(value as never, out);
  }
}

const ROWS_AT_ONCE = 500;
/** Flags and the length of an extension follow: none of either. */
const SIGNATURE = Buffer.concat([Buffer.from('PGCOPY\n\xff\r\n\0', 'latin1'), Buffer.alloc(8)]);
const END = -1;
const NULL_LENGTH = -1;
const TEXT_OID = 25;
const JSONB_OID = 3802;
const JSONB_VERSION = 1;

type Writer = (value: never, out: Bytes) => void;

const fixed =
  <Value>({ bytes, write }: Fixed<Value>): Writer =>
  (value: Value, out: Bytes) => {
    out.int32(bytes);
    const at = out.reserve(bytes);
    write(value, out.buffer, at);
  };

const WRITERS: ReadonlyMap<number, Writer> = new Map<number, Writer>([
  ...[BIGINT, BOOL, DAY, INTEGER, SMALLINT, TIME, UUID].map((type): [number, Writer] => [
    type.oid,
    fixed(type as Fixed<never>),
  ]),
  [
    TEXT_OID,
    (value: string, out: Bytes) => {
      if (typeof value !== 'string') throw wrongValue('text', '22P02');
      out.text(value);
    },
  ],
  [
    JSONB_OID,
    (value: unknown, out: Bytes) =>
      out.text(
        // Most lists of reasons are empty.
        Array.isArray(value) && value.length === 0 ? '[]' : JSON.stringify(value),
        JSONB_VERSION,
      ),
  ],
]);

function writerOf(oid: number | undefined): Writer {
  const writer = WRITERS.get(oid ?? 0);
  if (writer === undefined) throw new Error(`no rows of a column of type ${oid} are copied`);
  return writer;
}

/** Types of a table's columns as this database has them: a declaration does not tell smallint from integer. */
const typesByTable = new WeakMap<Table, ReadonlyMap<string, number>>();

async function typesOf(sql: SqlRunner, of: Table): Promise<ReadonlyMap<string, number>> {
  let types = typesByTable.get(of);
  if (types === undefined) {
    const { rows } = await sql.query<{ name: string; oid: number }>(
      `SELECT attname AS name, atttypid::int AS oid FROM pg_attribute
       WHERE attrelid = $1::regclass AND attnum > 0 AND NOT attisdropped`,
      [of.name],
    );
    types = new Map(rows.map(({ name, oid }) => [name, oid]));
    typesByTable.set(of, types);
  }
  return types;
}

interface Part {
  bytes: Buffer;
  isLast: boolean;
}

/** The driver knows COPY's messages and leaves to its caller what to do with them. */
async function send<Value>(
  client: pg.Client,
  text: string,
  { nextPart, whenSent }: { nextPart: () => Part; whenSent: () => Value },
): Promise<Value> {
  return await new Promise<Value>((resolve, reject) => {
    let fault: Error | undefined;
    let end = (): void => reject(new Error(`${text} did not take its rows`));
    const sendPart = (connection: CopyConnection): void => {
      if (fault !== undefined) return;
      let isSent = false;
      try {
        const { bytes, isLast } = nextPart();
        connection.sendCopyFromChunk(bytes);
        if (!isLast) {
          setImmediate(sendPart, connection);
          return;
        }
        connection.endCopyFrom();
        isSent = true;
        const answer = whenSent();
        end = () => resolve(answer);
      } catch (error) {
        fault = error as Error;
        if (isSent) end = () => reject(error as Error);
        else connection.sendCopyFail(fault.message);
      }
    };
    client.query({
      submit: (connection: pg.Connection) => connection.query(text),
      handleCopyInResponse: sendPart,
      handleCommandComplete: () => undefined,
      handleReadyForQuery: () => end(),
      // What PostgreSQL says of a part that was called off is no fault of its own.
      handleError: (error: Error) => reject((fault ??= error)),
    } as unknown as pg.Submittable);
  });
}
type CopyConnection = pg.Connection & {
  sendCopyFromChunk(data: Buffer): void;
  endCopyFrom(): void;
  sendCopyFail(message: string): void;
};

const FIRST_BYTES = 1 << 18;

/** Words and ids, which most texts are: a call of the encoder costs more than their few letters. */
const SHORT_CHARS = 40;

/** Answers how many bytes it took. */
function writeText(value: string, out: Buffer, at: number): number {
  if (value.length > SHORT_CHARS) return out.write(value, at);
  for (let char = 0; char < value.length; char += 1) {
    const code = value.charCodeAt(char);
    if (code > ASCII_MAX) return out.write(value, at);
    out[at + char] = code;
  }
  return value.length;
}
const ASCII_MAX = 127;

/** Grows as it is written. */
class Bytes {
  buffer = Buffer.allocUnsafe(FIRST_BYTES);
  #at = 0;

  /** Where so many bytes may be put. */
  reserve(bytes: number): number {
    const at = this.#at;
    this.#at += bytes;
    if (this.#at > this.buffer.length) {
      const grown = Buffer.allocUnsafe(Math.max(this.buffer.length * 2, this.#at));
      this.buffer.copy(grown, 0, 0, at);
      this.buffer = grown;
    }
    return at;
  }

  int16(value: number): void {
    const at = this.reserve(2);
    this.buffer.writeInt16BE(value, at);
  }

  int32(value: number): void {
    const at = this.reserve(4);
    this.buffer.writeInt32BE(value, at);
  }

  write(bytes: Buffer): void {
    const at = this.reserve(bytes.length);
    bytes.copy(this.buffer, at);
  }

  /** With its length before it, and a version before the text where its type has one. */
  text(value: string, version?: number): void {
    const head = version === undefined ? 4 : 5;
    // No character of a string takes more.
    const at = this.reserve(head + value.length * 3);
    if (version !== undefined) this.buffer.writeUInt8(version, at + 4);
    const end = at + head + writeText(value, this.buffer, at + head);
    this.buffer.writeInt32BE(end - at - 4, at);
    this.#at = end;
  }

  /** What was written since the last time; the socket keeps it, so it is written to no more. */
  taken(): Buffer {
    const bytes = this.buffer.subarray(0, this.#at);
    this.buffer = Buffer.allocUnsafe(FIRST_BYTES);
    this.#at = 0;
    return bytes;
  }
}
