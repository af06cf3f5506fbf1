import { ownerLifecycle } from '../../domain/lifecycle/review.ts';
import { COUNT_MODES, TRACKER_TYPES } from '../../domain/tracker.ts';
import { flag, id, nanos, ref, state, text, time, whole, word } from '../schema/column.ts';
import { type Patch, propertiesBut, type Row, table } from '../schema/table.ts';

export const trackers = table('trackers', {
  id: id(),
  advertiserId: ref(),
  name: text(),
  type: word(TRACKER_TYPES).byDefault(),
  eventType: text().byDefault(),
  countMode: word(COUNT_MODES).byDefault(),
  conversionValueNanos: nanos().byDefault(),
  attributionWindow: whole().byDefault(),
  postbackUrl: text().orNull(),
  pixelCode: text().orNull(),
  trackingCode: text(),
  status: state(ownerLifecycle).byDefault(),
  createdAt: time().byDefault(),
  updatedAt: time().byDefault(),
  version: whole().byDefault(),
  requireSig: flag().byDefault(),
  /** Null: as the platform's setting says. */
  validationDays: whole().orNull(),
});
export type TrackerRow = Row<typeof trackers>;

/** What its owner edits. */
export const TRACKER_FIELDS = propertiesBut(trackers, [
  'id',
  'advertiserId',
  'trackingCode',
  'status',
  'createdAt',
  'updatedAt',
  'version',
]);
export type TrackerFields = Patch<typeof trackers, (typeof TRACKER_FIELDS)[number]>;
