import { day, flag, nanos, ref, text, time, uuid } from '../schema/column.ts';
import { table } from '../schema/table.ts';

export const eventCorrections = table(
  'event_corrections',
  {
    day: day(),
    eventId: uuid(),
    reversalId: ref().orNull(),
    appealId: ref().orNull(),
    billable: flag(),
    reason: text().orNull(),
    priceDeltaNanos: nanos(),
    publisherDeltaNanos: nanos(),
    batchId: ref(),
    createdAt: time().byDefault(),
  },
  { key: ['day', 'eventId'] },
);
