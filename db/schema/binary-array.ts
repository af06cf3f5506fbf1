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
} from './binary-value.ts';

/**
 * Arrays as PostgreSQL's binary parameters. As text every quote of a JSON text is escaped here and read
 * there again, and each value parsed; measured, that was half of what an event cost on either side.
 */
const HEADER_BYTES = 20;
const LENGTH_BYTES = 4;
const NULL_LENGTH = -1;
const BYTEA_OID = 17;
const TEXT_OID = 25;
const JSONB_OID = 3802;
const JSONB_VERSION = 1;

type OrNull<Value> = Value | null;

const arrayOf =
  <Value extends string | number | bigint | boolean>(type: Fixed<Value>) =>
  (values: readonly OrNull<Value>[]): Buffer =>
    fixedArray(type, values);

export const uuidArray = arrayOf(UUID);
export const boolArray = arrayOf(BOOL);
export const smallintArray = arrayOf(SMALLINT);
export const integerArray = arrayOf(INTEGER);
/** `values`: also money as decimal text. */
export const bigintArray = arrayOf(BIGINT);
/** `values`: RFC 3339, or Unix milliseconds. */
export const timeArray = arrayOf(TIME);
/** `values`: `2026-01-31`. */
export const dateArray = arrayOf(DAY);

export const textArray = (values: readonly OrNull<string>[]): Buffer =>
  textual(TEXT_OID, values, '');

/** `values`: JSON. */
export const jsonbArray = (values: readonly OrNull<string>[]): Buffer =>
  textual(JSONB_OID, values, String.fromCharCode(JSONB_VERSION));

export function bytesArray(values: readonly OrNull<Uint8Array>[]): Buffer {
  const bytes = values.reduce((sum, value) => sum + (value?.length ?? 0), 0);
  const out = headed(BYTEA_OID, values, bytes);
  let at = HEADER_BYTES;
  for (const value of values) {
    at = out.writeInt32BE(value === null ? NULL_LENGTH : value.length, at);
    if (value === null) continue;
    out.set(value, at);
    at += value.length;
  }
  return out;
}

function fixedArray<Value extends string | number | bigint | boolean>(
  { oid, bytes, write }: Fixed<Value>,
  values: readonly OrNull<Value>[],
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
