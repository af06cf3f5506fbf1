import type { Transaction } from 'sequelize';
import { inTransaction, runner } from '../../db/postgres.ts';
import {
  findLoginById,
  type LoginKind,
  type PersonKey,
  personOf,
} from '../../db/queries/accounts.ts';
import type { SqlRunner } from '../../db/sql-runner.ts';
import { notFound } from '../../domain/errors.ts';
import type { Person } from '../../domain/person.ts';
import { recordAudit } from '../core/audit.ts';
import { runStep } from '../core/run-once.ts';
import type { ActivityDeps } from '../deps.ts';
import { tellPerson } from './security-letters.ts';
import type { Whereabouts } from './whereabouts.ts';

/** How long a token lives (interface 5). */
const SESSION_LIVES_MS = 7_200_000;

export interface NewSession {
  person: PersonKey;
  tokenId: string;
  from: Whereabouts;
  /** A second factor was shown. */
  proven: boolean;
  /** What opens it: only at a login a device that is not known is news. */
  by: 'login' | 'registration' | 'invitation' | 'password';
  requestId: string;
}

export interface Logout {
  person: PersonKey;
  tokenId: string;
  expiresAt: Date;
  requestId: string;
}

export function createSessionActivities(deps: ActivityDeps) {
  const { db, clock } = deps;
  return {
    /**
     * Every refused try with an operator's name is in the audit log; names that nobody has are not.
     */
    async recordRefusedLogin(refused: {
      operatorId: number;
      why: 'bad_credentials' | 'account_suspended' | 'second_factor_required';
      requestId: string;
    }): Promise<void> {
      await inTransaction(db, async (tx) => {
        await recordAudit(db, tx, {
          // Whoever was refused may be anybody.
          actor: { type: 'SYSTEM', id: null },
          action: 'operator.login_refused',
          subject: { type: 'operator', id: refused.operatorId },
          detail: { refused: refused.why },
          requestId: refused.requestId,
        });
      });
    },

    /** Keeps the session and its device; a device that is new is told to its person by letter. */
    beginSession: async (session: NewSession): Promise<void> => await begin(deps, session),

    /** A browser whose person has just shown that they own the letter box. */
    async trustDevice({ person, from }: Pick<NewSession, 'person' | 'from'>): Promise<void> {
      await keepDevice(runner(db), personOf(person), from);
    },

    /** A second factor was shown in it just now. */
    async proveSession(tokenId: string): Promise<void> {
      await runner(db).query(
        'UPDATE sessions SET proven_at = $2 WHERE token_id = $1 RETURNING id',
        [tokenId, clock()],
      );
    },

    /** A session is still used. */
    async seeSession(sessionId: number): Promise<void> {
      await runner(db).query(
        'UPDATE sessions SET last_seen_at = GREATEST(last_seen_at, $2) WHERE id = $1 RETURNING id',
        [sessionId, clock()],
      );
    },

    /** Ends one of a person's sessions: its token is refused from now on. Raises not_found. */
    async endSession(end: { person: PersonKey; sessionId: number }): Promise<void> {
      const { personType, personId } = personOf(end.person);
      const { rows } = await runner(db).query(
        `UPDATE sessions SET ended_at = $4
         WHERE id = $1 AND person_type = $2 AND person_id = $3 AND ended_at IS NULL RETURNING id`,
        [end.sessionId, personType, personId, clock()],
      );
      if (rows.length === 0) throw notFound();
    },

    /** Ends all but the one that asks. Answers how many. */
    async endOtherSessions(end: { person: PersonKey; tokenId: string }): Promise<number> {
      return await endSessions(runner(db), personOf(end.person), {
        except: end.tokenId,
        now: clock(),
      });
    },

    /**
     * An operator ends every session of a person who may have lost one: of an account, its owner's and its
     * members'. They may log in again at once. Answers how many. Raises not_found.
     */
    async endSessionsOf(end: {
      kind: LoginKind;
      id: number;
      operatorId: number;
      requestId: string;
    }): Promise<number> {
      return await runStep(db, 'session.end_all', async (tx) => await endAllOf(deps, tx, end));
    },

    /** Revokes one token until it would have expired anyway. Twice is harmless. */
    recordLogout: async (logout: Logout): Promise<void> => await recordLogout(deps, logout),
  };
}

async function begin(deps: ActivityDeps, session: NewSession): Promise<void> {
  const { db, clock } = deps;
  await inTransaction(db, async (tx) => {
    const person = personOf(session.person);
    const { from } = session;
    const now = clock();
    await db.models.sessions.create(
      {
        ...person,
        tokenId: session.tokenId,
        device: from.device,
        network: from.network,
        country: from.country,
        provenAt: session.proven ? now : null,
        createdAt: now,
        lastSeenAt: now,
        expiresAt: new Date(now.getTime() + SESSION_LIVES_MS),
      },
      { transaction: tx },
    );
    const isNew = await keepDevice(runner(db, tx), person, from);
    if (session.by === 'login' || session.by === 'invitation') {
      await recordCome(deps, tx, session);
    }
    if (!isNew || session.by !== 'login') return;
    await tellPerson(deps, tx, { person: session.person, event: 'new_device', from });
  });
}

