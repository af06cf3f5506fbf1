import type { Transaction } from 'sequelize';
import { violatedConstraint } from '../../db/postgres.ts';
import type { OperatorRow } from '../../db/tables/operator.ts';
import { requireStrongPassword } from '../../domain/accounts.ts';
import { propose } from '../core/approvals.ts';
import { recordAudit } from '../core/audit.ts';
import { runStep } from '../core/run-once.ts';
import type { ActivityDeps } from '../deps.ts';
import { claimed } from './claimed.ts';
import { createPasswords, type Passwords } from './passwords.ts';

export interface CreateOperator {
  username: string;
  email: string;
  password: string;
  role: OperatorRow['role'];
  nickname?: string | undefined;
  /** Null: made by a command on the machine. */
  createdBy?: number | null;
  requestId?: string;
}

interface OperatorMaking {
  passwords: Passwords;
  /** Asks whoever has the address to confirm it; nothing is asked where there is nobody to write letters. */
  askEmail?: (tx: Transaction, operator: { id: number; email: string }) => Promise<unknown>;
}

/** Without providers: the first operators are made where there are none. */
export function createOperatorActivities(
  deps: Pick<ActivityDeps, 'db'>,
  making: OperatorMaking = { passwords: createPasswords() },
) {
  return {
    /** Raises already_claimed, validation_failed. */
    createOperator: async (input: CreateOperator) => await createOperator(deps, making, input),
  };
}

async function createOperator(
  deps: Pick<ActivityDeps, 'db'>,
  { passwords, askEmail }: OperatorMaking,
  input: CreateOperator,
): Promise<{ id: number }> {
  requireStrongPassword('password', input.password, input);
  const passwordHash = await passwords.hash(input.password);
  try {
    return await runStep(deps.db, 'operator.create', async (tx) => {
      const { id } = await deps.db.models.operators.create(
        {
          username: input.username,
          email: input.email,
          passwordHash,
          role: input.role,
          nickname: input.nickname ?? null,
          createdBy: input.createdBy ?? null,
        },
        { transaction: tx },
      );
      const createdBy = input.createdBy ?? null;
      await recordAudit(deps.db, tx, {
        actor: { type: createdBy === null ? 'SYSTEM' : 'OPERATOR', id: createdBy },
        action: 'operator.create',
        subject: { type: 'operator', id },
        detail: { username: input.username, role: input.role },
        requestId: input.requestId,
      });
      // Until somebody else vouches, they count as who made them (0225-approvals.sql).
      if (createdBy !== null) {
        await propose(deps, tx, { kind: 'operator', subject: id, makerId: createdBy });
      }
      await askEmail?.(tx, { id, email: input.email });
      return { id };
    });
  } catch (error) {
    const constraint = violatedConstraint(error);
    if (constraint === 'operators_username') throw claimed('username');
    if (constraint === 'operators_email') throw claimed('email');
    throw error;
  }
}
