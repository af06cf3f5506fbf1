import { violatedConstraint } from '../../db/postgres.ts';
import type { OperatorRow } from '../../db/tables/operator.ts';
import { requireStrongPassword } from '../../domain/accounts.ts';
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
}

/** By a command on the machine, where there are no providers and perhaps no operators; all others are invited (operator-invitations.ts). */
export function createOperatorActivities(
  deps: Pick<ActivityDeps, 'db'>,
  passwords: Passwords = createPasswords(),
) {
  return {
    /** Raises already_claimed, validation_failed. */
    createOperator: async (input: CreateOperator) => await createOperator(deps, passwords, input),
  };
}

async function createOperator(
  deps: Pick<ActivityDeps, 'db'>,
  passwords: Passwords,
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
        },
        { transaction: tx },
      );
      await recordAudit(deps.db, tx, {
        actor: { type: 'SYSTEM', id: null },
        action: 'operator.create',
        subject: { type: 'operator', id },
        detail: { username: input.username, role: input.role },
      });
      return { id };
    });
  } catch (error) {
    throw claimedLogin(error);
  }
}

/** What an operator's name or address that somebody has already is told as; what else went wrong as it is. */
export function claimedLogin(error: unknown): unknown {
  const constraint = violatedConstraint(error);
  if (constraint === 'operators_username') return claimed('username');
  if (constraint === 'operators_email') return claimed('email');
  return error;
}
