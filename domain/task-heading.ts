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
  day: (day: string) => string;
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
  day: (day) => day,
};

const TYPES: Readonly<Record<string, string>> = {
  adgroup: 'ad group',
  deposit: 'top-up',
  kyc: 'proof of identity',
  balance_refund: 'refund of balance',
  removal_appeal: 'appeal',
};

const QUESTION: Partial<Record<TaskKind, string>> = {
  deposit_review: 'Amount differs',
  deposit_second_approval: 'Second approval',
  suspense: 'Money without an open order',
};

const to = (account: string | null): string => (account === null ? '' : ` to ${account}`);

type Of<Form extends TaskHeading['form'], Each = TaskHeading> = Each extends { form: infer Forms }
  ? Form extends Forms
    ? Each
    : never
  : never;

interface AboutTask {
  kind: TaskKind;
  /** What its subject is called. */
  type: string;
  id: number;
}

/** How the headings of each form are said in one language. */
export type TitleForms = {
  readonly [Form in TaskHeading['form']]: (
    said: Of<Form>,
    task: AboutTask,
    words: TitleWords,
  ) => string;
};

/** `types`: what a task's subjects are called in the language of the forms. */
export const titleBy =
  (forms: TitleForms, types: Readonly<Record<string, string>>) =>
  ({ kind, subject: { type, id }, heading }: HeadedTask, words: TitleWords = CODES): string => {
    const say: (said: never, task: AboutTask, words: TitleWords) => string = forms[heading.form];
    // The form that its own heading names.
    return say(heading as never, { kind, type: types[type] ?? type, id }, words);
  };

/** What a second person is asked: not to carry it out, but whether the first one, who says that it was not paid, is right. */
const SECOND_WORD = 'Second word on whether it was paid';

const payout =
  (title: (answer: string | null) => string) =>
  (said: Of<'PAYOUT_UNKNOWN'>, _task: unknown, { money }: TitleWords): string =>
    `${said.second ? SECOND_WORD : title(said.answer)}: ${money(said.amount)}${to(said.account)} (${said.reference})`;

const sendBack =
  (what: string) =>
  (said: Of<'SEND_BACK'>, _task: unknown, { money, method }: TitleWords): string =>
    `${what} to send back: ${money(said.amount)} of ${said.reference} (${method(said.method)} ${said.provider_reference})`;

/** In English: what the API calls a task, and what is searched for. */
export const taskTitle = titleBy(
  {
    REVIEW: ({ name }, { type, id }) => `Review ${type} ${id}: ${name}`,
    APPEAL: ({ name }, { type, id }) => `Appeal of ${type} ${id}: ${name}`,
    REFUSED_STEP: (_said, { type, id }) => `${type} ${id} cannot go on: a step was refused`,
    IDENTITY: ({ round }, { id }) => `Proof of identity ${id}, round ${round}`,
    RECEIPT: ({ amount, ordered, reference }, { kind }, { money }) =>
      `${QUESTION[kind] ?? 'Receipt'}: received ${money(amount)} for an order of ${money(ordered)} (${reference})`,
    SEND_BACK: sendBack('Money'),
    SEND_BACK_BALANCE: sendBack('Balance'),
    REMOVED_EVENTS: ({ reason: code, zone_id, day: of }, _task, { reason, day }) =>
      `Appeal against ${reason(code)}, zone ${zone_id}, ${day(of)}`,
    DOMAIN: ({ domain, claimant_site_id, holder_site_id }) =>
      `Whose is ${domain}: site ${claimant_site_id} asks, site ${holder_site_id} holds it`,
    WITHDRAWAL: ({ amount, method: code, account }, { kind }, { money, method }) =>
      `${kind === 'withdrawal_second_approval' ? 'Second approval' : 'Withdrawal'} of ${money(amount)} by ${method(code)}${to(account)}`,
    PAYOUT_REFUSED: payout(
      (answer) => `Bank transfer that the bank refused, ${answer ?? 'without a reason'}`,
    ),
    PAYOUT_TO_SEND: payout(() => 'Bank transfer to carry out'),
    PAYOUT_UNKNOWN: payout(() => 'Payout of unknown outcome'),
    PAYOUT_UNSENT: payout(
      (answer) => `Payout that cannot be sent${answer === null ? '' : `, ${answer}`}`,
    ),
    REVERSAL: ({ events }, { id }) =>
      `Reversal ${id}: ${events} ${events === 1 ? 'event' : 'events'}`,
  },
  TYPES,
);
