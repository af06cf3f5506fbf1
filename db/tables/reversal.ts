import { reversalLifecycle } from '../../domain/lifecycle/reversal.ts';
import { REVERSAL_REASONS, REVERSAL_SOURCES, type ReversalScope } from '../../domain/reversal.ts';
import {
  day,
  id,
  json,
  nanos,
  ref,
  state,
  text,
  time,
  uuid,
  whole,
  word,
} from '../schema/column.ts';
import { type Row, table } from '../schema/table.ts';

export const reversals = table('reversals', {
  id: id(),
  source: word(REVERSAL_SOURCES),
  scope: json<ReversalScope>(),
  reason: word(REVERSAL_REASONS),
  note: text(),
  status: state(reversalLifecycle).byDefault(),
  events: whole().byDefault(),
  priceNanos: nanos().byDefault(),
  publisherNanos: nanos().byDefault(),
  factless: whole().byDefault(),
  contentHash: text().orNull(),
  batches: whole().byDefault(),
  reversedEvents: whole().byDefault(),
  reversedPriceNanos: nanos().byDefault(),
  reversedPublisherNanos: nanos().byDefault(),
  makerId: ref(),
  checkerId: ref().orNull(),
  failure: text().orNull(),
  createdAt: time().byDefault(),
  decidedAt: time().orNull(),
  endedAt: time().orNull(),
});
export type ReversalRow = Row<typeof reversals>;

export const reversalItems = table(
  'reversal_items',
  {
    reversalId: ref(),
    day: day(),
    eventId: uuid(),
    reason: text(),
    advertiserId: ref(),
    publisherId: ref(),
    priceNanos: nanos(),
    publisherNanos: nanos(),
  },
  { key: ['reversalId', 'day', 'eventId'] },
);
