import type * as yup from 'yup';
import type { ShownTrackerTest } from '../../db/queries/tracker-tests.ts';
import { POSTBACK_STATUSES } from '../../domain/lifecycle/postback.ts';
import {
  address,
  flag,
  idOf,
  listOf,
  money,
  oneOf,
  record,
  time,
  timeOrNull,
  whole,
  wholeOrNull,
  words,
  wordsOrNull,
} from '../http/response-shapes.ts';

/** interface 4.7: a click id that reports may name without being counted, and the last that did. */
export const trackerTestShape = record(
  {
    id: idOf(),
    click_id: words(),
    expires_at: time(),
    /** Where to report it, as a server does and as a page does. */
    conversion_url: address(),
    pixel_url: address(),
    reports: whole().min(0),
    reported_at: timeOrNull(),
    source: wordsOrNull(),
    /** ACCEPTED, or the name of the refusal (interface 7). */
    outcome: wordsOrNull(),
    message: wordsOrNull(),
    understood: record({
      has_code: flag(),
      is_signed: flag(),
      value: money(),
      currency: words(),
      event: words(),
      transaction_id: wordsOrNull(),
    }).nullable(),
    /** The call of the tracker's postback_url that this test made. */
    postback: record({
      id: idOf(),
      url: address(),
      status: oneOf(POSTBACK_STATUSES),
      last_outcome: wordsOrNull(),
      took_ms: wholeOrNull(),
      answer: wordsOrNull(),
    }).nullable(),
    created_at: time(),
  },
  'TrackerTest',
);
export const trackerTestsShape = record({ items: listOf(trackerTestShape) });

export function presentTrackerTest(
  row: ShownTrackerTest,
  { trackUrl, code }: { trackUrl: string; code: string },
): yup.InferType<typeof trackerTestShape> {
  const report = `code=${encodeURIComponent(code)}&click_id=${row.clickId}`;
  return {
    id: row.id,
    click_id: row.clickId,
    expires_at: row.expiresAt.toISOString(),
    conversion_url: `${trackUrl}/track/conversion?${report}`,
    pixel_url: `${trackUrl}/track/conversion.gif?${report.replace('code=', 'c=')}`,
    reports: row.reports,
    reported_at: row.reportedAt?.toISOString() ?? null,
    source: row.source,
    outcome: row.outcome,
    message: row.message,
    understood: row.understood,
    postback: postbackOf(row),
    created_at: row.createdAt.toISOString(),
  };
}

function postbackOf(row: ShownTrackerTest): yup.InferType<typeof trackerTestShape>['postback'] {
  const { callId: id, callUrl: url, callStatus: status } = row;
  if (id === null || url === null || status === null) return null;
  return {
    id,
    url,
    status,
    last_outcome: row.callLastOutcome,
    took_ms: row.callTookMs,
    answer: row.callAnswer,
  };
}
