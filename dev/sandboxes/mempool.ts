import { type RawTransfer, readTransfer } from './raw-transaction.ts';

export type Waiting = RawTransfer;

/** Signed transactions that wait for a block, as one node has them. */
export class Mempool {
  readonly #chainId: number;
  readonly #waiting = new Map<string, Waiting>();
  /** A wallet's first number here: this chain forgets with its process, whoever signs for it does not. */
  readonly #begun = new Map<string, number>();

  constructor(chainId: number) {
    this.#chainId = chainId;
  }

  begunAt(from: string): number {
    return this.#begun.get(from) ?? 0;
  }

  /** Answers the transaction's hash; raises as a node refuses. */
  add(
    bytes: string,
    { used, forgets }: { used: (from: string) => number; forgets: boolean },
  ): string {
    const read = readTransfer(bytes);
    const { hash, from, nonce } = read;
    if (read.chainId !== this.#chainId) throw new Error('invalid sender');
    if (!this.#begun.has(from)) this.#begun.set(from, nonce);
    if (nonce < used(from)) throw new Error('nonce too low');
    const key = `${from}:${nonce}`;
    const earlier = this.#waiting.get(key);
    if (earlier?.hash === hash) throw new Error('already known');
    if (earlier !== undefined && !isDearer(earlier, read)) {
      throw new Error('replacement transaction underpriced');
    }
    if (!forgets) this.#waiting.set(key, read);
    return hash;
  }

  /** Takes out what a block can carry out now. */
  take(used: (from: string) => number, baseFee: bigint): Waiting[] {
    const ready: Waiting[] = [];
    const next = new Map<string, number>();
    const inOrder = [...this.#waiting.entries()].toSorted(([, a], [, b]) => a.nonce - b.nonce);
    for (const [key, each] of inOrder) {
      const expected = next.get(each.from) ?? used(each.from);
      if (each.nonce < expected) this.#waiting.delete(key);
      if (each.nonce !== expected || each.feeWeiMax < baseFee) continue;
      this.#waiting.delete(key);
      next.set(each.from, expected + 1);
      ready.push(each);
    }
    return ready;
  }
}

/** Both of what it offers by a tenth, else nodes are made to pass on changes for nothing. */
const isDearer = (before: Waiting, now: Waiting): boolean =>
  now.feeWeiMax * 10n >= before.feeWeiMax * 11n && now.tipWei * 10n >= before.tipWei * 11n;
