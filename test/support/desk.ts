import type { ApiClient } from './call.ts';
import { until } from './until.ts';

interface OpenTask {
  id: number;
  kind: string;
  subject: { type: string; id: number };
  account_id: number | null;
}

const openTasks = async (operator: ApiClient): Promise<OpenTask[]> =>
  (await operator.must<{ items: OpenTask[] }>('GET', '/tasks?status=open&page_size=100')).items;

/** Approves what an account waits for as soon as its flow has asked: `kyc`, `site`. */
export async function approveOf(operator: ApiClient, type: string, account: number): Promise<void> {
  const task = await until(`a task of a ${type} of account ${account}`, async () =>
    (await openTasks(operator)).find(
      ({ subject, account_id: owner }) => subject.type === type && owner === account,
    ),
  );
  await operator.must('POST', `/tasks/${task.id}/decision`, { decision: 'approve' });
}

const KINDS = ['campaigns', 'adgroups', 'creatives', 'ads'] as const;

/** All that an advertiser has handed in, whether a machine or a person decides it. */
export async function approveAll(operator: ApiClient, owner: ApiClient): Promise<void> {
  await until('everything is approved', async () => {
    const lists = await Promise.all(
      KINDS.map(
        async (kind) =>
          await owner.must<{ items: { id: number; audit_status: string }[] }>('GET', `/${kind}`),
      ),
    );
    const waiting = lists.flatMap(({ items }, at) =>
      items
        .filter(({ audit_status: state }) => state !== 'APPROVED')
        .map(({ id }) => `${KINDS[at]?.slice(0, -1)} ${id}`),
    );
    if (waiting.length === 0) return true;
    for (const { id, subject } of await openTasks(operator)) {
      if (waiting.includes(`${subject.type} ${subject.id}`)) {
        await operator.call('POST', `/tasks/${id}/decision`, { decision: 'approve' });
      }
    }
    return false;
  });
}
