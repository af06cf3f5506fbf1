/**
 * The chart of accounts. Codes are built here only, and the database opens no other (`ledger_kind`), with
 * the owner and the floor that the code says. `w:` accounts stand for the outside world and may go negative,
 * debts and costs are negative; every other account has floor 0.
 */
export type AccountCode = string & { readonly __accountCode: unique symbol };

const code = (text: string): AccountCode => text as AccountCode;

export const chart = {
  /** Money that came in or went out through a method or channel. */
  world: (channel: string) => code(`w:${channel.toLowerCase()}`),
  /** Received, but not yet known whose it is. */
  suspense: (provider: string) => code(`suspense:${provider.toLowerCase()}`),
  advertiserAvailable: (advertiserId: number) => code(`adv:${advertiserId}:available`),
  /** Cannot be spent: it is on its way back to whoever paid it in. */
  advertiserRefundHold: (advertiserId: number) => code(`adv:${advertiserId}:refund_hold`),
  /** Nets to zero in every settlement batch. */
  billingClearing: (shard: number) => code(`clearing:billing:${shard}`),
  /** Per shard, so that shards never wait for each other on one publisher's row. */
  publisherEarned: (publisherId: number, shard: number) =>
    code(`pub:${publisherId}:earned:${shard}`),
  publisherWithdrawable: (publisherId: number) => code(`pub:${publisherId}:withdrawable`),
  publisherHold: (publisherId: number) => code(`pub:${publisherId}:hold`),
  /** What was taken back after it could be withdrawn: at or below zero, and paid before all else. */
  publisherDebt: (publisherId: number) => code(`pub:${publisherId}:debt`),
  /** Nets to zero in every batch of corrections. */
  correctionClearing: () => code('clearing:corrections'),
  platformRevenue: (shard: number) => code(`platform:revenue:${shard}`),
  /** Earnings of upheld appeals that no advertiser can be charged for: what wrong removals cost. */
  appealCost: () => code('platform:appeal_cost'),
  /** What withdrawals cost their publishers beside tax. */
  payoutFee: () => code('platform:payout_fee'),
  /** Withheld, and owed to the tax office. */
  taxPayable: () => code('tax:payable'),
} as const;
