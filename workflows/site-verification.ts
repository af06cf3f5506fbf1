import { condition, defineSignal, proxyActivities, setHandler } from '@temporalio/workflow';
import type { createSiteVerificationActivities } from '../activities/site-verification.ts';
import {
  SITE_VERIFICATION_WITHDRAW_SIGNAL,
  type SiteCheckResult,
  type SiteVerificationInput,
} from './contracts/site-verification.ts';

type Activities = ReturnType<typeof createSiteVerificationActivities>;

/** A proof that is not there is an answer, not an error: only our own trouble is retried by Temporal. */
const { checkSite } = proxyActivities<Pick<Activities, 'checkSite'>>({
  startToCloseTimeout: '1 minute',
  retry: { initialInterval: '1 second', maximumInterval: '1 minute' },
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
  for (let attempt = 1; ; attempt += 1) {
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
