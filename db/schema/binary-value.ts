/**
 * Values as PostgreSQL reads them in binary, of types that have one length. Raises what PostgreSQL would say of
 * a value that is none of its type (SQLSTATE 22P02, 22007).
 */
export interface Fixed<Value> {
  readonly oid: number;
  readonly bytes: number;
  write(this: void, value: Value, out: Buffer, at: number): void;
}

/** 2000-01-01, where PostgreSQL's time begins. */
const EPOCH_MS = 946_684_800_000;
const DAY_MS = 86_400_000;
const DAY_FORM = /^\d{4}-\d\d-\d\d$/;

export const UUID: Fixed<string> = {
  oid: 2950,
  bytes: 16,
  write: (value, out, at) => {
    if (value.length !== UUID_CHARS) throw wrongValue('uuid', '22P02');
    let byte = 0;
    for (let char = 0; char < UUID_CHARS; char += 2) {
      // The groups end at even places, so that a dash never stands inside a pair.
      if (char === 8 || char === 13 || char === 18 || char === 23) {
        if (value.charCodeAt(char) !== DASH) throw wrongValue('uuid', '22P02');
        char += 1;
      }
      const high = HEX[value.charCodeAt(char)] ?? NO_HEX;
      const low = HEX[value.charCodeAt(char + 1)] ?? NO_HEX;
      if ((high | low) >= NO_HEX) throw wrongValue('uuid', '22P02');
      out[at + byte] = (high << 4) | low;
      byte += 1;
    }
  },
};
const UUID_CHARS = 36;
const DASH = 45;
const NO_HEX = 16;
/** Of each character its value as a hex digit. */
const HEX = Uint8Array.from({ length: 128 }, (_none, code) => {
  const digit = '0123456789abcdef'.indexOf(String.fromCharCode(code).toLowerCase());
  return digit === -1 ? NO_HEX : digit;
});

export const BOOL: Fixed<boolean> = {
  oid: 16,
  bytes: 1,
  write: (value, out, at) => void out.writeUInt8(value ? 1 : 0, at),
};

export const SMALLINT: Fixed<number> = {
  oid: 21,
  bytes: 2,
  write: (value, out, at) => {
    if (!isWithin(value, 2 ** 15)) throw wrongValue('smallint', '22P02');
    out.writeInt16BE(value, at);
  },
};

export const INTEGER: Fixed<number> = {
  oid: 23,
  bytes: 4,
  write: (value, out, at) => {
    if (!isWithin(value, 2 ** 31)) throw wrongValue('integer', '22P02');
    out.writeInt32BE(value, at);
  },
};

/** Also money as decimal text. */
export const BIGINT: Fixed<bigint | number | string> = {
  oid: 20,
  bytes: 8,
  write: (value, out, at) => {
    if (typeof value === 'number') {
      if (!Number.isSafeInteger(value)) throw wrongValue('bigint', '22P02');
      writeSafe(value, out, at);
      return;
    }
    out.writeBigInt64BE(BigInt(value), at);
  },
};

/** Twice as fast as a bigint. `value`: a safe integer; micros are, for centuries around. */
function writeSafe(value: number, out: Buffer, at: number): void {
  const high = Math.floor(value / 2 ** 32);
  out.writeInt32BE(high, at);
  out.writeUInt32BE(value - high * 2 ** 32, at + 4);
}

/** RFC 3339, or Unix milliseconds. */
export const TIME: Fixed<string | number> = {
  oid: 1184,
  bytes: 8,
  write: (value, out, at) => {
    const ms = typeof value === 'number' ? Math.trunc(value) : Date.parse(value);
    if (Number.isNaN(ms)) throw wrongValue('timestamp', '22007');
    writeSafe((ms - EPOCH_MS) * 1_000, out, at);
  },
};

/** `2026-01-31`. */
export const DAY: Fixed<string> = {
  oid: 1082,
  bytes: 4,
  write: (value, out, at) => {
    if (value !== lastDay.text) {
      const ms = DAY_FORM.test(value) ? Date.parse(value) : Number.NaN;
      if (Number.isNaN(ms)) throw wrongValue('date', '22007');
      lastDay = { text: value, days: (ms - EPOCH_MS) / DAY_MS };
    }
    out.writeInt32BE(lastDay.days, at);
  },
};
/** Rows come by time: most are of the day of the one before. */
let lastDay = { text: '', days: Number.NaN };

const isWithin = (value: number, bound: number): boolean =>
  Number.isInteger(value) && value >= -bound && value < bound;

export const wrongValue = (type: string, code: string): Error =>
  Object.assign(new Error(`a value is no ${type}`), { code });
