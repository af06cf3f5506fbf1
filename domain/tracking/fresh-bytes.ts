import { randomFillSync } from 'node:crypto';

/**
 * Unpredictable bytes from a pool that is filled at once: one call into the operating system's
 * generator per few hundred requests instead of four per request (measured: 7 % of an ad request).
 * Each byte is handed out once and wiped from the pool.
 */
const POOL_BYTES = 16_384;
const pool = Buffer.alloc(POOL_BYTES);
let used = POOL_BYTES;

/** Into bytes that are there already; at most the pool's size at once. */
export function fillFresh(target: Buffer, offset: number, count: number): void {
  const at = take(count);
  // A few bytes are copied sooner than the runtime is asked to.
  for (let index = 0; index < count; index += 1) target[offset + index] = pool[at + index] ?? 0;
  wipe(at, count);
}

/** As text: twice as many hex digits, or base64url. */
export function freshText(count: number, encoding: 'hex' | 'base64url'): string {
  const at = take(count);
  const text = pool.toString(encoding, at, at + count);
  wipe(at, count);
  return text;
}

function wipe(at: number, count: number): void {
  for (let index = at; index < at + count; index += 1) pool[index] = 0;
}

/** Where the next ones lie. */
function take(count: number): number {
  if (count > POOL_BYTES) throw new RangeError(`at most ${POOL_BYTES} bytes at once`);
  if (used + count > POOL_BYTES) {
    randomFillSync(pool);
    used = 0;
  }
  const at = used;
  used += count;
  return at;
}
