import type { Transaction } from 'sequelize';
import { runner } from '../../db/postgres.ts';
import { columnsOf, readRow, select } from '../../db/schema/selection.ts';
import { loadSettings } from '../../db/settings.ts';
import { tasks } from '../../db/tables/task.ts';
import type { TaskKind } from '../../domain/lifecycle/task.ts';
import { holderOf } from '../../domain/task-rules.ts';
import { recordAudit } from '../core/audit.ts';
import { runStep } from '../core/run-once.ts';
import type { ActivityDeps } from '../deps.ts';
import { refreshFindings } from './task-findings.ts';
import {
  checkDecider,
  checkReader,
  type Decider,
  lockTask,
  refuseDecided,
  refuseForeignLease,
  type Task,
} from './task-lock.ts';

interface LeaseCommand {
  taskId: number;
  operator: Decider;
  requestId: string;
}

interface NextCommand {
  operator: Decider;
  /** Empty is every kind. */
  kinds: readonly TaskKind[];
  /** Passed over this time. */
  except: readonly number[];
  requestId: string;
}

/** Who works on what: a lease keeps two operators off the same task, and runs out by itself. */
export function createTaskLeaseActivities(deps: ActivityDeps) {
  return {
    /**
     * Takes or renews the lease of one task. Raises not_found, forbidden_role (role, four eyes), and
     * state_conflict when it is decided or somebody else works on it.
     */
    async claimTask({ taskId, operator, requestId }: LeaseCommand): Promise<void> {
      await runStep(deps.db, 'task.claim', async (tx) => {
        const task = await lockTask(deps, tx, taskId);
        checkDecider(task, operator);
        await refuseDecided(deps, tx, task);
        await refuseForeignLease(deps, tx, { task, operatorId: operator.id });
        await takeLease(deps, tx, task, { operatorId: operator.id, requestId });
      });
    },

    /**
     * The most urgent task that this operator may decide and nobody holds; where there is none, of those that they hold
     * themselves, in a page that was closed, say. null when none waits.
     */
    async claimNextTask(command: NextCommand): Promise<{ taskId: number | null }> {
      return await runStep(deps.db, 'task.claim_next', async (tx) => {
        const taskId =
          (await findNext(deps, tx, command, BY_NOBODY)) ??
          (await findNext(deps, tx, command, BY_THEMSELVES));
        if (taskId === null) return { taskId };
        const { operator, requestId } = command;
        const task = await lockTask(deps, tx, taskId);
        await takeLease(deps, tx, task, { operatorId: operator.id, requestId });
        return { taskId };
      });
    },

    /** Gives one's lease back; harmless when it has run out. Raises not_found and state_conflict. */
    async releaseTask({ taskId, operator, requestId }: LeaseCommand): Promise<void> {
      await runStep(deps.db, 'task.release', async (tx) => {
        const task = await lockTask(deps, tx, taskId);
        checkReader(task, operator);
        await refuseForeignLease(deps, tx, { task, operatorId: operator.id });
        if (holderOf(task, deps.clock()) === null) return;
        await task.update({ leaseOperatorId: null, leaseUntil: null }, { transaction: tx });
        await audit(deps, tx, {
          action: 'task.release',
          taskId,
          operatorId: operator.id,
          requestId,
        });
      });
    },
  };
}

const NEXT = select(columnsOf(tasks, 't', ['id']));

const BY_NOBODY = '(t.lease_until IS NULL OR t.lease_until <= $3::timestamptz)';
const BY_THEMSELVES = '(t.lease_operator_id = $2 AND t.lease_until > $3::timestamptz)';

/** Rows that another operator is about to take are passed over, not waited for. */
async function findNext(
  deps: ActivityDeps,
  tx: Transaction,
  { operator, kinds, except }: NextCommand,
  held: typeof BY_NOBODY | typeof BY_THEMSELVES,
): Promise<number | null> {
  const row = await readRow(
    runner(deps.db, tx),
    NEXT,
    `SELECT ${NEXT.list} FROM tasks t
     WHERE t.status = 'open' AND (t.required_role = $1::text OR ($1 = 'ADMIN' AND t.required_role <> 'FINANCE'))
       AND t.maker_id IS DISTINCT FROM $2::bigint
       AND (t.assignee_id IS NULL OR t.assignee_id = $2)
       AND ${held}
       AND ($4::text[] = '{}' OR t.kind = ANY($4)) AND t.id <> ALL($5::bigint[])
       AND NOT EXISTS (
         SELECT FROM task_decisions d WHERE d.task_id = t.id AND d.status <> 'REFUSED')
     ORDER BY t.due_at, t.id LIMIT 1 FOR UPDATE OF t SKIP LOCKED`,
    [operator.role, operator.id, deps.clock(), kinds, except],
  );
  return row?.id ?? null;
}

/** A renewal is no news to the audit log. */
async function takeLease(
  deps: ActivityDeps,
  tx: Transaction,
  task: Task,
  { operatorId, requestId }: { operatorId: number; requestId: string },
): Promise<void> {
  const now = deps.clock();
  await refreshFindings(deps, tx, task);
  const isRenewal = holderOf(task, now)?.operatorId === operatorId;
  const settings = await loadSettings(runner(deps.db, tx));
  const leaseUntil = new Date(now.getTime() + settings['review.lease_seconds'] * 1_000);
  await task.update({ leaseOperatorId: operatorId, leaseUntil }, { transaction: tx });
  if (isRenewal) return;
  await audit(deps, tx, { action: 'task.claim', taskId: task.id, operatorId, requestId });
}

async function audit(
  deps: ActivityDeps,
  tx: Transaction,
  done: {
    action: 'task.claim' | 'task.release';
    taskId: number;
    operatorId: number;
    requestId: string;
  },
): Promise<void> {
  await recordAudit(deps.db, tx, {
    actor: { type: 'OPERATOR', id: done.operatorId },
    action: done.action,
    subject: { type: 'task', id: done.taskId },
    requestId: done.requestId,
  });
}
