import type * as yup from 'yup';
import type { ReviewRound, RevisionScreen } from '../../db/queries/reviews.ts';
import type { TaskScreen } from '../../db/queries/tasks.ts';
import { mediaUrl } from '../../db/files/media-store.ts';
import { TASK_KINDS, TASK_STATUSES } from '../../domain/lifecycle/task.ts';
import { OPERATOR_ROLES } from '../../domain/operator.ts';
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
  task: TaskScreen,
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
    decision: task.decision === null ? null : presentDecision(task.decision),
    assignee:
      task.assigneeId === null ? null : { id: task.assigneeId, username: task.assigneeName },
    workflow_id: task.workflowId,
    temporal_url: temporalUrl(temporal, task.workflowId),
  };
}

function presentDecision(decision: NonNullable<TaskScreen['decision']>) {
  return {
    id: decision.id,
    decision: decision.decision,
    reasons: decision.reasons,
    note: decision.note,
    evidence_media_id: decision.evidenceMediaId,
    operator_id: decision.operatorId,
    operator: decision.operator,
    created_at: decision.createdAt,
  };
}

const temporalUrl = ({ uiUrl, namespace }: TemporalLinks, workflowId: string): string =>
  `${uiUrl.replace(/\/+$/, '')}/namespaces/${namespace}/workflows/${encodeURIComponent(workflowId)}`;

export function presentReviewRound(round: ReviewRound) {
  return {
    round: round.round,
    status: round.status,
    decided_by: round.decidedBy,
    reasons: round.reasons ?? [],
    appeal: round.appeal,
    created_at: round.createdAt.toISOString(),
    decided_at: round.decidedAt?.toISOString() ?? null,
  };
}

/** Any record for an operator's eyes: its columns under the names of the wire, nanos as text. */
export const presentRecord = (record: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(record).map(([name, value]) => [
      wireName(name),
      typeof value === 'bigint' ? value.toString() : value,
    ]),
  );

const wireName = (name: string): string =>
  name.replace('adGroup', 'adgroup').replace(/[A-Z]|\d+$/g, (part) => `_${part.toLowerCase()}`);

/** What a reviewer opens to look at: each stored asset by its address. */
export function presentRevision(
  revision: RevisionScreen | null,
  cdnUrl: string,
): Record<string, unknown> | null {
  if (revision === null) return null;
  const {
    imagePath,
    imagePath2,
    videoPath,
    iconPath,
    html5Path,
    isApproved: _,
    ...content
  } = revision;
  const urlOf = (path: string | null) => (path === null ? null : mediaUrl(cdnUrl, path));
  return {
    ...presentRecord(content),
    image_url: urlOf(imagePath),
    image_url_2: urlOf(imagePath2),
    video_url: urlOf(videoPath),
    icon_url: urlOf(iconPath),
    html5_url: urlOf(html5Path),
  };
}

/** Fields of the proposed revision that differ from the one that serves: `{field: [before, after]}`. */
export function revisionDiff(
  approved: RevisionScreen | null,
  proposed: RevisionScreen | null,
): Record<string, [unknown, unknown]> {
  if (approved === null || proposed === null) return {};
  const fields = Object.keys(proposed) as (keyof RevisionScreen)[];
  return Object.fromEntries(
    fields
      .filter((field) => !NOT_CONTENT.has(field) && approved[field] !== proposed[field])
      .map((field) => [wireName(field), [approved[field], proposed[field]]]),
  );
}

const NOT_CONTENT = new Set<keyof RevisionScreen>([
  'revision',
  'auditStatus',
  'isApproved',
  'imagePath',
]);
