import { allHandlersFinished, condition, continueAsNew, workflowInfo } from '@temporalio/workflow';
import { uncancellable } from './armour.ts';
import type { SuspenseInput } from './contracts/deposit.ts';
import { alreadyDecided, applying, onDecision, unknownTask } from './decisions.ts';
import { type Question, stageOfTask } from './contracts/stages.ts';
import { remind, untilReminder, waitForPerson } from './human-wait.ts';
import { DATABASE_STEP, PROVIDER_STEP } from './policies.ts';
import { show } from './sight.ts';
import { stepsOf } from './steps.ts';

const db = stepsOf(DATABASE_STEP, {
  openSuspenseTask: 'Ask finance where the money belongs',
  applySuspenseDecision: "Apply an operator's decision",
  askAboutRefund: 'Ask finance how the money gets back to its payer',
});

const provider = stepsOf(PROVIDER_STEP, {
  sendRefund: 'Have the provider send the money back, or ask what became of it',
  applyRefundDecision: "Apply an operator's decision about the money's way back",
});

/**
 * Money that fits no open order waits, for as long as it takes, until an operator places it. What is to go
 * back to its payer stays with this flow until its provider, or a person, has sent it.
 */
export async function suspenseWorkflow({ receiptId, isRefunding }: SuspenseInput): Promise<string> {
  let outcome: string | undefined = isRefunding === true ? 'REFUNDING' : undefined;
  let taskId: number | null | undefined = undefined;
  let busy = false;
  const way: WayBack = { receiptId, isAwake: false };

  onDecision(
    async (decision) => {
      if (outcome === 'REFUNDING') {
        if (busy) throw alreadyDecided();
        busy = true;
        try {
          // Which task it is about, and whether that is still open, is for the rows.
          return await applying(
            async () => await provider.applyRefundDecision({ receiptId, decision }),
          );
        } finally {
          busy = false;
          way.isAwake = true;
        }
      }
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
        if (outcome === 'REFUNDING') {
          if (busy || decision.taskId === taskId) throw alreadyDecided();
          return;
        }
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
      if (outcome === undefined) {
        const asked = await db.openSuspenseTask({ receiptId });
        ({ taskId } = asked);
        if (taskId === null) return 'SETTLED';
        let question: Question | undefined = asked as Question;
        show({ stage: 'decision', question });
        while (outcome === undefined) {
          question = await waitForPerson(question, () => outcome !== undefined);
        }
      }
      if ((outcome as string) === 'REFUNDING') {
        await untilSentBack(way);
        outcome = 'REFUNDED';
      }
      await condition(allHandlersFinished);
      show({ stage: 'ended' });
      return outcome as string;
    },
  );
}

interface WayBack {
  receiptId: number;
  /** A person has said something of it. */
  isAwake: boolean;
}

const MINUTE_MS = 60_000;
/** Then every hour, for as long as it takes: nobody else sends it meanwhile. */
const PAUSES_MS = [2_000, 10_000, MINUTE_MS, 5 * MINUTE_MS, 15 * MINUTE_MS] as const;
const HOUR_MS = 60 * MINUTE_MS;
/** About a day; from then on a person is asked as well, and the provider goes on being asked. */
const LAPS_ALONE = PAUSES_MS.length + 23;

async function untilSentBack(way: WayBack): Promise<void> {
  const { receiptId } = way;
  let question: Question | undefined;
  for (let lap = 0; ; lap += 1) {
    if (workflowInfo().continueAsNewSuggested) {
      await condition(allHandlersFinished);
      await continueAsNew<(input: SuspenseInput) => Promise<string>>({
        receiptId,
        isRefunding: true,
      });
    }
    way.isAwake = false;
    const said = await provider.sendRefund({ receiptId });
    if (said === 'SENT') return;
    const isByHand = said === 'BY_HAND';
    if (isByHand || lap >= LAPS_ALONE) {
      question ??= (await db.askAboutRefund({ receiptId })) ?? undefined;
    }
    show(
      question === undefined
        ? { stage: 'returning' }
        : { stage: stageOfTask(question.kind), question },
    );
    if (isByHand) question = await waitForPerson(question, () => way.isAwake);
    else {
      const pauseMs = Math.min(PAUSES_MS[lap] ?? HOUR_MS, untilReminder(question) ?? HOUR_MS);
      const summary = 'until the provider is asked what became of it';
      const isOver = !(await condition(() => way.isAwake, pauseMs, { summary }));
      if (isOver && question !== undefined && untilReminder(question) === 1_000) {
        question = await remind(question);
      }
    }
    // What was asked is answered: the next question is another.
    if (way.isAwake) question = undefined;
  }
}
