import type { EventKind, PricingModel, Reason } from '../../domain/tracking/facts.ts';
import type { EventStatus } from '../../domain/tracking/verdict.ts';
import { day, flag, json, nanos, ref, text, time, uuid, whole } from '../schema/column.ts';
import { type Row, table } from '../schema/table.ts';

export const events = table(
  'events',
  {
    day: day(),
    id: uuid(),
    shard: whole(),
    kind: text<EventKind>(),
    receivedAt: time(),
    judgedAt: time().byDefault(),
    requestId: text().orNull(),
    bidId: text().orNull(),
    clickId: text().orNull(),
    advertiserId: ref().orNull(),
    campaignId: ref().orNull(),
    adGroupId: ref().orNull().named('adgroup_id'),
    adId: ref().orNull(),
    creativeId: ref().orNull(),
    publisherId: ref().orNull(),
    siteId: ref().orNull(),
    zoneId: ref().orNull(),
    country: text().orNull(),
    device: text().orNull(),
    os: text().orNull(),
    browser: text().orNull(),
    ipPrefix: text().orNull(),
    pricingModel: text<PricingModel>().orNull(),
    billable: flag(),
    status: text<EventStatus>(),
    reason: text<Reason>().orNull(),
    reasons: json<Reason[]>().byDefault(),
    priceNanos: nanos().byDefault(),
    publisherNanos: nanos().byDefault(),
    batchId: ref().orNull(),
    conversionId: ref().orNull(),
    /** What the page said that the ad was shown on: a row of pages. */
    pageId: ref().orNull(),
  },
  { key: ['day', 'id'] },
);
export type EventRow = Row<typeof events>;
