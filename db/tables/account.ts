import { accountLifecycle } from '../../domain/lifecycle/account.ts';
import { kycLifecycle } from '../../domain/lifecycle/kyc.ts';
import { id, state, text, time, whole, word } from '../schema/column.ts';
import { type Row, table } from '../schema/table.ts';

export const accounts = table('accounts', {
  id: id(),
  kind: word(['ADVERTISER', 'PUBLISHER']),
  username: text(),
  email: text(),
  emailConfirmedAt: time().orNull(),
  passwordHash: text(),
  nickname: text().orNull(),
  role: text().byDefault(),
  status: state(accountLifecycle).byDefault(),
  mobile: text().orNull(),
  companyName: text().orNull(),
  contactName: text().orNull(),
  industry: text().orNull(),
  siteUrl: text().orNull(),
  billingAddress: text().orNull(),
  taxId: text().orNull(),
  kycStatus: state(kycLifecycle).byDefault(),
  tokenVersion: whole().byDefault(),
  createdAt: time().byDefault(),
  updatedAt: time().byDefault(),
  version: whole().byDefault(),
  lastLoginAt: time().orNull(),
  legalHoldAt: time().orNull(),
});
export type AccountRow = Row<typeof accounts>;
