import { auditLifecycle, ownerLifecycle } from '../../domain/lifecycle/review.ts';
import type { ZoneDevice, ZoneSettingsPatch, ZoneType } from '../../domain/zone-settings.ts';
import { id, json, nanos, ref, state, text, time, whole } from '../schema/column.ts';
import { type Row, table } from '../schema/table.ts';
import type { ReviewReason } from './json.ts';

export const zones = table('zones', {
  id: id(),
  publisherId: ref(),
  siteId: ref(),
  name: text(),
  zoneKey: text(),
  type: text<ZoneType>().byDefault(),
  adFormatId: ref().orNull(),
  zoneTypeId: ref().orNull(),
  sizeId: ref().orNull(),
  width: whole().byDefault(),
  height: whole().byDefault(),
  position: text().byDefault(),
  device: text<ZoneDevice>().byDefault(),
  pricingTypes: text().byDefault(),
  floorPriceCpcNanos: nanos().byDefault(),
  floorPriceCpmNanos: nanos().byDefault(),
  refresh: whole().byDefault(),
  settings: json<ZoneSettingsPatch>().byDefault(),
  status: state(ownerLifecycle).byDefault(),
  auditStatus: state(auditLifecycle).byDefault(),
  auditReasons: json<ReviewReason[]>().orNull(),
  auditRound: whole().byDefault(),
  version: whole().byDefault(),
  createdAt: time().byDefault(),
  updatedAt: time().byDefault(),
  rewardCallbackUrl: text().orNull(),
});
export type ZoneRow = Row<typeof zones>;
