import type * as yup from 'yup';
import { PLATFORM_CURRENCY } from '../../activities/core/ledger.ts';
import type { AccountOverview } from '../../db/queries/account-admin.ts';
import { presentAmount } from '../../domain/money.ts';
import { accountLifecycle } from '../../domain/lifecycle/account.ts';
import { KYC_STATUSES } from '../../domain/lifecycle/profile.ts';
import {
  idOf,
  money,
  oneOf,
  record,
  time,
  timeOrNull,
  whole,
  words,
  wordsOrNull,
} from '../http/response-shapes.ts';

const overviewFields = {
  id: idOf(),
  username: words(),
  email: words(),
  /** Since when it is known that its owner reads it. */
  email_confirmed_at: timeOrNull(),
  nickname: words(),
  company_name: wordsOrNull(),
  contact_name: wordsOrNull(),
  mobile: wordsOrNull(),
  industry: wordsOrNull(),
  billing_address: wordsOrNull(),
  tax_id: wordsOrNull(),
  status: oneOf(accountLifecycle.statuses),
  kyc_status: oneOf(KYC_STATUSES),
  /** Since when its identity papers are kept from being erased; null: they are not. */
  legal_hold_at: timeOrNull(),
  /** Who holds them, and why. */
  legal_hold_by: wordsOrNull(),
  legal_hold_reason: wordsOrNull(),
  version: whole().min(1),
  created_at: time(),
  updated_at: time(),
};

/** An advertiser as operators see it: with its balance and what is open (interface 5.2). */
export const advertiserOverviewShape = record(
  {
    ...overviewFields,
    balance: record({ currency: words(), balance: money(), available: money(), held: money() }),
    open: record({ tasks: whole(), deposits: whole() }),
  },
  'AdvertiserOverview',
);

export const publisherOverviewShape = record(
  {
    ...overviewFields,
    site_url: wordsOrNull(),
    balance: record({
      currency: words(),
      balance: money(),
      withdrawable: money(),
      maturing: money(),
      held: money(),
    }),
    open: record({ tasks: whole(), withdrawals: whole() }),
  },
  'PublisherOverview',
);

const presentPerson = (account: AccountOverview) => ({
  id: account.id,
  username: account.username,
  email: account.email,
  email_confirmed_at: account.emailConfirmedAt?.toISOString() ?? null,
  nickname: account.nickname ?? account.username,
  company_name: account.companyName,
  contact_name: account.contactName,
  mobile: account.mobile,
  industry: account.industry,
  billing_address: account.billingAddress,
  tax_id: account.taxId,
  status: account.status,
  kyc_status: account.kycStatus,
  legal_hold_at: account.legalHoldAt?.toISOString() ?? null,
  legal_hold_by: account.legalHoldBy,
  legal_hold_reason: account.legalHoldReason,
  version: account.version,
  created_at: account.createdAt.toISOString(),
  updated_at: account.updatedAt.toISOString(),
});

export function presentAdvertiserOverview(
  account: AccountOverview,
): yup.InferType<typeof advertiserOverviewShape> {
  const { availableNanos, heldNanos } = account;
  return {
    ...presentPerson(account),
    balance: {
      currency: PLATFORM_CURRENCY,
      balance: presentAmount(availableNanos + heldNanos),
      available: presentAmount(availableNanos),
      held: presentAmount(heldNanos),
    },
    open: { tasks: account.openTasks, deposits: account.openMoneyOrders },
  };
}

export function presentPublisherOverview(
  account: AccountOverview,
): yup.InferType<typeof publisherOverviewShape> {
  const { maturingNanos, withdrawableNanos, heldNanos } = account;
  return {
    ...presentPerson(account),
    site_url: account.siteUrl,
    balance: {
      currency: PLATFORM_CURRENCY,
      balance: presentAmount(maturingNanos + withdrawableNanos + heldNanos),
      withdrawable: presentAmount(withdrawableNanos),
      maturing: presentAmount(maturingNanos),
      held: presentAmount(heldNanos),
    },
    open: { tasks: account.openTasks, withdrawals: account.openMoneyOrders },
  };
}
