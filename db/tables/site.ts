import { ownerLifecycle, siteAuditLifecycle } from '../../domain/lifecycle/review.ts';
import {
  MEDIA_TYPES,
  siteVerifyLifecycle,
  type VerifyMethod,
} from '../../domain/lifecycle/site.ts';
import { id, json, ref, state, text, time, whole, word } from '../schema/column.ts';
import { type Row, table } from '../schema/table.ts';
import type { ReviewReason } from './json.ts';

export const sites = table('sites', {
  id: id(),
  publisherId: ref(),
  name: text(),
  mediaType: word(MEDIA_TYPES).byDefault(),
  domain: text().orNull(),
  appPackage: text().orNull(),
  url: text().orNull(),
  description: text().orNull(),
  industryId: ref().orNull(),
  icp: text().orNull(),
  verifyToken: text(),
  verifyStatus: state(siteVerifyLifecycle).byDefault(),
  verifyMethod: text<VerifyMethod>().orNull(),
  verifiedAt: time().orNull(),
  verifyRound: whole().byDefault(),
  status: state(ownerLifecycle).byDefault(),
  auditStatus: state(siteAuditLifecycle).byDefault(),
  auditReasons: json<ReviewReason[]>().orNull(),
  auditRound: whole().byDefault(),
  version: whole().byDefault(),
  createdAt: time().byDefault(),
  updatedAt: time().byDefault(),
  verifyDueAt: time().orNull(),
  verifyMisses: whole().byDefault(),
  verifyLapsesAt: time().orNull(),
  /** Since when its owner claims the name. */
  claimedAt: time().byDefault(),
});
export type SiteRow = Row<typeof sites>;
