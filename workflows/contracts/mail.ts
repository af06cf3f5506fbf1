/** One letter. The id is all that a flow knows of it. */
export interface MailInput {
  mailId: number;
}

export const MAIL_WORKFLOW = 'mailWorkflow';
export const mailWorkflowId = ({ mailId }: MailInput): string => `mail:${mailId}`;
