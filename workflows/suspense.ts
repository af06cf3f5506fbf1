import { allHandlersFinished, condition, defineSignal, setHandler } from '@temporalio/workflow';
import { uncancellable } from './armour.ts';
import { SUSPENSE_TAKEN_BACK_SIGNAL, type SuspenseInput } from './contracts/deposit.ts';
import { alreadyDecided, applying, onDecision, unknownTask } from './decisions.ts';
import type { Question } from './contracts/stages.ts';
import { waitForPerson } from './human-wait.ts';
import { DATABASE_STEP } from './policies.ts';
import { show } from './sight.ts';
import { stepsOf } from './steps.ts';
import { decideWayBack, untilSentBack, type WayBack } from './way-back.ts';

const db = stepsOf(DATABASE_STEP, {
  openSuspenseTask: 'Ask finance where the money belongs',
  applySuspenseDecision: "Apply an operator's decision",
});

const takenBackSignal = defineSignal(SUSPENSE_TAKEN_BACK_SIGNAL);

/**
 * Money that fits no open order waits, for as long as it takes, until an operator places it, or its receipt is
 * taken back. What is to go back to its payer stays with this flow until its provider, or a person, has sent it.
 */
export async function suspenseWorkflow({ receiptId, isRefunding }: SuspenseInput): Promise<string> {
  const run: Run = { outcome: isRefunding === true ? 'REFUNDING' : undefined, isNudged: false };
  let taskId: number | null | undefined = undefined;
  let busy = false;
  const way: WayBack = {
    of: { receiptId },
    isAwake: false,
    anew: { receiptId, isRefunding: true },
  };
  setHandler(takenBackSignal, () => {
    run.isNudged = true;
    way.isAwake = true;
  });

  onDecision(
    async (decision) => {
      // A flow that is begun again may still be reading which question it is.
      if (run.outcome === undefined && taskId === undefined) {
        await condition(() => taskId !== undefined);
      }
      if (run.outcome === 'REFUNDING') {
        if (busy) throw alreadyDecided();
        busy = true;
        try {
          // Which task it is about, and whether that is still open, is for the rows.
          return await applying(async () => await decideWayBack(way, decision));
        } finally {
          busy = false;
          way.isAwake = true;
        }
      }
      // The task may be visible to an operator a moment before its id has come back here.
      await condition(() => taskId !== undefined);
      if (taskId !== decision.taskId) throw unknownTask();
      if (busy || run.outcome !== undefined) throw alreadyDecided();
      busy = true;
      try {
        const state = await applying(
          async () => await db.applySuspenseDecision({ receiptId, decision }),
        );
        // Above the limit the first person's word leaves it where it is, for a second one.
        if (state !== 'SUSPENSE') run.outcome = state;
        return state;
      } finally {
        busy = false;
      }
    },
    {
      validator: (decision) => {
        if (run.outcome === 'REFUNDING') {
          if (busy || decision.taskId === taskId) throw alreadyDecided();
          return;
        }
        if (busy || run.outcome !== undefined) throw alreadyDecided();
        if (typeof taskId === 'number' && taskId !== decision.taskId) throw unknownTask();
      },
      description: 'An operator credits or refunds money in suspense.',
    },
  );

  // A cancel changes nothing: what ends it is a decision.
  return await uncancellable(
    () => undefined,
    async () => {
      if (run.outcome === undefined) {
        const asked = await db.openSuspenseTask({ receiptId });
        ({ taskId } = asked);
        if (asked.taskId === null) {
          // Begun again, and not told what was decided meanwhile: its row tells.
          if (asked.isRefunding !== true) return 'SETTLED';
          run.outcome = 'REFUNDING';
        } else {
          await untilDecided(receiptId, asked, run);
        }
      }
      if (run.outcome === 'REFUNDING') {
        run.outcome = (await untilSentBack(way)) === 'SENT' ? 'REFUNDED' : 'TAKEN_BACK';
      }
      await condition(allHandlersFinished);
      show({ stage: 'ended' });
      return run.outcome ?? 'SETTLED';
    },
  );
}

interface Run {
  outcome: string | undefined;
  /** Whether its receipt is taken back is for the row. */
  isNudged: boolean;
}

/** By a person; or its receipt was taken back, and there is nothing to decide. */
async function untilDecided(receiptId: number, asked: Question, run: Run): Promise<void> {
  let question: Question | undefined = asked;
  show({ stage: 'decision', question });
  while (run.outcome === undefined) {
    question = await waitForPerson(question, () => run.outcome !== undefined || run.isNudged);
    if (!run.isNudged) continue;
    run.isNudged = false;
    const { taskId } = await db.openSuspenseTask({ receiptId });
    if (taskId === null) run.outcome ??= 'SETTLED';
  }
}
