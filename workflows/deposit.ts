import {
  allHandlersFinished,
  condition,
  continueAsNew,
  defineSignal,
  patched,
  setHandler,
  sleep,
  workflowInfo,
} from '@temporalio/workflow';
import type { DepositState } from '../activities/deposits/deposit-flow.ts';
import { uncancellable } from './armour.ts';
import {
  DEPOSIT_CANCEL_SIGNAL,
  DEPOSIT_RECEIPT_SIGNAL,
  type DepositInput,
  type DepositReceiptSignal,
} from './contracts/deposit.ts';
import { type Standing, stageOfTask } from './contracts/stages.ts';
import { takeDecisions } from './decisions.ts';
import { waitForPerson } from './human-wait.ts';
import { DATABASE_STEP, PROVIDER_STEP } from './policies.ts';
import { show } from './sight.ts';
import { stepsOf } from './steps.ts';

const db = stepsOf(DATABASE_STEP, {
  readDeposit: 'Read what the order waits for',
  confirmReceipt: 'Look at money that arrived',
  applyDepositDecision: "Apply an operator's decision",
  expireDeposit: 'Close the order that nobody paid',
  answerDepositCancel: 'Answer a cancel that was asked for in Temporal',
});

const provider = stepsOf(PROVIDER_STEP, {
  openPayment: 'Tell the provider of the order',
  askPayment: 'Ask the provider what has been paid',
  closePayment: 'Close the order at the provider',
});

const receiptSignal = defineSignal<[DepositReceiptSignal]>(DEPOSIT_RECEIPT_SIGNAL);
const cancelSignal = defineSignal(DEPOSIT_CANCEL_SIGNAL);

/**
 * A top-up order waits for its money, a cancel or its deadline. Signals and Updates only wake it:
 * each lap reads the order and acts on what the database says, so that a lost, doubled or
 * hand-sent message changes nothing; whether a decision is one of this flow's is for the rows as
 * well. It ends when the order is closed and every receipt that came
 * before that was looked at. A cancel in Temporal is a request: heeded before money came, later refused.
 */
export async function depositWorkflow(input: DepositInput): Promise<string> {
  const { depositId } = input;
  const run = { awake: true, cancelAsked: false };
  const wake = (): void => {
    run.awake = true;
  };
  setHandler(receiptSignal, wake);
  setHandler(cancelSignal, wake);
  takeDecisions({
    description: 'An operator decides the task of this deposit.',
    apply: async (decision) => await db.applyDepositDecision({ depositId, decision }),
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

async function untilClosed(
  input: DepositInput,
  run: { awake: boolean; cancelAsked: boolean },
): Promise<string> {
  const { depositId } = input;
  for (;;) {
    if (workflowInfo().continueAsNewSuggested) {
      await condition(allHandlersFinished);
      await continueAsNew<typeof depositWorkflow>(input);
    }
    run.awake = false;
    if (run.cancelAsked) {
      run.cancelAsked = false;
      await db.answerDepositCancel({ depositId });
    }
    const order = await db.readDeposit({ depositId });
    show(standingOf(order, input.expiresAt));
    for (const receiptId of order.receiptIds) await db.confirmReceipt({ depositId, receiptId });
    if (order.receiptIds.length > 0) continue;
    if (order.isUnopened === true && order.status === 'PENDING') {
      // One that is away is asked again a lap later; what it refuses has closed the order.
      if ((await provider.openPayment({ depositId })) !== 'AWAY') continue;
    }
    if (order.closed) {
      if (input.askEveryMs !== undefined && UNPAID.has(order.status)) {
        await closeAtProvider(depositId, input.askEveryMs);
      }
      await condition(allHandlersFinished);
      if (wasTold(run)) continue;
      return order.status;
    }
    if (order.status !== 'PENDING') {
      await waitForPerson(order.question, () => run.awake);
      continue;
    }
    // At least a second, so that two clocks that disagree do not make this a busy loop.
    const leftMs = Math.max(1_000, Date.parse(input.expiresAt) - Date.now());
    if (input.askEveryMs === undefined) {
      if (!(await condition(() => run.awake, leftMs, { summary: 'until the order expires' })))
        await db.expireDeposit({ depositId });
      continue;
    }
    const waitMs = Math.min(leftMs, input.askEveryMs);
    if (await condition(() => run.awake, waitMs, { summary: 'until the provider is asked' }))
      continue;
    // A notification may be lost: nothing expires before its provider was asked.
    const said = await provider.askPayment({ depositId });
    const isPaying = said === 'PAID' || said === 'COMING';
    if (!isPaying && Date.now() >= Date.parse(input.expiresAt)) {
      await db.expireDeposit({ depositId });
    }
  }
}

/** A receipt that is taken back opens its order once more, also while the order is ended here. */
const wasTold = (run: { awake: boolean }): boolean => run.awake && patched('opened-again');

const CLOSE_TRIES = 60;
/** Ends that no money brought about. */
const UNPAID = new Set(['CANCELLED', 'EXPIRED']);

/** Nobody may pay an order that has ended; who was faster has paid, and it is asked about. */
async function closeAtProvider(depositId: number, everyMs: number): Promise<void> {
  for (let tries = 0; tries < CLOSE_TRIES; tries += 1) {
    const closed = await provider.closePayment({ depositId });
    if (closed === 'CLOSED') return;
    if (closed === 'PAID' && (await provider.askPayment({ depositId })) === 'PAID') return;
    await sleep(everyMs, { summary: 'until the provider is asked to close it again' });
  }
}

function standingOf(order: DepositState, expiresAt: string): Standing {
  const { status, question } = order;
  if (order.closed) return { stage: 'ended', note: `The order is ${status}.` };
  if (question !== undefined) return { stage: stageOfTask(question.kind), question };
  // Nobody is asked: its money is on the way back, by the flow of the receipt.
  if (status === 'REVIEW') return { stage: 'returning' };
  return status === 'PENDING' ? { stage: 'money', dueAt: expiresAt } : { stage: 'confirming' };
}
