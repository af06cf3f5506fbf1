import { DomainError } from '../../domain/errors.ts';
import { MEMBER_ROLES, type PersonRole } from '../../domain/member.ts';
import { OPERATOR_ROLES } from '../../domain/operator.ts';
import type { Identity, Realm } from './auth.ts';

/** Of a contract: who may call it beside ADMIN; `money` is FINANCE without ADMIN (interface 5.19). */
export type MayCall = readonly PersonRole[] | 'everyone' | 'money';

export const ALL_ROLES: Readonly<Record<Realm, readonly PersonRole[]>> = {
  advertiser: MEMBER_ROLES,
  publisher: MEMBER_ROLES,
  admin: OPERATOR_ROLES,
};

const READS = new Set(['GET', 'HEAD']);

/**
 * Every role that may call a route (interface 5.6). One that says nothing is safe: in an account
 * everybody reads and EDITOR writes; of the operators ADMIN alone may.
 */
export function rolesThatMay(realm: Realm, method: string, may?: MayCall): readonly PersonRole[] {
  const all = ALL_ROLES[realm];
  const silent: MayCall = realm === 'admin' ? [] : READS.has(method) ? 'everyone' : ['EDITOR'];
  const said = may ?? silent;
  if (said === 'money') return ['FINANCE'];
  return said === 'everyone' ? all : all.filter((role) => role === 'ADMIN' || said.includes(role));
}

/** Raises forbidden_role with the roles that may. */
export function requireRole({ realm, role }: Identity, method: string, may?: MayCall): void {
  const roles = rolesThatMay(realm, method, may);
  if (!roles.some((each) => each === role)) throw forbiddenRole(roles);
}

const MONEY_AND_PEOPLE: ReadonlySet<PersonRole> = new Set<PersonRole>(['ADMIN', 'FINANCE']);

/**
 * Whether a route asks for the second factor again (interface 5.17). One that says nothing is safe: what
 * ADMIN or FINANCE alone may write is money, settings or people.
 */
export function asksForProof(
  realm: Realm,
  method: string,
  { stepUp, roles }: { stepUp?: boolean | undefined; roles?: MayCall | undefined },
): boolean {
  if (stepUp !== undefined) return stepUp;
  if (READS.has(method)) return false;
  return rolesThatMay(realm, method, roles).every((role) => MONEY_AND_PEOPLE.has(role));
}

/** Raises step_up_required for somebody who has a factor and has not shown it lately. */
export function requireProof({ mustProve }: Pick<Identity, 'mustProve'>): void {
  if (mustProve) throw new DomainError('step_up_required');
}

export const forbiddenRole = (roles: readonly PersonRole[]): DomainError =>
  new DomainError('forbidden_role', { hints: { roles } });
