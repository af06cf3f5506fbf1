import { continueAsNew, workflowInfo } from '@temporalio/workflow';
import type { LoopInput } from './contracts/loops.ts';
import { LOOP_LAP } from './policies.ts';
import { show } from './sight.ts';
import { stepsOf } from './steps.ts';

const { settleShard } = stepsOf(LOOP_LAP, { settleShard: 'Settle what is due' });

const LAP_MS = 30_000;
/** An event is billed about this long after its answer when there is little to do. */
const TICK_MS = 250;
/** About two hours; far below the server's limit on a history. */
const LAPS_PER_RUN = 240;

/**
 * Settles one shard for ever. The cursor in the database says how far it came, so this story keeps
 * nothing: a lap that is lost with its worker is begun again elsewhere.
 */
export async function settlementWorkflow(input: LoopInput): Promise<void> {
  const { shard, lapMs = LAP_MS, lapsPerRun = LAPS_PER_RUN } = input;
  for (let lap = 0; lap < lapsPerRun && !workflowInfo().continueAsNewSuggested; lap += 1) {
    const done = await settleShard({ shard, runForMs: lapMs, tickMs: TICK_MS });
    show({
      stage: 'loop',
      note: `Shard ${shard}, last lap: ${done.events} events in ${done.batches} batches, ${done.billable} counted.`,
    });
  }
  await continueAsNew<typeof settlementWorkflow>(input);
}
