import type { Transaction } from '../../client/routes.ts';
import { texts } from '../parts/texts.ts';

type Moved = Pick<Transaction, 'type' | 'subject' | 'description' | 'events'>;

const OF: Readonly<Record<string, (id: number | string, events: number) => string>> = {
  DEPOSIT: (id) => `充值 ${id}`,
  SPEND: (_id, events) => `${events} 个计费事件`,
  SPEND_REVERSED: (_id, events) => `退还：${events} 个不应计费的事件`,
  SPEND_RESTORED: (_id, events) => `申诉后补计 ${events} 个事件`,
  EARNING: (_id, events) => `${events} 个事件的收入`,
  EARNING_REVERSED: (_id, events) => `扣回 ${events} 个事件的收入`,
  EARNING_RESTORED: (_id, events) => `申诉成功后 ${events} 个事件的收入`,
  WITHDRAWAL: (id) => `提现 ${id} 的付款`,
  WITHDRAWAL_FEE: (id) => `提现 ${id} 的手续费`,
  WITHDRAWAL_TAX: (id) => `提现 ${id} 的税款`,
  WITHDRAWAL_RETURNED: (id) => `银行退回：提现 ${id}`,
  WITHDRAWAL_TAX_RETURNED: (id) => `退还税款：提现 ${id}`,
  BALANCE_REFUND_HOLD: (id) => `退回付款人：退款 ${id}`,
  BALANCE_REFUND_RELEASE: (id) => `未退回：退款 ${id}`,
  RECEIPT_HOLD: (id) => `款项实际未到账：充值 ${id}`,
  RECEIPT_RELEASE: (id) => `款项已到账：充值 ${id}`,
};

/** What moved a balance. */
export const transactionTexts = texts({
  en: { moved: ({ description }: Moved) => description },
  zh: {
    moved: ({ type, subject, description, events }) =>
      OF[type]?.(subject?.id ?? '', events) ?? description,
  },
});
