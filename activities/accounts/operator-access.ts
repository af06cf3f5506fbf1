import type { Transaction } from 'sequelize';
import { runner, violatedConstraint } from '../../db/postgres.ts';
import type { RecordOf } from '../../db/schema/models.ts';
import { NEXT_VERSION } from '../../db/schema/move.ts';
import { NO_VOICE } from '../../domain/approvals.ts';
import { conflict, DomainError, notFound } from '../../domain/errors.ts';
import { illegalMove } from '../../domain/lifecycle/transition.ts';
import { governsPeople, OPERATOR_ROLES, type OperatorRole } from '../../domain/operator.ts';
import { mayDecide } from '../../domain/task-rules.ts';
import { approve, propose, voidApprovals } from '../core/approvals.ts';
import { type AuditRecord, recordAudit } from '../core/audit.ts';
import { moveRecord } from '../core/move-record.ts';
import { runStep } from '../core/run-once.ts';
import type { ActivityDeps } from '../deps.ts';
import { dropLetters } from './mails.ts';
import { endInvitationsOf } from './operator-invitations.ts';
import { endRecoveries } from './recovery-ends.ts';
import { endSessions } from './sessions.ts';

export interface AccessCommand {
  /** Of whom. */
  id: number;
  /** Who does it, or asks for it. */
  operatorId: number;
  reason: string;
  requestId: string;
}

type Operator = RecordOf<'operators'>;

/**
 * Operators who leave, come back or change their work (interface 5.19). One ADMIN puts somebody out; what lets somebody
 * in again or makes them ADMIN or FINANCE waits for a second person, and the database holds it
 * (0476-operators-leave.sql). What they asked for and decided stays theirs, and seen.
 */
export function createOperatorAccessActivities(deps: ActivityDeps) {
  return {
    /**
     * Every session ends, no login and no letter of theirs any more, and what they had in their hands is free. Raises not_found,
     * state_conflict (oneself, who one counts as, the last ADMIN, somebody who is suspended already).
     */
    suspendOperator: async (command: AccessCommand): Promise<void> =>
      await runStep(deps.db, 'operator.suspend', async (tx) => {
        const operator = await lockForAdmin(deps, tx, command);
        await keepAnAdmin(async () => {
          await moveRecord(deps.db, tx, 'operators', {
            record: operator,
            state: 'status',
            action: 'suspend',
            set: shutOut(deps),
          });
        });
        await voidApprovals(deps, tx, 'operator_role', operator.id);
        await endRecoveries(deps, tx, personOf(operator), 'SUSPENDED');
        await dropLetters(deps, tx, { operatorId: operator.id });
        await endInvitationsOf(deps, tx, operator.id);
        const ended = await endAll(deps, tx, operator);
        const freed = await freeTasks(deps, tx, operator, null);
        const detail = { reason: command.reason, ended, ...(freed.length === 0 ? {} : { freed }) };
        await audit(deps, tx, operator, { ...command, action: 'operator.suspend', detail });
      }),

    /** Asks a second person. Raises as suspendOperator, and state_conflict for somebody who is not suspended. */
    askToRestoreOperator: async (command: AccessCommand): Promise<{ approvalId: number }> =>
      await runStep(deps.db, 'operator.ask_restore', async (tx) => {
        const operator = await lockForAdmin(deps, tx, command);
        if (operator.status !== 'SUSPENDED') throw illegalMove(operator.status, 'restore');
        const { reason } = command;
        const { id: approvalId } = await propose(deps, tx, {
          kind: 'operator_restore',
          subject: operator.id,
          ask: { reason },
          makerId: command.operatorId,
        });
        const detail = { reason, approval_id: approvalId };
        await audit(deps, tx, operator, {
          ...command,
          action: 'operator.ask_restore',
          detail,
        });
        return { approvalId };
      }),

    /**
     * Heeded from the next request on, after a new login. Towards ADMIN and FINANCE it waits for a second person, whom the
     * answer names. Raises as suspendOperator.
     */
    changeOperatorRole: async (
      command: AccessCommand & { role: OperatorRole },
    ): Promise<{ approvalId: number | null }> =>
      await runStep(deps.db, 'operator.role', async (tx) => {
        const operator = await lockForAdmin(deps, tx, command);
        const { role, reason } = command;
        if (operator.status !== 'ACTIVE') throw conflict('Cannot change the role while SUSPENDED.');
        if (operator.role === role) throw conflict(`They have the role ${role} already.`);
        if (!governsPeople(role)) {
          await voidApprovals(deps, tx, 'operator_role', operator.id);
          await writeRole(deps, tx, operator, command);
          return { approvalId: null };
        }
        const { id: approvalId } = await propose(deps, tx, {
          kind: 'operator_role',
          subject: operator.id,
          ask: { new_role: role, reason },
          makerId: command.operatorId,
        });
        const detail = { before: operator.role, after: role, reason, approval_id: approvalId };
        await audit(deps, tx, operator, {
          ...command,
          action: 'operator.ask_role',
          detail,
        });
        return { approvalId };
      }),
  };
}

