import { activityInfo } from '@temporalio/activity';
import type { Transaction } from 'sequelize';
import { inTransaction, runner } from '../../db/postgres.ts';
import { moveRows, NOW } from '../../db/schema/move.ts';
import { ref, text } from '../../db/schema/column.ts';
import { readRow, select } from '../../db/schema/selection.ts';
import { tasks } from '../../db/tables/task.ts';
import type { TaskKind } from '../../domain/lifecycle/task.ts';
import type { DecideInput } from '../../workflows/contracts/decision.ts';
import { REFUSAL_ANSWERS, type RefusalAnswer } from '../../workflows/contracts/refusal.ts';
import type { Question } from '../../workflows/contracts/stages.ts';
import { runOnce } from '../core/run-once.ts';
import type { ActivityDeps } from '../deps.ts';
import { openQuestion } from '../review/open-question.ts';
import { loadDecision, markDecided } from '../review/task-decisions.ts';
import { openTask } from '../review/tasks.ts';

const DUE_MS = 24 * 3_600_000;

interface Refused {
  kind: TaskKind & `${string}_refused`;
  /** What it is about and whose that is, by the id in the flow's own. */
  about: string;
  /** A cancel of it is an answer of its flow. */
  canEnd?: boolean;
}

/** By the word that a flow's id begins with; the place of its row's id is the first number. */
const FLOWS: Readonly<Record<string, Refused>> = {
  withdrawal: {
    kind: 'money_refused',
    about: `SELECT 'withdrawal' AS type, id, publisher_id AS account_id FROM withdrawals WHERE id = $1`,
    canEnd: true,
  },
  deposit: {
    kind: 'money_refused',
    about: `SELECT 'deposit' AS type, id, advertiser_id AS account_id FROM deposits WHERE id = $1`,
    canEnd: true,
  },
  suspense: {
    kind: 'money_refused',
    about: `SELECT 'deposit' AS type, d.id, d.advertiser_id AS account_id
      FROM deposit_receipts r JOIN deposits d ON d.id = r.deposit_id WHERE r.id = $1`,
  },
  refund: {
    kind: 'money_refused',
    about: `SELECT 'deposit' AS type, d.id, d.advertiser_id AS account_id FROM deposit_refunds f
      JOIN deposit_receipts r ON r.id = f.receipt_id JOIN deposits d ON d.id = r.deposit_id WHERE f.id = $1`,
  },
  reversal: {
    kind: 'money_refused',
    about: `SELECT 'reversal' AS type, id, NULL::bigint AS account_id FROM reversals WHERE id = $1`,
  },
  'removal-appeal': {
    kind: 'money_refused',
    about: `SELECT 'removal_appeal' AS type, id, publisher_id AS account_id FROM removal_appeals WHERE id = $1`,
  },
  kyc: {
    kind: 'review_refused',
    about: `SELECT 'kyc' AS type, id, account_id FROM kyc_applications WHERE id = $1`,
  },
  'domain-transfer': {
    kind: 'review_refused',
    about: `SELECT 'site' AS type, claimant_site_id AS id, claimant_id AS account_id FROM domain_transfers WHERE id = $1`,
  },
  review: {
    kind: 'review_refused',
    about: `SELECT subject_type AS type, subject_id AS id, account_id FROM reviews
      WHERE subject_id = $1 AND subject_type = $2 ORDER BY round DESC LIMIT 1`,
  },
};

/** Whether somebody is asked when a step of flows of this word is refused; else such a flow fails. */
export const isAskedAbout = (word: string): boolean => Object.hasOwn(FLOWS, word);

const ABOUT = select({
  type: text().of('a.type'),
  id: ref().of('a.id'),
  accountId: ref().orNull().of('a.account_id'),
  /** Refusals of this flow that operators were asked about before. */
  earlier: ref().of(
    `(SELECT count(*) FROM tasks t WHERE t.workflow_id = $3 AND t.kind LIKE '%_refused')`,
  ),
});

