import type * as yup from 'yup';
import type { ReviewRound, RevisionScreen } from '../../db/queries/reviews.ts';
import type { TaskCounts, TaskScreen } from '../../db/queries/tasks.ts';
import { mediaUrl } from '../../db/files/media-store.ts';
import { TASK_KINDS, TASK_STATUSES } from '../../domain/lifecycle/task.ts';
import { OPERATOR_ROLES } from '../../domain/operator.ts';
import { DECIDER_OF, holderOf, mayDecide } from '../../domain/task-rules.ts';
import {
  flag,
  idOf,
  idOrNullOf,
  listOf,
  mapOf,
  oneOf,
  record,
  time,
  timeOrNull,
  whole,
  words,
  wordsOrNull,
} from '../http/response-shapes.ts';
import { type TemporalLinks, workflowUrl } from './workflow-url.ts';

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
  /** Until now, or until it was decided. */
  age_seconds: whole().min(0),
  due_at: timeOrNull(),
  /** Still open after it was due. */
  overdue: flag(),
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
  /** Who works on it now; one that has run out is nobody's. */
  lease: record({ operator_id: idOf(), username: words(), until: time() }).nullable(),
  workflow_id: words(),
  /** Null where the platform knows no page of Temporal's. */
  temporal_url: wordsOrNull(),
};

export const taskShape = record(taskFields, 'Task');

/** What the decision needs differs by the task's subject (api/admin/task-detail.ts). */
export const taskPageShape = record({ ...taskFields, detail: mapOf() }, 'TaskPage');

/** The moment that leases and ages are told of, and where flows are looked at. */
export interface TaskView {
  now: Date;
  temporal: TemporalLinks;
}

/** What is open of each kind of task. */
export const taskCountsShape = record(
  {
    kinds: listOf(
      record({
        kind: oneOf(TASK_KINDS),
        open: whole().min(0),
        overdue: whole().min(0),
        /** Assigned to you, or held by your lease. */
        mine: whole().min(0),
        /** Neither assigned nor held. */
        unclaimed: whole().min(0),
        oldest_opened_at: timeOrNull(),
        /** Your role decides these. */
        decidable: flag(),
      }),
    ),
  },
  'TaskCounts',
);

/** Every kind, in the order of the catalogue. */
export function presentTaskCounts(
  counts: readonly TaskCounts[],
  role: string,
): yup.InferType<typeof taskCountsShape> {
  const found = new Map(counts.map((each) => [each.kind, each]));
  return {
    kinds: TASK_KINDS.map((kind) => {
      const {
        open = 0,
        overdue = 0,
        mine = 0,
        unclaimed = 0,
        oldestOpenedAt,
      } = found.get(kind) ?? {};
      return {
        kind,
        open,
        overdue,
        mine,
        unclaimed,
        oldest_opened_at: oldestOpenedAt?.toISOString() ?? null,
        decidable: mayDecide(role, DECIDER_OF[kind]),
      };
    }),
  };
}

/** interface 5.2; the list and the page of a task show the same fields. */
export function presentTask(
  task: TaskScreen,
  { now, temporal }: TaskView,
): yup.InferType<typeof taskShape> {
  const ageMs = (task.decidedAt ?? now).getTime() - task.openedAt.getTime();
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
    age_seconds: Math.max(0, Math.floor(ageMs / 1_000)),
    due_at: task.dueAt?.toISOString() ?? null,
    overdue: task.status === 'open' && task.dueAt !== null && task.dueAt < now,
    decided_at: task.decidedAt?.toISOString() ?? null,
    decision: task.decision === null ? null : presentDecision(task.decision),
    assignee:
      task.assigneeId === null ? null : { id: task.assigneeId, username: task.assigneeName },
    lease: presentLease(task, now),
    workflow_id: task.workflowId,
    temporal_url: workflowUrl(temporal, task.workflowId),
  };
}

function presentLease(task: TaskScreen, now: Date): yup.InferType<typeof taskFields.lease> {
  const held = task.status === 'open' ? holderOf(task, now) : null;
  return held === null
    ? null
    : {
        operator_id: held.operatorId,
        username: task.holderName ?? '',
        until: held.until.toISOString(),
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

export function presentReviewRound(round: ReviewRound) {
  return {
    round: round.round,
    status: round.status,
    decided_by: round.decidedBy,
    reasons: round.reasons ?? [],
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
