import { id, ref, time, whole } from '../schema/column.ts';
import { type Row, table } from '../schema/table.ts';

export const publisherShares = table('publisher_shares', {
  id: id(),
  publisherId: ref().orNull(),
  sharePpm: whole(),
  effectiveFrom: time(),
  createdAt: time().byDefault(),
});
export type PublisherShareRow = Row<typeof publisherShares>;