export function createRefusalActivities(deps: ActivityDeps) {
  return {
    /**
     * A step on the main path of the flow that calls was refused: opens the task that says why, or finds
     * it, left by a run before this one. Null: what the flow is about is no more, so that nobody has
     * anything to mend. Harmless twice.
     */
    async askAboutRefusal(input: { step: string; refusal: string }): Promise<Question | null> {
      const { workflowId, runId } = ownExecution();
      return await inTransaction(deps.db, async (tx) => {
        const [flow = '', ...rest] = workflowId.split(':');
        const refused = FLOWS[flow];
        if (refused === undefined) return null;
        // `review:creative:13:1` has its type before its id.
        const values = flow === 'review' ? [rest[1], rest[0]] : [rest[0], ''];
        const about = await aboutOf(deps, tx, refused, [...values, workflowId]);
        if (about === undefined) return null;
        const { type, id, accountId, earlier } = about;
        const open = await openQuestion(deps, workflowId, tx, refused.kind);
        if (open !== null) {
          await takeOver(deps, tx, open.taskId, runId);
          return open;
        }
        await openTask(deps, tx, {
          kind: refused.kind,
          subject: { type, id },
          accountId,
          heading: { form: 'REFUSED_STEP' },
          findings: [
            { code: 'STEP_REFUSED', severity: 'notice', note: `${input.step}: ${input.refusal}` },
          ],
          decisions: refused.canEnd === true ? [...REFUSAL_ANSWERS] : ['retry'],
          payload: { step: input.step, run_id: runId },
          workflowId,
          dedupeKey: `${workflowId}:refused:${earlier + 1}`,
          dueAt: new Date(deps.clock().getTime() + DUE_MS),
        });
        deps.log.warn({ flow: workflowId, step: input.step }, 'step refused: an operator is asked');
        return await openQuestion(deps, workflowId, tx, refused.kind);
      });
    },

    /** Whether its operator is still asked; `isOver`: not from now on. Harmless twice. */
    async isRefusalOpen({ taskId, isOver }: { taskId: number; isOver: boolean }): Promise<boolean> {
      if (isOver) {
        await moveRows(runner(deps.db), tasks, {
          state: 'status',
          action: 'void',
          where: { id: taskId },
          set: { decidedAt: NOW },
        });
      }
      const task = await deps.db.models.tasks.findByPk(taskId);
      return task?.status === 'open';
    },

    /** Key `<flow>:refused:<decision>`. Raises not_found or state_conflict for a decision that is not one. */
    async applyRefusalDecision({ decision }: { decision: DecideInput }): Promise<RefusalAnswer> {
      const { workflowId } = ownExecution();
      const key = `${workflowId}:refused:${decision.decisionId}`;
      return await runOnce(deps.db, key, async (tx) => {
        const loaded = await loadDecision(deps, tx, {
          ...decision,
          workflowId,
          kinds: ['money_refused', 'review_refused'],
        });
        await markDecided(deps, tx, loaded);
        return loaded.decision === 'end' ? 'end' : 'retry';
      });
    },
  };
}

const ownExecution = () => activityInfo().workflowExecution ?? { workflowId: '', runId: '' };

/** It is this run that asks now (abandoned-questions.ts). */
async function takeOver(
  deps: ActivityDeps,
  tx: Transaction,
  taskId: number,
  runId: string,
): Promise<void> {
  await runner(deps.db, tx).query(
    `UPDATE tasks SET payload = payload || jsonb_build_object('run_id', $2::text) WHERE id = $1`,
    [taskId, runId],
  );
}

async function aboutOf(
  deps: ActivityDeps,
  tx: Transaction,
  { about }: Refused,
  values: (string | undefined)[],
) {
  return await readRow(
    runner(deps.db, tx),
    ABOUT,
    `SELECT ${ABOUT.list} FROM (${about}) a WHERE $2::text IS NOT NULL`,
    values,
  );
}
