import { proxyActivities, setCurrentDetails } from '@temporalio/workflow';
import type { ReconcileActivities } from '../activities/flows/reconcile.ts';
import { LONG_ROUND } from './policies.ts';

const { reconcileFlows } = proxyActivities<ReconcileActivities>(LONG_ROUND);

/** One lap, started by its schedule: rows and executions of flows are held against each other. */
export async function reconcileWorkflow(): Promise<void> {
  const { openRows, executions, healed, raised } = await reconcileFlows();
  setCurrentDetails(
    `${openRows} open rows and ${executions} executions: ${healed} healed, ${raised} raised to operators.`,
  );
}
