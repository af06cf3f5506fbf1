import { hash, verify } from '@node-rs/argon2';
import { DomainError } from '../../domain/errors.ts';

export interface Passwords {
  /** argon2id text with its own salt and parameters. Raises unavailable when the queue is full. */
  hash(password: string): Promise<string>;
  /**
   * Whether the password fits. `stored` null (no such account) costs the same time as a wrong
   * password, so that the answer's delay does not show who has an account.
   */
  verify(stored: string | null, password: string): Promise<boolean>;
}

/** argon2id is the library's default algorithm; about 20 ms of one core and 19 MiB each. */
const ARGON2 = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;

const CONCURRENT_MAX = 2;
const QUEUED_MAX = 100;

/**
 * Hashing takes cores and memory, so only a few run at once and a flood of logins is refused as
 * unavailable instead of taking the process with it.
 */
export function createPasswords(): Passwords {
  const limited = createQueue(CONCURRENT_MAX, QUEUED_MAX);
  let decoy: Promise<string> | undefined;
  return {
    hash: async (password) => await limited(async () => await hash(password, ARGON2)),
    verify: async (stored, password) =>
      await limited(async () => {
        decoy ??= hash('nobody has this password', ARGON2);
        const fits = await verify(stored ?? (await decoy), password);
        return fits && stored !== null;
      }),
  };
}

function createQueue(concurrentMax: number, queuedMax: number) {
  let running = 0;
  const waiting: (() => void)[] = [];
  return async <Result>(work: () => Promise<Result>): Promise<Result> => {
    if (running >= concurrentMax) {
      if (waiting.length >= queuedMax) throw new DomainError('unavailable');
      // A finished call hands its place over, so `running` does not change here.
      await new Promise<void>((resolve) => waiting.push(resolve));
    } else {
      running += 1;
    }
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next === undefined) running -= 1;
      else next();
    }
  };
}
