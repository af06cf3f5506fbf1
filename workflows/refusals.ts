import { ActivityFailure, ApplicationFailure, condition, patched } from '@temporalio/workflow';
import type { DecideInput } from './contracts/decision.ts';
import type { RefusalAnswer } from './contracts/refusal.ts';
import type { Question } from './contracts/stages.ts';
import { remind, untilReminder } from './human-wait.ts';
import { DATABASE_STEP } from './policies.ts';
import { show } from './sight.ts';
import { stepsOf } from './steps.ts';

const db = stepsOf(DATABASE_STEP, {
  askAboutRefusal: 'Ask an operator about the step that was refused',
  isRefusalOpen: 'Look whether that question still stands',
  applyRefusalDecision: "Apply an operator's decision",
});

/** So often a flow looks whether its question still stands: an owner may have ended what it is about. */
const LOOK_MS = 3_600_000;

/** Of this flow alone: each has its modules to itself. */
const asked: {
  /** The step that opens the task runs: an operator may see it a moment before its id is here. */
  isOpening: boolean;
  question: Question | undefined;
  answer: RefusalAnswer | undefined;
  isNudged: boolean;
} = { isOpening: false, question: undefined, answer: undefined, isNudged: false };

/**
 * Runs the main path of a flow. A step's "no" by one of our names, which no retry changes, is an
 * operator's question: tried again the flow reads its rows afresh, ended it is asked to as by a cancel
 * (`onEnd`), which its rows heed or refuse. Where there is nothing to ask about, the refusal ends it.
 */
export async function askedWhenRefused<Result>(
  onEnd: () => void,
  run: () => Promise<Result>,
): Promise<Result> {
  for (;;) {
    try {
      return await run();
    } catch (error) {
      // Flows of builds before failed here.
      if (!isRefusal(error) || !patched('refusals-ask')) throw error;
      const answer = await answered(error);
      if (answer === null) throw error;
      if (answer === 'end') onEnd();
    }
  }
}

async function answered(error: ActivityFailure): Promise<RefusalAnswer | null> {
  const { message = '' } = error.cause ?? {};
  // A cancel may come while the question is being put: it counts.
  Object.assign(asked, { isOpening: true, answer: undefined, isNudged: false });
  let question: Question | null;
  try {
    question = await db.askAboutRefusal({ step: error.activityType, refusal: message });
  } finally {
    asked.isOpening = false;
  }
  if (question === null) return null;
  asked.question = question;
  show({ stage: 'refused', question });
  const isAnswered = (): boolean => asked.answer !== undefined || asked.isNudged;
  for (;;) {
    const remindMs = untilReminder(question) ?? Number.POSITIVE_INFINITY;
    const summary = `until task ${question.taskId} is looked after`;
    await condition(isAnswered, Math.min(LOOK_MS, remindMs), { summary });
    if (asked.answer !== undefined) break;
    if (remindMs <= LOOK_MS && !asked.isNudged) question = await remind(question);
    // Whoever is asked to end tries it, and asks anew where that is refused as well.
    const { taskId } = question;
    if (!(await db.isRefusalOpen({ taskId, isOver: asked.isNudged }))) break;
  }
  asked.question = undefined;
  return asked.answer ?? 'retry';
}

/** A cancel came while an operator is asked: the flow tries at once what its rows say. */
export function nudgeRefusal(): void {
  asked.isNudged = true;
}

/** Whether that task may be about a refusal; those of the flow itself are for the flow. */
export const isAboutRefusal = ({ taskId }: DecideInput): boolean =>
  asked.isOpening || asked.question?.taskId === taskId;

/** Null: it is about something else after all. */
export async function decideRefusal(decision: DecideInput): Promise<RefusalAnswer | null> {
  await condition(() => !asked.isOpening);
  if (asked.question?.taskId !== decision.taskId) return null;
  const answer = await db.applyRefusalDecision({ decision });
  asked.answer = answer;
  return answer;
}

/** A step's "no" by one of our names, as opposed to trouble: it will not change by itself. */
export const isRefusal = (error: unknown): error is ActivityFailure =>
  error instanceof ActivityFailure &&
  error.cause instanceof ApplicationFailure &&
  error.cause.nonRetryable === true;
