import { sleep } from '@temporalio/workflow';
import type { PaymentInput } from './contracts/deposit.ts';
import { PROVIDER_STEP } from './policies.ts';
import { show } from './sight.ts';
import { stepsOf } from './steps.ts';

const { askPayment } = stepsOf(PROVIDER_STEP, {
  askPayment: 'Ask the provider what has been paid',
});

/** A provider's own books may lag behind what it tells. */
const WAITS = ['2 seconds', '10 seconds', '1 minute', '10 minutes', '1 hour', '6 hours'] as const;

/**
 * A notification is a reason to ask and nothing more: what is credited is what the provider answers. It
 * ends when the provider has confirmed it, or after hours in which it did not.
 */
export async function depositPaymentWorkflow({ depositId }: PaymentInput): Promise<string> {
  for (const wait of WAITS) {
    const said = await askPayment({ depositId });
    if (said === 'PAID') {
      show({ stage: 'ended', note: 'The provider confirmed it.' });
      return said;
    }
    show({ stage: 'paying', note: `The provider said ${said}.` });
    await sleep(wait, { summary: 'until the provider is asked again' });
  }
  show({ stage: 'ended', note: 'The provider never confirmed it.' });
  return 'UNCONFIRMED';
}
