import type * as yup from 'yup';
import type { TimelineFacts } from '../../db/queries/timelines.ts';
import { OPEN_DEPOSIT_STATUSES } from '../../domain/lifecycle/deposit.ts';
import {
  CANCELLED_BY_PLATFORM,
  OPEN_WITHDRAWAL_STATUSES,
} from '../../domain/lifecycle/withdrawal.ts';
import {
  STAGE_NAMES,
  type StageName,
  STAGES,
  stageOfTask,
  type Turn,
  TURN_NAMES,
} from '../../workflows/contracts/stages.ts';
import {
  idOrNullOf,
  listOf,
  oneOf,
  record,
  time,
  timeOrNull,
  whole,
  words,
  wordsOrNull,
} from '../http/response-shapes.ts';

export const timelineShape = record(
  {
    as_of: time(),
    timeline: listOf(
      record(
        {
          step: oneOf(STAGE_NAMES),
          /** The step in English, as Temporal's own pages say it. */
          words: words(),
          state: oneOf(['DONE', 'NOW']),
          /** Who acts, or is waited for. */
          turn: oneOf(TURN_NAMES),
          since: time(),
          until: timeOrNull(),
          attempts: whole().min(0).nullable().defined(),
          next_try_at: timeOrNull(),
          /** Promised, or the end of a wait. */
          due_at: timeOrNull(),
          /** Of a task that is open: how many of the same role come before it. */
          ahead: whole().min(0).nullable().defined(),
          task_id: idOrNullOf(),
          /** A decision, an outcome or a status, as the API names it elsewhere. */
          note: wordsOrNull(),
        },
        'TimelineStep',
      ),
    ),
  },
  'Timeline',
);
type Step = yup.InferType<typeof timelineShape>['timeline'][number];

interface Known {
  step: StageName;
  since: Date;
  until?: Date | null;
  isNow: boolean;
  turn?: Turn;
  attempts?: number | null;
  nextAt?: Date | null;
  dueAt?: Date | null;
  ahead?: number | null;
  taskId?: number;
  note?: string | null;
}

const stepOf = (known: Known): Step => ({
  step: known.step,
  words: STAGES[known.step].words,
  state: known.isNow ? 'NOW' : 'DONE',
  turn: known.turn ?? STAGES[known.step].turn,
  since: known.since.toISOString(),
  until: known.until?.toISOString() ?? null,
  attempts: known.attempts ?? null,
  next_try_at: known.nextAt?.toISOString() ?? null,
  due_at: known.dueAt?.toISOString() ?? null,
  ahead: known.ahead ?? null,
  task_id: known.taskId ?? null,
  note: known.note ?? null,
});

/** Oldest first; what is waited for now is at the end. Task ids are for operators. */
export function presentTimeline(
  facts: TimelineFacts,
  { now, forOperator }: { now: Date; forOperator: boolean },
): yup.InferType<typeof timelineShape> {
  const steps = [
    ...replaced(facts),
    ...submitted(facts),
    ...facts.tasks.map((task): Known => taskStep(task, forOperator)),
    ...facts.proofs.map(proofStep),
    ...unproven(facts),
    ...depositSteps(facts),
    ...withdrawalSteps(facts),
    ...refundSteps(facts),
    ...ended(facts),
  ];
  steps.sort((a, b) => a.since.getTime() - b.since.getTime());
  const inOrder = [...steps.filter(({ isNow }) => !isNow), ...steps.filter(({ isNow }) => isNow)];
  return { as_of: now.toISOString(), timeline: inOrder.map(stepOf) };
}

function submitted(facts: TimelineFacts): Known[] {
  const { reviews, submittedAt, deposit, withdrawal, refund } = facts;
  const begun = submittedAt ?? deposit?.createdAt ?? withdrawal?.createdAt ?? refund?.createdAt;
  const first: Known[] =
    begun === undefined ? [] : [{ step: 'submitted', since: begun, isNow: false }];
  return [
    ...first,
    ...reviews.map(({ round, createdAt, recalledBy }): Known => ({
      step: 'submitted',
      since: createdAt,
      isNow: false,
      attempts: round,
      note: recalledBy === null ? null : 'RECALLED',
    })),
  ];
}

type Round = TimelineFacts['reviews'][number];

const nextOf = ({ round }: Round, reviews: readonly Round[]): Round | undefined =>
  reviews.find((other) => other.round === round + 1);

function isReplaced(review: Round, reviews: readonly Round[]): boolean {
  const next = nextOf(review, reviews);
  return next !== undefined && review.decidedAt !== null && review.decidedAt >= next.createdAt;
}

/** A round ends by the one that is handed in after it, before that begins: its flow says so a moment later. */
function replaced({ reviews }: TimelineFacts): Known[] {
  return reviews.flatMap((review) => {
    const since = nextOf(review, reviews)?.createdAt;
    if (since === undefined || !isReplaced(review, reviews)) return [];
    return [{ step: 'ended', since, isNow: false, note: review.status }];
  });
}

function taskStep(task: TimelineFacts['tasks'][number], forOperator: boolean): Known {
  const isNow = task.status === 'open';
  return {
    step: stageOfTask(task.kind),
    since: task.openedAt,
    until: task.decidedAt,
    isNow,
    turn: task.requiredRole,
    dueAt: isNow ? task.dueAt : null,
    ahead: isNow ? task.ahead : null,
    ...(forOperator ? { taskId: task.id } : {}),
    note: task.decision,
  };
}

