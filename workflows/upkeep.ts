import {
  continueAsNew,
  patched,
  proxyActivities,
  setCurrentDetails,
  sleep,
} from '@temporalio/workflow';
import type { Activities } from '../activities/index.ts';
import { LONG_ROUND } from './policies.ts';

const { runUpkeep } = proxyActivities<Pick<Activities, 'runUpkeep'>>(LONG_ROUND);

const ROUNDS_PER_RUN = 100;

/** One round, started by its schedule: partitions ahead, what has expired and what was left lying behind. */
export async function upkeepWorkflow(): Promise<void> {
  // Runs of builds before schedules were endless loops; their histories go on as they began.
  const isRound = patched('scheduled-rounds');
  for (let round = 0; isRound ? round < 1 : round < ROUNDS_PER_RUN; round += 1) {
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
    if (!isRound) await sleep('1 hour', { summary: 'until the next round' });
  }
  if (!isRound) await continueAsNew<typeof upkeepWorkflow>();
}
