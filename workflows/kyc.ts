import { allHandlersFinished, condition } from '@temporalio/workflow';
import { uncancellable } from './armour.ts';
import type { KycInput } from './contracts/kyc.ts';
import type { Question } from './contracts/stages.ts';
import { alreadyDecided, applying, onDecision, unknownTask } from './decisions.ts';
import { waitForPerson } from './human-wait.ts';
import { DATABASE_STEP } from './policies.ts';
import { show } from './sight.ts';
import { stepsOf } from './steps.ts';

const db = stepsOf(DATABASE_STEP, {
  openKycTask: "Open the reviewers' task",
  applyKycDecision: "Apply an operator's decision",
});

/** A person looks at the documents and decides; nothing else ends it (interface 5.1). */
export async function kycWorkflow(input: KycInput): Promise<string> {
  let outcome: string | undefined;
  let task: Question | null = null;
  let busy = false;

  onDecision(
    async (decision) => {
      // The task may be visible to an operator a moment before its id has come back here.
      await condition(() => task !== null);
      if (task?.taskId !== decision.taskId) throw unknownTask();
      if (busy || outcome !== undefined) throw alreadyDecided();
      busy = true;
      try {
        const applied = await applying(
          async () => await db.applyKycDecision({ ...input, decision }),
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
        if (task !== null && task.taskId !== decision.taskId) throw unknownTask();
      },
      description: 'An operator decides whether the documents are accepted.',
    },
  );

  // A cancel changes nothing: what ends it is a decision.
  return await uncancellable(
    () => undefined,
    async () => {
      task = await db.openKycTask(input);
      show({ stage: 'decision', question: task });
      let question: Question | undefined = task;
      while (outcome === undefined) {
        question = await waitForPerson(question, () => outcome !== undefined);
      }
      await condition(allHandlersFinished);
      show({ stage: 'ended', note: `Outcome: ${outcome}.` });
      return outcome;
    },
  );
}
