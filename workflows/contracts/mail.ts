import type { FlowStart } from './queues.ts';

/** One letter. The id is all that a flow knows of it. */
export interface MailInput {
  mailId: number;
}

export const MAIL_WORKFLOW = 'mailWorkflow';
export const mailWorkflowId = ({ mailId }: MailInput): string => `mail:${mailId}`;

export const mailStart = (input: MailInput): FlowStart => ({
  workflowId: mailWorkflowId(input),
  type: MAIL_WORKFLOW,
  taskQueue: 'mail',
  input,
  summary: `Letter ${input.mailId}`,
  attributes: { state: 'mailing', subject: `mail:${input.mailId}` },
});
