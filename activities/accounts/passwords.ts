import { hash, verify } from '@node-rs/argon2';
import { createTurns, type Turn } from './password-turns.ts';

export interface Passwords {
  /** argon2id text with its own salt and parameters. Raises unavailable or rate_limited when the queue is full. */
  hash(password: string, turn?: Turn): Promise<string>;
  /**
   * Whether the password fits. `stored` null (no such account) costs the same time as a wrong
   * password, so that the answer's delay does not show who has an account.
   */
  verify(stored: string | null, password: string, turn?: Turn): Promise<boolean>;
}

/** argon2id is the library's default algorithm; about 20 ms of one core and 19 MiB each. */
const ARGON2 = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;

/**
 * Hashing takes cores and memory, so only a few run at once, and a flood of logins is refused instead of
 * taking the process or other people's turns with it.
 */
export function createPasswords(): Passwords {
  const limited = createTurns();
  let decoy: Promise<string> | undefined;
  return {
    hash: async (password, turn) => await limited(turn, async () => await hash(password, ARGON2)),
    verify: async (stored, password, turn) =>
      await limited(turn, async () => {
        decoy ??= hash('nobody has this password', ARGON2);
        const fits = await verify(stored ?? (await decoy), password);
        return fits && stored !== null;
      }),
  };
}
