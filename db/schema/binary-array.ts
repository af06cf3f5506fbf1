/**
 * Arrays as PostgreSQL's binary parameters. As text every quote of a JSON text is escaped here and read
 * there again, and each value parsed; measured, that was half of what an event cost on either side.
 * Raises what PostgreSQL would say of a value that is none of its type (SQLSTATE 22P02, 22007).
 */
const HEADER_BYTES = 20;
const LENGTH_BYTES = 4;
const NULL_LENGTH = -1;
const OIDS = {
  bool: 16,
  bytea: 17,
  int2: 21,
  int4: 23,
  int8: 20,
  text: 25,
  date: 1082,
  timestamptz: 1184,
  uuid: 2950,
  jsonb: 3802,
};
/** 2000-01-01, where PostgreSQL's time begins. */
const EPOCH_MS = 946_684_800_000;
const DAY_MS = 86_400_000;
const JSONB_VERSION = 1;

type OrNull<Value> = Value | null;

export const uuidArray = (values: readonly OrNull<string>[]): Buffer =>
  fixedArray(OIDS.uuid, 16, values, (value, out, at) => {
    if (!UUID.test(value)) throw wrongValue('uuid', '22P02');
    out.write(value.replaceAll('-', ''), at, 16, 'hex');
  });
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

export const boolArray = (values: readonly OrNull<boolean>[]): Buffer =>
  fixedArray(OIDS.bool, 1, values, (value, out, at) => out.writeUInt8(value ? 1 : 0, at));

export const smallintArray = (values: readonly OrNull<number>[]): Buffer =>
  fixedArray(OIDS.int2, 2, values, (value, out, at) => {
    if (!isWithin(value, 2 ** 15)) throw wrongValue('smallint', '22P02');
    out.writeInt16BE(value, at);
  });

export const integerArray = (values: readonly OrNull<number>[]): Buffer =>
  fixedArray(OIDS.int4, 4, values, (value, out, at) => {
    if (!isWithin(value, 2 ** 31)) throw wrongValue('integer', '22P02');
    out.writeInt32BE(value, at);
  });

/** `values`: also money as decimal text. */
export const bigintArray = (values: readonly OrNull<bigint | number | string>[]): Buffer =>
  fixedArray(OIDS.int8, 8, values, (value, out, at) => {
    if (typeof value === 'number') {
      if (!Number.isSafeInteger(value)) throw wrongValue('bigint', '22P02');
      // Twice as fast as a bigint, and most are ids.
      const high = Math.floor(value / 2 ** 32);
      out.writeInt32BE(high, at);
      out.writeUInt32BE(value - high * 2 ** 32, at + 4);
      return;
    }
    out.writeBigInt64BE(BigInt(value), at);
  });

/** `values`: RFC 3339, or Unix milliseconds. */
export const timeArray = (values: readonly OrNull<string | number>[]): Buffer =>
  fixedArray(OIDS.timestamptz, 8, values, (value, out, at) => {
    const ms = typeof value === 'number' ? Math.trunc(value) : Date.parse(value);
    if (Number.isNaN(ms)) throw wrongValue('timestamp', '22007');
    out.writeBigInt64BE(BigInt(ms - EPOCH_MS) * 1_000n, at);
  });

/** `values`: `2026-01-31`. */
export const dateArray = (values: readonly OrNull<string>[]): Buffer =>
  fixedArray(OIDS.date, 4, values, (value, out, at) => {
    const ms = DAY.test(value) ? Date.parse(value) : Number.NaN;
    if (Number.isNaN(ms)) throw wrongValue('date', '22007');
    out.writeInt32BE((ms - EPOCH_MS) / DAY_MS, at);
  });
const DAY = /^\d{4}-\d\d-\d\d$/;

export const textArray = (values: readonly OrNull<string>[]): Buffer =>
  textual(OIDS.text, values, '');

/** `values`: JSON. */
export const jsonbArray = (values: readonly OrNull<string>[]): Buffer =>
  textual(OIDS.jsonb, values, String.fromCharCode(JSONB_VERSION));

export function bytesArray(values: readonly OrNull<Uint8Array>[]): Buffer {
  const bytes = values.reduce((sum, value) => sum + (value?.length ?? 0), 0);
  const out = headed(OIDS.bytea, values, bytes);
  let at = HEADER_BYTES;
  for (const value of values) {
    at = out.writeInt32BE(value === null ? NULL_LENGTH : value.length, at);
    if (value === null) continue;
    out.set(value, at);
    at += value.length;
  }
  return out;
}

const isWithin = (value: number, bound: number): boolean =>
  Number.isInteger(value) && value >= -bound && value < bound;

function fixedArray<Value extends string | number | bigint | boolean>(
  oid: number,
  bytes: number,
  values: readonly OrNull<Value>[],
  write: (value: Value, out: Buffer, at: number) => void,
): Buffer {
  const out = headed(oid, values, values.length * bytes);
  let at = HEADER_BYTES;
  for (const value of values) {
    if (value === null) {
      at = out.writeInt32BE(NULL_LENGTH, at);
      continue;
    }
    at = out.writeInt32BE(bytes, at);
    write(value, out, at);
    at += bytes;
  }
  return out.subarray(0, at);
}

function textual(oid: number, values: readonly OrNull<string>[], before: string): Buffer {
  let room = 0;
  for (const value of values) {
    if (value === null) continue;
    if (typeof value !== 'string') throw wrongValue('text', '22P02');
    // No character of a string takes more.
    room += before.length + value.length * 3;
  }
  const out = headed(oid, values, room);
  let at = HEADER_BYTES;
  for (const value of values) {
    if (value === null) {
      at = out.writeInt32BE(NULL_LENGTH, at);
      continue;
    }
    const start = at + LENGTH_BYTES;
    const end = start + out.write(before + value, start);
    out.writeInt32BE(end - start, at);
    at = end;
  }
  return out.subarray(0, at);
}

/** One dimension, counted from 1. */
function headed(oid: number, values: readonly unknown[], bytes: number): Buffer {
  const out = Buffer.allocUnsafe(HEADER_BYTES + values.length * LENGTH_BYTES + bytes);
  out.writeInt32BE(1, 0);
  out.writeInt32BE(values.includes(null) ? 1 : 0, 4);
  out.writeInt32BE(oid, 8);
  out.writeInt32BE(values.length, 12);
  out.writeInt32BE(1, 16);
  return out;
}

const wrongValue = (type: string, code: string): Error =>
  Object.assign(new Error(`a value is no ${type}`), { code });
