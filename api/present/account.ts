import type * as yup from 'yup';
import { kindOfRealm, type LoginRow, type ProfileRow } from '../../db/queries/accounts.ts';
import { MEMBER_ROLES } from '../../domain/member.ts';
import { OPERATOR_ROLES } from '../../domain/operator.ts';
import { accountLifecycle } from '../../domain/lifecycle/account.ts';
import {
  COMPLETENESS,
  KYC_STATUSES,
  MISSING_ITEMS,
  type ProfileFacts,
  profileState,
  type ProfileState,
} from '../../domain/lifecycle/profile.ts';
import {
  flag,
  idOf,
  idOrNullOf,
  listOf,
  moving,
  oneOf,
  record,
  time,
  timeOrNull,
  whole,
  words,
  wordsOrNull,
} from '../http/response-shapes.ts';

type Person = Pick<
  LoginRow,
  'id' | 'memberId' | 'kind' | 'username' | 'nickname' | 'email' | 'role'
>;

const userFields = {
  id: idOf(),
  username: words(),
  nickname: words(),
  email: words(),
  advertisement_id: idOrNullOf(),
  role: oneOf([...new Set([...MEMBER_ROLES, ...OPERATOR_ROLES])]),
  member_id: idOrNullOf(),
};

const userShape = record(userFields, 'User');

/** interface 2.2: what login, registration and a change of password answer. */
export const sessionShape = record(
  { token: words(), token_type: oneOf(['Bearer']), expires_in: whole().min(1), user: userShape },
  'Session',
);

const personFields = {
  ...userFields,
  /** Since when it is known that they read it; null while nobody has opened the link. */
  email_confirmed_at: moving(timeOrNull()),
  /** The address that takes its place when the link that went there is opened. */
  email_pending: moving(wordsOrNull()),
  status: moving(oneOf(accountLifecycle.statuses)),
  version: moving(whole().min(1)),
  created_at: time(),
  updated_at: moving(time()),
};

export const operatorProfileShape = record(
  {
    ...personFields,
    /** Whether a task that a colleague gives them is told by a letter as well (5.9). */
    task_letters: flag(),
  },
  'OperatorProfile',
);

const ownerFields = {
  ...personFields,
  mobile: wordsOrNull(),
  company_name: wordsOrNull(),
  contact_name: wordsOrNull(),
  industry: wordsOrNull(),
  /** As documents name the account (5.22). */
  billing_address: wordsOrNull(),
  tax_id: wordsOrNull(),
  kyc_status: moving(oneOf(KYC_STATUSES)),
  profile_completeness: moving(oneOf(COMPLETENESS)),
  missing: moving(listOf(oneOf(MISSING_ITEMS))),
};

export const advertiserProfileShape = record(ownerFields, 'AdvertiserProfile');
export const publisherProfileShape = record(
  { ...ownerFields, site_url: wordsOrNull() },
  'PublisherProfile',
);

/** interface 2.2, exactly. An operator has no advertisement account. */
export function presentUser(row: Person): yup.InferType<typeof userShape> {
  return {
    id: row.id,
    username: row.username,
    nickname: row.nickname ?? row.username,
    email: row.email,
    advertisement_id: row.kind === kindOfRealm('admin') ? null : row.id,
    role: row.role,
    member_id: row.memberId,
  };
}

const presentPerson = (row: ProfileRow) => ({
  ...presentUser(row),
  email_confirmed_at: row.emailConfirmedAt?.toISOString() ?? null,
  email_pending: row.pendingEmail,
  status: row.status,
  version: row.version,
  created_at: row.createdAt.toISOString(),
  updated_at: row.updatedAt.toISOString(),
});

export const presentOperator = (row: ProfileRow): yup.InferType<typeof operatorProfileShape> => ({
  ...presentPerson(row),
  task_letters: row.taskLetters,
});

/** The own view: interface 2.2 and everything that the profile's completeness depends on. */
export function presentAdvertiser(row: ProfileRow): yup.InferType<typeof advertiserProfileShape> {
  const state = profileStateOf(row);
  return {
    ...presentPerson(row),
    mobile: row.mobile,
    company_name: row.companyName,
    contact_name: row.contactName,
    industry: row.industry,
    billing_address: row.billingAddress,
    tax_id: row.taxId,
    kyc_status: row.kycStatus,
    profile_completeness: state.completeness,
    missing: state.missing,
  };
}

export const presentPublisher = (row: ProfileRow): yup.InferType<typeof publisherProfileShape> => ({
  ...presentAdvertiser(row),
  site_url: row.siteUrl,
});

export function profileStateOf(row: ProfileRow): ProfileState {
  const facts: ProfileFacts = {
    contactName: row.contactName,
    companyName: row.companyName,
    mobile: row.mobile,
    kycStatus: row.kycStatus,
    payoutAccount:
      row.kind === 'ADVERTISER' ? 'not_applicable' : row.hasPayoutAccount ? 'confirmed' : 'missing',
  };
  return profileState(facts);
}
