import { patched } from '@temporalio/workflow';
import { uncancellable } from './armour.ts';
import type { RemovalAppealInput } from './contracts/removal-appeal.ts';
import { oneDecision } from './one-decision.ts';
import { DATABASE_STEP, LONG_ROUND } from './policies.ts';
import { show } from './sight.ts';
import { stepsOf } from './steps.ts';

const db = stepsOf(DATABASE_STEP, {
  openRemovalAppealTask: "Open finance's task",
  openRemovalAppealSecondTask: 'Ask a second person',
  applyRemovalAppealDecision: "Apply an operator's decision",
});
const long = stepsOf(LONG_ROUND, { restoreRemoved: 'Bill what was removed wrongly' });

/**
 * A person looks at what was removed and decides (interface 4.11); above the operators' limit a second one
 * agrees. What is upheld is billed and paid. Begun again, it goes on from where its row stands.
 */
export async function removalAppealWorkflow(input: RemovalAppealInput): Promise<string> {
  const outcome = await oneDecision({
    description: 'An operator decides whether events were removed for a wrong reason.',
    ask: async () => await db.openRemovalAppealTask(input),
    apply: async (decision) => await db.applyRemovalAppealDecision({ ...input, decision }),
    next: { SECOND: async () => await db.openRemovalAppealSecondTask(input) },
  });
  // Flows that were upheld by builds before end as they did: what they moved was booked apart.
  if (outcome === 'UPHELD' && patched('restored-events')) {
    show({ stage: 'making' });
    // Also after a cancel, which changed nothing: what was promised is paid.
    await uncancellable(
      () => undefined,
      async () => await long.restoreRemoved(input),
    );
    show({ stage: 'ended', note: `Outcome: ${outcome}.` });
  }
  return outcome;
}
