import {
  type Facts,
  firstStepsOf,
  openIn,
} from '../../web/console/routes/publisher/_in/-first-steps-of.ts';

/** The way of a new publisher to money that may leave, as their home tells it. */
const NOW = Date.parse('2026-05-31T00:00:00Z');
const NOTHING = { maturing: 0, withdrawable: 0, held: 0, paid_total: 0 };
const NEW: Facts = {
  who: {
    created_at: '2026-05-30T00:00:00Z',
    kyc_status: 'none',
    missing: ['contact_name', 'kyc', 'payout_account'],
  },
  sites: [],
  zones: [],
  money: NOTHING,
  week: { requests: null },
};
const SITE: Facts['sites'][number] = {
  id: 7,
  status: 'ACTIVE',
  verify_status: 'VERIFIED',
  audit_status: 'APPROVED',
  verification: null,
};
const ZONE: Facts['zones'][number] = { id: 9, status: 'ACTIVE', audit_status: 'APPROVED' };
const PAYABLE: Facts['who'] = { ...NEW.who, kyc_status: 'approved', missing: [] };
const ROUND = { method: 'FILE', attempts: 1, last_outcome: null } as const;

const told = (facts: Partial<Facts>) =>
  Object.fromEntries(
    (firstStepsOf({ ...NEW, ...facts }, NOW) ?? []).map(({ key, state, to }) => [
      key,
      to === undefined ? state : `${state} ${to}`,
    ]),
  );

test('an account with nothing yet · may do four things at once · and is told what the others wait for', () => {
  expect(told({})).toEqual({
    details: 'detailsToDo /publisher/profile',
    site: 'siteToDo /publisher/sites/new',
    review: 'reviewLater',
    zone: 'zoneLater',
    code: 'codeLater',
    earned: 'earnedLater',
    identity: 'identityToDo /publisher/kyc',
    account: 'accountToDo /publisher/payouts/accounts/new',
    withdraw: 'withdrawLater',
  });
});

test.each<[string, Partial<typeof SITE>, object]>([
  [
    'is not proven',
    { verify_status: 'UNVERIFIED', audit_status: 'PENDING' },
    { site: 'proofToDo /publisher/sites/7', review: 'reviewLater', zone: 'zoneLater' },
  ],
  [
    'is being looked at for its proof',
    { verify_status: 'UNVERIFIED', verification: { ...ROUND, status: 'RUNNING' } },
    { site: 'proofWaits /publisher/sites/7' },
  ],
  ['waits for a reviewer', { audit_status: 'PENDING' }, { site: 'done', review: 'reviewWaits' }],
  ['was sent back', { audit_status: 'REJECTED' }, { review: 'seeBelow', zone: 'zoneLater' }],
  ['was taken out', { audit_status: 'SUSPENDED' }, { review: 'reviewSuspended' }],
  ['is approved', {}, { review: 'done', zone: 'zoneToDo /publisher/zones/new', code: 'codeLater' }],
  ['is archived', { status: 'ARCHIVED' }, { site: 'siteToDo /publisher/sites/new' }],
])('a site that %s · is said so', (_what, site, said) => {
  expect(told({ sites: [{ ...SITE, ...site }] })).toMatchObject(said);
});

test('a zone · whose code was not seen · is where the code is had; a request and money end that', () => {
  const made = { sites: [SITE], zones: [ZONE] };
  expect(told(made)).toMatchObject({ zone: 'done', code: 'codeToDo /publisher/zones/9' });
  expect(told({ ...made, week: { requests: 3 } })).toMatchObject({
    code: 'done',
    earned: 'earnedWaits',
  });
  expect(told({ ...made, money: { ...NOTHING, withdrawable: 2 } })).toMatchObject({
    code: 'done',
    earned: 'done',
    withdraw: 'withdrawWaits',
  });
});

test.each([
  ['pending', 'identityWaits'],
  ['rejected', 'seeBelow'],
  ['expired', 'seeBelow'],
  ['approved', 'done'],
] as const)('an identity that is %s · is said so', (kyc, state) => {
  expect(told({ who: { ...NEW.who, kyc_status: kyc } })).toMatchObject({ identity: state });
});

test('the path · once the code is seen and a payout has all it needs, or after a month with money · goes', () => {
  const old = { ...NEW.who, created_at: '2026-04-01T00:00:00Z' };
  const money = { ...NOTHING, maturing: 1 };
  const isThere = (facts: Partial<Facts>) => firstStepsOf({ ...NEW, ...facts }, NOW) !== null;
  expect(isThere({ who: PAYABLE })).toBe(true);
  expect(isThere({ week: { requests: 1 } })).toBe(true);
  expect(isThere({ who: PAYABLE, week: { requests: 1 } })).toBe(false);
  expect(isThere({ who: PAYABLE, money })).toBe(false);
  expect(isThere({ money })).toBe(true);
  expect(isThere({ who: old, money })).toBe(false);
  expect(isThere({ who: old })).toBe(true);
});

test('what the path has ahead · and only that · is left out below', () => {
  const steps = firstStepsOf({ ...NEW, sites: [SITE] }, NOW);
  expect([...openIn(steps)].sort()).toEqual(
    ['account', 'code', 'details', 'earned', 'identity', 'withdraw', 'zone'].sort(),
  );
  expect(openIn(null).size).toBe(0);
});
