import { allHandlersFinished, condition } from '@temporalio/workflow';
import { uncancellable } from './armour.ts';
import type { SuspenseInput } from './contracts/deposit.ts';
import { alreadyDecided, applying, onDecision, unknownTask } from './decisions.ts';
import type { Question } from './contracts/stages.ts';
import { waitForPerson } from './human-wait.ts';
import { DATABASE_STEP } from './policies.ts';
import { show } from './sight.ts';
import { stepsOf } from './steps.ts';

const db = stepsOf(DATABASE_STEP, {
  openSuspenseTask: 'Ask finance where the money belongs',
  applySuspenseDecision: "Apply an operator's decision",
});

/** Money that fits no open order waits, for as long as it takes, until an operator places it. */
export async function suspenseWorkflow({ receiptId }: SuspenseInput): Promise<string> {
  let outcome: string | undefined;
  let taskId: number | null | undefined = undefined;
  let busy = false;

  onDecision(
    async (decision) => {
      // The task may be visible to an operator a moment before its id has come back here.
      await condition(() => taskId !== undefined);
      if (taskId !== decision.taskId) throw unknownTask();
      if (busy || outcome !== undefined) throw alreadyDecided();
      busy = true;
      try {
        const state = await applying(
          async () => await db.applySuspenseDecision({ receiptId, decision }),
        );
        // Above the limit the first person's word leaves it where it is, for a second one.
        if (state !== 'SUSPENSE') outcome = state;
        return state;
      } finally {
        busy = false;
      }
    },
    {
      validator: (decision) => {
        if (busy || outcome !== undefined) throw alreadyDecided();
        if (typeof taskId === 'number' && taskId !== decision.taskId) throw unknownTask();
      },
      description: 'An operator credits or refunds money in suspense.',
    },
  );

  // A cancel changes nothing: what ends it is a decision.
  return await uncancellable(
    () => undefined,
    async () => {
      const asked = await db.openSuspenseTask({ receiptId });
      ({ taskId } = asked);
      if (taskId === null) return 'SETTLED';
      let question: Question | undefined = asked as Question;
      show({ stage: 'decision', question });
      while (outcome === undefined) {
        question = await waitForPerson(question, () => outcome !== undefined);
      }
      await condition(allHandlersFinished);
      show({ stage: 'ended' });
      return outcome;
    },
  );
}
