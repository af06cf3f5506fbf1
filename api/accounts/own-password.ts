import type { Response } from 'express';
import { runner } from '../../db/postgres.ts';
import { findLoginById } from '../../db/queries/accounts.ts';
import { invalid } from '../../domain/errors.ts';
import type { ConsoleDeps } from '../deps.ts';
import { type Identity, personKeyOf, type Realm } from '../http/auth.ts';
import { createTryThrottle } from '../http/rate-limit.ts';
import { personKeyOfCaller } from './person-key.ts';

/**
 * A stolen session changes nothing of a login: the password is asked for again. Answers the login's e-mail
 * address; raises validation_failed on `password`, and rate_limited.
 */
export function createPasswordCheck(deps: ConsoleDeps, realm: Realm) {
  const throttle = createTryThrottle(deps, `password-${realm}`);
  return async (caller: Identity, password: string, res: Response): Promise<string> => {
    const subject = `${realm}\n${personKeyOf(caller)}`;
    await throttle.attempt(res, subject);
    const login = await findLoginById(runner(deps.db), personKeyOfCaller(caller));
    const turn = { lane: `person:${realm}:${personKeyOf(caller)}`, known: true };
    const stored = login?.passwordHash ?? null;
    if (!(await deps.activities.checkPassword(stored, password, turn))) {
      throw invalid({ field: 'password', code: 'wrong', message: 'is not your password' });
    }
    await throttle.forgive(subject);
    return login?.email ?? '';
  };
}