interface Decision {
  approvalId: number;
  /** Of whom. */
  id: number;
  /** Who approves it. */
  operatorId: number;
  requestId: string;
}

/** A second person agrees: with the password of before, and nothing that was open then is open now. */
export async function restoreOperator(
  deps: ActivityDeps,
  tx: Transaction,
  { approvalId, id, operatorId, requestId }: Decision,
): Promise<void> {
  const operator = await lockOperator(deps, tx, id);
  const { ask: said } = await approve(deps, tx, { id: approvalId, checkerId: operatorId });
  await moveRecord(deps.db, tx, 'operators', {
    record: operator,
    state: 'status',
    action: 'restore',
    set: shutOut(deps),
  });
  const reason = String(said['reason']);
  const detail = { reason, approval_id: approvalId };
  await audit(deps, tx, operator, { operatorId, requestId, action: 'operator.restore', detail });
}

/** A second person agrees to a role that moves money or makes operators. */
export async function giveRole(
  deps: ActivityDeps,
  tx: Transaction,
  { approvalId, id, operatorId, requestId }: Decision,
): Promise<void> {
  const operator = await lockOperator(deps, tx, id);
  const { ask: said } = await approve(deps, tx, { id: approvalId, checkerId: operatorId });
  const role = said['new_role'] as OperatorRole;
  const reason = String(said['reason']);
  await writeRole(deps, tx, operator, { id, operatorId, role, reason, requestId });
}

/** Tokens of before are dead, whichever way it goes. */
const shutOut = ({ clock }: ActivityDeps) => ({
  tokenVersion: { computed: 'token_version + 1' },
  updatedAt: clock(),
  version: NEXT_VERSION,
});

const personOf = ({ id }: Operator) => ({ personType: 'OPERATOR' as const, personId: id });

/** Who works here changes one at a time: of two who put each other out, the second is out before they begin. */
async function lockAccess(deps: ActivityDeps, tx: Transaction): Promise<void> {
  await runner(deps.db, tx).query(
    `SELECT pg_advisory_xact_lock(hashtextextended('operators-access', 0))`,
  );
}

async function lockOperator(deps: ActivityDeps, tx: Transaction, id: number): Promise<Operator> {
  await lockAccess(deps, tx);
  const operator = await deps.db.models.operators.findByPk(id, {
    transaction: tx,
    // Whoever claims a task meanwhile refers to them, and is not kept waiting.
    lock: tx.LOCK.NO_KEY_UPDATE,
  });
  if (operator === null) throw notFound();
  return operator;
}

