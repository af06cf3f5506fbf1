import type { TestReport } from '../../domain/tracking/tracker-test.ts';
import { id, json, ref, text, time, whole } from '../schema/column.ts';
import { type Row, table } from '../schema/table.ts';

export const trackerTests = table('tracker_tests', {
  id: id(),
  trackerId: ref(),
  advertiserId: ref(),
  clickId: text(),
  expiresAt: time(),
  reports: whole().byDefault(),
  reportedAt: time().orNull(),
  source: text().orNull(),
  outcome: text().orNull(),
  message: text().orNull(),
  understood: json<TestReport>().orNull(),
  createdAt: time().byDefault(),
});
export type TrackerTestRow = Row<typeof trackerTests>;
