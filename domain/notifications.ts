/** What owners are told of, and by which ways unless they say otherwise (interface 5.9). */
export const NOTIFICATION_KINDS = [
  'review_decided',
  'review_rejected',
  'deposit_paid',
  'deposit_failed',
  'deposit_held',
  'deposit_taken_back',
  'balance_refund_begun',
  'balance_refund_sent',
  'balance_refund_kept',
  'balance_low',
  'budget_spent',
  'conversions_held',
  'conversions_undecided',
  'site_verified',
  'site_lapsing',
  'site_lapsed',
  'domain_contested',
  'domain_moved',
  'domain_refused',
  'site_claim_lapsed',
  'withdrawal_requested',
  'withdrawal_held',
  'withdrawal_approved',
  'withdrawal_begun',
  'withdrawal_sent',
  'withdrawal_failed',
  'withdrawal_cancelled',
  'appeal_decided',
  'kyc_received',
  'kyc_decided',
  'kyc_expiring',
  'export_ready',
  'report_failed',
  'webhook_disabled',
  'spend_credited',
  'earnings_reversed',
  'earnings_restored',
  'spend_restored',
  'document_issued',
  'domain_asked',
  'domain_disputed',
  'domain_kept',
  'share_agreed',
] as const;
export type NotificationKind = (typeof NOTIFICATION_KINDS)[number];

export type Tenant = 'ADVERTISER' | 'PUBLISHER';

/**
 * What comes into an account and leaves it, how much that is, and who its owner is, is written `always`: whoever got into the account
 * cannot turn the letter off. A kind with its `own` letter is likewise, and what it happened to writes that letter.
 */
interface Rules {
  of: readonly Tenant[];
  mail: boolean | 'always' | 'own';
}

const BOTH = ['ADVERTISER', 'PUBLISHER'] as const;
const RULES: Readonly<Record<NotificationKind, Rules>> = {
  review_decided: { of: BOTH, mail: false },
  review_rejected: { of: BOTH, mail: true },
  deposit_paid: { of: ['ADVERTISER'], mail: 'always' },
  deposit_failed: { of: ['ADVERTISER'], mail: 'always' },
  deposit_held: { of: ['ADVERTISER'], mail: 'always' },
  deposit_taken_back: { of: ['ADVERTISER'], mail: 'always' },
  balance_refund_begun: { of: ['ADVERTISER'], mail: 'always' },
  balance_refund_sent: { of: ['ADVERTISER'], mail: 'always' },
  balance_refund_kept: { of: ['ADVERTISER'], mail: 'always' },
  balance_low: { of: ['ADVERTISER'], mail: true },
  budget_spent: { of: ['ADVERTISER'], mail: false },
  conversions_held: { of: ['ADVERTISER'], mail: true },
  conversions_undecided: { of: ['ADVERTISER'], mail: true },
  site_verified: { of: ['PUBLISHER'], mail: false },
  site_lapsing: { of: ['PUBLISHER'], mail: 'own' },
  site_lapsed: { of: ['PUBLISHER'], mail: 'own' },
  domain_contested: { of: ['PUBLISHER'], mail: 'own' },
  domain_moved: { of: ['PUBLISHER'], mail: 'own' },
  domain_refused: { of: ['PUBLISHER'], mail: true },
  site_claim_lapsed: { of: ['PUBLISHER'], mail: true },
  withdrawal_requested: { of: ['PUBLISHER'], mail: 'always' },
  withdrawal_held: { of: ['PUBLISHER'], mail: 'always' },
  withdrawal_approved: { of: ['PUBLISHER'], mail: 'always' },
  withdrawal_begun: { of: ['PUBLISHER'], mail: 'always' },
  withdrawal_sent: { of: ['PUBLISHER'], mail: 'always' },
  withdrawal_failed: { of: ['PUBLISHER'], mail: 'always' },
  withdrawal_cancelled: { of: ['PUBLISHER'], mail: 'always' },
  appeal_decided: { of: ['PUBLISHER'], mail: true },
  kyc_received: { of: BOTH, mail: 'always' },
  kyc_decided: { of: BOTH, mail: 'always' },
  kyc_expiring: { of: BOTH, mail: 'always' },
  export_ready: { of: BOTH, mail: false },
  report_failed: { of: BOTH, mail: true },
  webhook_disabled: { of: BOTH, mail: true },
  spend_credited: { of: ['ADVERTISER'], mail: 'always' },
  earnings_reversed: { of: ['PUBLISHER'], mail: 'always' },
  earnings_restored: { of: ['PUBLISHER'], mail: 'always' },
  spend_restored: { of: ['ADVERTISER'], mail: 'always' },
  document_issued: { of: BOTH, mail: true },
  domain_asked: { of: ['PUBLISHER'], mail: false },
  domain_disputed: { of: ['PUBLISHER'], mail: true },
  domain_kept: { of: ['PUBLISHER'], mail: true },
  share_agreed: { of: ['PUBLISHER'], mail: 'always' },
};

export interface Ways {
  console: boolean;
  mail: boolean;
}
/** What an account has said; what is absent is as it is by default. */
export type StoredWays = { readonly [Kind in NotificationKind]?: Partial<Ways> };

export const kindsOf = (tenant: Tenant): NotificationKind[] =>
  NOTIFICATION_KINDS.filter((kind) => RULES[kind].of.includes(tenant));

export const hasOwnLetter = (kind: NotificationKind): boolean => RULES[kind].mail === 'own';
/** Nobody turns its letter off. */
export const isAlwaysWritten = (kind: NotificationKind): boolean =>
  typeof RULES[kind].mail === 'string';

export function waysOf(kind: NotificationKind, stored: StoredWays): Ways {
  const { mail } = RULES[kind];
  return {
    console: stored[kind]?.console ?? true,
    mail: typeof mail === 'string' || (stored[kind]?.mail ?? mail),
  };
}

/** Below so many units a balance is low, unless the account says otherwise. */
export const BALANCE_LOW_NANOS = 10_000_000_000n;

/** Facts of a notification, as its kind needs them. */
export interface NotificationParams {
  /** Of the subject, as its owner calls it. */
  name?: string;
  decision?: 'approved' | 'rejected' | 'recalled' | 'suspended' | 'restored';
  reasons?: readonly { code: string; note?: string | undefined }[] | null;
  status?: string;
  amount?: number;
  currency?: string;
  /** The way by which it was paid in, and goes back. */
  method?: string;
  /** Which budget of a campaign is spent. */
  budget?: 'daily' | 'total';
  url?: string;
  /** What comes to the owner's account when fee and tax are taken off, and that account, masked. */
  arrival?: number;
  destination?: string;
  /** Until when something may still be done, or holds. ISO 8601. */
  until?: string;
  /** Of a share: what a publisher earns of what advertisers pay, from the beginning of this UTC day on. */
  percent?: number;
  from?: string;
  /** Days until then. */
  days?: number;
  /** Of a review: the campaign that it is, or that it belongs to. */
  campaign?: { id: number; name: string };
  /** Of a scheduled report: why it was not sent, as its `last_run` says. */
  failure?: string;
  /** Of a refusal: whether the owner may mend it and ask again. */
  mendable?: boolean;
}
