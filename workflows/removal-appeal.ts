import type { RemovalAppealInput } from './contracts/removal-appeal.ts';
import { oneDecision } from './one-decision.ts';
import { DATABASE_STEP } from './policies.ts';
import { stepsOf } from './steps.ts';

const db = stepsOf(DATABASE_STEP, {
  openRemovalAppealTask: "Open finance's task",
  applyRemovalAppealDecision: "Apply an operator's decision",
});

/** A person looks at what was removed and decides (interface 4.11). */
export const removalAppealWorkflow = async (input: RemovalAppealInput): Promise<string> =>
  await oneDecision({
    description: 'An operator decides whether events were removed for a wrong reason.',
    ask: async () => await db.openRemovalAppealTask(input),
    apply: async (decision) => await db.applyRemovalAppealDecision({ ...input, decision }),
  });
