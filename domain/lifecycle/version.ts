import { DomainError } from '../errors.ts';

/** Raises precondition_failed unless the caller saw this version, or did not say (If-Match). */
export function expectVersion(ifMatch: readonly number[] | undefined, version: number): void {
  if (ifMatch === undefined || ifMatch.includes(version)) return;
  throw new DomainError('precondition_failed', { hints: { version } });
}
