import { KYC_ENTITY_TYPES, kycApplicationLifecycle } from '../../domain/lifecycle/kyc.ts';
import { day, id, json, ref, refs, state, text, time, whole, word } from '../schema/column.ts';
import { type Row, table } from '../schema/table.ts';
import type { ReviewReason } from './json.ts';

export const kycApplications = table('kyc_applications', {
  id: id(),
  accountId: ref(),
  round: whole(),
  status: state(kycApplicationLifecycle).byDefault(),
  entityType: word(KYC_ENTITY_TYPES),
  legalName: text().orNull(),
  country: text(),
  documentNumberSealed: text().orNull(),
  documentNumberTail: text().orNull(),
  documentExpiresOn: day().orNull(),
  documentIds: refs(),
  reasons: json<ReviewReason[]>().orNull(),
  workflowId: text(),
  expiresAt: time().orNull(),
  remindedDays: whole().orNull(),
  createdAt: time().byDefault(),
  decidedAt: time().orNull(),
  /** Worked out by the database: since when nothing rests on it. */
  endedAt: time().orNull(),
  erasedAt: time().orNull(),
});
export type KycApplicationRow = Row<typeof kycApplications>;
