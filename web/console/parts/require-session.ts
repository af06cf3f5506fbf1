import { redirect } from '@tanstack/react-router';
import { FOLDERS, type Realm, session } from '../session.ts';

/** Behind a login: without a session, to the door, and from there back to here. */
export function requireSession(realm: Realm, location: { href: string }): void {
  if (session.token(realm) !== null) return;
  // oxlint-disable-next-line typescript/only-throw-error -- the router's way to lead elsewhere
  throw redirect({ href: `/${FOLDERS[realm]}/login?next=${encodeURIComponent(location.href)}` });
}
