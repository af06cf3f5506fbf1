import { ApiError, type RouteName } from '../client/client.ts';

/**
 * Questions to the platform that are under way. One that takes long says so on every page; a read can be
 * asked again meanwhile, without whoever waits for it being told; what has no answer after a minute has
 * none, and is refused as such. What is still being sent asks before its page is closed.
 */
const SLOW_MS = 8_000;
const LIMIT_MS = 60_000;

type Kind = 'read' | 'write';

interface Wait {
  kind: Kind;
  again: () => void;
}

const sending = new Set<Wait>();
const slow = new Set<Wait>();
const watchers = new Set<() => void>();

const tell = (): void => {
  for (const each of watchers) each();
};

export const slowness = {
  watch: (told: () => void): (() => void) => {
    watchers.add(told);
    return () => watchers.delete(told);
  },
  /** Of what is slow now; a change says more than a read. */
  now: (): Kind | null => {
    const kinds = [...slow].map(({ kind }) => kind);
    return kinds.includes('write') ? 'write' : (kinds[0] ?? null);
  },
  askAgain: (): void => {
    for (const { kind, again } of slow) if (kind === 'read') again();
  },
};

const askBefore = (event: BeforeUnloadEvent): void => event.preventDefault();

function setSending(wait: Wait, isSent: boolean): void {
  if (isSent) sending.add(wait);
  else sending.delete(wait);
  if (sending.size > 0) addEventListener('beforeunload', askBefore);
  else removeEventListener('beforeunload', askBefore);
}

interface Asked {
  query?: object;
  body?: unknown;
  signal?: AbortSignal;
}

/** Waits at the platform for news, for as long as it says. */
const isWaiting = ({ query = {} }: Asked): boolean => 'wait' in query;

const AGAIN = Symbol('asked again');
const LATE = Symbol('no answer in time');

/** Both timers of one question; `isLong` is a file, which takes as long as its line does. */
function timed(wait: Wait, late: () => void, isLong: boolean): () => void {
  const beSlow = setTimeout(() => {
    slow.add(wait);
    tell();
  }, SLOW_MS);
  const beLate = isLong ? undefined : setTimeout(late, LIMIT_MS);
  return () => {
    clearTimeout(beSlow);
    clearTimeout(beLate);
    if (slow.delete(wait)) tell();
  };
}

export async function inTime<Result>(
  route: RouteName,
  asked: Asked,
  ask: (signal: AbortSignal) => Promise<Result>,
  isFile = false,
): Promise<Result> {
  const { signal: given, body } = asked;
  const stop = new AbortController();
  const leave = (): void => stop.abort(given?.reason);
  if (given?.aborted === true) leave();
  given?.addEventListener('abort', leave);
  const kind = route.startsWith('GET') ? 'read' : 'write';
  const wait: Wait = { kind, again: () => stop.abort(AGAIN) };
  const end = isWaiting(asked)
    ? undefined
    : timed(wait, () => stop.abort(LATE), isFile || body instanceof FormData);
  setSending(wait, kind === 'write');
  try {
    return await ask(stop.signal);
  } catch (error) {
    if (stop.signal.reason === LATE) throw noAnswer(route);
    if (stop.signal.reason !== AGAIN) throw error;
  } finally {
    end?.();
    given?.removeEventListener('abort', leave);
    setSending(wait, false);
  }
  return await inTime(route, asked, ask, isFile);
}

/** Not as if the line were cut: whoever is asked may still be at it. */
export const IN_TIME = 'no_answer_in_time';

const noAnswer = (route: string): ApiError =>
  new ApiError(route, 0, { message: 'No answer came in time.', data: { error: IN_TIME } });
