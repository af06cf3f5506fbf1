/**
 * Requests of the hot surfaces go a step at a time for all of them: all are read, then all decided, then all
 * answered. One after another, each would drive the code and data of its reading, of its auction and of the
 * kernel's sending through the processor's caches anew (docs/decisions/0013 has figures).
 * Where nothing else comes, a request waits for one empty look at the sockets.
 */

type Step = () => unknown;

/** Looks at the sockets, at most, before what they brought is decided. */
const LOOKS_MAX = 6;

/**
 * Runs what it is given when no more comes from the sockets, together with what is given until then, but no
 * more than `atOnceMax` between two looks at the sockets: what else the process does waits no longer than that.
 */
function turns(atOnceMax: number): (decide: Step) => void {
  const undecided: Step[] = [];
  const gather = (before: number, looks: number): void => {
    const came = undecided.length;
    if (came > before && came < atOnceMax && looks < LOOKS_MAX) {
      setImmediate(gather, came, looks + 1);
    } else {
      const some = undecided.splice(0, atOnceMax);
      if (undecided.length > 0) setImmediate(gather, undecided.length, LOOKS_MAX);
      runAll(some, take);
    }
  };
  const take = (decide: Step): void => {
    if (undecided.push(decide) === 1) setImmediate(gather, 0, 0);
  };
  return take;
}

/** For what is answered at once. */
export const inTurn = turns(128);

/** For what waits for a commit: PostgreSQL has some of it while we read the next. */
export const inShortTurn = turns(32);

let unanswered: Step[] = [];

/** Runs what is given after all that is decided now, by one turn or by one reply of a store. */
export function afterTurn(answer: Step): void {
  if (unanswered.push(answer) === 1) process.nextTick(answerAll);
}

function answerAll(): void {
  const all = unanswered;
  unanswered = [];
  runAll(all, afterTurn);
}

/** One that throws is a fault of its own, and takes no other with it: those behind it go `again`. */
function runAll(steps: readonly Step[], again: (step: Step) => void): void {
  let at = 0;
  try {
    for (; at < steps.length; at += 1) steps[at]?.();
  } finally {
    for (const step of steps.slice(at + 1)) again(step);
  }
}
