import {
  ActivityFailure,
  ApplicationFailure,
  CancellationScope,
  isCancellation,
  proxyActivities,
} from '@temporalio/workflow';
import type { Activities } from '../activities/index.ts';
import type { AiJobEnd, AiJobInput } from './contracts/ai-job.ts';
import { DATABASE_STEP, GENERATION } from './policies.ts';

const { generateAiItem } = proxyActivities<Pick<Activities, 'generateAiItem'>>(GENERATION);
const { endAiJob } = proxyActivities<Pick<Activities, 'endAiJob'>>(DATABASE_STEP);

/**
 * Makes the parts of one job, one after the other, and says how it ended. A part that is stored
 * stays, also when a later one fails: the advertiser finds it in the library.
 */
export async function aiJobWorkflow({ jobId, items }: AiJobInput): Promise<AiJobEnd['status']> {
  try {
    for (let item = 1; item <= items; item += 1) {
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
