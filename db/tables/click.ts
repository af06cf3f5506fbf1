import { clickLifecycle } from '../../domain/lifecycle/click.ts';
import type { PricingModel, Reason } from '../../domain/tracking/facts.ts';
import { nanos, ref, state, text, time, uuid, whole } from '../schema/column.ts';
import { type Row, table } from '../schema/table.ts';

export const clicks = table('clicks', {
  id: uuid(),
  clickId: text(),
  shard: whole(),
  status: state(clickLifecycle).byDefault(),
  reason: text<Reason>().orNull(),
  verifyBy: time(),
  clickedAt: time(),
  verifiedAt: time().orNull(),
  requestId: text(),
  bidId: text(),
  advertiserId: ref(),
  campaignId: ref(),
  adGroupId: ref().named('adgroup_id'),
  adId: ref(),
  creativeId: ref(),
  zoneId: ref(),
  bidPriceNanos: nanos(),
  pricingModel: text<PricingModel>(),
});
export type ClickRow = Row<typeof clicks>;
