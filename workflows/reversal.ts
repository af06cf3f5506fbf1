import { allHandlersFinished, condition, defineSignal, setHandler } from '@temporalio/workflow';
import { uncancellable } from './armour.ts';
import { REVERSAL_WAKE_SIGNAL, type ReversalInput } from './contracts/reversal.ts';
import { takeDecisions } from './decisions.ts';
import { waitForPerson } from './human-wait.ts';
import { DATABASE_STEP, LONG_ROUND } from './policies.ts';
import { show } from './sight.ts';
import { stepsOf } from './steps.ts';

const long = stepsOf(LONG_ROUND, {
  prepareReversal: 'Find the events that should not have been billed',
  applyReversal: 'Take them back, batch by batch',
});
const db = stepsOf(DATABASE_STEP, {
  openReversalTask: 'Ask a second person to look at the preview',
  readReversalStatus: 'Read how the reversal stands',
  applyReversalDecision: "Apply an operator's decision",
});

const wake = defineSignal(REVERSAL_WAKE_SIGNAL);

/**
 * Billed events are taken back (interface 5.20): found, shown to a second person with what it costs each side,
 * and reversed in batches of which each is whole. What was approved is finished whatever happens to a worker.
 */
export async function reversalWorkflow(input: ReversalInput): Promise<string> {
  let isAwake = false;
  const wakeUp = (): void => {
    isAwake = true;
  };
  setHandler(wake, wakeUp);
  takeDecisions({
    description: 'A second person decides whether these events are taken back.',
    apply: async (decision) => await db.applyReversalDecision({ ...input, decision }),
    wake: wakeUp,
  });

  // A cancel from Temporal's pages changes nothing: the row says what it waits for.
  return await uncancellable(
    () => undefined,
    async () => {
      show({ stage: 'making' });
      let { status } = await long.prepareReversal(input);
      if (status === 'PREVIEW') {
        let question = await db.openReversalTask(input);
        show({ stage: 'second_approval', ...(question === undefined ? {} : { question }) });
        while (status === 'PREVIEW') {
          question = await waitForPerson(question, () => isAwake);
          if (!isAwake) continue;
          isAwake = false;
          status = await db.readReversalStatus(input);
        }
      }
      if (status === 'APPLYING') {
        show({ stage: 'making' });
        ({ status } = await long.applyReversal(input));
      }
      await condition(allHandlersFinished);
      show({ stage: 'ended', note: `Outcome: ${status}.` });
      return status;
    },
  );
}
