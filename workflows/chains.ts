import { continueAsNew, workflowInfo } from '@temporalio/workflow';
import type { LoopLengths } from './contracts/loops.ts';
import { LOOP_LAP } from './policies.ts';
import { show } from './sight.ts';
import { stepsOf } from './steps.ts';

const { watchChains } = stepsOf(LOOP_LAP, { watchChains: 'Look for tokens that have come' });

const LAP_MS = 60_000;
/** Blocks come every twelve seconds, or three. */
const TICK_MS = 3_000;
const LAPS_PER_RUN = 240;

/** How far each chain was read is a row; this story keeps nothing. */
export async function chainsWorkflow(input: LoopLengths = {}): Promise<void> {
  const { lapMs = LAP_MS, lapsPerRun = LAPS_PER_RUN } = input;
  for (let lap = 0; lap < lapsPerRun && !workflowInfo().continueAsNewSuggested; lap += 1) {
    const { blocks, received } = await watchChains({ runForMs: lapMs, tickMs: TICK_MS });
    show({ stage: 'loop', note: `Last lap: ${blocks} blocks, ${received} payments.` });
  }
  await continueAsNew<typeof chainsWorkflow>(input);
}
