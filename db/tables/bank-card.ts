import { bankCardLifecycle } from '../../domain/lifecycle/bank-card.ts';
import { bytes, flag, id, json, ref, state, text, time, whole } from '../schema/column.ts';
import { type Row, table } from '../schema/table.ts';

/** What may be seen without opening the seal; empty for a card that was written by hand. */
interface ShownBankAccount {
  account_holder?: string;
  account_type?: 'PERSONAL' | 'BUSINESS';
  bank_name?: string | null;
  branch_name?: string | null;
  account?: string;
  swift_bic?: string | null;
}

export const bankCards = table('bank_cards', {
  id: id(),
  publisherId: ref(),
  sealedInfo: bytes(),
  last4: text().named('last4'),
  country: text(),
  currency: text(),
  isDefault: flag().byDefault(),
  usableFrom: time(),
  status: state(bankCardLifecycle).byDefault(),
  createdAt: time().byDefault(),
  shown: json<ShownBankAccount>().byDefault(),
  fingerprint: text().orNull(),
  version: whole().byDefault(),
  updatedAt: time().byDefault(),
});
export type BankCardRow = Row<typeof bankCards>;
