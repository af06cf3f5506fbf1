import { proxyActivities, setCurrentDetails } from '@temporalio/workflow';
import type { Activities } from '../activities/index.ts';
import { LONG_ROUND, ON_STRANGERS } from './policies.ts';

const { recheckSites } = proxyActivities<Pick<Activities, 'recheckSites'>>({
  ...LONG_ROUND,
  ...ON_STRANGERS,
});

/** One round, started by its schedule: verified sites that are due are looked at again (interface 4.9). */
export async function siteRecheckWorkflow(): Promise<void> {
  const { checked, missed, lapsed } = await recheckSites();
  setCurrentDetails(`${checked} sites looked at: ${missed} without their proof, ${lapsed} lapsed.`);
}
