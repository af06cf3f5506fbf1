import { kindOfRealm, type PersonKey } from '../../db/queries/accounts.ts';
import type { Identity } from '../http/auth.ts';

/** Who asks, as activities name a person. */
export const personKeyOfCaller = ({
  realm,
  id,
  memberId,
}: Pick<Identity, 'realm' | 'id' | 'memberId'>): PersonKey => ({
  kind: kindOfRealm(realm),
  id,
  memberId,
});
