import { continueAsNew, proxyActivities, setCurrentDetails, sleep } from '@temporalio/workflow';
import type { Activities } from '../activities/index.ts';
import { LOOP_LAP } from './policies.ts';

// Deletes come in rounds, each a statement of its own; the whole stays well under the lap's timeout.
const { runUpkeep } = proxyActivities<Pick<Activities, 'runUpkeep'>>({
  startToCloseTimeout: '30 minutes',
  retry: { ...LOOP_LAP.retry, maximumInterval: '1 minute' },
});

const ROUNDS_PER_RUN = 100;

/** Once an hour: partitions ahead, what has expired and what was left lying behind. */
export async function upkeepWorkflow(): Promise<void> {
  for (let round = 0; round < ROUNDS_PER_RUN; round += 1) {
    const report = await runUpkeep();
    const kept = report.partitionsKept ?? [];
    const files = report.unnamedFiles ?? { media: 0, documents: 0 };
    setCurrentDetails(
      `Last round: ${report.partitionsMade} partitions made, ${report.partitionsDropped.length} dropped, ` +
        `${kept.length} old ones kept for events that were never judged${kept
          .map(({ name, unsettled }) => ` (${name}: ${unsettled})`)
          .join('')}, ` +
        `${report.marks} marks, ${report.outbox} outbox rows and ${report.idempotencyKeys} keys deleted, ` +
        `${files.media + files.documents} files removed that no row names.`,
    );
    await sleep('1 hour', { summary: 'until the next round' });
  }
  await continueAsNew<typeof upkeepWorkflow>();
}
