import type { KycInput } from './contracts/kyc.ts';
import { oneDecision } from './one-decision.ts';
import { DATABASE_STEP } from './policies.ts';
import { stepsOf } from './steps.ts';

const db = stepsOf(DATABASE_STEP, {
  openKycTask: "Open the reviewers' task",
  applyKycDecision: "Apply an operator's decision",
});

/** A person looks at the documents and decides (interface 5.1). */
export const kycWorkflow = async (input: KycInput): Promise<string> =>
  await oneDecision({
    description: 'An operator decides whether the documents are accepted.',
    ask: async () => await db.openKycTask(input),
    apply: async (decision) => await db.applyKycDecision({ ...input, decision }),
  });
