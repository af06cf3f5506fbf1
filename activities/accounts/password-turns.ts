import { DomainError } from '../../domain/errors.ts';

/** Whose turn it is: those of one lane wait for each other, and lanes take turns. */
export interface Turn {
  /** An address, or a known device. */
  lane: string;
  /** Somebody who has logged in from there before: never waits behind strangers. */
  known: boolean;
}

const CONCURRENT_MAX = 2;
const QUEUED_MAX = 100;
/** Of one lane: an address that asks faster than it is answered is refused first. */
const LANE_MAX = 8;
const RETRY_AFTER_SECONDS = 5;

interface Waiting {
  begin: () => void;
  refuse: (why: DomainError) => void;
}

/** One line per lane; the first lane is served, and goes behind the others. */
class Lanes {
  readonly #lanes = new Map<string, Waiting[]>();
  size = 0;

  lengthOf(lane: string): number {
    return this.#lanes.get(lane)?.length ?? 0;
  }

  add(lane: string, one: Waiting): void {
    const line = this.#lanes.get(lane);
    if (line === undefined) this.#lanes.set(lane, [one]);
    else line.push(one);
    this.size += 1;
  }

  next(): Waiting | undefined {
    for (const [lane, line] of this.#lanes) {
      const one = line.shift();
      this.#lanes.delete(lane);
      if (line.length > 0) this.#lanes.set(lane, line);
      this.size -= 1;
      return one;
    }
    return undefined;
  }

  /** The last one of the longest line, where that is longer than `than`. */
  takeFromLongest(than: number): Waiting | undefined {
    let longest: Waiting[] = [];
    for (const line of this.#lanes.values()) if (line.length > longest.length) longest = line;
    if (longest.length <= than) return undefined;
    this.size -= 1;
    const one = longest.pop();
    if (longest.length === 0)
      this.#lanes.forEach((line, lane) => line.length === 0 && this.#lanes.delete(lane));
    return one;
  }
}

const busy = (token: 'unavailable' | 'rate_limited'): DomainError =>
  new DomainError(token, { hints: { retry_after: RETRY_AFTER_SECONDS } });

/** Runs work when its turn has come. Raises unavailable or rate_limited when the queue is full. */
export type InTurn = <Result>(
  turn: Turn | undefined,
  work: () => Promise<Result>,
) => Promise<Result>;

/**
 * Only a few run at once; whoever asks most is refused first. Known devices and strangers are served in turn; of
 * each, lane by lane.
 */
export function createTurns(): InTurn {
  let running = 0;
  let knownFirst = true;
  const known = new Lanes();
  const strangers = new Lanes();

  const next = (): Waiting | undefined => {
    const [first, second] = knownFirst ? [known, strangers] : [strangers, known];
    knownFirst = !knownFirst;
    return first.next() ?? second.next();
  };

  /** Room for one more, made by refusing whoever asks most; strangers before known devices. */
  const makeRoom = (mine: Lanes, lane: string): void => {
    if (known.size + strangers.size < QUEUED_MAX) return;
    const own = mine.lengthOf(lane) + 1;
    const given =
      strangers.takeFromLongest(mine === known ? 0 : own) ??
      (mine === known ? known.takeFromLongest(own) : undefined);
    if (given === undefined) throw busy('unavailable');
    given.refuse(busy('unavailable'));
  };

  return async (turn, work) => {
    if (running >= CONCURRENT_MAX) {
      const mine = turn?.known === true ? known : strangers;
      const lane = turn?.lane ?? '';
      if (turn !== undefined && mine.lengthOf(lane) >= LANE_MAX) throw busy('rate_limited');
      makeRoom(mine, lane);
      // A finished call hands its place over, so `running` does not change here.
      await new Promise<void>((resolve, reject) => {
        mine.add(lane, { begin: resolve, refuse: reject });
      });
    } else {
      running += 1;
    }
    try {
      return await work();
    } finally {
      const waiting = next();
      if (waiting === undefined) running -= 1;
      else waiting.begin();
    }
  };
}
