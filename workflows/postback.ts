import { proxyActivities, sleep } from '@temporalio/workflow';
import type { Activities } from '../activities/index.ts';
import type { PostbackInput, PostbackResult } from './contracts/postback.ts';
import { DATABASE_STEP, OUTSIDE_LOOK } from './policies.ts';

/**
 * A server that does not answer is an outcome and not an error: what Temporal retries is our own
 * trouble, so the retries are those of a database step.
 */
const { sendPostback } = proxyActivities<Pick<Activities, 'sendPostback'>>({
  ...OUTSIDE_LOOK,
  retry: DATABASE_STEP.retry,
});

/** Up to this part of a wait is added, so that a server that was away is not called by all at once. */
const JITTER = 0.1;

/** Calls now, then after each wait of its input, until the server has taken it. */
export async function postbackWorkflow({
  postbackId,
  firstAttempt,
  retryAfterSeconds,
}: PostbackInput): Promise<PostbackResult> {
  for (let attempt = firstAttempt; ; attempt += 1) {
    const wait = retryAfterSeconds[attempt - firstAttempt];
    // Temporal seeds this by the run: a replay waits as long.
    const nextAfterSeconds = wait === undefined ? null : wait * (1 + Math.random() * JITTER);
    const result = await sendPostback.executeWithOptions(
      { summary: `Send postback ${postbackId}, attempt ${attempt}` },
      [{ postbackId, attempt, nextAfterSeconds }],
    );
    if (nextAfterSeconds === null || result.state !== 'MISSED') return result;
    await sleep(Math.ceil(nextAfterSeconds * 1_000), { summary: 'until the next attempt' });
  }
}
