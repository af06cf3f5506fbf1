import { conflict } from '../../domain/errors.ts';
import type { FlowDesk } from './flow-desk.ts';
import type { TestFlows } from './flows.ts';
import { makeOperator } from './make/account.ts';
import type { FlowStand } from './stand.ts';
import { until } from './until.ts';

type Step = Parameters<TestFlows['faults']['set']>[0];

interface RefusedStep {
  step: Step;
  /** Leads to that step; answers its flow. */
  begin: () => Promise<string>;
  /** It waits before that step: begun again it has no question until then, and the one before is void. */
  isAskedAnew?: boolean;
  /** Where its money is, and what its rows say but for the question itself. */
  rows: (workflowId: string) => Promise<unknown>;
}

const REFUSED = '%\\_refused';

/**
 * A step is refused, and then its flow is cancelled, terminated and reset in Temporal: a cancel has it tried at
 * once and asked about anew, what begins it again finds the same question, and nothing moves. Mended and tried
 * again by its operator, the flow goes on; answers which it is.
 */
export async function interfereAtRefusal(
  stand: FlowStand,
  desk: FlowDesk,
  { step, begin, rows, isAskedAnew = false }: RefusedStep,
): Promise<string> {
  const { faults } = stand.flows;
  const { cancel, openTask, query, refused, reset, terminate } = desk;
  const statusOf = async (task: number) =>
    (await query<{ status: string }>('SELECT status FROM tasks WHERE id = $1', [task]))[0]?.status;
  faults.set(step, conflict('Not as its rows are now.'));
  try {
    const workflowId = await begin();
    const first = await refused(workflowId);
    const before = await rows(workflowId);
    await cancel(workflowId);
    let task = await until('it is asked about anew', async () => {
      const open = await openTask(workflowId, REFUSED);
      return open === first ? undefined : open;
    });
    expect([await statusOf(first), await rows(workflowId)]).toEqual(['void', before]);
    const untold = async (id: string) => await reset(id, false);
    for (const interfere of [terminate, reset, untold]) {
      await interfere(workflowId);
      const asked = await refused(workflowId);
      expect([isAskedAnew || asked === task, await rows(workflowId)]).toEqual([true, before]);
      task = asked;
    }
    faults.delete(step);
    const [asked] = await query<{ role: 'FINANCE' | 'REVIEWER' }>(
      'SELECT required_role AS role FROM tasks WHERE id = $1',
      [task],
    );
    const { id } = await makeOperator(stand.database.db, asked?.role ?? 'FINANCE');
    const decision = { decision: 'retry', reasons: [] };
    const told = await stand.as('admin', id).post(`/tasks/${task}/decision`, decision);
    expect([told.status, await statusOf(task)]).toEqual([200, 'decided']);
    return workflowId;
  } finally {
    faults.delete(step);
  }
}