function proofStep(proof: TimelineFacts['proofs'][number]): Known {
  const isNow = proof.status === 'RUNNING';
  return {
    step: isNow && proof.attempts > 0 ? 'proof_again' : 'proof',
    since: proof.createdAt,
    until: proof.finishedAt,
    isNow,
    attempts: proof.attempts,
    nextAt: isNow ? proof.nextAt : null,
    note: proof.lastOutcome,
  };
}

/** Nobody looks at a site before it is proven; while its proof is looked for, that is said instead. */
function unproven({ reviews, proofs }: TimelineFacts): Known[] {
  if (proofs.some(({ status }) => status === 'RUNNING')) return [];
  return reviews
    .filter(({ status, begunAt }) => status === 'OPEN' && begunAt === null)
    .map(({ createdAt: since }): Known => ({ step: 'unproven', since, isNow: true }));
}

function depositSteps({ deposit, tasks }: TimelineFacts): Known[] {
  if (deposit === undefined) return [];
  const { status, createdAt, receivedAt, expiresAt, returningSince } = deposit;
  const isAsked = tasks.some((task) => task.status === 'open');
  const money: Known = {
    step: 'money',
    since: createdAt,
    until: receivedAt,
    isNow: status === 'PENDING',
    dueAt: status === 'PENDING' ? expiresAt : null,
  };
  if (returningSince !== null) {
    return isAsked ? [money] : [money, { step: 'returning', since: returningSince, isNow: true }];
  }
  const confirms = OPEN_DEPOSIT_STATUSES.includes(status) && status !== 'PENDING' && !isAsked;
  if (!confirms) return [money];
  return [money, { step: 'confirming', since: receivedAt ?? createdAt, isNow: true }];
}

function withdrawalSteps({ withdrawal, tasks }: TimelineFacts): Known[] {
  if (withdrawal === undefined) return [];
  const { status, createdAt, updatedAt, notBefore, payout, begunAt } = withdrawal;
  const isAsked = tasks.some((task) => task.status === 'open');
  const steps: Known[] = [];
  const waits = status === 'PENDING' || status === 'RISK_HOLD';
  if (waits && !isAsked) steps.push({ step: 'checks', since: createdAt, isNow: true });
  if (notBefore !== null) {
    const isNow = status === 'APPROVED';
    steps.push({ step: 'cooling', since: updatedAt, isNow, dueAt: notBefore, until: begunAt });
    if (begunAt !== null) steps.splice(-1, 1, { step: 'cooling', since: notBefore, isNow: false });
  }
  if (begunAt !== null && payout !== null) {
    const goesOn = (status === 'PROCESSING' || status === 'UNKNOWN') && !isAsked;
    const isSent = payout !== 'READY' && payout !== 'SENDING';
    steps.push({
      step: isSent ? 'paying' : 'sending',
      since: begunAt,
      isNow: goesOn,
      attempts: isSent ? withdrawal.looks : withdrawal.tries,
      note: payout,
    });
  }
  return steps;
}

/** Its parts go on by themselves, each of them alone; what a person is asked about one is among the tasks. */
function refundSteps({ refund }: TimelineFacts): Known[] {
  if (refund === undefined) return [];
  const { status, createdAt, approvedAt, endedAt, takesTwo, underWay, tries } = refund;
  const steps: Known[] = [];
  if (takesTwo) {
    const isNow = status === 'REQUESTED';
    const until = approvedAt ?? endedAt;
    steps.push({ step: 'second_approval', since: createdAt, until, isNow, turn: 'FINANCE' });
  }
  if (approvedAt !== null) {
    const isNow = underWay > 0;
    const attempts = tries > 1 ? tries : null;
    steps.push({ step: 'returning', since: approvedAt, until: endedAt, isNow, attempts });
  }
  return steps;
}

/** A cancel of the platform's own is told apart from its owner's. */
const endOf = ({ status, isOfPlatform }: { status: string; isOfPlatform: boolean }): string =>
  status === 'CANCELLED' && isOfPlatform ? CANCELLED_BY_PLATFORM : status;

function ended({ reviews, deposit, withdrawal, refund }: TimelineFacts): Known[] {
  const ends: Known[] = reviews.flatMap((review) => {
    const { status, decidedAt } = review;
    if (decidedAt === null || isReplaced(review, reviews)) return [];
    return [{ step: 'ended', since: decidedAt, isNow: false, note: status }];
  });
  if (deposit !== undefined && !OPEN_DEPOSIT_STATUSES.includes(deposit.status)) {
    const since = deposit.paidAt ?? deposit.updatedAt;
    ends.push({ step: 'ended', since, isNow: false, note: endOf(deposit) });
  }
  if (withdrawal !== undefined && !OPEN_WITHDRAWAL_STATUSES.includes(withdrawal.status)) {
    const since = withdrawal.paidAt ?? withdrawal.updatedAt;
    ends.push({ step: 'ended', since, isNow: false, note: endOf(withdrawal) });
  }
  if (refund !== undefined && refund.endedAt !== null) {
    ends.push({ step: 'ended', since: refund.endedAt, isNow: false, note: refund.status });
  }
  return ends;
}
