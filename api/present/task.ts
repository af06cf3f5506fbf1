import type * as yup from 'yup';
import type { ReviewRoundRow, TaskRow } from '../../db/queries/tasks.ts';
import {
  idOf,
  idOrNullOf,
  listOf,
  mapOf,
  oneOf,
  record,
  time,
  timeOrNull,
  words,
  wordsOrNull,
} from '../http/response-shapes.ts';

export interface TemporalLinks {
  uiUrl: string;
  namespace: string;
}

export const TASK_KINDS = [
  'campaign_review',
  'adgroup_review',
  'ad_review',
  'creative_review',
  'site_review',
  'zone_review',
  'kyc_review',
  'deposit_review',
  'deposit_second_approval',
  'withdrawal_review',
  'withdrawal_second_approval',
  'payout_unknown',
  'suspense',
] as const;
const OPERATOR_ROLES = ['ADMIN', 'REVIEWER', 'FINANCE', 'SUPPORT'] as const;
export const TASK_STATUSES = ['open', 'decided', 'void'] as const;

const taskFields = {
  id: idOf(),
  kind: oneOf(TASK_KINDS),
  status: oneOf(TASK_STATUSES),
  subject: record({ type: words(), id: idOf() }),
  account_id: idOrNullOf(),
  summary: words(),
  findings: listOf(
    record({
      code: words(),
      severity: oneOf(['info', 'notice', 'blocker']),
      field: words().optional(),
      note: words().optional(),
    }),
  ),
  decisions: listOf(words()),
  required_role: oneOf(OPERATOR_ROLES),
  maker_id: idOrNullOf(),
  opened_at: time(),
  due_at: timeOrNull(),
  decided_at: timeOrNull(),
  decision: record({
    id: idOf(),
    decision: words(),
    reasons: listOf(record({ code: words(), field: words().optional(), note: words().optional() })),
    note: wordsOrNull(),
    evidence_media_id: idOrNullOf(),
    operator_id: idOf(),
    operator: words(),
    created_at: time(),
  }).nullable(),
  assignee: record({ id: idOf(), username: wordsOrNull() }).nullable(),
  workflow_id: words(),
  temporal_url: words(),
};

export const taskShape = record(taskFields, 'Task');

/** What the decision needs differs by the task's subject (api/admin/task-detail.ts). */
export const taskPageShape = record({ ...taskFields, detail: mapOf() }, 'TaskPage');

/** interface 5.2; the list and the page of a task show the same fields. */
export function presentTask(
  task: TaskRow,
  temporal: TemporalLinks,
): yup.InferType<typeof taskShape> {
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
