import { AI_KINDS, type AiRequest } from '../../domain/creative/generation.ts';
import { aiJobLifecycle } from '../../domain/lifecycle/ai-job.ts';
import { id, json, ref, state, time, word } from '../schema/column.ts';
import { type Row, table } from '../schema/table.ts';

export const aiJobs = table('ai_jobs', {
  id: id(),
  advertiserId: ref(),
  kind: word(AI_KINDS),
  request: json<AiRequest>(),
  status: state(aiJobLifecycle).byDefault(),
  createdAt: time().byDefault(),
  finishedAt: time().orNull(),
});
export type AiJobRow = Row<typeof aiJobs>;
