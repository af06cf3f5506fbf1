import type * as yup from 'yup';
import type { PostbackScreen } from '../../db/queries/postbacks.ts';
import { POSTBACK_STATUSES } from '../../domain/lifecycle/postback.ts';
import {
  address,
  idOf,
  idOrNullOf,
  oneOf,
  record,
  time,
  timeOrNull,
  whole,
  wholeOrNull,
  words,
  wordsOrNull,
} from '../http/response-shapes.ts';

/**
 * interface 4.14: a call of a tracker's postback_url; `url` is without the time and signature of a
 * call, `answer` the beginning of what the server said last.
 */
export const postbackShape = record(
  {
    id: idOf(),
    conversion_id: idOrNullOf(),
    test_id: idOrNullOf(),
    url: address(),
    status: oneOf(POSTBACK_STATUSES),
    attempts: whole().min(0),
    next_attempt_at: timeOrNull(),
    last_outcome: wordsOrNull(),
    took_ms: wholeOrNull(),
    answer: wordsOrNull(),
    delivered_at: timeOrNull(),
    created_at: time(),
    updated_at: time(),
  },
  'Postback',
);

export function presentPostback(row: PostbackScreen): yup.InferType<typeof postbackShape> {
  return {
    id: row.id,
    conversion_id: row.publicConversionId,
    test_id: row.testId,
    url: row.url,
    status: row.status,
    attempts: row.attempts,
    next_attempt_at: row.nextAttemptAt?.toISOString() ?? null,
    last_outcome: row.lastOutcome,
    took_ms: row.tookMs,
    answer: row.answer,
    delivered_at: row.deliveredAt?.toISOString() ?? null,
    created_at: row.createdAt.toISOString(),
    updated_at: row.updatedAt.toISOString(),
  };
}

/** Whoever receives our calls checks them by it. */
export const postbackSecretShape = record(
  { algorithm: oneOf(['HMAC-SHA256']), secret: words(), signed: words() },
  'PostbackSecret',
);

export const presentPostbackSecret = (
  secret: string,
): yup.InferType<typeof postbackSecretShape> => ({
  algorithm: 'HMAC-SHA256',
  secret,
  signed: 'sig is the hex HMAC of the query before "&sig=", with the secret as it is shown.',
});
