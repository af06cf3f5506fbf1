import type { TaskKind } from './lifecycle/task.ts';

/**
 * What the title of a task says, apart from its words (interface 5.2): each reader has them in their own
 * language, and amounts as they write them. Amounts are of the platform's currency; addresses of money are masked.
 */
export type TaskHeading =
  | { form: 'REVIEW' | 'APPEAL'; name: string }
  | { form: 'REFUSED_STEP' }
  | { form: 'IDENTITY'; round: number }
  | { form: 'RECEIPT'; amount: number; ordered: number; reference: string }
  | {
      form: 'SEND_BACK' | 'SEND_BACK_BALANCE';
      amount: number;
      reference: string;
      method: string;
      provider_reference: string;
    }
  | { form: 'REMOVED_EVENTS'; reason: string; zone_id: number; day: string }
  | { form: 'DOMAIN'; domain: string; claimant_site_id: number; holder_site_id: number }
  | { form: 'WITHDRAWAL'; amount: number; method: string; account: string | null }
  | {
      form: 'PAYOUT_REFUSED' | 'PAYOUT_TO_SEND' | 'PAYOUT_UNKNOWN' | 'PAYOUT_UNSENT';
      amount: number;
      account: string | null;
      reference: string;
      /** What the bank or the sender said; null where they said nothing. */
      answer: string | null;
      /** Another person looks at what the first one decided. */
      second: boolean;
    }
  | { form: 'REVERSAL'; events: number };

export const TASK_HEADING_FORMS = [
  'REVIEW',
  'APPEAL',
  'REFUSED_STEP',
  'IDENTITY',
  'RECEIPT',
  'SEND_BACK',
  'SEND_BACK_BALANCE',
  'REMOVED_EVENTS',
  'DOMAIN',
  'WITHDRAWAL',
  'PAYOUT_REFUSED',
  'PAYOUT_TO_SEND',
  'PAYOUT_UNKNOWN',
  'PAYOUT_UNSENT',
  'REVERSAL',
] as const satisfies readonly TaskHeading['form'][];

export interface HeadedTask {
  kind: TaskKind;
  subject: { type: string; id: number };
  heading: TaskHeading;
}

/** How amounts and codes are written in a title. */
export interface TitleWords {
  money: (amount: number) => string;
  method: (code: string) => string;
  /** Why events were removed. */
  reason: (code: string) => string;
}

const dollars = new Intl.NumberFormat('en-US', {
  style: 'currency',
  currency: 'USD',
  minimumFractionDigits: 2,
  maximumFractionDigits: 6,
});
const CODES: TitleWords = {
  money: (amount) => dollars.format(amount),
  method: (code) => code,
  reason: (code) => code,
};

const TYPES: Readonly<Record<string, string>> = {
  adgroup: 'ad group',
  kyc: 'proof of identity',
  balance_refund: 'refund of balance',
  removal_appeal: 'appeal',
};

const QUESTION: Partial<Record<TaskKind, string>> = {
  deposit_review: 'Amount differs',
  deposit_second_approval: 'Second approval',
  suspense: 'Money without an open order',
};

const PAYOUTS = {
  PAYOUT_REFUSED: (answer: string | null) =>
    `Bank transfer that the bank refused, ${answer ?? 'without a reason'}`,
  PAYOUT_TO_SEND: () => 'Bank transfer to carry out',
  PAYOUT_UNKNOWN: () => 'Payout of unknown outcome',
  PAYOUT_UNSENT: (answer: string | null) =>
    `Payout that cannot be sent${answer === null ? '' : `, ${answer}`}`,
} as const;

const to = (account: string | null): string => (account === null ? '' : ` to ${account}`);

/** In English: what the API calls it, and what is searched for. */
export function taskTitle(
  { kind, subject, heading: said }: HeadedTask,
  { money, method, reason }: TitleWords = CODES,
): string {
  const type = TYPES[subject.type] ?? subject.type;
  switch (said.form) {
    case 'REVIEW':
    case 'APPEAL':
      return `${said.form === 'REVIEW' ? 'Review' : 'Appeal of'} ${type} ${subject.id}: ${said.name}`;
    case 'REFUSED_STEP':
      return `${type} ${subject.id} cannot go on: a step was refused`;
    case 'IDENTITY':
      return `Proof of identity ${subject.id}, round ${said.round}`;
    case 'RECEIPT':
      return `${QUESTION[kind] ?? 'Receipt'}: received ${money(said.amount)} for an order of ${money(said.ordered)} (${said.reference})`;
    case 'SEND_BACK':
    case 'SEND_BACK_BALANCE':
      return `${said.form === 'SEND_BACK' ? 'Money' : 'Balance'} to send back: ${money(said.amount)} of ${said.reference} (${method(said.method)} ${said.provider_reference})`;
    case 'REMOVED_EVENTS':
      return `Appeal: ${reason(said.reason)} of zone ${said.zone_id} on ${said.day}`;
    case 'DOMAIN':
      return `Whose is ${said.domain}: site ${said.claimant_site_id} asks, site ${said.holder_site_id} holds it`;
    case 'WITHDRAWAL':
      return `${kind === 'withdrawal_second_approval' ? 'Second approval' : 'Withdrawal'} of ${money(said.amount)} by ${method(said.method)}${to(said.account)}`;
    case 'PAYOUT_REFUSED':
    case 'PAYOUT_TO_SEND':
    case 'PAYOUT_UNKNOWN':
    case 'PAYOUT_UNSENT':
      return `${said.second ? 'Second approval: ' : ''}${PAYOUTS[said.form](said.answer)}: ${money(said.amount)}${to(said.account)} (${said.reference})`;
    case 'REVERSAL':
      return `Reversal ${subject.id}: ${said.events} ${said.events === 1 ? 'event' : 'events'}`;
  }
}
