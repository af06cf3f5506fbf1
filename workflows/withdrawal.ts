import {
  ActivityFailure,
  allHandlersFinished,
  ApplicationFailure,
  condition,
  continueAsNew,
  defineSignal,
  patched,
  setHandler,
  sleep,
  workflowInfo,
} from '@temporalio/workflow';
import {
  WITHDRAWAL_CANCEL_SIGNAL,
  type WithdrawalInput,
  type WithdrawalState,
} from './contracts/withdrawal.ts';
import { uncancellable } from './armour.ts';
import type { DecideInput } from './contracts/decision.ts';
import { type Question, type Standing, stageOfTask } from './contracts/stages.ts';
import { takeDecisions } from './decisions.ts';
import { remind, untilReminder, waitForPerson } from './human-wait.ts';
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
  answerWithdrawalCancel: 'Answer a cancel that was asked for in Temporal',
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
/** Of flows whose input does not say how long to wait after a sending that failed before it began. */
const SENDER_AWAY_SECONDS: readonly number[] = [5, 5, 5, 5, 5];
const SENDER_AWAY_LAST_SECONDS = 5;
/** A provider that does not answer is asked so often before its decision is put off. */
const LOOKS_FIRST_MAX = 3;

/**
 * A withdrawal from its request to the money's arrival or return. Signals and Updates only wake it:
 * each lap reads what the rows say comes next, so that a lost, doubled or hand-sent message changes
 * nothing; whether a decision is one of this flow's is for the rows as well. Nothing here releases
 * or pays by itself. A cancel in Temporal is a request: before the payout begins it is heeded, later
 * refused, and the money stays where the rows say.
 */
export async function withdrawalWorkflow(input: WithdrawalInput): Promise<string> {
  const { withdrawalId } = input;
  const run = { awake: true, cancelAsked: false, sendFailures: 0 };
  const wake = (): void => {
    run.awake = true;
  };
  setHandler(cancelSignal, wake);
  takeDecisions({
    description: 'An operator decides the task of this withdrawal.',
    apply: async (decision) => await decide(withdrawalId, decision),
    wake,
  });
  return await uncancellable(
    () => {
      run.cancelAsked = true;
      wake();
    },
    async () => await untilClosed(input, run),
  );
}

interface Run {
  awake: boolean;
  cancelAsked: boolean;
  /** Sendings in a row that failed before they began. */
  sendFailures: number;
}

async function untilClosed(input: WithdrawalInput, run: Run): Promise<string> {
  const { withdrawalId } = input;
  for (;;) {
    if (workflowInfo().continueAsNewSuggested) {
      await condition(allHandlersFinished);
      await continueAsNew<typeof withdrawalWorkflow>(input);
    }
    run.awake = false;
    if (run.cancelAsked) {
      run.cancelAsked = false;
      await db.answerWithdrawalCancel({ withdrawalId });
    }
    const state = await db.readWithdrawal({ withdrawalId });
    show(standingOf(state));
    if (state.next === 'closed') {
      await condition(allHandlersFinished);
      return state.status;
    }
    if (state.next === 'decision') {
      await waitForDecision(input, run, state);
    } else if (state.next === 'cool') {
      const waitMs = Math.max(0, Date.parse(state.until) - Date.now());
      const summary = 'until it may no longer be cancelled';
      const woken = waitMs > 0 && (await condition(() => run.awake, waitMs, { summary }));
      // Two clocks may disagree about the end of the window: then the next lap waits the rest.
      if (!woken && (await db.beginPayout({ withdrawalId })) === 'APPROVED')
        await sleep('1 second', { summary: 'until both clocks agree' });
    } else {
      await takeStep(input, run, state);
    }
  }
}

/** The steps in which nobody but the provider is waited for. */
async function takeStep(input: WithdrawalInput, run: Run, state: WithdrawalState): Promise<void> {
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
        run.sendFailures = 0;
      } catch (error) {
        // Whether it left is in the rows: SENDING is written before, the outcome after.
        if (!(error instanceof ActivityFailure)) throw error;
        await afterFailedSending(input, run);
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

/** The provider is asked meanwhile: what it says first counts, and voids the question. */
async function waitForDecision(
  input: WithdrawalInput,
  run: Run,
  { question, looks }: { question?: Question; looks?: number },
): Promise<void> {
  const [waitSeconds] = input.whileAskedAgainSeconds ?? [];
  if (looks === undefined || waitSeconds === undefined) {
    await waitForPerson(question, () => run.awake);
    return;
  }
  const lookMs = waitSeconds * 1_000;
  const remindMs = untilReminder(question) ?? Number.POSITIVE_INFINITY;
  const summary = 'until the provider is asked again';
  if (await condition(() => run.awake, Math.min(lookMs, remindMs), { summary })) return;
  if (question !== undefined && remindMs <= lookMs) await remind(question);
  else await lookUpPayout({ withdrawalId: input.withdrawalId, looks });
}

/** A decision that releases money waits for one more answer of the provider. */
async function decide(withdrawalId: number, decision: DecideInput): Promise<string> {
  for (let look = 0; look <= LOOKS_FIRST_MAX; look += 1) {
    const answer = await db.applyWithdrawalDecision({ withdrawalId, decision });
    if (typeof answer === 'string') return answer;
    await lookUpPayout({ withdrawalId, looks: null });
  }
  throw ApplicationFailure.nonRetryable(
    'The provider does not answer, so it may have paid: decide again later.',
    'ProviderSilent',
  );
}

/** An order that cannot even be made, such as one whose account cannot be opened, is an operator's. */
async function afterFailedSending(input: WithdrawalInput, run: Run): Promise<void> {
  const { withdrawalId, senderAwayAgainSeconds = SENDER_AWAY_SECONDS } = input;
  const waitSeconds = senderAwayAgainSeconds[run.sendFailures];
  run.sendFailures += 1;
  // Flows of builds before tried for ever; their histories go on as they began.
  if (waitSeconds === undefined && patched('sender-asks')) {
    run.sendFailures = 0;
    await db.askAboutPayout({ withdrawalId });
    return;
  }
  const summary = 'until the order is tried again';
  await sleep((waitSeconds ?? SENDER_AWAY_LAST_SECONDS) * 1_000, { summary });
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
