import { allHandlersFinished, condition, defineSignal, setHandler } from '@temporalio/workflow';
import { uncancellable } from './armour.ts';
import { REVIEW_WITHDRAW_SIGNAL, type ReviewInput } from './contracts/review.ts';
import type { Question } from './contracts/stages.ts';
import { alreadyDecided, applying, onDecision, unknownTask } from './decisions.ts';
import { waitForPerson } from './human-wait.ts';
import { DATABASE_STEP } from './policies.ts';
import { isRefusal } from './refusals.ts';
import { show } from './sight.ts';
import { stepsOf } from './steps.ts';

const db = stepsOf(DATABASE_STEP, {
  runReviewChecks: 'Run the automatic checks',
  openReviewTask: "Open the reviewers' task",
  applyReviewOutcome: 'Apply the outcome',
  isReviewWithdrawn: 'Ask whether the owner withdrew it',
});

const withdrawSignal = defineSignal(REVIEW_WITHDRAW_SIGNAL);

/**
 * Automatic findings first, then a person where the setting or a finding asks for one. The rows in
 * the database say what is true; this workflow only says what comes next (interface 3).
 */
export async function reviewWorkflow(input: ReviewInput): Promise<string> {
  let outcome: string | undefined;
  let withdrawAsked = false;
  let taskId: number | null | undefined;
  let busy = false;

  const wake = (): void => {
    withdrawAsked = true;
  };
  setHandler(withdrawSignal, wake);
  onDecision(
    async (decision) => {
      // The task may be visible to an operator a moment before its id has come back here.
      await condition(() => taskId !== undefined || outcome !== undefined);
      if (taskId !== decision.taskId) throw unknownTask();
      if (busy || outcome !== undefined) throw alreadyDecided();
      busy = true;
      try {
        const applied = await applying(
          async () => await db.applyReviewOutcome({ ...input, decision }),
        );
        outcome = applied.outcome;
        return outcome;
      } finally {
        busy = false;
      }
    },
    {
      validator: (decision) => {
        if (outcome !== undefined || busy) throw alreadyDecided();
        if (typeof taskId === 'number' && taskId !== decision.taskId) throw unknownTask();
      },
      description: 'An operator decides the task of this review.',
    },
  );

  return await uncancellable(wake, async () => {
    show({ stage: 'checks' });
    let { route } = await db.runReviewChecks(input);
    if (route === 'void') outcome = 'VOID';
    if (route === 'auto') {
      try {
        ({ outcome } = await db.applyReviewOutcome({ ...input, decision: null }));
      } catch (error) {
        if (!isRefusal(error)) throw error;
        // What was clean a moment ago no longer is, such as a site that lapsed: a person looks at it.
        route = 'human';
      }
    }
    let question: Question | undefined;
    if (route === 'human') {
      const asked = await db.openReviewTask(input);
      ({ taskId } = asked);
      if (asked.taskId === null) outcome ??= asked.outcome ?? 'VOID';
      else {
        question = asked;
        show({ stage: 'decision', question });
      }
    }
    while (outcome === undefined) {
      question = await waitForPerson(question, () => outcome !== undefined || withdrawAsked);
      if (outcome !== undefined) break;
      if (!withdrawAsked) continue;
      withdrawAsked = false;
      // The owner's own transaction made the round void; a signal alone does not.
      if (await db.isReviewWithdrawn(input)) outcome ??= 'VOID';
    }
    await condition(allHandlersFinished);
    show({ stage: 'ended', note: `Outcome: ${outcome}.` });
    return outcome;
  });
}