/** Of an ADMIN who still is one, and about somebody else. */
async function lockForAdmin(
  deps: ActivityDeps,
  tx: Transaction,
  { id, operatorId }: AccessCommand,
): Promise<Operator> {
  const operator = await lockOperator(deps, tx, id);
  const { rows } = await runner(deps.db, tx).query<{
    role: string;
    status: string;
    voice: boolean;
    behind: boolean;
  }>(
    `SELECT role, status, operator_has_voice(id) AS voice, operator_counts_as(id, $2) AS behind
     FROM operators WHERE id = $1`,
    [operatorId, id],
  );
  const [by] = rows;
  if (by?.status === 'SUSPENDED') throw new DomainError('account_suspended');
  if (by?.role !== 'ADMIN') throw new DomainError('forbidden_role');
  if (id === operatorId) {
    throw conflict('Nobody suspends themselves or changes their own role: another ADMIN has to.');
  }
  if (by.behind) {
    throw conflict(
      'You count as them until another operator vouches for you: another ADMIN has to.',
    );
  }
  if (!by.voice) throw conflict(NO_VOICE);
  return operator;
}

async function keepAnAdmin(change: () => Promise<void>): Promise<void> {
  try {
    await change();
  } catch (error) {
    if (violatedConstraint(error) !== 'last_admin') throw error;
    throw conflict('They are the last ADMIN who is active: make another one first.');
  }
}

async function writeRole(
  deps: ActivityDeps,
  tx: Transaction,
  operator: Operator,
  command: AccessCommand & { role: OperatorRole },
): Promise<void> {
  const { role: before, version, tokenVersion, createdBy, vouchedBy } = operator;
  const { role } = command;
  await keepAnAdmin(async () => {
    await operator.update(
      { role, version: version + 1, tokenVersion: tokenVersion + 1 },
      { transaction: tx },
    );
  });
  if (role !== 'ADMIN') await endInvitationsOf(deps, tx, operator.id);
  const ended = await endAll(deps, tx, operator);
  const freed = await freeTasks(deps, tx, operator, role);
  const { reason, ...by } = command;
  const given = freed.length === 0 ? {} : { freed };
  const detail = { before, after: role, reason, ended, ...given };
  await audit(deps, tx, operator, { ...by, action: 'operator.role', detail });
  // Whoever vouches says yes to the person and the role: it is asked for anew, as by who made them.
  if (createdBy !== null && vouchedBy === null) {
    await propose(deps, tx, { kind: 'operator', subject: operator.id, makerId: createdBy });
  }
}

async function endAll(deps: ActivityDeps, tx: Transaction, operator: Operator): Promise<number> {
  const all = { except: null, now: deps.clock() };
  return await endSessions(runner(deps.db, tx), personOf(operator), all);
}

/** What they hold or were given goes back to the queue; with a role left, what that does not decide. Answers which. */
async function freeTasks(
  deps: ActivityDeps,
  tx: Transaction,
  { id }: Operator,
  role: OperatorRole | null,
): Promise<number[]> {
  const kept = role === null ? [] : OPERATOR_ROLES.filter((required) => mayDecide(role, required));
  const { rows } = await runner(deps.db, tx).query<{ id: string }>(
    `UPDATE tasks SET assignee_id = NULLIF(assignee_id, $1),
       lease_until = CASE WHEN lease_operator_id = $1 THEN NULL ELSE lease_until END,
       lease_operator_id = NULLIF(lease_operator_id, $1)
     WHERE status = 'open' AND (lease_operator_id = $1 OR assignee_id = $1) AND required_role <> ALL ($2::text[])
     RETURNING id`,
    [id, kept],
  );
  return rows.map(({ id: taskId }) => Number(taskId)).toSorted((one, other) => one - other);
}

/** By name as well: whoever reads it later knows nobody by a number. */
async function audit(
  { db }: ActivityDeps,
  tx: Transaction,
  { id, username }: Operator,
  {
    operatorId,
    requestId,
    action,
    detail,
  }: Pick<AccessCommand, 'operatorId' | 'requestId'> & Pick<AuditRecord, 'action' | 'detail'>,
): Promise<void> {
  await recordAudit(db, tx, {
    actor: { type: 'OPERATOR', id: operatorId },
    action,
    subject: { type: 'operator', id },
    detail: { username, ...detail },
    requestId,
  });
}
