import { LONG_ROUND, ON_STRANGERS } from './policies.ts';
import { show } from './sight.ts';
import { stepsOf } from './steps.ts';

const { recheckSites } = stepsOf(
  { ...LONG_ROUND, ...ON_STRANGERS },
  { recheckSites: 'Look for the proofs of sites that are due' },
);

/** One round, started by its schedule: verified sites that are due are looked at again (interface 4.9). */
export async function siteRecheckWorkflow(): Promise<void> {
  const { checked, missed, lapsed } = await recheckSites();
  show({
    stage: 'ended',
    note: `${checked} sites looked at: ${missed} without their proof, ${lapsed} lapsed.`,
  });
}
