import { allHandlersFinished, condition, continueAsNew, workflowInfo } from '@temporalio/workflow';
import type { DecideInput } from './contracts/decision.ts';
import type { WayBackInput } from './contracts/deposit.ts';
import { type Question, stageOfTask } from './contracts/stages.ts';
import { remind, untilReminder, waitForPerson } from './human-wait.ts';
import { DATABASE_STEP, PROVIDER_STEP } from './policies.ts';
import { show } from './sight.ts';
import { stepsOf } from './steps.ts';

const db = stepsOf(DATABASE_STEP, {
  askAboutRefund: 'Ask finance how the money gets back to its payer',
});

const provider = stepsOf(PROVIDER_STEP, {
  sendRefund: 'Have the provider send the money back, or ask what became of it',
  applyRefundDecision: "Apply an operator's decision about the money's way back",
});

export interface WayBack {
  of: WayBackInput;
  /** A person has said something of it. */
  isAwake: boolean;
  /** What its flow goes on with when its history is long. */
  anew: object;
}

export const decideWayBack = async (way: WayBack, decision: DecideInput): Promise<string> =>
  await provider.applyRefundDecision({ ...way.of, decision });

const MINUTE_MS = 60_000;
/** Then every hour, for as long as it takes: nobody else sends it meanwhile. */
const PAUSES_MS = [2_000, 10_000, MINUTE_MS, 5 * MINUTE_MS, 15 * MINUTE_MS] as const;
const HOUR_MS = 60 * MINUTE_MS;
/** About a day; from then on a person is asked as well, and the provider goes on being asked. */
const LAPS_ALONE = PAUSES_MS.length + 23;

/** Until its provider, or a person, has sent it; RELEASED: a person has given it back to the balance it is of. */
export async function untilSentBack(way: WayBack): Promise<'SENT' | 'RELEASED'> {
  let question: Question | undefined;
  for (let lap = 0; ; lap += 1) {
    if (workflowInfo().continueAsNewSuggested) {
      await condition(allHandlersFinished);
      await continueAsNew<(input: object) => Promise<string>>(way.anew);
    }
    way.isAwake = false;
    const said = await provider.sendRefund(way.of);
    if (said === 'SENT' || said === 'RELEASED') return said;
    const isByHand = said === 'BY_HAND';
    if (isByHand || lap >= LAPS_ALONE) {
      question ??= (await db.askAboutRefund(way.of)) ?? undefined;
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
