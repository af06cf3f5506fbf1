import type * as yup from 'yup';
import type { TaskTry } from '../../db/queries/tasks.ts';
import { record, time, words, wordsOrNull } from '../http/response-shapes.ts';

/** The latest decision that has not taken effect: `refusal` says why not; without one its flow has yet to take it. */
export const lastTryShape = record({
  decision: words(),
  operator: words(),
  refusal: wordsOrNull(),
  created_at: time(),
});

export const presentTry = (last: TaskTry): yup.InferType<typeof lastTryShape> => ({
  decision: last.decision,
  operator: last.operator,
  refusal: last.status === 'REFUSED' ? (last.refusal ?? '') : null,
  created_at: last.createdAt.toISOString(),
});
