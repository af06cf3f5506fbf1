import type * as yup from 'yup';
import type { AccountPerson } from '../../db/queries/account-admin.ts';
import type { TaskNote } from '../../db/queries/task-notes.ts';
import type { TaskCounts, TaskScreen } from '../../db/queries/tasks.ts';
import { accountLifecycle } from '../../domain/lifecycle/account.ts';
import { KYC_STATUSES } from '../../domain/lifecycle/profile.ts';
import { TASK_KINDS, TASK_STATUSES } from '../../domain/lifecycle/task.ts';
import { OPERATOR_ROLES } from '../../domain/operator.ts';
import { TASK_HEADING_FORMS } from '../../domain/task-heading.ts';
import { DECIDER_OF, holderOf, mayDecide, readableKinds } from '../../domain/task-rules.ts';
import {
  flag,
  idOf,
  idOrNullOf,
  listOf,
  money,
  oneOf,
  record,
  time,
  timeOrNull,
  whole,
  words,
  wordsOrNull,
} from '../http/response-shapes.ts';
import { evidenceShape, presentEvidence } from './evidence.ts';
import { taskDetailShape } from './task-detail.ts';
import { lastTryShape } from './task-try.ts';
import { type TemporalLinks, workflowUrl } from './workflow-url.ts';

/** Of a form, those that its title names (domain/task-heading.ts); amounts in the platform's currency. */
const taskHeadingShape = record(
  {
    form: oneOf(TASK_HEADING_FORMS),
    name: words().optional(),
    round: whole().optional(),
    amount: money().optional(),
    ordered: money().optional(),
    reference: words().optional(),
    provider_reference: words().optional(),
    method: words().optional(),
    account: wordsOrNull().optional(),
    answer: wordsOrNull().optional(),
    second: flag().optional(),
    reason: words().optional(),
    zone_id: idOf().optional(),
    day: words().optional(),
    domain: words().optional(),
    claimant_site_id: idOf().optional(),
    holder_site_id: idOf().optional(),
    events: whole().optional(),
  },
  'TaskHeading',
);

const taskFields = {
  id: idOf(),
  kind: oneOf(TASK_KINDS),
  status: oneOf(TASK_STATUSES),
  subject: record({ type: words(), id: idOf() }),
  account_id: idOrNullOf(),
  /** In English. */
  summary: words(),
  /** What it says, apart from its words; null of tasks that were opened before there were any. */
  heading: taskHeadingShape.nullable(),
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
    /** What its operator showed for it. */
    evidence: evidenceShape.nullable(),
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

export const taskNoteShape = record(
  {
    id: idOf(),
    task_id: idOf(),
    text: words(),
    operator_id: idOf(),
    operator: words(),
    created_at: time(),
  },
  'TaskNote',
);

/** Who a task may be given to. */
export const assigneesShape = record(
  { items: listOf(record({ id: idOf(), username: words(), nickname: wordsOrNull() })) },
  'TaskAssignees',
);

const { id, kind, status, summary, subject, heading, opened_at, decided_at, decision } = taskFields;

/** What the decision needs differs by the task's subject (api/admin/task-detail.ts). */
export const taskPageShape = record(
  {
    ...taskFields,
    /** Whose thing it is. */
    account: record({
      id: idOf(),
      kind: oneOf(['ADVERTISER', 'PUBLISHER']),
      username: words(),
      email: words(),
      nickname: words(),
      company_name: wordsOrNull(),
      contact_name: wordsOrNull(),
      status: oneOf(accountLifecycle.statuses),
      kyc_status: oneOf(KYC_STATUSES),
      created_at: time(),
    }).nullable(),
    /** Other questions about the same thing, newest first, and what was answered. */
    other_tasks: listOf(
      record({ id, kind, status, subject, summary, heading, opened_at, decided_at, decision }),
    ),
    /** Of operators for operators, about the same thing; oldest first. */
    notes: listOf(taskNoteShape),
    last_try: lastTryShape.nullable(),
    detail: taskDetailShape,
  },
  'TaskPage',
);

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

/** Every kind that the role reads, in the order of the catalogue. */
export function presentTaskCounts(
  counts: readonly TaskCounts[],
  role: string,
): yup.InferType<typeof taskCountsShape> {
  const found = new Map(counts.map((each) => [each.kind, each]));
  return {
    kinds: readableKinds(role).map((kind) => {
      const counted = found.get(kind);
      return {
        kind,
        open: counted?.open ?? 0,
        overdue: counted?.overdue ?? 0,
        mine: counted?.mine ?? 0,
        unclaimed: counted?.unclaimed ?? 0,
        oldest_opened_at: counted?.oldestOpenedAt?.toISOString() ?? null,
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
    heading: task.heading,
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
    evidence: decision.evidence === null ? null : presentEvidence(decision.evidence),
    operator_id: decision.operatorId,
    operator: decision.operator,
    created_at: decision.createdAt,
  };
}

type TaskPage = yup.InferType<typeof taskPageShape>;

export const presentTaskAccount = (account: AccountPerson): NonNullable<TaskPage['account']> => ({
  id: account.id,
  kind: account.kind,
  username: account.username,
  email: account.email,
  nickname: account.nickname ?? account.username,
  company_name: account.companyName,
  contact_name: account.contactName,
  status: account.status,
  kyc_status: account.kycStatus,
  created_at: account.createdAt.toISOString(),
});

export const presentOtherTask = (task: TaskScreen): TaskPage['other_tasks'][number] => ({
  id: task.id,
  kind: task.kind,
  status: task.status,
  subject: { type: task.subjectType, id: task.subjectId },
  summary: task.summary,
  heading: task.heading,
  opened_at: task.openedAt.toISOString(),
  decided_at: task.decidedAt?.toISOString() ?? null,
  decision: task.decision === null ? null : presentDecision(task.decision),
});

export const presentTaskNote = (note: TaskNote): yup.InferType<typeof taskNoteShape> => ({
  id: note.id,
  task_id: note.taskId,
  text: note.text,
  operator_id: note.operatorId,
  operator: note.operator,
  created_at: note.createdAt.toISOString(),
});
