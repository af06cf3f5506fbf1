import { continueAsNew, proxyActivities, setCurrentDetails, sleep } from '@temporalio/workflow';
import type { Activities } from '../activities/index.ts';
import { LOOP_LAP } from './policies.ts';

// After a long stop there are many days to look at, each in transactions of its own.
const { matureEarnings } = proxyActivities<Pick<Activities, 'matureEarnings'>>({
  startToCloseTimeout: '30 minutes',
  retry: { ...LOOP_LAP.retry, maximumInterval: '1 minute' },
});

const ROUNDS_PER_RUN = 100;

/** Every quarter of an hour: what was earned long enough ago becomes withdrawable (interface 4.12). */
export async function maturityWorkflow(): Promise<void> {
  for (let round = 0; round < ROUNDS_PER_RUN; round += 1) {
    const report = await matureEarnings();
    setCurrentDetails(`Last round: ${report.earnings} earnings of ${report.days} days matured.`);
    await sleep('15 minutes', { summary: 'until the next round' });
  }
  await continueAsNew<typeof maturityWorkflow>();
}
