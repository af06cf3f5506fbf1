import { chart, termsOf } from '../../../domain/ledger/chart.ts';

const platforms = { ownerType: null, ownerId: null, floorNanos: 0n };
const advertisers = { ownerType: 'ADVERTISER', ownerId: 7, floorNanos: 0n };
const publishers = { ownerType: 'PUBLISHER', ownerId: 9, floorNanos: 0n };

/** Codes are stored: another spelling would open a second account beside the first. */
const ACCOUNTS = [
  ['world', chart.world('BANK'), 'w:bank', { ...platforms, floorNanos: null }],
  ['suspense', chart.suspense('USDT'), 'suspense:usdt', platforms],
  ['advertiser', chart.advertiserAvailable(7), 'adv:7:available', advertisers],
  ['clearing', chart.billingClearing(3), 'clearing:billing:3', platforms],
  ['earned', chart.publisherEarned(9, 3), 'pub:9:earned:3', publishers],
  ['withdrawable', chart.publisherWithdrawable(9), 'pub:9:withdrawable', publishers],
  ['hold', chart.publisherHold(9), 'pub:9:hold', publishers],
  ['revenue', chart.platformRevenue(3), 'platform:revenue:3', platforms],
  ['payout fee', chart.payoutFee(), 'platform:payout_fee', platforms],
  ['tax', chart.taxPayable(), 'tax:payable', platforms],
] as const;

test.each(ACCOUNTS)('chart · %s · has its code', (_name, account, code) => {
  expect(account).toBe(code);
});

test.each(ACCOUNTS)('terms · %s · tell its owner and its floor', (_name, account, _code, terms) => {
  expect(termsOf(account)).toEqual(terms);
});

test('chart · every account of the list · is one that the table above has', () => {
  expect(ACCOUNTS).toHaveLength(Object.keys(chart).length);
});

test('terms · a channel that is named like an owner · is nobody’s', () => {
  expect(termsOf(chart.world('adv:7:'))).toEqual({ ...platforms, floorNanos: null });
  expect(termsOf(chart.suspense('w:bank'))).toEqual(platforms);
});
