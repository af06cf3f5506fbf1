import { LONG_ROUND } from './policies.ts';
import { show } from './sight.ts';
import { stepsOf } from './steps.ts';

const { issueDocuments } = stepsOf(LONG_ROUND, {
  issueDocuments: 'Issue the statements, invoices and receipts that are due',
});

/** One round, started by its schedule. Apart from upkeep: neither waits for the other, nor fails with it. */
export async function documentsWorkflow(): Promise<void> {
  show({ stage: 'ended', note: `${await issueDocuments()} documents issued.` });
}
