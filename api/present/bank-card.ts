import type * as yup from 'yup';
import type { ShownBankCard } from '../../db/queries/bank-cards.ts';
import {
  flag,
  idOf,
  oneOfOrNull,
  record,
  time,
  whole,
  words,
  wordsOrNull,
} from '../http/response-shapes.ts';

export const bankCardShape = record(
  {
    id: idOf(),
    account_holder: wordsOrNull(),
    account_type: oneOfOrNull(['PERSONAL', 'BUSINESS']),
    country: words(),
    currency: words(),
    bank_name: wordsOrNull(),
    branch_name: wordsOrNull(),
    /** Masked; the number itself is never answered. */
    account: words(),
    last4: words(),
    swift_bic: wordsOrNull(),
    is_default: flag(),
    /** Before it no money leaves for this account (interface 4.12). */
    usable_from: time(),
    is_usable: flag(),
    version: whole(),
    created_at: time(),
    updated_at: time(),
  },
  'BankCard',
);

export function presentBankCard(
  row: ShownBankCard,
  now: Date,
): yup.InferType<typeof bankCardShape> {
  const { shown } = row;
  return {
    id: row.id,
    account_holder: shown.account_holder ?? null,
    account_type: shown.account_type ?? null,
    country: row.country,
    currency: row.currency,
    bank_name: shown.bank_name ?? null,
    branch_name: shown.branch_name ?? null,
    account: shown.account ?? `****${row.last4}`,
    last4: row.last4,
    swift_bic: shown.swift_bic ?? null,
    is_default: row.isDefault,
    usable_from: row.usableFrom.toISOString(),
    is_usable: row.usableFrom <= now,
    version: row.version,
    created_at: row.createdAt.toISOString(),
    updated_at: row.updatedAt.toISOString(),
  };
}
