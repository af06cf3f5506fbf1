import type * as yup from 'yup';
import type { QueuePollers } from '../../activities/core/flow-queues.ts';
import { BACKLOG_COUNTED_MAX, type EventBacklog } from '../../db/events/event-backlog.ts';
import type { Backlogs } from '../../db/queries/backlogs.ts';
import type { FlowFindings } from '../../db/queries/flow-findings.ts';
import { LIST_FAULTS, type LoadedList } from '../../domain/datacenter-list.ts';
import { FLOW_FINDINGS } from '../../domain/flow-findings.ts';
import { HEALTH_PROBLEMS, healthProblems } from '../../domain/platform-health.ts';
import { TASK_QUEUES } from '../../workflows/contracts/queues.ts';
import {
  flag,
  listOf,
  oneOf,
  oneOfOrNull,
  record,
  time,
  timeOrNull,
  whole,
  words,
  wordsOrNull,
} from '../http/response-shapes.ts';
import { QUERY_NAMES, queryUrls, type TemporalLinks, workflowUrl } from './workflow-url.ts';

const count = () => whole().min(0);
const waitingShape = () => record({ waiting: count(), oldest_at: timeOrNull() });

export const platformHealthShape = record(
  {
    as_of: time(),
    /** Empty: nothing needs looking after. */
    problems: listOf(oneOf(HEALTH_PROBLEMS)),
    outbox: waitingShape(),
    /** Events that were not judged yet; `more` where counting was given up. */
    events: record({ waiting: count(), more: flag(), oldest_at: timeOrNull() }),
    mail: waitingShape(),
    tasks: record({ open: count(), overdue: count(), oldest_due_at: timeOrNull() }),
    temporal: record({
      state: oneOf(['OK', 'AWAY']),
      /** Lists of flows on Temporal's pages; empty where none are linked to. */
      lists: listOf(record({ name: oneOf(QUERY_NAMES), url: words() })),
      /** Empty while it is away. */
      queues: listOf(
        record({
          queue: oneOf(TASK_QUEUES),
          workflow_pollers: count(),
          activity_pollers: count(),
          last_seen_at: timeOrNull(),
        }),
      ),
    }),
    /** Where flows and their rows do not agree; those that are named need a person. */
    flows: record({
      checked_at: timeOrNull(),
      healed_today: count(),
      raised: count(),
      findings: listOf(
        record({
          id: whole(),
          kind: oneOf(FLOW_FINDINGS),
          /** A workflow id, `decision:<id>` or `message:<id>`. */
          subject: words(),
          detail: words(),
          heals: count(),
          since: time(),
          workflow_url: wordsOrNull(),
        }),
      ),
    }),
    /** What the platform's role in the database may do and should not; empty: the ledger is safe from it. */
    database: record({ freedoms: listOf(words()) }),
    /** Lists of data centres that the answering process has (DATACENTER_IP, 6); empty: none is named. */
    datacenters: listOf(
      record({
        /** `FILE`, or the address that it is fetched from. */
        source: words(),
        networks: count(),
        /** Null: never, and nothing of it counts. */
        fetched_at: timeOrNull(),
        /** Of the last try, where that failed. */
        failed_at: timeOrNull(),
        fault: oneOfOrNull(LIST_FAULTS),
      }),
    ),
    /** Given up: messages of the outbox, postbacks, reward callbacks; letters of the last day. */
    dead_letters: record({
      outbox: count(),
      postbacks: count(),
      reward_callbacks: count(),
      mails: count(),
    }),
  },
  'PlatformHealth',
);

export interface PlatformFacts {
  now: Date;
  backlogs: Backlogs;
  events: EventBacklog;
  flows: FlowFindings;
  temporal: TemporalLinks;
  /** Null: Temporal is away. */
  queues: QueuePollers[] | null;
  redisAnswers: boolean;
  freedoms: string[];
  datacenters: readonly LoadedList[];
}

export function presentPlatformHealth(
  facts: PlatformFacts,
): yup.InferType<typeof platformHealthShape> {
  const { now, backlogs, events, flows, queues } = facts;
  const dead = {
    outbox: backlogs.outboxDead,
    postbacks: backlogs.postbacksDead,
    reward_callbacks: backlogs.rewardsFailed,
    mails: backlogs.mailsRefused,
  };
  const problems = healthProblems({
    ...backlogs,
    now,
    queues,
    redisAnswers: facts.redisAnswers,
    eventsOldestAt: events.oldestAt,
    raised: flows.raised,
    reconciledAt: flows.checkedAt,
    freedoms: facts.freedoms,
    dead: Object.values(dead).reduce((sum, each) => sum + each, 0),
  });
  const iso = (at: Date | null): string | null => at?.toISOString() ?? null;
  return {
    as_of: now.toISOString(),
    problems,
    outbox: { waiting: backlogs.outboxWaiting, oldest_at: iso(backlogs.outboxOldestAt) },
    events: {
      waiting: events.waiting,
      more: events.waiting >= BACKLOG_COUNTED_MAX,
      oldest_at: iso(events.oldestAt),
    },
    mail: { waiting: backlogs.mailsWaiting, oldest_at: iso(backlogs.mailsOldestAt) },
    tasks: {
      open: backlogs.tasksOpen,
      overdue: backlogs.tasksOverdue,
      oldest_due_at: iso(backlogs.tasksOldestDueAt),
    },
    temporal: {
      state: queues === null ? 'AWAY' : 'OK',
      lists: queryUrls(facts.temporal, now),
      queues: (queues ?? []).map(({ queue, workflows, activities, lastSeenAt }) => ({
        queue,
        workflow_pollers: workflows,
        activity_pollers: activities,
        last_seen_at: iso(lastSeenAt),
      })),
    },
    flows: {
      checked_at: iso(flows.checkedAt),
      healed_today: flows.healedToday,
      raised: flows.raised,
      findings: flows.findings.map(({ id, kind, subject, detail, heals, firstSeenAt }) => ({
        id,
        kind,
        subject,
        detail,
        heals,
        since: firstSeenAt.toISOString(),
        // Of a decision or a message the detail is its flow.
        workflow_url: workflowUrl(
          facts.temporal,
          /^(decision|message):/.test(subject) ? detail : subject,
        ),
      })),
    },
    database: { freedoms: facts.freedoms },
    datacenters: facts.datacenters.map(({ source, networks, fetchedAt, failed }) => ({
      source,
      networks,
      fetched_at: iso(fetchedAt),
      failed_at: iso(failed?.at ?? null),
      fault: failed?.fault ?? null,
    })),
    dead_letters: dead,
  };
}
