import type { Transaction } from 'sequelize';
import { runner } from '../../db/postgres.ts';
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
  status: 'running' | 'waiting_human' | 'succeeded' | 'failed' | 'cancelled';
  phase: string;
  note?: string;
  progress?: object;
  result?: object;
  /** `{error, …}`: `error` is a stable snake_case token. */
  error?: object;
}

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
  const entry = {
    at: deps.clock().toISOString(),
    phase: report.phase,
    note: report.note,
  };
  await runner(deps.db, tx).query(
    `UPDATE operations SET status = $2, phase = $3, timeline = timeline || $4::jsonb,
       progress = COALESCE($5::jsonb, progress), result = $6::jsonb, error = $7::jsonb,
       version = version + 1, updated_at = now()
     WHERE workflow_id = $1 AND status NOT IN ('succeeded', 'failed', 'cancelled') RETURNING id`,
    [
      workflowId,
      report.status,
      report.phase,
      JSON.stringify([entry]),
      json(report.progress),
      json(report.result),
      json(report.error),
    ],
  );
}

const json = (value: object | undefined): string | null =>
  value === undefined ? null : JSON.stringify(value);

/** How far a running step is. Not a step of the story: the timeline stays as it is. */
export async function reportProgress(
  deps: ActivityDeps,
  workflowId: string,
  report: { phase: string; progress: object },
): Promise<void> {
  await runner(deps.db).query(
    `UPDATE operations SET status = 'running', phase = $2, progress = $3::jsonb,
       version = version + 1, updated_at = now()
     WHERE workflow_id = $1 AND status NOT IN ('succeeded', 'failed', 'cancelled') RETURNING id`,
    [workflowId, report.phase, JSON.stringify(report.progress)],
  );
}
