import { type Answer, createClient } from '../client/client.ts';

/** The public admin API, as any client would use it. */
export type Task = Answer<'GET /api/admin/tasks/{id}'>;
export type Finding = Task['findings'][number];

const TOKEN_KEY = 'adp-operator-token';

// The tab's storage: closing the tab ends the session on this side.
export const session = {
  get token(): string | null {
    return sessionStorage.getItem(TOKEN_KEY);
  },
  set(token: string | null): void {
    if (token === null) sessionStorage.removeItem(TOKEN_KEY);
    else sessionStorage.setItem(TOKEN_KEY, token);
  },
};

export const api = createClient({ token: () => session.token });
