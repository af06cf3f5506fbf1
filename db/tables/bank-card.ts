import { archivableLifecycle } from '../../domain/lifecycle/archivable.ts';
import { bytes, flag, id, json, ref, state, text, time, whole } from '../schema/column.ts';
import { type Row, table } from '../schema/table.ts';

export const bankCards = table('bank_cards', {
  id: id(),
  publisherId: ref(),
  sealedInfo: bytes(),
  last4: text().named('last4'),
  country: text(),
  currency: text(),
  isDefault: flag().byDefault(),
  usableFrom: time(),
  status: state(archivableLifecycle).byDefault(),
  createdAt: time().byDefault(),
  shown: json<object>().byDefault(),
  fingerprint: text().orNull(),
  version: whole().byDefault(),
  updatedAt: time().byDefault(),
});
export type BankCardRow = Row<typeof bankCards>;
