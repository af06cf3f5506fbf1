/**
 * Where a flow can stand, in the words that everybody reads: operators in Temporal's UI and everyone
 * in the timelines of the consoles (their English is held against these by a test). No sentence here
 * names a person or a sum: Temporal keeps them in clear.
 */
const TURNS = {
  PLATFORM: 'the platform',
  REVIEWER: 'a reviewer',
  FINANCE: 'finance',
  ADMIN: 'an administrator',
  SUPPORT: 'support',
  OWNER: 'the account',
  PROVIDER: 'the payment provider',
  SERVER: "the account's server",
} as const;
export type Turn = keyof typeof TURNS;
export const TURN_NAMES = Object.keys(TURNS) as Turn[];

interface Stage {
  words: string;
  /** Of whose next move it is, where no task says it. */
  turn: Turn;
}

export const STAGES = {
  submitted: { words: 'Was handed in', turn: 'OWNER' },
  checks: { words: 'The automatic checks run', turn: 'PLATFORM' },
  decision: { words: "Waits for an operator's decision", turn: 'ADMIN' },
  second_approval: { words: 'Waits for the approval of a second person', turn: 'ADMIN' },
  unknown: { words: 'Waits for word that the payout arrived', turn: 'FINANCE' },
  refused: { words: 'A step was refused; waits for an operator who mends it', turn: 'ADMIN' },
  money: { words: 'Waits for the money to arrive', turn: 'OWNER' },
  confirming: { words: 'The money that arrived is being confirmed', turn: 'PLATFORM' },
  cooling: { words: 'Is approved; its owner may still cancel', turn: 'OWNER' },
  sending: { words: 'The payout is being sent', turn: 'PLATFORM' },
  send_again: { words: 'Waits before the payout is sent again', turn: 'PLATFORM' },
  paying: { words: 'Waits for what the payment provider says', turn: 'PROVIDER' },
  returning: { words: 'The money is being sent back to whoever paid it', turn: 'PROVIDER' },
  objection: { words: 'The holder of the domain may object to its transfer', turn: 'OWNER' },
  unproven: { words: "Waits until the site is proven to be its owner's", turn: 'OWNER' },
  proof: { words: 'The proof of the site is looked for', turn: 'PLATFORM' },
  proof_again: { words: 'Waits before the proof of the site is looked for again', turn: 'OWNER' },
  delivering: { words: "The account's server is being told", turn: 'SERVER' },
  deliver_again: { words: "Waits before the account's server is told again", turn: 'SERVER' },
  mailing: { words: 'The letter is handed to the mail server', turn: 'PLATFORM' },
  making: { words: 'The job is being done', turn: 'PLATFORM' },
  loop: { words: 'Works round after round', turn: 'PLATFORM' },
  ended: { words: 'Has ended', turn: 'PLATFORM' },
} as const satisfies Readonly<Record<string, Stage>>;
export type StageName = keyof typeof STAGES;
export const STAGE_NAMES = Object.keys(STAGES) as StageName[];

/**
 * An open task, as far as its flow shows it; a step that answered before these were told has less. A
 * type, as what is kept of a step is (activities/core/run-once.ts).
 */
export type Question = {
  taskId: number;
  kind?: string;
  /** The operators' role that decides it. */
  role?: Turn;
  /** ISO time */
  dueAt?: string | null;
  /** When its flow asks about it again; absent in histories of builds before. ISO time. */
  remindAt?: string | null;
};

/** How a flow stands: all that Temporal's lists and page are told. */
export interface Standing {
  stage: StageName;
  question?: Question;
  /** ISO time by which it goes on in any case, or should. */
  dueAt?: string | null;
  /** A word of the rows, such as a payout's state. */
  payoutState?: string;
  /** What happened last; ids and counts only. */
  note?: string;
}

const turnOf = ({ stage, question }: Standing): Turn => question?.role ?? STAGES[stage].turn;

export const dueOf = ({ question, dueAt }: Standing): string | null =>
  dueAt ?? question?.dueAt ?? null;

/** A question that a person has to answer. */
export const needsOperator = ({ question }: Standing): boolean => question !== undefined;

/** What is waited for, whose turn it is, and by when. */
export function sentenceOf(standing: Standing): string {
  const { stage, question, note } = standing;
  const task = question === undefined ? '' : ` (task ${question.taskId})`;
  const tail = note === undefined ? '' : ` ${note}`;
  if (stage === 'ended') return `${STAGES.ended.words}.${tail}`;
  const due = dueOf(standing);
  const by = due === null ? '' : `, by ${due.slice(0, 16).replace('T', ' ')} UTC`;
  return `${STAGES[stage].words}${task}: the turn of ${TURNS[turnOf(standing)]}${by}.${tail}`;
}

/** Of the task that asks: a second person, an unknown outcome, a refusal, or any other question. */
export function stageOfTask(kind: string | undefined): StageName {
  if (kind === 'payout_unknown') return 'unknown';
  if (kind === 'deposit_refund') return 'returning';
  if (kind?.endsWith('_refused') === true) return 'refused';
  return kind?.endsWith('_second_approval') === true ? 'second_approval' : 'decision';
}
