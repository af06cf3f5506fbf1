import type { Request, Response } from 'express';
import type { Turn } from '../../activities/accounts/password-turns.ts';
import { runner } from '../../db/postgres.ts';
import { rateLimitKey } from '../../db/keys.ts';
import { type LoginRow, personOf } from '../../db/queries/accounts.ts';
import { readAcquaintance } from '../../db/queries/sessions.ts';
import type { ConsoleDeps } from '../deps.ts';
import { addressOf } from '../http/address.ts';
import type { Realm } from '../http/auth.ts';
import {
  consumed,
  createLimiter,
  createTryThrottle,
  hashed,
  rateLimited,
  secondsLeft,
} from '../http/rate-limit.ts';
import { whereaboutsOf } from './whereabouts.ts';

/** interface 8: mistakes of one address over all accounts, and of one account over all strange addresses. */
const WINDOW_SECONDS = 900;
const PER_ADDRESS = 60;
const PER_ACCOUNT = 20;

export interface LoginTry {
  /** In which line for a hash this try stands. */
  turn: Turn;
  /** The password was right: what this try counted, and its own earlier mistakes, are forgotten. */
  forgive(): Promise<void>;
}

export interface LoginAsk {
  req: Request;
  res: Response;
  /** Undefined: nobody has this name. */
  account: LoginRow | undefined;
  name: string;
}

/**
 * Throttles by both, by address, and by account over all addresses and names. A browser or network that
 * the person has logged in from has a count of its own: a flood of strangers' tries never keeps the owner
 * out. Whoever is at a new one waits fifteen minutes at most, or comes in by the letter of a new password.
 */
export function createLoginThrottle(
  deps: Pick<ConsoleDeps, 'db' | 'redis' | 'clock' | 'readViewer' | 'config'>,
  realm: Realm,
): (ask: LoginAsk) => Promise<LoginTry> {
  const pair = createTryThrottle(deps, `login-${realm}`);
  const addresses = createLimiter(deps.redis, { points: PER_ADDRESS, seconds: WINDOW_SECONDS });
  const accounts = createLimiter(deps.redis, { points: PER_ACCOUNT, seconds: WINDOW_SECONDS });
  return async ({ req, res, account, name }) => {
    const address = addressOf(req);
    const subject = subjectOf(realm, account, name);
    const { lane, known } = await laneOf(deps, { req, realm, account });
    const both = `${address}\n${subject}`;
    const keys = {
      address: rateLimitKey('login-address', hashed(address), 0),
      account: rateLimitKey('login-account', hashed(`${subject}\n${lane ?? ''}`), 0),
    };
    await pair.attempt(res, both);
    if (!known) await expectRoom(res, addresses, { key: keys.address, points: PER_ADDRESS });
    await expectRoom(res, accounts, { key: keys.account, points: PER_ACCOUNT });
    return {
      turn: { lane: lane ?? address, known },
      forgive: async () => {
        await Promise.all([
          pair.forgive(both),
          known ? accounts.delete(keys.account) : accounts.reward(keys.account),
          ...(known ? [] : [addresses.reward(keys.address)]),
        ]);
      },
    };
  };
}

/** One person is one subject by whatever name; a name that nobody here has counts for nobody's account. */
const subjectOf = (realm: Realm, account: LoginRow | undefined, name: string): string =>
  account === undefined
    ? `nobody:${realm}:${name.toLowerCase()}`
    : `of:${account.email.toLowerCase()}`;

/** The browser's, else the network's, where the person has logged in from it; for nobody it takes as long. */
async function laneOf(
  deps: Pick<ConsoleDeps, 'db' | 'readViewer' | 'config'>,
  { req, realm, account }: { req: Request; realm: Realm; account: LoginRow | undefined },
): Promise<{ lane: string | null; known: boolean }> {
  const from = whereaboutsOf(deps, req, realm);
  const person = personOf(account ?? { kind: 'ADVERTISER', id: 0 });
  const { device, network } = await readAcquaintance(runner(deps.db), person, from);
  if (device) return { lane: `device:${from.deviceHash}`, known: true };
  if (network) return { lane: `network:${from.network}`, known: true };
  return { lane: null, known: false };
}

async function expectRoom(
  res: Response,
  limiter: ReturnType<typeof createLimiter>,
  { key, points }: { key: string; points: number },
): Promise<void> {
  const made = await consumed(limiter, key);
  if (made.consumedPoints > points) throw rateLimited(res, points, secondsLeft(made));
}
