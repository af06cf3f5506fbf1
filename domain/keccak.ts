/**
 * Keccak-256 as Ethereum uses it (its padding is older than SHA-3's, so Node's own hash differs).
 * Needed for the checksum of addresses only; short inputs, so 64-bit lanes as bigint will do.
 */
export function keccak256(data: Uint8Array): Uint8Array {
  const lanes = Array.from({ length: 25 }, () => 0n);
  const blocks = Math.floor(data.length / RATE_BYTES) + 1;
  const padded = new Uint8Array(blocks * RATE_BYTES);
  padded.set(data);
  padded[data.length] = 0x01;
  padded[padded.length - 1] = (padded.at(-1) ?? 0) | 0x80;
  for (let at = 0; at < padded.length; at += RATE_BYTES) {
    for (let lane = 0; lane < RATE_BYTES / 8; lane += 1) {
      lanes[lane] = laneOf(lanes, lane) ^ readLane(padded, at + lane * 8);
    }
    permute(lanes);
  }
  return Uint8Array.from({ length: 32 }, (_, at) =>
    Number((laneOf(lanes, at >> 3) >> BigInt((at & 7) * 8)) & 0xffn),
  );
}

const RATE_BYTES = 136;
const ROUNDS = 24;
const MASK = (1n << 64n) - 1n;

const laneOf = (lanes: readonly bigint[], at: number): bigint => lanes[at] ?? 0n;

const readLane = (bytes: Uint8Array, at: number): bigint =>
  bytes.subarray(at, at + 8).reduceRight((sum, byte) => (sum << 8n) | BigInt(byte), 0n);

const rotate = (lane: bigint, by: bigint): bigint =>
  by === 0n ? lane : ((lane << by) | (lane >> (64n - by))) & MASK;

/** Round constants from the permutation's own shift register, as its definition makes them. */
const ROUND_CONSTANTS: readonly bigint[] = (() => {
  let register = 1;
  const nextBit = (): bigint => {
    const bit = BigInt(register & 1);
    register = (register & 0x80) !== 0 ? ((register << 1) ^ 0x171) & 0xff : register << 1;
    return bit;
  };
  return Array.from({ length: ROUNDS }, () =>
    Array.from({ length: 7 }, (_, at) => nextBit() << ((1n << BigInt(at)) - 1n)).reduce(
      (sum, bit) => sum | bit,
      0n,
    ),
  );
})();

function permute(lanes: bigint[]): void {
  for (const constant of ROUND_CONSTANTS) {
    const columns = Array.from({ length: 5 }, (_, x) =>
      [0, 5, 10, 15, 20].reduce((sum, y) => sum ^ laneOf(lanes, x + y), 0n),
    );
    const mixed = lanes.map((lane, at) => {
      const x = at % 5;
      return lane ^ laneOf(columns, (x + 4) % 5) ^ rotate(laneOf(columns, (x + 1) % 5), 1n);
    });
    const moved = moveLanes(mixed);
    for (let at = 0; at < 25; at += 1) {
      const row = at - (at % 5);
      const next = laneOf(moved, row + ((at + 1) % 5));
      const afterNext = laneOf(moved, row + ((at + 2) % 5));
      lanes[at] = laneOf(moved, at) ^ (~next & MASK & afterNext);
    }
    lanes[0] = laneOf(lanes, 0) ^ constant;
  }
}

/** Each lane is rotated by its own triangular number and goes to another place. */
function moveLanes(lanes: readonly bigint[]): bigint[] {
  const moved = [...lanes];
  let [x, y] = [1, 0];
  let current = laneOf(lanes, 1);
  for (let step = 0; step < 24; step += 1) {
    [x, y] = [y, (2 * x + 3 * y) % 5];
    const by = BigInt((((step + 1) * (step + 2)) / 2) % 64);
    moved[x + 5 * y] = rotate(current, by);
    current = laneOf(lanes, x + 5 * y);
  }
  return moved;
}
