import {
  allHandlersFinished,
  condition,
  defineSignal,
  proxyActivities,
  setCurrentDetails,
  setHandler,
} from '@temporalio/workflow';
import type { Activities } from '../activities/index.ts';
import {
  DEPOSIT_CANCEL_SIGNAL,
  DEPOSIT_RECEIPT_SIGNAL,
  type DepositInput,
  type DepositReceiptSignal,
} from './contracts/deposit.ts';
import { takeDecisions } from './decisions.ts';
import { DATABASE_STEP } from './policies.ts';

const db =
  proxyActivities<
    Pick<Activities, 'readDeposit' | 'confirmReceipt' | 'applyDepositDecision' | 'expireDeposit'>
  >(DATABASE_STEP);

const receiptSignal = defineSignal<[DepositReceiptSignal]>(DEPOSIT_RECEIPT_SIGNAL);
const cancelSignal = defineSignal(DEPOSIT_CANCEL_SIGNAL);

/**
 * A top-up order waits for its money, a cancel or its deadline. Signals and Updates only wake it:
 * each lap reads the order and acts on what the database says, so that a lost, doubled or
 * hand-sent message changes nothing; whether a decision is one of this flow's is for the rows as
 * well. It ends when the order is closed and every receipt that came
 * before that was looked at.
 */
export async function depositWorkflow(input: DepositInput): Promise<string> {
  const { depositId } = input;
  let awake = true;

  setHandler(receiptSignal, () => {
    awake = true;
  });
  setHandler(cancelSignal, () => {
    awake = true;
  });
  takeDecisions({
    description: 'An operator decides the task of this deposit.',
    apply: async (decision) => await db.applyDepositDecision({ depositId, decision }),
    wake: () => {
      awake = true;
    },
  });

  for (;;) {
    awake = false;
    const order = await db.readDeposit({ depositId });
    setCurrentDetails(describe(order.status, order.taskId));
    for (const receiptId of order.receiptIds) await db.confirmReceipt({ depositId, receiptId });
    if (order.receiptIds.length > 0) continue;
    if (order.closed) {
      await condition(allHandlersFinished);
      return order.status;
    }
    if (order.status !== 'PENDING') {
      await condition(() => awake);
      continue;
    }
    // At least a second, so that two clocks that disagree do not make this a busy loop.
    const waitMs = Math.max(1_000, Date.parse(input.expiresAt) - Date.now());
    if (!(await condition(() => awake, waitMs))) await db.expireDeposit({ depositId });
  }
}

function describe(status: string, taskId: number | null): string {
  return taskId === null ? `The order is ${status}.` : `Waits for an operator: task ${taskId}.`;
}
