import { condition, defineSignal, proxyActivities, setHandler } from '@temporalio/workflow';
import type { Activities } from '../activities/index.ts';
import {
  SITE_VERIFICATION_WITHDRAW_SIGNAL,
  type SiteCheckResult,
  type SiteVerificationInput,
} from './contracts/site-verification.ts';
import { DATABASE_STEP, ON_STRANGERS, OUTSIDE_LOOK } from './policies.ts';

/**
 * A proof that is not there is an answer, not an error: what Temporal retries is our own trouble, so
 * the retries are those of a database step.
 */
const { checkSite } = proxyActivities<Pick<Activities, 'checkSite'>>({
  ...OUTSIDE_LOOK,
  ...ON_STRANGERS,
  retry: DATABASE_STEP.retry,
});

const withdraw = defineSignal(SITE_VERIFICATION_WITHDRAW_SIGNAL);

/** Looks for the proof now, then after each wait of its input, until found, missing or withdrawn. */
export async function siteVerificationWorkflow(
  input: SiteVerificationInput,
): Promise<SiteCheckResult> {
  let withdrawn = false;
  setHandler(withdraw, () => {
    withdrawn = true;
  });
  for (let attempt = input.firstAttempt ?? 1; ; attempt += 1) {
    const nextAfterSeconds = input.retryAfterSeconds[attempt - 1] ?? null;
    const { siteId, round } = input;
    const checked = await checkSite.executeWithOptions(
      { summary: `Look for the proof of site ${siteId}, attempt ${attempt}` },
      [{ siteId, round, attempt, nextAfterSeconds }],
    );
    if (checked.state !== 'MISSED' || nextAfterSeconds === null) return checked;
    // The rows were voided in the transaction that sent the signal; nothing is left to write.
    if (await condition(() => withdrawn, nextAfterSeconds * 1_000)) {
      return { state: 'VOID', outcome: 'WITHDRAWN' };
    }
  }
}
