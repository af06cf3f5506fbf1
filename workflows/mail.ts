import { proxyActivities } from '@temporalio/workflow';
import type { Activities } from '../activities/index.ts';
import type { MailInput } from './contracts/mail.ts';
import { MAIL_ATTEMPT } from './policies.ts';

const { deliverMail } = proxyActivities<Pick<Activities, 'deliverMail'>>(MAIL_ATTEMPT);

/** Tries until the letter is handed over, refused for good, or too late; the step answers which. */
export async function mailWorkflow(input: MailInput): Promise<string> {
  const { outcome } = await deliverMail(input);
  return outcome;
}
