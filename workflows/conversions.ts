import { continueAsNew, workflowInfo } from '@temporalio/workflow';
import type { LoopLengths } from './contracts/loops.ts';
import { LOOP_LAP } from './policies.ts';
import { show } from './sight.ts';
import { stepsOf } from './steps.ts';

const { keepConversions } = stepsOf(LOOP_LAP, { keepConversions: 'Decide what is due' });

const LAP_MS = 60_000;
/** A conversion is decided about this long after its click was judged. */
const TICK_MS = 500;
const LAPS_PER_RUN = 240;

/**
 * Decides what was reported once its click was judged, and bills held conversions whose window has ended.
 * Each conversion's own status says how far it came, so this story keeps nothing.
 */
export async function conversionsWorkflow(input: LoopLengths = {}): Promise<void> {
  const { lapMs = LAP_MS, lapsPerRun = LAPS_PER_RUN } = input;
  for (let lap = 0; lap < lapsPerRun && !workflowInfo().continueAsNewSuggested; lap += 1) {
    const done = await keepConversions({ runForMs: lapMs, tickMs: TICK_MS });
    show({
      stage: 'loop',
      note: `Last lap: ${done.decided} conversions decided, ${done.released} released.`,
    });
  }
  await continueAsNew<typeof conversionsWorkflow>(input);
}
