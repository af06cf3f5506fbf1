import {
  allHandlersFinished,
  condition,
  continueAsNew,
  defineSignal,
  setHandler,
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
import { DATABASE_STEP } from './policies.ts';
import { show } from './sight.ts';
import { stepsOf } from './steps.ts';

const db = stepsOf(DATABASE_STEP, {
  readDeposit: 'Read what the order waits for',
  confirmReceipt: 'Look at money that arrived',
  applyDepositDecision: "Apply an operator's decision",
  expireDeposit: 'Close the order that nobody paid',
  answerDepositCancel: 'Answer a cancel that was asked for in Temporal',
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
    if (order.closed) {
      await condition(allHandlersFinished);
      return order.status;
    }
    if (order.status !== 'PENDING') {
      await waitForPerson(order.question, () => run.awake);
      continue;
    }
    // At least a second, so that two clocks that disagree do not make this a busy loop.
    const waitMs = Math.max(1_000, Date.parse(input.expiresAt) - Date.now());
    if (!(await condition(() => run.awake, waitMs, { summary: 'until the order expires' })))
      await db.expireDeposit({ depositId });
  }
}

function standingOf(order: DepositState, expiresAt: string): Standing {
  const { status, question } = order;
  if (order.closed) return { stage: 'ended', note: `The order is ${status}.` };
  if (question !== undefined) return { stage: stageOfTask(question.kind), question };
  return status === 'PENDING' ? { stage: 'money', dueAt: expiresAt } : { stage: 'confirming' };
}
