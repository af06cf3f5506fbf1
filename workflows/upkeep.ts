import { continueAsNew, patched, sleep } from '@temporalio/workflow';
import { LONG_ROUND } from './policies.ts';
import { show } from './sight.ts';
import { stepsOf } from './steps.ts';

const { runUpkeep } = stepsOf(LONG_ROUND, {
  runUpkeep: 'Make partitions and remove what has expired',
});

const ROUNDS_PER_RUN = 100;

/** One round, started by its schedule: partitions ahead, what has expired and what was left lying behind. */
export async function upkeepWorkflow(): Promise<void> {
  // Runs of builds before schedules were endless loops; their histories go on as they began.
  const isRound = patched('scheduled-rounds');
  for (let round = 0; isRound ? round < 1 : round < ROUNDS_PER_RUN; round += 1) {
    const report = await runUpkeep();
    const kept = report.partitionsKept ?? [];
    const files = report.unnamedFiles ?? { media: 0, documents: 0 };
    show({
      stage: 'loop',
      note:
        `Last round: ${report.partitionsMade} partitions made, ${report.partitionsDropped.length} dropped, ` +
        `${kept.length} old ones kept for events that were never judged${kept
          .map(({ name, unsettled }) => ` (${name}: ${unsettled})`)
          .join('')}, ` +
        `${report.marks} marks, ${report.outbox} outbox rows and ${report.idempotencyKeys} keys deleted, ` +
        `${files.media + files.documents} files removed that no row names.`,
    });
    if (!isRound) await sleep('1 hour', { summary: 'until the next round' });
  }
  if (!isRound) await continueAsNew<typeof upkeepWorkflow>();
}