async function endAllOf(
  { db, clock }: ActivityDeps,
  tx: Transaction,
  end: { kind: LoginKind; id: number; operatorId: number; requestId: string },
): Promise<number> {
  const { kind, id, operatorId, requestId } = end;
  const sql = runner(db, tx);
  if ((await findLoginById(sql, { kind, id })) === undefined) throw notFound();
  const { personType } = personOf({ kind, id });
  const { rows } = await sql.query(
    `UPDATE sessions SET ended_at = $3 WHERE ended_at IS NULL AND ((person_type = $1 AND person_id = $2)
       OR ($1 = 'ACCOUNT' AND person_type = 'MEMBER' AND person_id IN (SELECT id FROM members WHERE account_id = $2)))
     RETURNING id`,
    [personType, id, clock()],
  );
  const noun = kind.toLowerCase();
  await recordAudit(db, tx, {
    actor: { type: 'OPERATOR', id: operatorId },
    action: `${noun}.end_sessions`,
    subject: { type: noun, id },
    detail: { ended: rows.length },
    requestId,
    accountId: kind === 'OPERATOR' ? undefined : id,
  });
  return rows.length;
}

async function recordLogout(
  { db, clock }: ActivityDeps,
  { person, tokenId, expiresAt, requestId }: Logout,
): Promise<void> {
  await inTransaction(db, async (tx) => {
    const sql = runner(db, tx);
    const { rows } = await sql.query(
      `INSERT INTO revoked_tokens (jti, expires_at) VALUES ($1, $2)
       ON CONFLICT (jti) DO NOTHING RETURNING jti`,
      [tokenId, expiresAt],
    );
    await sql.query(
      'UPDATE sessions SET ended_at = $2 WHERE token_id = $1 AND ended_at IS NULL RETURNING id',
      [tokenId, clock()],
    );
    if (person.kind !== 'OPERATOR' || rows.length === 0) return;
    await recordAudit(db, tx, {
      actor: { type: 'OPERATOR', id: person.id },
      action: 'operator.logout',
      subject: { type: 'operator', id: person.id },
      requestId,
    });
  });
}

/** Answers whether the browser was not known before. */
async function keepDevice(
  sql: SqlRunner,
  { personType, personId }: Person,
  { deviceHash, network }: Whereabouts,
): Promise<boolean> {
  const { rows } = await sql.query<{ known: boolean }>(
    `WITH before AS (SELECT EXISTS (SELECT FROM known_devices
       WHERE person_type = $1 AND person_id = $2 AND token_hash = $3) AS known)
     INSERT INTO known_devices (person_type, person_id, token_hash, network) VALUES ($1, $2, $3, $4)
     ON CONFLICT (person_type, person_id, token_hash, network) DO UPDATE SET last_seen_at = now()
     RETURNING (SELECT known FROM before) AS known`,
    [personType, personId, deviceHash, network],
  );
  return rows[0]?.known !== true;
}

/** When somebody of an account last came in; an operator's login is in the audit log. */
async function recordCome(
  { db, clock }: ActivityDeps,
  tx: Transaction,
  { person: { kind, id, memberId }, requestId }: NewSession,
): Promise<void> {
  if (kind === 'OPERATOR') {
    await recordAudit(db, tx, {
      actor: { type: 'OPERATOR', id },
      action: 'operator.login',
      subject: { type: 'operator', id },
      requestId,
    });
    return;
  }
  const isOwner = memberId === undefined || memberId === null;
  await runner(db, tx).query(
    isOwner
      ? 'UPDATE accounts SET last_login_at = $1 WHERE kind = $2 AND id = $3'
      : 'UPDATE members SET last_login_at = $1 WHERE kind = $2 AND account_id = $3 AND id = $4',
    [clock(), kind, id, ...(isOwner ? [] : [memberId])],
  );
}

/** All of a person's sessions, or all but one. Answers how many ended. */
export async function endSessions(
  sql: SqlRunner,
  { personType, personId }: Person,
  { except, now }: { except: string | null; now: Date },
): Promise<number> {
  const { rows } = await sql.query(
    `UPDATE sessions SET ended_at = $4 WHERE person_type = $1 AND person_id = $2
       AND ended_at IS NULL AND token_id IS DISTINCT FROM $3 RETURNING id`,
    [personType, personId, except, now],
  );
  return rows.length;
}
