import {
  ActivityFailure,
  ApplicationFailure,
  CancellationScope,
  isCancellation,
} from '@temporalio/workflow';
import type { AiJobEnd, AiJobInput } from './contracts/ai-job.ts';
import { DATABASE_STEP, GENERATION } from './policies.ts';
import { show } from './sight.ts';
import { stepsOf } from './steps.ts';

const { generateAiItem } = stepsOf(GENERATION, { generateAiItem: 'Make a part' });
const { endAiJob } = stepsOf(DATABASE_STEP, { endAiJob: 'Write down how the job ended' });

/**
 * Makes the parts of one job, one after the other, and says how it ended. A part that is stored
 * stays, also when a later one fails: the advertiser finds it in the library.
 */
export async function aiJobWorkflow({ jobId, items }: AiJobInput): Promise<AiJobEnd['status']> {
  try {
    for (let item = 1; item <= items; item += 1) {
      show({ stage: 'making', note: `Part ${item} of ${items}.` });
      const outcome = await generateAiItem.executeWithOptions(
        { summary: `Make part ${item} of ${items} of job ${jobId}` },
        [{ jobId, item }],
      );
      if (outcome === 'VOID') return 'CANCELLED';
    }
  } catch (error) {
    if (isCancellation(error)) {
      await CancellationScope.nonCancellable(
        async () => await endAiJob({ jobId, status: 'CANCELLED' }),
      );
      throw error;
    }
    const end = failureOf(jobId, error);
    await endAiJob(end);
    return end.status;
  }
  await endAiJob({ jobId, status: 'DONE' });
  return 'DONE';
}

/** A refusal is reported to the caller; trouble that outlasted its retries is the provider's. */
function failureOf(jobId: number, error: unknown): AiJobEnd {
  if (!(error instanceof ActivityFailure)) throw error;
  const { cause } = error;
  const refused = cause instanceof ApplicationFailure && cause.nonRetryable === true;
  return {
    jobId,
    status: 'FAILED',
    error: refused ? 'prompt_refused' : 'provider_failed',
    ...(refused ? { note: cause.message } : {}),
  };
}
