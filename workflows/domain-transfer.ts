import { allHandlersFinished, condition, defineSignal, setHandler } from '@temporalio/workflow';
import { uncancellable } from './armour.ts';
import {
  DOMAIN_TRANSFER_WAKE_SIGNAL,
  type DomainTransferInput,
  type TransferSeen,
} from './contracts/domain-transfer.ts';
import type { Question } from './contracts/stages.ts';
import { takeDecisions } from './decisions.ts';
import { waitForPerson } from './human-wait.ts';
import { DATABASE_STEP, ON_STRANGERS, OUTSIDE_LOOK } from './policies.ts';
import { show } from './sight.ts';
import { stepsOf } from './steps.ts';

/** What either server says is an answer; what is retried is our own trouble. */
const { lookAtTransfer } = stepsOf(
  { ...OUTSIDE_LOOK, ...ON_STRANGERS, retry: DATABASE_STEP.retry },
  { lookAtTransfer: 'Look for the proofs of the claimant and the holder' },
);

const db = stepsOf(DATABASE_STEP, {
  readTransferStatus: 'Read how the transfer stands',
  applyTransferDecision: "Apply an operator's decision",
});

const wake = defineSignal(DOMAIN_TRANSFER_WAKE_SIGNAL);
const ENDED: ReadonlySet<string> = new Set(['MOVED', 'REFUSED', 'WITHDRAWN']);

/**
 * A domain is proved that another account holds (interface 4.9): its holder has notice, both proofs are
 * looked at when it ends, and a person decides what two proofs or an objection leave open.
 */
export async function domainTransferWorkflow(input: DomainTransferInput): Promise<string> {
  const { transferId } = input;
  let isAwake = false;
  setHandler(wake, () => {
    isAwake = true;
  });
  takeDecisions({
    description: 'An operator decides whose the domain is.',
    apply: async (decision) => await db.applyTransferDecision({ transferId, decision }),
    wake: () => {
      isAwake = true;
    },
  });

  // A cancel changes nothing: what ends it is an answer.
  return await uncancellable(
    () => undefined,
    async () => {
      const seen = await untilAnswered(input, async (waitMs) => {
        await condition(() => isAwake, waitMs, { summary: 'until the end of the notice' });
        isAwake = false;
      });
      let status: string = seen.state;
      if (seen.state === 'ENDED') ({ status } = seen);
      else {
        let question: Question | undefined = seen.question ?? undefined;
        show({ stage: 'decision', ...(question === undefined ? {} : { question }) });
        while (!ENDED.has(status)) {
          question = await waitForPerson(question, () => isAwake);
          if (!isAwake) continue;
          isAwake = false;
          status = await db.readTransferStatus({ transferId });
        }
      }
      await condition(allHandlersFinished);
      show({ stage: 'ended', note: `Outcome: ${status}.` });
      return status;
    },
  );
}

/** Looks when the notice ends, or earlier where somebody woke it; another holder has notice anew. */
async function untilAnswered(
  { transferId, dueAt: firstDueAt }: DomainTransferInput,
  pause: (waitMs: number) => Promise<void>,
): Promise<Exclude<TransferSeen, { state: 'NOTICE' }>> {
  let dueAt = firstDueAt;
  for (let look = 1; ; look += 1) {
    show({ stage: 'objection', dueAt });
    await pause(Math.max(1_000, Date.parse(dueAt) - Date.now()));
    const summary = `Look for the proofs of transfer ${transferId}, look ${look}`;
    const seen = await lookAtTransfer.executeWithOptions({ summary }, [{ transferId }]);
    if (seen.state !== 'NOTICE') return seen;
    ({ dueAt } = seen);
  }
}
