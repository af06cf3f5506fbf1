import { missingFor, type ProfileFacts, profileState } from '../../../domain/lifecycle/profile.ts';

const empty: ProfileFacts = {
  contactName: null,
  companyName: null,
  mobile: null,
  kycStatus: 'none',
  payoutAccount: 'missing',
};
const basic: ProfileFacts = { ...empty, contactName: 'Ada', mobile: '+49 30 1' };

describe('profile completeness', () => {
  test.each<[string, ProfileFacts, string, string[]]>([
    [
      'nothing given',
      empty,
      'none',
      ['contact_name', 'company_name_or_mobile', 'kyc', 'payout_account'],
    ],
    [
      'a contact name alone',
      { ...empty, contactName: 'Ada' },
      'none',
      ['company_name_or_mobile', 'kyc', 'payout_account'],
    ],
    [
      'a company alone',
      { ...empty, companyName: 'Acme' },
      'none',
      ['contact_name', 'kyc', 'payout_account'],
    ],
    [
      'blank texts',
      { ...empty, contactName: ' ', companyName: '\t' },
      'none',
      ['contact_name', 'company_name_or_mobile', 'kyc', 'payout_account'],
    ],
    ['contact and mobile', basic, 'basic', ['kyc', 'payout_account']],
    [
      'contact and company',
      { ...basic, mobile: null, companyName: 'Acme' },
      'basic',
      ['kyc', 'payout_account'],
    ],
    [
      'an approved identity, not paid out yet',
      { ...basic, kycStatus: 'approved' },
      'basic',
      ['payout_account'],
    ],
    [
      'a pending identity',
      { ...basic, kycStatus: 'pending', payoutAccount: 'confirmed' },
      'basic',
      ['kyc'],
    ],
    [
      'an expired identity',
      { ...basic, kycStatus: 'expired', payoutAccount: 'confirmed' },
      'basic',
      ['kyc'],
    ],
    ['everything', { ...basic, kycStatus: 'approved', payoutAccount: 'confirmed' }, 'verified', []],
    [
      'everything of an advertiser',
      { ...basic, kycStatus: 'approved', payoutAccount: 'not_applicable' },
      'verified',
      [],
    ],
    [
      'an identity without a contact',
      { ...empty, kycStatus: 'approved', payoutAccount: 'confirmed' },
      'none',
      ['contact_name', 'company_name_or_mobile'],
    ],
  ])(
    'profileState · %s · says level and what is missing',
    (_case, facts, completeness, missing) => {
      expect(profileState(facts)).toEqual({ completeness, missing });
    },
  );

  test('missingFor · basic · asks only for what basic needs', () => {
    expect(missingFor('basic', profileState(empty))).toEqual([
      'contact_name',
      'company_name_or_mobile',
    ]);
    expect(missingFor('basic', profileState(basic))).toEqual([]);
    expect(missingFor('verified', profileState(basic))).toEqual(['kyc', 'payout_account']);
  });
});
