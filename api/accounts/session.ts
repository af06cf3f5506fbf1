import type { Request, Response } from 'express';
import type * as yup from 'yup';
import type { NewSession } from '../../activities/accounts/sessions.ts';
import type { LoginRow } from '../../db/queries/accounts.ts';
import type { ConsoleDeps } from '../deps.ts';
import type { Realm } from '../http/auth.ts';
import { requestIdOf } from '../http/request-id.ts';
import { presentUser, type sessionShape } from '../present/account.ts';
import { rememberDevice } from './whereabouts.ts';

interface Opening {
  realm: Realm;
  person: LoginRow;
  req: Request;
  res: Response;
  by: NewSession['by'];
  /** A second factor was shown. */
  proven?: boolean;
}

/** interface 2.2: token, token_type, expires_in (seconds) and the user; the session is kept (5.17). */
export async function openSession(
  deps: ConsoleDeps,
  { realm, person, req, res, by, proven = false }: Opening,
): Promise<yup.InferType<typeof sessionShape>> {
  const { tokenId, ...token } = deps.auth.issue(realm, person);
  await deps.activities.beginSession({
    person,
    tokenId,
    from: rememberDevice(deps, { req, res, realm }),
    proven,
    by,
    requestId: requestIdOf(req),
  });
  // Refusals are lines of api/http/security-log.ts.
  deps.log.info(
    {
      security: 'session_opened',
      request_id: requestIdOf(req),
      realm,
      account: person.id,
      by,
      proven,
    },
    'session opened',
  );
  return { ...token, user: presentUser(person) };
}
