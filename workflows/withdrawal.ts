import {
  ActivityFailure,
  allHandlersFinished,
  condition,
  defineSignal,
  proxyActivities,
  setCurrentDetails,
  setHandler,
  sleep,
} from '@temporalio/workflow';
import type { Activities } from '../activities/index.ts';
import {
  WITHDRAWAL_CANCEL_SIGNAL,
  type WithdrawalInput,
  type WithdrawalState,
} from './contracts/withdrawal.ts';
import { takeDecisions } from './decisions.ts';
import { DATABASE_STEP, ON_PROVIDERS, OUTSIDE_LOOK, SEND_ONCE } from './policies.ts';

const db =
  proxyActivities<
    Pick<
      Activities,
      | 'readWithdrawal'
      | 'reviewWithdrawal'
      | 'applyWithdrawalDecision'
      | 'beginPayout'
      | 'markPayoutLost'
      | 'askAboutPayout'
    >
  >(DATABASE_STEP);
const { sendPayout } = proxyActivities<Pick<Activities, 'sendPayout'>>({
  ...SEND_ONCE,
  ...ON_PROVIDERS,
});
const { lookUpPayout } = proxyActivities<Pick<Activities, 'lookUpPayout'>>({
  ...OUTSIDE_LOOK,
  ...ON_PROVIDERS,
  retry: DATABASE_STEP.retry,
});

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
    setCurrentDetails(describe(state));
    if (state.next === 'closed') {
      await condition(allHandlersFinished);
      return state.status;
    }
    if (state.next === 'decision') {
      await condition(() => awake);
    } else if (state.next === 'cool') {
      const waitMs = Math.max(0, Date.parse(state.until) - Date.now());
      const woken = waitMs > 0 && (await condition(() => awake, waitMs));
      // Two clocks may disagree about the end of the window: then the next lap waits the rest.
      if (!woken && (await db.beginPayout({ withdrawalId })) === 'APPROVED')
        await sleep('1 second');
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
      if (waitSeconds !== undefined) await sleep(waitSeconds * 1_000);
      try {
        await sendPayout({ withdrawalId });
      } catch (error) {
        // Whether it left is in the rows: SENDING is written before, the outcome after.
        if (!(error instanceof ActivityFailure)) throw error;
        await sleep(SENDER_AWAY);
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
      await sleep(waitSeconds * 1_000);
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

function describe(state: WithdrawalState): string {
  if (state.next === 'decision') return `Waits for an operator: task ${state.taskId}.`;
  if (state.next === 'cool') return `Approved; may be cancelled until ${state.until}.`;
  return `The withdrawal is ${state.status}; next: ${state.next}.`;
}
