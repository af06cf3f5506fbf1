import type { PostbackInput, PostbackResult } from './contracts/postback.ts';
import { DATABASE_STEP, OUTSIDE_LOOK } from './policies.ts';
import { stepsOf } from './steps.ts';
import { untilTaken } from './until-taken.ts';

/**
 * A server that does not answer is an outcome and not an error: what Temporal retries is our own
 * trouble, so the retries are those of a database step.
 */
const { sendPostback } = stepsOf(
  { ...OUTSIDE_LOOK, retry: DATABASE_STEP.retry },
  { sendPostback: 'Report the conversion' },
);

/** Reports one conversion until the advertiser's server has taken it. */
export async function postbackWorkflow(input: PostbackInput): Promise<PostbackResult> {
  const { postbackId } = input;
  return await untilTaken(
    input,
    async (attempt, nextAfterSeconds) =>
      await sendPostback.executeWithOptions(
        { summary: `Send postback ${postbackId}, attempt ${attempt}` },
        [{ postbackId, attempt, nextAfterSeconds }],
      ),
  );
}
