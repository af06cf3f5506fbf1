import type { Request } from 'express';
import type { Logger } from 'pino';
import type { DomainError, ErrorToken } from '../../domain/errors.ts';
import { knownIdentityOf, type Realm } from './auth.ts';
import { requestIdOf } from './request-id.ts';

/** What is refused to whoever is not who they say, or wants more than they may (interface 5.17). */
const WATCHED: ReadonlySet<ErrorToken> = new Set<ErrorToken>([
  'bad_credentials',
  'token_missing',
  'token_expired',
  'second_factor_required',
  'second_factor_missing',
  'step_up_required',
  'signature_bad',
  'seal_invalid',
  'wrong_realm',
  'forbidden_role',
  'account_suspended',
  'idempotency_mismatch',
  'rate_limited',
]);

/** Numbers alone, of whoever was let in; nothing of a stranger. */
export function whoOf(req: Request): { realm?: Realm; account?: number; member?: number | null } {
  const who = knownIdentityOf(req);
  return who === undefined ? {} : { realm: who.realm, account: who.id, member: who.memberId };
}

/** One line per refusal that an attack begins with: who, where and why; never what was sent. */
export function logRefusal(log: Logger, req: Request, { token }: DomainError): void {
  if (!WATCHED.has(token)) return;
  log.warn(
    {
      security: token,
      request_id: requestIdOf(req),
      method: req.method,
      path: req.originalUrl.split('?', 1)[0],
      ...whoOf(req),
    },
    'refused',
  );
}
