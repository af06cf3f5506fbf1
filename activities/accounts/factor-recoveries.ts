import type { Transaction } from 'sequelize';
import { inTransaction, runner, violatedConstraint } from '../../db/postgres.ts';
import { findLoginById, type LoginKind, personOf } from '../../db/queries/accounts.ts';
import { moveRow, NOW } from '../../db/schema/move.ts';
import { columnsOf, readRow, select } from '../../db/schema/selection.ts';
import { loadSettings } from '../../db/settings.ts';
import { type FactorRecoveryRow, factorRecoveries } from '../../db/tables/factor-recovery.ts';
import { conflict, DomainError, invalid, notFound } from '../../domain/errors.ts';
import { type IdentityProof, RECOVERY_CODE_LIVES_MS } from '../../domain/second-factor.ts';
import { approve, propose, voidApprovals } from '../core/approvals.ts';
import { recordAudit } from '../core/audit.ts';
import { runStep } from '../core/run-once.ts';
import type { ActivityDeps } from '../deps.ts';
import { takeChallenge } from './factor-challenges.ts';
import { loginOf } from './factor-proofs.ts';
import { RECOVERY as KIND } from './recovery-ends.ts';
import { tellOperators } from './operator-notices.ts';
import { newCode } from './recovery-codes.ts';
import { hashOfToken } from './secret-tokens.ts';
import { tellPerson } from './security-letters.ts';
import type { Whereabouts } from './whereabouts.ts';

/**
 * A second factor that is lost with its recovery codes (interface 5.17): asked for with the right password, told by
 * letter, granted after a waiting time by two operators who were shown who it is, and then one code by letter. So
 * neither the password, nor the mailbox, nor an operator alone lets anybody in.
 */
const HOUR_MS = 3_600_000;

type Recovery = FactorRecoveryRow;

interface ByOperator {
  recoveryId: number;
  operator: { id: number; role: string };
  note: string;
  requestId: string;
}

const ROW = select(columnsOf(factorRecoveries, 'r'));

export function createFactorRecoveryActivities(deps: ActivityDeps) {
  return {
    /**
     * By the ticket of a login that asked for a factor, which is used up by it. Asked again while one waits, that one
     * is answered and no letter is written. Raises validation_failed on `ticket`.
     */
    async askForRecovery(ask: {
      kind: LoginKind;
      ticket: string;
      from: Pick<Whereabouts, 'device' | 'network' | 'country'>;
      requestId: string;
    }): Promise<{ notBefore: Date }> {
      const asked = { ticket: ask.ticket, purpose: 'LOGIN' as const, tokenId: null };
      const challenge = await takeChallenge(deps, asked);
      const login = await loginOf(deps, ask.kind, challenge);
      if (login === undefined || login.status !== 'ACTIVE') throw badTicket();
      return await inTransaction(deps.db, async (tx) => {
        const person = personOf(login);
        const made = await begin(deps, tx, {
          ...person,
          kind: ask.kind,
          accountId: ask.kind === 'OPERATOR' ? null : login.id,
          device: ask.from.device,
          network: ask.from.network,
          country: ask.from.country,
        });
        if (!made.isNew) return { notBefore: made.notBefore };
        await tellPerson(deps, tx, { person: login, event: 'recovery_asked', from: ask.from });
        await tellOperators(deps, tx, {
          kind: 'factor_lost',
          roles: ask.kind === 'OPERATOR' ? ['ADMIN'] : ['SUPPORT'],
          subject: { type: KIND, id: made.id },
          params: {},
        });
        await recordAudit(deps.db, tx, {
          actor: {
            type: ask.kind === 'OPERATOR' ? 'OPERATOR' : 'ACCOUNT',
            id: login.id,
            memberId: login.memberId,
          },
          action: 'login.recovery_ask',
          subject: { type: KIND, id: made.id },
          requestId: ask.requestId,
        });
        return { notBefore: made.notBefore };
      });
    },

    /**
     * An operator was shown who it is, and asks a second one. Raises not_found, state_conflict where it ended, and
     * forbidden_role for an operator's recovery by anybody but another ADMIN.
     */
    async vouchForRecovery(command: ByOperator & { proof: IdentityProof }): Promise<void> {
      await runStep(deps.db, 'factor-recovery.vouch', async (tx) => {
        const recovery = await lockWaiting(deps, tx, command.recoveryId);
        const { operator, proof, note } = command;
        const isOperators = recovery.personType === 'OPERATOR';
        if (isOperators && (operator.role !== 'ADMIN' || operator.id === recovery.personId)) {
          throw new DomainError('forbidden_role');
        }
        await propose(deps, tx, {
          kind: KIND,
          subject: recovery.id,
          ask: { proof, note },
          makerId: operator.id,
        });
        await tellPerson(deps, tx, { person: keyOf(recovery), event: 'recovery_vouched' });
        await audit(deps, tx, recovery, { ...command, action: 'vouch', detail: { proof } });
      });
    },

    /** Its person may ask anew. Raises not_found and state_conflict. */
    async refuseRecovery(command: ByOperator): Promise<void> {
      await runStep(deps.db, 'factor-recovery.refuse', async (tx) => {
        const { note, operator } = command;
        const recovery = await moveRow(runner(deps.db, tx), factorRecoveries, {
          state: 'status',
          action: 'refuse',
          where: { id: command.recoveryId },
          set: { note, endedBy: operator.id, endedAt: NOW },
        });
        await voidApprovals(deps, tx, KIND, recovery.id);
        await tellPerson(deps, tx, { person: keyOf(recovery), event: 'recovery_refused' });
        await audit(deps, tx, recovery, { ...command, action: 'refuse' });
      });
    },
  };
}

