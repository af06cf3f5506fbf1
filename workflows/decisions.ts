import {
  ActivityFailure,
  ApplicationFailure,
  CancellationScope,
  condition,
  defineUpdate,
  setHandler,
} from '@temporalio/workflow';
import { ALREADY_DECIDED, DECIDE_UPDATE, type DecideInput } from './contracts/decision.ts';
import { decideRefusal, isAboutRefusal } from './refusals.ts';

/** The one Update of every flow that waits for a human (contracts/decision.ts). */
const decideUpdate = defineUpdate<string, [DecideInput]>(DECIDE_UPDATE);

export const alreadyDecided = (): ApplicationFailure =>
  ApplicationFailure.nonRetryable('This task was decided before.', ALREADY_DECIDED);

export const unknownTask = (): ApplicationFailure =>
  ApplicationFailure.nonRetryable('This flow does not wait for that task.', 'UnknownTask');

/**
 * Runs the step that applies a decision. A refusal of that step (site not verified, decided before)
 * fails the Update under the refusal's own text, and the flow waits on.
 */
export async function applying<Result>(step: () => Promise<Result>): Promise<Result> {
  try {
    return await step();
  } catch (error) {
    if (error instanceof ActivityFailure && error.cause instanceof ApplicationFailure) {
      throw ApplicationFailure.nonRetryable(error.cause.message, error.cause.type ?? 'Refused');
    }
    throw error;
  }
}

interface DecisionHandling {
  validator(this: void, decision: DecideInput): void;
  /** Of the Update, as people see it. */
  description: string;
}

/**
 * Takes decisions, also after a cancel in Temporal, which is a request and ends nothing (armour.ts), and
 * also of a step that was refused (refusals.ts), whose question is none of the flow's own.
 */
export function onDecision(
  take: (decision: DecideInput) => Promise<string>,
  { validator, description }: DecisionHandling,
): void {
  setHandler(
    decideUpdate,
    async (decision) =>
      await CancellationScope.nonCancellable(async () => {
        const ofRefusal = isAboutRefusal(decision)
          ? await applying(async () => await decideRefusal(decision))
          : null;
        return ofRefusal ?? (await take(decision));
      }),
    {
      validator: (decision) => {
        if (!isAboutRefusal(decision)) validator(decision);
      },
      description,
    },
  );
}

interface DecisionTaker {
  /** Of the Update, as people see it. */
  description: string;
  /** The step that applies a decision; answers the status that it led to. */
  apply(this: void, decision: DecideInput): Promise<string>;
  /** After each decision, taken or refused: the flow reads its rows again. */
  wake(this: void): void;
}

/**
 * Takes the decisions of a flow that asks more than one question, one at a time. Which of them are
 * the flow's is for the rows; here a task is only kept from being decided twice.
 */
export function takeDecisions({ description, apply, wake }: DecisionTaker): void {
  const decided = new Set<number>();
  let busy = false;
  onDecision(
    async (decision) => {
      // An operator sees the next question as soon as the step before has committed, which is a
      // moment before that step has come back here.
      // Of several that wait, each looks again: another may have been woken before it.
      do await condition(() => !busy);
      while (busy);
      busy = true;
      try {
        // Not one promise more than `apply` itself: kept histories replay turn by turn.
        const status = await applying(() => apply(decision));
        decided.add(decision.taskId);
        return status;
      } finally {
        busy = false;
        wake();
      }
    },
    {
      validator: (decision) => {
        if (decided.has(decision.taskId)) throw alreadyDecided();
      },
      description,
    },
  );
}
