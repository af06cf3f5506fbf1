/**
 * A bounded queue of many owners: none of them holds more than an equal part of it once it is full, and
 * they are taken from in turns. Who pours into it fills its own part, and waits behind itself.
 */
export class FairQueue<Owner, Value> {
  readonly #max: number;
  readonly #byOwner = new Map<Owner, Map<number, Value>>();
  #size = 0;

  constructor(max: number) {
    this.#max = max;
  }

  get size(): number {
    return this.#size;
  }

  /** What became of it: in a full queue the oldest of whoever holds most makes room, or this one stays out. */
  add(owner: Owner, [id, value]: readonly [number, Value]): { isIn: boolean; displaced?: number } {
    const own = this.#byOwner.get(owner);
    if (own?.has(id) === true) return { isIn: true };
    const holds = own?.size ?? 0;
    const owners = this.#byOwner.size + (own === undefined ? 1 : 0);
    let displaced: number | undefined;
    if (this.#size >= this.#max) {
      if (holds >= Math.floor(this.#max / owners)) return { isIn: false };
      displaced = this.#dropOfLargest();
    }
    if (own === undefined) this.#byOwner.set(owner, new Map([[id, value]]));
    else own.set(id, value);
    this.#size += 1;
    return displaced === undefined ? { isIn: true } : { isIn: true, displaced };
  }

  /** The oldest of each owner, then the next of each, up to `count`; they stay in until they are removed. */
  inTurn(count: number): (readonly [number, Value])[] {
    const batch: (readonly [number, Value])[] = [];
    let turns = [...this.#byOwner.values()].map((held) => held.entries());
    while (turns.length > 0 && batch.length < count) {
      turns = turns.filter((turn) => {
        if (batch.length >= count) return false;
        const next = turn.next();
        if (next.done !== true) batch.push(next.value);
        return next.done !== true;
      });
    }
    return batch;
  }

  /** Whoever had a turn goes behind those who had none. */
  remove(ids: { has(id: number): boolean }): void {
    for (const [owner, held] of this.#byOwner) {
      const before = held.size;
      for (const id of held.keys()) if (ids.has(id)) held.delete(id);
      if (held.size === before) continue;
      this.#size -= before - held.size;
      this.#byOwner.delete(owner);
      if (held.size > 0) this.#byOwner.set(owner, held);
    }
  }

  /** Larger than an equal part, so at least two: nobody's last one goes. */
  #dropOfLargest(): number | undefined {
    let largest: Map<number, Value> | undefined;
    for (const held of this.#byOwner.values()) {
      if (held.size > (largest?.size ?? 0)) largest = held;
    }
    const [oldest] = largest?.keys() ?? [];
    if (oldest === undefined) return undefined;
    largest?.delete(oldest);
    this.#size -= 1;
    return oldest;
  }
}
