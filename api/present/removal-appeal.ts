import type * as yup from 'yup';
import type { ShownRemovalAppeal } from '../../db/queries/removal-appeals.ts';
import { REMOVAL_APPEAL_STATUSES } from '../../domain/lifecycle/removal-appeal.ts';
import {
  date,
  idOf,
  listOf,
  oneOf,
  record,
  time,
  timeOrNull,
  whole,
  words,
} from '../http/response-shapes.ts';
import { reviewReasonShape } from './inventory.ts';

export const removalAppealFields = {
  id: idOf(),
  zone_id: idOf(),
  zone_name: words(),
  date: date(),
  reason: words(),
  /** The publisher's own words. */
  text: words(),
  /** What was removed, counted when it was appealed. */
  impressions: whole().min(0),
  clicks: whole().min(0),
  conversions: whole().min(0),
  status: oneOf(REMOVAL_APPEAL_STATUSES),
  /** Why it was rejected. */
  reasons: listOf(reviewReasonShape),
  created_at: time(),
  decided_at: timeOrNull(),
};
export const removalAppealShape = record(removalAppealFields, 'RemovalAppeal');

export const presentRemovalAppeal = (
  appeal: ShownRemovalAppeal,
): yup.InferType<typeof removalAppealShape> => ({
  id: appeal.id,
  zone_id: appeal.zoneId,
  zone_name: appeal.zoneName,
  date: appeal.day,
  reason: appeal.reason,
  text: appeal.text,
  impressions: appeal.impressions,
  clicks: appeal.clicks,
  conversions: appeal.conversions,
  status: appeal.status,
  reasons: appeal.reasons ?? [],
  created_at: appeal.createdAt.toISOString(),
  decided_at: appeal.decidedAt?.toISOString() ?? null,
});
