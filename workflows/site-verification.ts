import { condition, defineSignal, patched, setHandler } from '@temporalio/workflow';
import {
  SITE_VERIFICATION_WITHDRAW_SIGNAL,
  type SiteCheckResult,
  type SiteVerificationInput,
} from './contracts/site-verification.ts';
import { DATABASE_STEP, ON_STRANGERS, OUTSIDE_LOOK } from './policies.ts';
import { show } from './sight.ts';
import { stepsOf } from './steps.ts';

/**
 * A proof that is not there is an answer, not an error: what Temporal retries is our own trouble, so
 * the retries are those of a database step.
 */
const { checkSite } = stepsOf(
  { ...OUTSIDE_LOOK, ...ON_STRANGERS, retry: DATABASE_STEP.retry },
  { checkSite: 'Look for the proof of the site' },
);

const db = stepsOf(DATABASE_STEP, {
  isVerificationWithdrawn: 'Ask whether the verification was withdrawn',
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
    show({ stage: 'proof', note: `Attempt ${attempt}.` });
    const checked = await checkSite.executeWithOptions(
      { summary: `Look for the proof of site ${siteId}, attempt ${attempt}` },
      [{ siteId, round, attempt, nextAfterSeconds }],
    );
    if (checked.state !== 'MISSED' || nextAfterSeconds === null) {
      show({ stage: 'ended', note: `Outcome: ${checked.state}, ${checked.outcome}.` });
      return checked;
    }
    const nextAt = Date.now() + nextAfterSeconds * 1_000;
    const dueAt = new Date(nextAt).toISOString();
    show({ stage: 'proof_again', dueAt, note: `Last: ${checked.outcome}.` });
    const summary = 'until the next attempt';
    while (await condition(() => withdrawn, Math.max(1, nextAt - Date.now()), { summary })) {
      // The rows were voided in the transaction that sent the signal; a signal alone changes nothing.
      withdrawn = false;
      if (!patched('rows-not-signals') || (await db.isVerificationWithdrawn({ siteId, round }))) {
        show({ stage: 'ended', note: 'It was withdrawn.' });
        return { state: 'VOID', outcome: 'WITHDRAWN' };
      }
    }
  }
}
