import type { ReviewRoundRow, TaskRow } from '../../db/queries/tasks.ts';

export interface TemporalLinks {
  uiUrl: string;
  namespace: string;
}

/** decisions 3; the list and the page of a task show the same fields. */
export function presentTask(task: TaskRow, temporal: TemporalLinks) {
  return {
    id: task.id,
    kind: task.kind,
    status: task.status,
    subject: { type: task.subjectType, id: task.subjectId },
    account_id: task.accountId,
    summary: task.summary,
    findings: task.findings,
    decisions: task.decisions,
    required_role: task.requiredRole,
    /** Whoever made the step that this task checks: may not decide it. */
    maker_id: task.makerId,
    opened_at: task.openedAt.toISOString(),
    due_at: task.dueAt?.toISOString() ?? null,
    decided_at: task.decidedAt?.toISOString() ?? null,
    decision: task.decision,
    assignee:
      task.assigneeId === null ? null : { id: task.assigneeId, username: task.assigneeName },
    workflow_id: task.workflowId,
    temporal_url: temporalUrl(temporal, task.workflowId),
  };
}

const temporalUrl = ({ uiUrl, namespace }: TemporalLinks, workflowId: string): string =>
  `${uiUrl.replace(/\/+$/, '')}/namespaces/${namespace}/workflows/${encodeURIComponent(workflowId)}`;

export function presentReviewRound(round: ReviewRoundRow) {
  return {
    round: round.round,
    status: round.status,
    decided_by: round.decidedBy,
    reasons: round.reasons ?? [],
    created_at: round.createdAt.toISOString(),
    decided_at: round.decidedAt?.toISOString() ?? null,
  };
}

/** Fields of the proposed revision that differ from the one that serves: `{field: [before, after]}`. */
export function revisionDiff(
  approved: Record<string, unknown> | null,
  proposed: Record<string, unknown> | null,
): Record<string, [unknown, unknown]> {
  if (approved === null || proposed === null) return {};
  return Object.fromEntries(
    Object.keys(proposed)
      .filter((field) => !NOT_CONTENT.has(field) && approved[field] !== proposed[field])
      .map((field) => [field, [approved[field], proposed[field]]]),
  );
}

const NOT_CONTENT = new Set(['revision', 'audit_status', 'role', 'image_path', 'image_url']);
