import { sleep } from '@temporalio/workflow';
import type { RewardCallbackInput, RewardCallbackResult } from './contracts/reward-callback.ts';
import { DATABASE_STEP, OUTSIDE_LOOK } from './policies.ts';
import { show } from './sight.ts';
import { stepsOf } from './steps.ts';

/**
 * A server that does not answer is an outcome and not an error: what Temporal retries is our own
 * trouble, so the retries are those of a database step.
 */
const { sendRewardCallback } = stepsOf(
  { ...OUTSIDE_LOOK, retry: DATABASE_STEP.retry },
  { sendRewardCallback: 'Tell of the reward' },
);

/** Calls now, then after each wait of its input, until the server has taken it. */
export async function rewardCallbackWorkflow({
  rewardId,
  retryAfterSeconds,
}: RewardCallbackInput): Promise<RewardCallbackResult> {
  for (let attempt = 1; ; attempt += 1) {
    const nextAfterSeconds = retryAfterSeconds[attempt - 1];
    const isLast = nextAfterSeconds === undefined;
    show({ stage: 'delivering' });
    const result = await sendRewardCallback.executeWithOptions(
      { summary: `Tell of reward ${rewardId}, attempt ${attempt}` },
      [{ rewardId, attempt, isLast }],
    );
    if (isLast || result.state === 'DELIVERED') {
      show({ stage: 'ended', note: `Outcome: ${result.state}.` });
      return result;
    }
    const dueAt = new Date(Date.now() + nextAfterSeconds * 1_000).toISOString();
    show({ stage: 'deliver_again', dueAt, note: `Attempt ${attempt} was not taken.` });
    await sleep(nextAfterSeconds * 1_000, { summary: 'until the next attempt' });
  }
}
