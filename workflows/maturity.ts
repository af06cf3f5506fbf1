import { continueAsNew, patched, sleep } from '@temporalio/workflow';
import { LONG_ROUND } from './policies.ts';
import { show } from './sight.ts';
import { stepsOf } from './steps.ts';

// After a long stop there are many days to look at, each in transactions of its own.
const { matureEarnings } = stepsOf(LONG_ROUND, {
  matureEarnings: 'Make old earnings withdrawable',
});

const ROUNDS_PER_RUN = 100;

/** One round, started by its schedule: what was earned long enough ago becomes withdrawable (interface 4.12). */
export async function maturityWorkflow(): Promise<void> {
  // As upkeep: runs of builds before were endless loops.
  const isRound = patched('scheduled-rounds');
  for (let round = 0; isRound ? round < 1 : round < ROUNDS_PER_RUN; round += 1) {
    const report = await matureEarnings();
    show({
      stage: 'loop',
      note: `Last round: ${report.earnings} earnings of ${report.days} days matured.`,
    });
    if (!isRound) await sleep('15 minutes', { summary: 'until the next round' });
  }
  if (!isRound) await continueAsNew<typeof maturityWorkflow>();
}
