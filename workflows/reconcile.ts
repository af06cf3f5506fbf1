import { proxyActivities } from '@temporalio/workflow';
import type { ReconcileActivities } from '../activities/flows/reconcile.ts';
import { LONG_ROUND } from './policies.ts';
import { show } from './sight.ts';

const { reconcileFlows } = proxyActivities<ReconcileActivities>({
  ...LONG_ROUND,
  summary: 'Hold rows and executions against each other',
});

/** One lap, started by its schedule: rows and executions of flows are held against each other. */
export async function reconcileWorkflow(): Promise<void> {
  const { openRows, executions, healed, raised } = await reconcileFlows();
  show({
    stage: 'ended',
    note: `${openRows} open rows and ${executions} executions: ${healed} healed, ${raised} raised to operators.`,
  });
}
