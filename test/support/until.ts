import { setTimeout as sleep } from 'node:timers/promises';
import { inspect } from 'node:util';

interface UntilOptions {
  /** What is waited for, in the words of the failure; else the look itself is shown. */
  what?: string;
  withinMs?: number;
}

type Look<Seen> = () => Seen | Promise<Seen>;
type Something<Seen> = Exclude<Seen, undefined | null | false>;
/** Words or options come first, so that a look of several lines reads on behind them. */
type Given<Seen> = [look: Look<Seen>] | [options: string | UntilOptions, look: Look<Seen>];

const WITHIN_MS = 20_000;
const SHOWN_MAX = 300;

/** Looks until there is something: undefined, null and false mean not yet. Answers what is there. */
export async function until<Seen>(...given: Given<Seen>): Promise<Something<Seen>> {
  const { look, what, withinMs } = readGiven(given);
  const startedAt = performance.now();
  for (;;) {
    const seen = await look();
    if (isSomething(seen)) return seen;
    const waitedMs = performance.now() - startedAt;
    if (waitedMs > withinMs) {
      const last = inspect(seen).slice(0, SHOWN_MAX);
      throw new Error(`not within ${withinMs} ms: ${what}; seen last: ${last}`);
    }
    await sleep(pauseAfter(waitedMs));
  }
}

/** Repeats expectations until they hold; their last failure is raised when the time is up. */
export async function eventually<Result>(...given: Given<Result>): Promise<Result> {
  const { look, ...options } = readGiven(given);
  let failure: unknown;
  const tried = async (): Promise<{ result: Result } | undefined> => {
    try {
      return { result: await look() };
    } catch (error) {
      failure = error;
      return undefined;
    }
  };
  try {
    return (await until(options, tried)).result;
  } catch {
    throw failure;
  }
}

/** A length of time that a test is about; `why` says what must or must not come to pass in it. */
export async function pause(milliseconds: number, why: string): Promise<void> {
  if (why === '') throw new Error('a pause needs its reason: or wait with until()');
  await sleep(milliseconds);
}

/** Soon at first and seldom later: no limit per minute of the platform is reached by waiting. */
const pauseAfter = (waitedMs: number): number => Math.min(250, Math.max(5, waitedMs / 20));

function readGiven<Seen>(given: Given<Seen>): Required<UntilOptions> & { look: Look<Seen> } {
  const [options, look] = given.length === 1 ? [{}, given[0]] : given;
  const named = typeof options === 'string' ? { what: options } : options;
  return { what: String(look), withinMs: WITHIN_MS, ...named, look };
}

function isSomething<Seen>(seen: Seen): seen is Something<Seen> & Seen {
  return seen !== undefined && seen !== null && seen !== false;
}
