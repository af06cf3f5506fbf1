import { kindOfRealm, type LoginRow, type ProfileRow } from '../../db/queries/accounts.ts';
import {
  type ProfileFacts,
  profileState,
  type ProfileState,
} from '../../domain/lifecycle/profile.ts';

type Person = Pick<LoginRow, 'id' | 'kind' | 'username' | 'nickname' | 'email' | 'role'>;

/** interface 2.2, exactly. An operator has no advertisement account. */
export function presentUser(row: Person) {
  return {
    id: row.id,
    username: row.username,
    nickname: row.nickname ?? row.username,
    email: row.email,
    advertisement_id: row.kind === kindOfRealm('admin') ? null : row.id,
    role: row.role,
  };
}

/** The own view: interface 2.2 and everything that the profile's completeness depends on. */
export function presentProfile(row: ProfileRow) {
  const person = {
    ...presentUser(row),
    status: row.status,
    created_at: row.createdAt.toISOString(),
    updated_at: row.updatedAt.toISOString(),
  };
  if (row.kind === 'OPERATOR') return person;
  const state = profileStateOf(row);
  return {
    ...person,
    mobile: row.mobile,
    company_name: row.companyName,
    contact_name: row.contactName,
    industry: row.industry,
    ...(row.kind === 'PUBLISHER' ? { site_url: row.siteUrl } : {}),
    kyc_status: row.kycStatus,
    profile_completeness: state.completeness,
    missing: state.missing,
  };
}

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
