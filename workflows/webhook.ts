import type { WebhookInput, WebhookResult } from './contracts/webhook.ts';
import { DATABASE_STEP, OUTSIDE_LOOK } from './policies.ts';
import { stepsOf } from './steps.ts';
import { untilTaken } from './until-taken.ts';

/** As of a postback: somebody's server that does not answer is an outcome. */
const { sendWebhook } = stepsOf(
  { ...OUTSIDE_LOOK, retry: DATABASE_STEP.retry },
  { sendWebhook: 'Tell of the event' },
);

/** Tells of one event until the owner's server has taken it. */
export async function webhookWorkflow(input: WebhookInput): Promise<WebhookResult> {
  const { deliveryId } = input;
  return await untilTaken(
    input,
    async (attempt, nextAfterSeconds) =>
      await sendWebhook.executeWithOptions(
        { summary: `Send webhook ${deliveryId}, attempt ${attempt}` },
        [{ deliveryId, attempt, nextAfterSeconds }],
      ),
  );
}
