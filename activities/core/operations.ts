import type { Transaction } from 'sequelize';
import { runner } from '../../db/postgres.ts';
import { moveRows, moveSql, NEXT_VERSION, NOW } from '../../db/schema/move.ts';
import { sqlValue } from '../../db/schema/table.ts';
import { operations } from '../../db/tables/operation.ts';
import type { ActivityDeps } from '../deps.ts';

/** A long flow that somebody started and may watch (interface 5.3). */
export interface NewOperation {
  /** Whose it is; null for the platform's own. */
  accountId: number | null;
  kind: string;
  subject: { type: string; id: number } | null;
  workflowId: string;
  note?: string;
}

/** Beside the workflow's start, in the caller's transaction. Answers the operation's id. */
export async function openOperation(
  deps: ActivityDeps,
  tx: Transaction,
  operation: NewOperation,
): Promise<number> {
  const phase = 'queued';
  const row = await deps.db.models.operations.create(
    {
      accountId: operation.accountId,
      kind: operation.kind,
      subjectType: operation.subject?.type ?? null,
      subjectId: operation.subject?.id ?? null,
      workflowId: operation.workflowId,
      phase,
      timeline: [{ at: deps.clock().toISOString(), phase, note: operation.note }],
    },
    { transaction: tx },
  );
  return row.id;
}

export interface OperationReport {
  status: keyof typeof ACTION_TO;
  phase: string;
  note?: string;
  progress?: object;
  result?: object;
  /** `{error, …}`: `error` is a stable snake_case token. */
  error?: object;
}

const ACTION_TO = {
  running: 'run',
  waiting_human: 'wait',
  succeeded: 'succeed',
  failed: 'fail',
  cancelled: 'cancel',
} as const;

/**
 * What has become of it; in the transaction of the step that it reports. An operation that has
 * ended stays as it ended.
 */
export async function reportOperation(
  deps: ActivityDeps,
  tx: Transaction,
  workflowId: string,
  report: OperationReport,
): Promise<void> {
  const { phase, note, progress, result, error } = report;
  const { set, only } = moveSql(operations, 'status', ACTION_TO[report.status]);
  const entry = { at: deps.clock().toISOString(), phase, note };
  await runner(deps.db, tx).query(
    `UPDATE operations SET ${set}, phase = $2, timeline = timeline || $3::jsonb,
       progress = COALESCE($4::jsonb, progress), result = $5::jsonb, error = $6::jsonb,
       version = version + 1, updated_at = now()
     WHERE workflow_id = $1 AND ${only} RETURNING id`,
    [
      workflowId,
      phase,
      sqlValue(operations, 'timeline', [entry]),
      sqlValue(operations, 'progress', progress),
      sqlValue(operations, 'result', result),
      sqlValue(operations, 'error', error),
    ],
  );
}

/** How far a running step is. Not a step of the story: the timeline stays as it is. */
export async function reportProgress(
  deps: ActivityDeps,
  workflowId: string,
  report: { phase: string; progress: object },
): Promise<void> {
  await moveRows(runner(deps.db), operations, {
    state: 'status',
    action: 'run',
    where: { workflowId },
    set: { ...report, version: NEXT_VERSION, updatedAt: NOW },
  });
}
