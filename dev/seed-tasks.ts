import { type ApiClient, type Page, until } from './api-client.ts';

/** What the demo's operators are asked, and their answers. */
export interface Subject {
  type: 'campaign' | 'adgroup' | 'ad' | 'creative' | 'site' | 'zone' | 'deposit' | 'withdrawal';
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
  const tasks = await operator.call<Page<Task>>('GET', '/tasks?status=open&page_size=100');
  return tasks.items.find((task) => isOf(task, subject));
}

/** Decides the task of a subject as soon as there is one; nothing where it was decided before. */
export async function decideTask(
  seed: Operators,
  subject: Subject,
  decision: { decision: string; reasons?: { code: string; note?: string }[]; note?: string },
): Promise<void> {
  const operator = isMoney(subject) ? seed.finance : seed.reviewer;
  if (!isMoney(subject) && (await wasDecided(operator, subject))) return;
  const task = await until(`task of ${subject.type}`, () => openTask(operator, subject), seed);
  await operator.call('POST', `/tasks/${task.id}/decision`, decision);
}

/** Of a reviewed record; money may be asked about more than once. */
async function wasDecided(operator: ApiClient, subject: Subject): Promise<boolean> {
  const decided = await operator.call<Page<Task>>('GET', '/tasks?status=decided&page_size=100');
  return decided.items.some((each) => isOf(each, subject));
}

/** The identity that its owner has just sent. */
export async function approveIdentity({ reviewer, signal }: Operators): Promise<void> {
  const find = async () => {
    const tasks = await reviewer.call<Page<Task>>('GET', '/tasks?status=open&page_size=100');
    return tasks.items.find(({ kind }) => kind === 'kyc_review');
  };
  const task = await until('task of the identity', find, { signal });
  await reviewer.call('POST', `/tasks/${task.id}/decision`, { decision: 'approve' });
}

const isMoney = ({ type }: Subject): boolean => type === 'deposit' || type === 'withdrawal';
const isOf = (task: Task, { type, id, kind }: Subject): boolean =>
  task.subject.type === type &&
  task.subject.id === id &&
  (kind === undefined || task.kind === kind);
