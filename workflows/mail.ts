import type { MailInput } from './contracts/mail.ts';
import { MAIL_ATTEMPT } from './policies.ts';
import { show } from './sight.ts';
import { stepsOf } from './steps.ts';

const { deliverMail } = stepsOf(MAIL_ATTEMPT, {
  deliverMail: 'Hand the letter to the mail server',
});

/** Tries until the letter is handed over, refused for good, or too late; the step answers which. */
export async function mailWorkflow(input: MailInput): Promise<string> {
  show({ stage: 'mailing' });
  const { outcome } = await deliverMail(input);
  show({ stage: 'ended', note: `Outcome: ${outcome}.` });
  return outcome;
}
