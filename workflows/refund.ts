import { allHandlersFinished, condition } from '@temporalio/workflow';
import { uncancellable } from './armour.ts';
import type { RefundInput } from './contracts/deposit.ts';
import { takeDecisions } from './decisions.ts';
import { show } from './sight.ts';
import { decideWayBack, untilSentBack, type WayBack } from './way-back.ts';

/**
 * One part of a balance that goes back to whoever paid it, from its approval until it was sent, or until a person
 * has given it back to the balance. A cancel in Temporal changes nothing: what ends it is a word of the provider's,
 * or a decision.
 */
export async function refundWorkflow({ refundId }: RefundInput): Promise<string> {
  const way: WayBack = { of: { refundId }, isAwake: false, anew: { refundId } };
  takeDecisions({
    description: 'An operator says how the money got back, has it sent again, or gives it back.',
    apply: async (decision) => await decideWayBack(way, decision),
    wake: () => {
      way.isAwake = true;
    },
  });
  return await uncancellable(
    () => undefined,
    async () => {
      const outcome = await untilSentBack(way);
      await condition(allHandlersFinished);
      show({ stage: 'ended', note: `It is ${outcome}.` });
      return outcome;
    },
  );
}
