export const KYC_STATUSES = ['none', 'pending', 'approved', 'rejected', 'expired'] as const;
export type KycStatus = (typeof KYC_STATUSES)[number];
export const COMPLETENESS = ['none', 'basic', 'verified'] as const;
export type Completeness = (typeof COMPLETENESS)[number];

export interface ProfileFacts {
  contactName: string | null;
  companyName: string | null;
  mobile: string | null;
  kycStatus: KycStatus;
  /** Advertisers are never paid out, so they have nothing to confirm there. */
  payoutAccount: 'confirmed' | 'missing' | 'not_applicable';
}

/** What is asked for, in the order in which a person should give it. */
export const MISSING_ITEMS = [
  'contact_name',
  'company_name_or_mobile',
  'kyc',
  'payout_account',
] as const;
export type MissingItem = (typeof MISSING_ITEMS)[number];

export interface ProfileState {
  completeness: Completeness;
  /** Everything between this profile and `verified`. */
  missing: MissingItem[];
}

const BASIC_ITEMS: ReadonlySet<MissingItem> = new Set(['contact_name', 'company_name_or_mobile']);

/**
 * `none` < `basic` < `verified` (interface 5.1): basic is a contact name and a company name or mobile
 * number; verified is basic, an approved identity and a confirmed payout account.
 */
export function profileState(facts: ProfileFacts): ProfileState {
  const missing: MissingItem[] = [];
  if (!isGiven(facts.contactName)) missing.push('contact_name');
  if (!isGiven(facts.companyName) && !isGiven(facts.mobile)) missing.push('company_name_or_mobile');
  if (facts.kycStatus !== 'approved') missing.push('kyc');
  if (facts.payoutAccount === 'missing') missing.push('payout_account');
  return { completeness: completenessOf(missing), missing };
}

/** Which of the missing items stand between the caller and `level`. */
export function missingFor(level: 'basic' | 'verified', state: ProfileState): MissingItem[] {
  return level === 'verified'
    ? state.missing
    : state.missing.filter((item) => BASIC_ITEMS.has(item));
}

function completenessOf(missing: readonly MissingItem[]): Completeness {
  if (missing.length === 0) return 'verified';
  return missing.some((item) => BASIC_ITEMS.has(item)) ? 'none' : 'basic';
}

const isGiven = (value: string | null): boolean => value !== null && value.trim() !== '';
