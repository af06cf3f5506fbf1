import * as yup from 'yup';
import { name, text } from '../http/fields.ts';

const part = (max: number) => text(max).nullable();

/** interface 4.12; which numbers an account needs is its country's matter (activities/withdrawals/payout-accounts.ts). */
export const bankAccountFields = {
  account_holder: name(140),
  account_type: yup.string().oneOf(['PERSONAL', 'BUSINESS'] as const),
  country: text(2).meta({ kind: 'word' }),
  currency: text(3).meta({ kind: 'word' }),
  bank_name: part(140),
  branch_name: part(140),
  iban: part(60).meta({ kind: 'word' }),
  account_number: part(60).meta({ kind: 'word' }),
  swift_bic: part(20).meta({ kind: 'word' }),
  routing_number: part(20),
  sort_code: part(20),
  cnaps_code: part(20),
};
