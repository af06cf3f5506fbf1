import type * as yup from 'yup';
import type { LoginRow } from '../../db/queries/accounts.ts';
import type { ConsoleDeps } from '../deps.ts';
import type { Realm } from '../http/auth.ts';
import { presentUser, type sessionShape } from '../present/account.ts';

/** interface 2.2: token, token_type, expires_in (seconds) and the user. */
export function sessionOf(
  { auth }: Pick<ConsoleDeps, 'auth'>,
  realm: Realm,
  person: LoginRow,
): yup.InferType<typeof sessionShape> {
  return { ...auth.issue(realm, person), user: presentUser(person) };
}
