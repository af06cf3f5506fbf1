import { continueAsNew, sleep, workflowInfo } from '@temporalio/workflow';
import type { LoopInput } from './contracts/loops.ts';
import { LOOP_LAP } from './policies.ts';
import { show } from './sight.ts';
import { stepsOf } from './steps.ts';

const { expireClicks } = stepsOf(LOOP_LAP, { expireClicks: 'Expire clicks that nobody verified' });

/** Long, as each lap is events of a history; a stop or a lost worker ends it at any tick. */
const LAP_MS = 120_000;
const TICK_MS = 1_000;
/** Below the 5 minutes that a click is given: nothing logged later can fall due during the sleep. */
const SLEEP_MAX_MS = 60_000;
const LAPS_PER_RUN = 500;

/**
 * Materialises the expiry of clicks that were never verified. The deadline itself is enforced by the
 * conditional UPDATE of click-verify, so a late lap lets nothing through.
 */
export async function clickExpiryWorkflow(input: LoopInput): Promise<void> {
  const { shard, lapMs = LAP_MS, lapsPerRun = LAPS_PER_RUN } = input;
  for (let lap = 0; lap < lapsPerRun && !workflowInfo().continueAsNewSuggested; lap += 1) {
    const done = await expireClicks({
      shard,
      runForMs: lapMs,
      tickMs: TICK_MS,
      sleepMaxMs: SLEEP_MAX_MS,
    });
    show({ stage: 'loop', note: `Shard ${shard}, last lap: ${done.expired} clicks expired.` });
    if (done.sleepMs > 0) await sleep(done.sleepMs, { summary: 'until the next deadline' });
  }
  await continueAsNew<typeof clickExpiryWorkflow>(input);
}