/**
 * The second person agrees: a code goes out by letter, good once and for a week. Raises state_conflict while it waits,
 * for whoever vouched, and where it ended; forbidden_role for an operator's own.
 */
export async function grantRecovery(
  deps: ActivityDeps,
  tx: Transaction,
  {
    approvalId,
    operatorId,
    requestId,
  }: { approvalId: number; operatorId: number; requestId: string },
): Promise<void> {
  const sql = runner(deps.db, tx);
  const { rows } = await sql.query<{ subject: string }>(
    'SELECT subject FROM approvals WHERE id = $1 AND kind = $2',
    [approvalId, KIND],
  );
  const recovery = await lockWaiting(deps, tx, Number(rows[0]?.subject));
  await approve(deps, tx, { id: approvalId, checkerId: operatorId });
  const person = keyOf(recovery);
  const login = await findLoginById(sql, person);
  if (login?.status !== 'ACTIVE') throw conflict('Nobody logs in by this any more.');
  await grant(deps, tx, recovery, operatorId);
  const code = newCode();
  const now = deps.clock();
  await deps.db.models.recoveryCodes.create(
    {
      personType: recovery.personType,
      personId: recovery.personId,
      codeHash: hashOfToken(code),
      expiresAt: new Date(now.getTime() + RECOVERY_CODE_LIVES_MS),
      createdAt: now,
    },
    { transaction: tx, silent: true },
  );
  await tellPerson(deps, tx, { person, event: 'recovery_granted', code });
  await audit(deps, tx, recovery, {
    operator: { id: operatorId },
    requestId,
    action: 'grant',
  });
}

async function grant(
  deps: ActivityDeps,
  tx: Transaction,
  { id, notBefore }: Recovery,
  endedBy: number,
): Promise<void> {
  try {
    await moveRow(runner(deps.db, tx), factorRecoveries, {
      state: 'status',
      action: 'grant',
      where: { id },
      set: { endedBy, endedAt: NOW },
    });
  } catch (error) {
    const constraint = violatedConstraint(error);
    if (constraint === 'recovery_waits') {
      throw conflict(
        `Its person may still say that it was not them, until ${notBefore.toISOString()}.`,
      );
    }
    if (constraint === 'recovery_of_operator') throw new DomainError('forbidden_role');
    throw error;
  }
}

type Begun = Pick<
  Recovery,
  'kind' | 'personType' | 'personId' | 'accountId' | 'device' | 'network' | 'country'
>;

/** One at a time: of two at once, the second gets the first one's. */
async function begin(
  deps: ActivityDeps,
  tx: Transaction,
  begun: Begun,
): Promise<{ id: number; notBefore: Date; isNew: boolean }> {
  const sql = runner(deps.db, tx);
  const { 'login.recovery_wait_hours': hours } = await loadSettings(sql);
  const made = await readRow(
    sql,
    ROW,
    `INSERT INTO factor_recoveries AS r (kind, person_type, person_id, account_id, device, network, country, not_before)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
     ON CONFLICT (person_type, person_id) WHERE status = 'WAITING' DO NOTHING RETURNING ${ROW.list}`,
    [
      begun.kind,
      begun.personType,
      begun.personId,
      begun.accountId,
      begun.device,
      begun.network,
      begun.country,
      new Date(deps.clock().getTime() + hours * HOUR_MS),
    ],
  );
  if (made !== undefined) return { ...made, isNew: true };
  const found = await readRow(
    sql,
    ROW,
    `SELECT ${ROW.list} FROM factor_recoveries r
     WHERE r.person_type = $1 AND r.person_id = $2 AND r.status = 'WAITING'`,
    [begun.personType, begun.personId],
  );
  // It ended between the two statements: the person asks again.
  if (found === undefined) throw badTicket();
  return { ...found, isNew: false };
}

async function lockWaiting(deps: ActivityDeps, tx: Transaction, id: number): Promise<Recovery> {
  const row = await readRow(
    runner(deps.db, tx),
    ROW,
    `SELECT ${ROW.list} FROM factor_recoveries r WHERE r.id = $1 FOR UPDATE`,
    [id],
  );
  if (row === undefined) throw notFound();
  if (row.status !== 'WAITING') throw conflict('It has ended.', { status: row.status });
  return row;
}

const keyOf = ({ kind, personType, personId, accountId }: Recovery) => ({
  kind,
  id: accountId ?? personId,
  memberId: personType === 'MEMBER' ? personId : null,
});

async function audit(
  deps: ActivityDeps,
  tx: Transaction,
  recovery: Recovery,
  {
    operator,
    action,
    detail,
    requestId,
  }: {
    operator: { id: number };
    action: 'vouch' | 'refuse' | 'grant';
    detail?: { proof: IdentityProof };
    requestId: string;
  },
): Promise<void> {
  await recordAudit(deps.db, tx, {
    actor: { type: 'OPERATOR', id: operator.id },
    action: `login.recovery_${action}`,
    subject: { type: KIND, id: recovery.id },
    detail: { person: recovery.personType, person_id: recovery.personId, ...detail },
    requestId,
    accountId: recovery.accountId ?? undefined,
  });
}

const badTicket = () =>
  invalid({ field: 'ticket', code: 'not_valid', message: 'is used, too old, or not ours' });
