import { proxyActivities, sleep } from '@temporalio/workflow';
import type { Activities } from '../activities/index.ts';
import type { RewardCallbackInput, RewardCallbackResult } from './contracts/reward-callback.ts';
import { DATABASE_STEP, OUTSIDE_LOOK } from './policies.ts';

/**
 * A server that does not answer is an outcome and not an error: what Temporal retries is our own
 * trouble, so the retries are those of a database step.
 */
const { sendRewardCallback } = proxyActivities<Pick<Activities, 'sendRewardCallback'>>({
  ...OUTSIDE_LOOK,
  retry: DATABASE_STEP.retry,
});

/** Calls now, then after each wait of its input, until the server has taken it. */
export async function rewardCallbackWorkflow({
  rewardId,
  retryAfterSeconds,
}: RewardCallbackInput): Promise<RewardCallbackResult> {
  for (let attempt = 1; ; attempt += 1) {
    const nextAfterSeconds = retryAfterSeconds[attempt - 1];
    const isLast = nextAfterSeconds === undefined;
    const result = await sendRewardCallback.executeWithOptions(
      { summary: `Tell of reward ${rewardId}, attempt ${attempt}` },
      [{ rewardId, attempt, isLast }],
    );
    if (isLast || result.state === 'DELIVERED') return result;
    await sleep(nextAfterSeconds * 1_000, { summary: 'until the next attempt' });
  }
}
