/** Sums of the first values of a row that changes, and where a sum is reached: a Fenwick tree. */
export class PrefixSums {
  readonly #tree: Float64Array;
  readonly #values: Float64Array;

  constructor(values: readonly number[]) {
    this.#values = Float64Array.from(values);
    this.#tree = new Float64Array(values.length + 1);
    for (const [at, value] of values.entries()) this.#tree[at + 1] = value;
    for (let at = 1; at <= values.length; at += 1) {
      const parent = at + (at & -at);
      if (parent <= values.length) this.#tree[parent] = this.#node(parent) + this.#node(at);
    }
  }

  set(index: number, value: number): void {
    const change = value - (this.#values[index] ?? 0);
    this.#values[index] = value;
    for (let at = index + 1; at < this.#tree.length; at += at & -at) {
      this.#tree[at] = this.#node(at) + change;
    }
  }

  /** The value itself. */
  of(index: number): number {
    return this.#values[index] ?? 0;
  }

  /** The sum of all values before the index. */
  before(index: number): number {
    let sum = 0;
    for (let at = index; at > 0; at -= at & -at) sum += this.#node(at);
    return sum;
  }

  /** The last index whose values before it do not exceed the sum. */
  reaching(sum: number): number {
    let at = 0;
    let rest = sum;
    for (let step = 1 << (31 - Math.clz32(this.#tree.length)); step > 0; step >>= 1) {
      const next = at + step;
      if (next >= this.#tree.length || this.#node(next) > rest) continue;
      at = next;
      rest -= this.#node(next);
    }
    return Math.min(at, Math.max(0, this.#values.length - 1));
  }

  #node(at: number): number {
    return this.#tree[at] ?? 0;
  }
}
