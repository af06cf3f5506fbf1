import { type ApiClient, type Page, until } from './api-client.ts';

/** What the demo's operators are asked, and their answers. */
export interface Subject {
  type:
    | 'campaign'
    | 'adgroup'
    | 'ad'
    | 'creative'
    | 'site'
    | 'zone'
    | 'deposit'
    | 'withdrawal'
    | 'reversal';
  id: number;
  /** Which of its questions, where it is asked more than one. */
  kind?: string;
}

interface Task {
  id: number;
  kind: string;
  subject: { type: string; id: number };
}

interface Operators {
  reviewer: ApiClient;
  finance: ApiClient;
  signal: AbortSignal;
}

export async function openTask(operator: ApiClient, subject: Subject): Promise<Task | undefined> {
  return await taskOf(operator, subject, 'open');
}

/** The one that is asked for alone: a stand may hold more tasks than a page. */
async function taskOf(
  operator: ApiClient,
  { type, id, kind }: Subject,
  status: 'open' | 'decided',
): Promise<Task | undefined> {
  const kinds = kind === undefined ? '' : `&kind=${kind}`;
  const asked = `/tasks?status=${status}&subject_type=${type}&subject_id=${id}${kinds}&page_size=1`;
  return (await operator.call<Page<Task>>('GET', asked)).items[0];
}

/** Decides the task of a subject as soon as there is one; nothing where it was decided before. */
export async function decideTask(
  seed: Operators,
  subject: Subject,
  decision: { decision: string; reasons?: { code: string; note?: string }[]; note?: string },
): Promise<void> {
  const operator = isMoney(subject) ? seed.finance : seed.reviewer;
  // Of a reviewed record; money may be asked about more than once.
  if (!isMoney(subject) && (await taskOf(operator, subject, 'decided')) !== undefined) return;
  const task = await until(`task of ${subject.type}`, () => openTask(operator, subject), seed);
  await operator.call('POST', `/tasks/${task.id}/decision`, decision);
}

/** The identity that its owner has just sent. */
export async function approveIdentity({ reviewer, signal }: Operators): Promise<void> {
  const find = async () => {
    const asked = '/tasks?status=open&kind=kyc_review&page_size=1';
    return (await reviewer.call<Page<Task>>('GET', asked)).items[0];
  };
  const task = await until('task of the identity', find, { signal });
  await reviewer.call('POST', `/tasks/${task.id}/decision`, { decision: 'approve' });
}

const isMoney = ({ type }: Subject): boolean =>
  ['deposit', 'withdrawal', 'reversal'].includes(type);
