import type { FlowStart } from './queues.ts';

export interface DepositInput {
  depositId: number;
  /** ISO time; the order expires then if nothing arrived. */
  expiresAt: string;
  /** A provider takes it, and is asked this often; absent of methods that operators confirm. */
  askEveryMs?: number;
}

export const DEPOSIT_WORKFLOW = 'depositWorkflow';
export const depositWorkflowId = (depositId: number): string => `deposit:${depositId}`;

/** Money arrived: the receipt row and its suspense posting are committed already. */
export const DEPOSIT_RECEIPT_SIGNAL = 'receipt';
export interface DepositReceiptSignal {
  receiptId: number;
}

/** The advertiser cancelled the order (the row says so already). */
export const DEPOSIT_CANCEL_SIGNAL = 'cancel';

/**
 * Money that fits no open order (late, doubled, after a cancel) waits in suspense under a flow of
 * its own until an operator says where it belongs.
 */
export interface SuspenseInput {
  receiptId: number;
  /** Where it belongs is decided: it goes back to whoever paid it. */
  isRefunding?: boolean;
}

/** Its receipt was taken back (the row says so already): there is nothing to decide. */
export const SUSPENSE_TAKEN_BACK_SIGNAL = 'takenBack';

export const SUSPENSE_WORKFLOW = 'suspenseWorkflow';
export const suspenseWorkflowId = (receiptId: number): string => `suspense:${receiptId}`;

/** A part of a balance on its way back to whoever paid it. */
export interface RefundInput {
  refundId: number;
}
/** A way back is asked for by its receipt, of which it is the whole, or by its own number. */
export type WayBackInput = { receiptId: number } | RefundInput;

export const REFUND_WORKFLOW = 'refundWorkflow';
export const refundWorkflowId = (refundId: number): string => `refund:${refundId}`;

/** The way back that one of these flows asks about; null: it is none of them. A whole receipt's has its number. */
export function refundOfFlow(workflowId: string): number | null {
  const [, id] = /^(?:suspense|refund):(\d+)$/.exec(workflowId) ?? [];
  return id === undefined ? null : Number(id);
}

export const refundStart = (input: RefundInput): FlowStart => ({
  workflowId: refundWorkflowId(input.refundId),
  type: REFUND_WORKFLOW,
  taskQueue: 'money',
  input,
  summary: `Balance on its way back: ${input.refundId}`,
  attributes: { state: 'returning', subject: `refund:${input.refundId}` },
});

export const depositStart = (input: DepositInput): FlowStart => ({
  workflowId: depositWorkflowId(input.depositId),
  type: DEPOSIT_WORKFLOW,
  taskQueue: 'money',
  input,
  summary: `Deposit ${input.depositId}`,
  attributes: {
    state: 'money',
    subject: `deposit:${input.depositId}`,
    dueAt: input.expiresAt,
  },
});

export const suspenseStart = (input: SuspenseInput): FlowStart => ({
  workflowId: suspenseWorkflowId(input.receiptId),
  type: SUSPENSE_WORKFLOW,
  taskQueue: 'money',
  input,
  summary: `Money in suspense: receipt ${input.receiptId}`,
  attributes: {
    state: input.isRefunding === true ? 'returning' : 'decision',
    subject: `receipt:${input.receiptId}`,
  },
});

/** A provider says that something became of an order: it is asked until it says the same. */
export interface PaymentInput {
  depositId: number;
  /** A digest of the notification's own id: its copies are one flow. */
  event: string;
}

const PAYMENT_WORKFLOW = 'depositPaymentWorkflow';
const paymentWorkflowId = ({ depositId, event }: PaymentInput): string =>
  `payment:${depositId}:${event}`;

export const paymentStart = (input: PaymentInput): FlowStart => ({
  workflowId: paymentWorkflowId(input),
  type: PAYMENT_WORKFLOW,
  taskQueue: 'money',
  input,
  summary: `Payment told of deposit ${input.depositId}`,
  attributes: { state: 'confirming', subject: `deposit:${input.depositId}` },
});
