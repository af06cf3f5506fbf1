import { read, write } from '../api.ts';
import type { Realm } from '../session.ts';

/** The address of one's own login, in every realm: it is a part of the profile. */
export const emailOf = (realm: Realm) => {
  const stale = [`GET /api/${realm}/auth/profile`] as const;
  return {
    profile: read(`GET /api/${realm}/auth/profile`),
    sendAgain: write(`POST /api/${realm}/auth/email-confirmation`, stale),
    change: write(`POST /api/${realm}/auth/email-change`, stale),
    keep: write(`DELETE /api/${realm}/auth/email-change`, stale),
  };
};

export interface LoginEmail {
  email: string;
  email_confirmed_at: string | null;
  email_pending: string | null;
}
