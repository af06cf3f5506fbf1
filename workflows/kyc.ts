import {
  allHandlersFinished,
  condition,
  proxyActivities,
  setCurrentDetails,
  setHandler,
} from '@temporalio/workflow';
import type { Activities } from '../activities/index.ts';
import type { KycInput } from './contracts/kyc.ts';
import { alreadyDecided, applying, decideUpdate, unknownTask } from './decisions.ts';
import { DATABASE_STEP } from './policies.ts';

const db = proxyActivities<Pick<Activities, 'openKycTask' | 'applyKycDecision'>>(DATABASE_STEP);

/** A person looks at the documents and decides; nothing else ends it (interface 5.1). */
export async function kycWorkflow(input: KycInput): Promise<string> {
  let outcome: string | undefined;
  let task: { taskId: number } | null = null;
  let busy = false;

  setHandler(
    decideUpdate,
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

  task = await db.openKycTask(input);
  setCurrentDetails(`Waits for an operator: task ${task.taskId}.`);
  await condition(() => outcome !== undefined);
  await condition(allHandlersFinished);
  const ended = outcome ?? '';
  setCurrentDetails(ended);
  return ended;
}
