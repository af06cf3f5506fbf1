import {
  ActivityFailure,
  allHandlersFinished,
  condition,
  defineSignal,
  setHandler,
  sleep,
} from '@temporalio/workflow';
import {
  WITHDRAWAL_CANCEL_SIGNAL,
  type WithdrawalInput,
  type WithdrawalState,
} from './contracts/withdrawal.ts';
import { type Standing, stageOfTask } from './contracts/stages.ts';
import { takeDecisions } from './decisions.ts';
import { DATABASE_STEP, ON_PROVIDERS, OUTSIDE_LOOK, SEND_ONCE } from './policies.ts';
import { show } from './sight.ts';
import { stepsOf } from './steps.ts';

const db = stepsOf(DATABASE_STEP, {
  readWithdrawal: 'Read what comes next',
  reviewWithdrawal: 'Run the automatic checks',
  applyWithdrawalDecision: "Apply an operator's decision",
  beginPayout: 'Begin the payout: the point of no return',
  markPayoutLost: 'Write down that the sending was lost',
  askAboutPayout: 'Ask an operator what became of the payout',
});
const { sendPayout } = stepsOf(
  { ...SEND_ONCE, ...ON_PROVIDERS },
  { sendPayout: 'Send the payout' },
);
const { lookUpPayout } = stepsOf(
  { ...OUTSIDE_LOOK, ...ON_PROVIDERS, retry: DATABASE_STEP.retry },
  { lookUpPayout: 'Ask the provider what became of the payout' },
);

const cancelSignal = defineSignal(WITHDRAWAL_CANCEL_SIGNAL);
/** Between two sendings that both failed before they began. */
const SENDER_AWAY = '5 seconds';

/**
 * A withdrawal from its request to the money's arrival or return. Signals and Updates only wake it:
 * each lap reads what the rows say comes next, so that a lost, doubled or hand-sent message changes
 * nothing; whether a decision is one of this flow's is for the rows as well. Nothing here releases
 * or pays by itself.
 */
export async function withdrawalWorkflow(input: WithdrawalInput): Promise<string> {
  const { withdrawalId } = input;
  let awake = true;

  setHandler(cancelSignal, () => {
    awake = true;
  });
  takeDecisions({
    description: 'An operator decides the task of this withdrawal.',
    apply: async (decision) => await db.applyWithdrawalDecision({ withdrawalId, decision }),
    wake: () => {
      awake = true;
    },
  });

  for (;;) {
    awake = false;
    const state = await db.readWithdrawal({ withdrawalId });
    show(standingOf(state));
    if (state.next === 'closed') {
      await condition(allHandlersFinished);
      return state.status;
    }
    if (state.next === 'decision') {
      await condition(() => awake);
    } else if (state.next === 'cool') {
      const waitMs = Math.max(0, Date.parse(state.until) - Date.now());
      const woken =
        waitMs > 0 &&
        (await condition(() => awake, waitMs, { summary: 'until it may no longer be cancelled' }));
      // Two clocks may disagree about the end of the window: then the next lap waits the rest.
      if (!woken && (await db.beginPayout({ withdrawalId })) === 'APPROVED')
        await sleep('1 second', { summary: 'until both clocks agree' });
    } else {
      await takeStep(input, state);
    }
  }
}

/** The steps in which nobody but the provider is waited for. */
async function takeStep(input: WithdrawalInput, state: WithdrawalState): Promise<void> {
  const { withdrawalId } = input;
  switch (state.next) {
    case 'review':
      await db.reviewWithdrawal({ withdrawalId, round: state.round });
      return;
    case 'send': {
      const waitSeconds = input.sendAgainSeconds[state.tries - 1];
      if (waitSeconds !== undefined) {
        await sleep(waitSeconds * 1_000, { summary: 'until the payout is sent again' });
      }
      try {
        await sendPayout({ withdrawalId });
      } catch (error) {
        // Whether it left is in the rows: SENDING is written before, the outcome after.
        if (!(error instanceof ActivityFailure)) throw error;
        await sleep(SENDER_AWAY, { summary: 'until the sender may be back' });
      }
      return;
    }
    case 'lost':
      await db.markPayoutLost({ withdrawalId });
      return;
    case 'look': {
      const waitSeconds = input.lookAgainSeconds[state.looks];
      if (waitSeconds === undefined) {
        await db.askAboutPayout({ withdrawalId });
        return;
      }
      await sleep(waitSeconds * 1_000, { summary: 'until the provider is asked again' });
      await lookUpPayout({ withdrawalId, looks: state.looks });
      return;
    }
    case 'ask':
      await db.askAboutPayout({ withdrawalId });
      return;
    case 'decision':
    case 'cool':
    case 'closed':
  }
}

function standingOf(state: WithdrawalState): Standing {
  const payout = state.payout === undefined ? {} : { payoutState: state.payout };
  switch (state.next) {
    case 'review':
      return { stage: 'checks' };
    case 'decision': {
      const question = state.question ?? { taskId: state.taskId };
      return { stage: stageOfTask(question.kind), question, ...payout };
    }
    case 'cool':
      return { stage: 'cooling', dueAt: state.until };
    case 'send':
      return { stage: state.tries === 0 ? 'sending' : 'send_again', ...payout };
    case 'lost':
    case 'ask':
    case 'look':
      return { stage: 'paying', ...payout };
    case 'closed':
      return { stage: 'ended', note: `The withdrawal is ${state.status}.`, ...payout };
  }
}
