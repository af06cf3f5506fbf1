import { read, write } from '../api.ts';
import type { Realm } from '../session.ts';

/** What everybody has of their own login, in every realm. */
export const securityOf = (realm: Realm) => {
  const factors = [`GET /api/${realm}/auth/factors`] as const;
  const sessions = [`GET /api/${realm}/auth/sessions`] as const;
  return {
    factors: read(`GET /api/${realm}/auth/factors`),
    sessions: read(`GET /api/${realm}/auth/sessions`),
    beginTotp: write(`POST /api/${realm}/auth/factors/totp`, []),
    confirmTotp: write(`POST /api/${realm}/auth/factors/{id}/confirm`, factors),
    beginPasskey: write(`POST /api/${realm}/auth/factors/passkey`, []),
    confirmPasskey: write(`POST /api/${realm}/auth/factors/passkey/confirm`, factors),
    rename: write(`PUT /api/${realm}/auth/factors/{id}`, factors),
    remove: write(`DELETE /api/${realm}/auth/factors/{id}`, factors),
    newCodes: write(`POST /api/${realm}/auth/recovery-codes`, factors),
    endSession: write(`DELETE /api/${realm}/auth/sessions/{id}`, sessions),
    endOthers: write(`POST /api/${realm}/auth/sessions/end-others`, sessions),
  };
};
