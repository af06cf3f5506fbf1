import { conversionLifecycle } from '../../domain/lifecycle/conversion.ts';
import type { ConversionReason, ConversionSource } from '../../domain/tracking/attribution.ts';
import type { ConversionFinding, Reporter } from '../../domain/tracking/conversion-findings.ts';
import { flag, id, json, nanos, ref, state, text, time, whole } from '../schema/column.ts';
import { type Row, table } from '../schema/table.ts';

export const conversions = table('conversions', {
  id: id(),
  trackerId: ref().orNull(),
  advertiserId: ref().orNull(),
  campaignId: ref().orNull(),
  adGroupId: ref().orNull().named('adgroup_id'),
  adId: ref().orNull(),
  creativeId: ref().orNull(),
  zoneId: ref().orNull(),
  clickId: text().orNull(),
  dedupeKey: text(),
  eventType: text(),
  valueNanos: nanos().byDefault(),
  currency: text().byDefault(),
  status: state(conversionLifecycle),
  reason: text<ConversionReason>().orNull(),
  latencySeconds: whole().orNull(),
  clickedAt: time().orNull(),
  source: text<ConversionSource>().byDefault(),
  createdAt: time().byDefault(),
  isSigned: flag().byDefault(),
  reporter: json<Reporter>().orNull(),
  findings: json<ConversionFinding[]>().byDefault(),
  publisherId: ref().orNull(),
  priceNanos: nanos().byDefault(),
  dueAt: time().orNull(),
  decidedAt: time().orNull(),
  note: text().orNull(),
  /** Of one with findings: rejected then, unless a person decides before. */
  decideBy: time().orNull(),
  /** What it is called outside; the key stays inside. */
  publicId: ref().byDefault(),
  /** When its advertiser was asked; null of what never waited. */
  heldAt: time().orNull(),
});
export type ConversionRow = Row<typeof conversions>;
