import { chart } from '../../../domain/ledger/chart.ts';

/** Codes are stored: another spelling would open a second account beside the first. */
const ACCOUNTS = [
  ['world', chart.world('BANK'), 'w:bank'],
  ['suspense', chart.suspense('USDT'), 'suspense:usdt'],
  ['advertiser', chart.advertiserAvailable(7), 'adv:7:available'],
  ['refund hold', chart.advertiserRefundHold(7), 'adv:7:refund_hold'],
  ['clearing', chart.billingClearing(3), 'clearing:billing:3'],
  ['earned', chart.publisherEarned(9, 3), 'pub:9:earned:3'],
  ['withdrawable', chart.publisherWithdrawable(9), 'pub:9:withdrawable'],
  ['hold', chart.publisherHold(9), 'pub:9:hold'],
  ['debt', chart.publisherDebt(9), 'pub:9:debt'],
  ['correction clearing', chart.correctionClearing(), 'clearing:corrections'],
  ['appeal cost', chart.appealCost(), 'platform:appeal_cost'],
  ['revenue', chart.platformRevenue(3), 'platform:revenue:3'],
  ['payout fee', chart.payoutFee(), 'platform:payout_fee'],
  ['tax', chart.taxPayable(), 'tax:payable'],
] as const;

test.each(ACCOUNTS)('chart · %s · has its code', (_name, account, code) => {
  expect(account).toBe(code);
});

test('chart · every account of the list · is one that the table above has', () => {
  expect(ACCOUNTS).toHaveLength(Object.keys(chart).length);
});
